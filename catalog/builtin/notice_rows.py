"""The contents of mz_notices: what asks for somebody's attention, with what can be done.

source or sink stalled   its records do not pass
view stands still        its dataflow does not go on
view recomputed          a part of it costs as much at each change as its whole inputs do
view repaired            it was wrong and has been built anew
index unused             nobody has read it for a day, and no dataflow is built on it
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping

from catalog.builtin.task_details import shown_error
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SinkStatus, SourceStatus, SystemSnapshot
from catalog.nouns.items import Index, Item
from catalog.nouns.names import quote_all
from model.ids.global_id import GlobalId
from model.types.datum import Row

_DAY_MS = 24 * 60 * 60 * 1000
_STALLED = "stalled"
_RECOMPUTED_HINT = "EXPLAIN tells by step what is recomputed, and why; INCREMENTAL = STRICT refuses such views."
_STILL_HINT = "mz_internal.mz_dataflow_statuses tells how often it was tried again."
_REPAIRED_HINT = "Its readers saw other rows until then; tell us what led to it."


def _notices(snapshot: SystemSnapshot) -> Iterable[Row]:
    for source in snapshot.sources:
        yield from _stalled(snapshot, source, "source")
    for sink in snapshot.sinks:
        yield from _stalled(snapshot, sink, "sink")
    yield from _views(snapshot)
    yield from _unused_indexes(snapshot)


def _notice(
    kind: str, item: Item, message: str | None, hint: str | None, action: str | None, at: datetime.datetime | None
) -> Row:
    """Returns the row of a notice; its id is that of the object, with the kind of the notice."""
    return f"{item.id} {kind}", kind, str(item.id), message, hint, action, None if action is None else "sql", at


def _stalled(snapshot: SystemSnapshot, status: SourceStatus | SinkStatus, kind: str) -> Iterator[Row]:
    now, item = status.condition, snapshot.state.items.get(status.id)
    if now.status == _STALLED and item is not None:
        error = shown_error(snapshot, now.error, of=status.id)
        hint = now.hint if error == now.error else None
        yield _notice(f"{kind} stalled", item, f'{kind} "{item.name}": {error}', hint, None, now.since)


def _views(snapshot: SystemSnapshot) -> Iterator[Row]:
    for status in snapshot.maintained:
        item = snapshot.state.items.get(status.id)
        if item is None:
            continue
        if status.reason is not None:
            reason = shown_error(snapshot, status.reason, of=_rows_of(item))
            yield _notice("view stands still", item, f'"{item.name}": {reason}', _STILL_HINT, None, None)
        if status.recomputed:
            parts = "; ".join(status.recomputed)
            message = f'part of "{item.name}" is recomputed at each change: {parts}'
            yield _notice("view recomputed", item, message, _RECOMPUTED_HINT, None, _created(item))
        if status.repairs is not None:
            rows = status.repairs.corrected_rows
            message = f'"{item.name}" was built anew, which corrected it by {rows} rows'
            yield _notice("view repaired", item, message, _REPAIRED_HINT, None, status.repairs.last_at)


def _rows_of(item: Item) -> GlobalId:
    """Returns the relation whose rows an index or a materialized view holds."""
    return item.definition.on.id if isinstance(item.definition, Index) else item.id


def _unused_indexes(snapshot: SystemSnapshot) -> Iterator[Row]:
    read_by_dataflows = {id_ for status in snapshot.maintained for id_ in status.inputs}
    for item in sorted(snapshot.state.items.values(), key=lambda item: item.id):
        definition = item.definition
        if not isinstance(definition, Index) or definition.rule is not None or item.id in read_by_dataflows:
            # An index that holds a key has its use in that.
            continue
        last = snapshot.index_reads.get(definition.collection)
        if last is not None and snapshot.timestamp - max(last, item.created_ms) >= _DAY_MS:
            schema = snapshot.state.schemas[item.schema]
            here = snapshot.state.databases[schema.database].name == snapshot.database
            message = f'index "{item.name}" has not been read for a day'
            hint = "It is maintained at each change all the same."
            action = f"DROP INDEX {quote_all(schema.name, item.name)}" if here else None
            yield _notice("index unused", item, message, hint, action, _at(max(last, item.created_ms) + _DAY_MS))


def _created(item: Item) -> datetime.datetime:
    return _at(item.created_ms)


def _at(ms: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC)


NOTICE_ROWS: Mapping[str, Rows] = {"mz_notices": _notices}
