"""EXPLAIN of sinks: the documents, the portions, and the guarantees to readers of the destination."""

from __future__ import annotations

from catalog.builtin.sink_rows import sink_type
from catalog.nouns.sinks import Sink, ViewSink
from catalog.state.catalog_state import CatalogState
from connectors.systems import DESTINATIONS
from model.external.sinks import ConnectedStore, SinkEnvelope
from model.ids.global_id import GlobalId
from planner.explain import Names

_RANGES = "Exactly once: what is written of a range and how far it is are one transaction of the destination's"


def sink_lines(state: CatalogState, id_: GlobalId, name: Names) -> list[str]:
    """Returns a sink's plan, in lines."""
    sink = state.items[id_].definition
    assert isinstance(sink, Sink)
    policy, kept = sink.policy, ", which the sink keeps" if isinstance(sink, ViewSink) else ""
    lines = [
        f"Sink {name(id_)} into {sink_type(sink)}",
        f"  From {name(sink.source_id)}: {', '.join(sink.names)}{kept}",
        f"  {_rows(sink)}",
        f"  A transaction after {policy.age_ms} ms or {policy.rows_max:,} changes, at a whole timestamp",
        f"  {DESTINATIONS[sink.target.of].promise}",
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
