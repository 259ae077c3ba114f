"""Sinks in mz_catalog and mz_internal: destinations, states, and past states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from catalog.builtin.task_details import error_and_details
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SinkFigures, SystemSnapshot
from catalog.facts.shown import shown
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.sql.definitions import create_sql
from model.external.sinks import (
    ConnectedStore,
    ConnectedTable,
    ConnectorProgram,
    DirectoryOfFiles,
    LakeDirectory,
    RegistryFormat,
    SinkTarget,
    SqliteTable,
)
from model.types.datum import Row


def _sinks(snapshot: SystemSnapshot) -> Iterable[Row]:
    state = snapshot.state
    for item in sorted(state.items.values(), key=lambda item: item.oid):
        if isinstance(item.definition, Sink):
            sink = item.definition
            uses = None if sink.connection is None else str(sink.connection)
            format_, key_format, value_format = _formats(sink.target)
            of = sink_type(sink), uses, None, sink_envelope(sink)
            place = str(item.id), item.oid, str(item.schema), item.name, *of
            yield (
                *place,
                format_,
                key_format,
                value_format,
                str(sink.cluster),
                str(item.owner),
                shown(create_sql, state, item),
            )


def _sink_progresses(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in sorted(snapshot.state.items.values(), key=lambda item: item.oid):
        if isinstance(item.definition, SinkProgress):
            yield str(item.id), item.name, str(item.definition.sink_id)


def sink_type(sink: Sink) -> str:
    """Returns the kind of a sink's destination."""
    match sink.target:
        case SqliteTable():
            return "sqlite"
        case DirectoryOfFiles():
            return "files"
        case ConnectorProgram():
            return "connector"
        case ConnectedTable(of) | ConnectedStore(of) | LakeDirectory(of):
            return of.lower()
        case _:
            assert_never(sink.target)


def sink_envelope(sink: Sink) -> str:
    """Returns how a sink's changes are written."""
    if isinstance(sink.target, ConnectedStore):
        return sink.target.envelope.value
    return "changes" if sink.key is None else "upsert"


def _formats(target: SinkTarget) -> tuple[str | None, str | None, str | None]:
    """Returns the format of whole messages, or those of keys and values where they differ."""
    if isinstance(target, DirectoryOfFiles):
        return target.format.value, None, None
    if not isinstance(target, ConnectedStore) or target.format is None:
        return None, None, None
    if target.key_format is None:
        return _format_name(target.format), None, None
    return None, _format_name(target.key_format), _format_name(target.format)


def _format_name(format_: str | RegistryFormat) -> str:
    return (format_ if isinstance(format_, str) else format_.name).lower()


def _sink_statuses(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in snapshot.sinks:
        item, now = snapshot.state.items[each.id], each.condition
        assert isinstance(item.definition, Sink)
        told = error_and_details(snapshot, now, of=item.definition.source_id)
        yield str(each.id), item.name, sink_type(item.definition), now.since, now.status, *told


def _sink_status_history(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in snapshot.sinks:
        sink = snapshot.state.items[each.id].definition
        assert isinstance(sink, Sink)
        for was in each.history:
            yield was.since, str(each.id), was.status, *error_and_details(snapshot, was, of=sink.source_id)


def _sink_statistics(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in snapshot.sinks:
        told = each.figures
        if told is not None:
            yield str(each.id), *sink_figures(told)


def sink_figures(told: SinkFigures) -> Row:
    """Returns a sink's figures in the order of the columns of its statistics."""
    counts = told.transactions, told.loaded, told.stored, told.bytes, told.commit_ms
    return *counts, told.frontier, told.lag_ms


SINK_ROWS: Mapping[str, Rows] = {"mz_sinks": _sinks, "mz_sink_progresses": _sink_progresses}
"""Of mz_catalog."""

SINK_STATUS_ROWS: Mapping[str, Rows] = {
    "mz_sink_statistics": _sink_statistics,
    "mz_sink_status_history": _sink_status_history,
    "mz_sink_statuses": _sink_statuses,
}
"""Of mz_internal."""
