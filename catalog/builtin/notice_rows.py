"""The contents of mz_notices: what asks for somebody's attention, with what can be done.

source or sink stalled   its records do not pass
view stands still        its dataflow does not go on
view recomputed          a part of it costs as much at each change as its whole inputs do
view repaired            it was wrong and has been built anew
index unused             nobody has read it for a day, and no dataflow is built on it
index missing            queries ask for given values of columns, and no index begins with one of them
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping

from catalog.builtin.task_details import shown_error
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SinkStatus, SourceStatus, SystemSnapshot
from catalog.facts.temporary_items import in_temporary_schema
from catalog.nouns.items import Index, Item
from catalog.nouns.names import quote, quote_all
from model.ids.global_id import GlobalId
from model.types.datum import Row

_MISSED_READS_MIN = 10
_DAY_MS = 24 * 60 * 60 * 1000
_STALLED = "stalled"
_RECOMPUTED_HINT = "EXPLAIN tells by step what is recomputed, and why; INCREMENTAL = STRICT refuses such views."
_STILL_HINT = "mz_internal.mz_dataflow_statuses tells how often it was tried again."
_MISSING_HINT = "An index finds such rows at once, and is maintained at each change."
_REPAIRED_HINT = "Its readers saw other rows until then; tell us what led to it."


def _notices(snapshot: SystemSnapshot) -> Iterable[Row]:
    for source in snapshot.sources:
        yield from _stalled(snapshot, source, "source")
    for sink in snapshot.sinks:
        yield from _stalled(snapshot, sink, "sink")
    yield from _views(snapshot)
    yield from _unused_indexes(snapshot)
    yield from _missing_indexes(snapshot)


def _notice(
    kind: str,
    item: Item,
    message: str | None,
    hint: str | None,
    action: str | None,
    at: datetime.datetime | None,
    about: str = "",
) -> Row:
    """Returns the row of a notice; its id is that of the object, with the kind of the notice, and what it is `about`
    where an object may have several."""
    return f"{item.id} {kind}{about}", kind, str(item.id), message, hint, action, None if action is None else "sql", at


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
        last = snapshot.index_use.last.get(definition.collection)
        if last is not None and snapshot.timestamp - max(last, item.created_ms) >= _DAY_MS:
            schema = snapshot.state.schemas[item.schema]
            here = snapshot.state.databases[schema.database].name == snapshot.database
            message = f'index "{item.name}" has not been read for a day'
            hint = "It is maintained at each change all the same."
            action = f"DROP INDEX {quote_all(schema.name, item.name)}" if here else None
            yield _notice("index unused", item, message, hint, action, _at(max(last, item.created_ms) + _DAY_MS))


def _missing_indexes(snapshot: SystemSnapshot) -> Iterator[Row]:
    indexes: dict[GlobalId, dict[str, list[str]]] = {}
    for index in snapshot.state.items.values() if snapshot.index_use.missed else ():
        if isinstance(index.definition, Index):
            on = snapshot.state.items[index.definition.on.id]
            indexes.setdefault(on.id, {})[index.name] = _key_columns(index.definition, on)
    for missed in sorted(snapshot.index_use.missed, key=lambda missed: (missed.on, missed.columns)):
        item = snapshot.state.items.get(missed.on)
        if item is None or missed.reads < _MISSED_READS_MIN or not set(missed.columns) <= set(item.desc.names):
            continue
        if in_temporary_schema(snapshot.state, item):
            continue
        keys = indexes.get(item.id, {})
        if any(columns[0] in missed.columns for columns in keys.values()):
            continue
        names = " and ".join(map(quote, missed.columns))
        message = f'"{item.name}" was read whole {missed.reads} times in a day for given values of {names}'
        near = next((name for name, columns in sorted(keys.items()) if set(columns) & set(missed.columns)), None)
        if near is not None:
            message = f'{message}; index "{near}" does not begin with {"it" if len(missed.columns) == 1 else "them"}'
        schema = snapshot.state.schemas[item.schema]
        here = snapshot.state.databases[schema.database].name == snapshot.database
        listed = ", ".join(map(quote, missed.columns))
        action = f"CREATE INDEX ON {quote_all(schema.name, item.name)} ({listed})" if here else None
        yield _notice("index missing", item, message, _MISSING_HINT, action, _at(missed.since_ms), f" ({listed})")


def _key_columns(index: Index, on: Item) -> list[str]:
    """Returns the names of an index's columns; "" for expressions."""
    return ["" if key.column is None else on.desc.names[key.column] for key in index.keys]


def _created(item: Item) -> datetime.datetime:
    return _at(item.created_ms)


def _at(ms: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC)


NOTICE_ROWS: Mapping[str, Rows] = {"mz_notices": _notices}
