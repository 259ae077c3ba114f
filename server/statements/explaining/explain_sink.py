"""EXPLAIN of sinks: the documents, the portions, and the guarantees to readers of the destination."""

from __future__ import annotations

from typing import assert_never

from catalog.builtin.sink_rows import sink_type
from catalog.nouns.sinks import Sink, ViewSink
from catalog.state.catalog_state import CatalogState
from model.external.sinks import (
    ConnectedStore,
    ConnectedTable,
    ConnectorProgram,
    DirectoryOfFiles,
    LakeDirectory,
    SinkEnvelope,
    SqliteTable,
)
from model.ids.global_id import GlobalId
from planner.explain import Names

_WHOLE = "Exactly once: what is written and how far it is are one transaction of the destination's"
_RANGES = "Exactly once: what is written of a range and how far it is are one transaction of the destination's"
_FILES = "Exactly once: a file is named by the times that it covers, and appears whole"
_PORTIONS = "Exactly once: up to 99 documents appear whole, with how far they are, and more in portions of them"
_PROGRAM = "Exactly once, if the program keeps to the protocol"
_REQUESTS = "At least once: a request that is sent again has the idempotency key that it had"
_OF_STORES = {"S3": _FILES, "WEBHOOK": _REQUESTS}


def sink_lines(state: CatalogState, id_: GlobalId, name: Names) -> list[str]:
    """A sink's plan, in lines."""
    sink = state.items[id_].definition
    assert isinstance(sink, Sink)
    policy, kept = sink.policy, ", which the sink keeps" if isinstance(sink, ViewSink) else ""
    lines = [
        f"Sink {name(id_)} into {sink_type(sink)}",
        f"  From {name(sink.source_id)}: {', '.join(sink.names)}{kept}",
        f"  {_rows(sink)}",
        f"  A transaction after {policy.age_ms} ms or {policy.rows_max:,} changes, at a whole timestamp",
        f"  {_promise(sink)}",
    ]
    if policy.parallelism > 1:
        lines[-1:] = [f"  In {policy.parallelism} ranges of keys, which close at the same times", f"  {_RANGES}"]
    if not policy.snapshot:
        lines.insert(2, "  Without what was there when it was created")
    return [*lines, "  Paused"] if sink.paused else lines


def _rows(sink: Sink) -> str:
    stored = sink.target
    if sink.key is None:
        if isinstance(stored, ConnectedStore) and stored.envelope is not SinkEnvelope.CHANGES:
            return f"Each change, as ENVELOPE {stored.envelope.value.upper()} has it"
        return "Each change, with its mz_timestamp and mz_diff"
    listed = ", ".join(sink.names[place] for place in sink.key)
    if sink.sums:
        summed = ", ".join(sink.names[place] for place in sink.sums)
        return f"By ({listed}): what the destination has is loaded, and {summed} added up in it"
    rows = "the last row of each key" if sink.enforced else "the last row of each key, of those that there are"
    return f"By ({listed}): {rows}"


def _promise(sink: Sink) -> str:
    match sink.target:
        case ConnectedTable(of="DYNAMODB"):
            return _PORTIONS
        case SqliteTable() | ConnectedTable() | LakeDirectory():
            return _WHOLE
        case DirectoryOfFiles():
            return _FILES
        case ConnectorProgram():
            return _PROGRAM
        case ConnectedStore(of=of):
            return _OF_STORES.get(of, _WHOLE)
        case _:
            assert_never(sink.target)
