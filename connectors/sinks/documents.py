"""Turns updates into documents: per key, the row the key has at the end; without a key, one document per change.

    updates of [T, T')  ─▶  (k, v) -1, (k, w) +1   the document of k is w, and the destination has one of k
                            (k, w) +1              … is w, and the destination has none of k
                            (k, v) -1              … is to go

The destination has all updates before T, so a key whose document leaves or changes is a key that the destination has.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import DELETED, EXISTS, before_name
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_from_arrow, column_name
from model.physical.shown_numerics import shown_name
from model.text.dispatch import format_datum
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import consolidate, key_array

_AT, _COME, _LEFT, _COPIES, _GONE = "at", "come", "left", "copies", "gone"
_SHOWN_MAX = 100


def projected(updates: pa.Table, sink: SinkDescription) -> pa.Table:
    """Picks the documents' columns from updates of the input, and renames them to c0, c1, …; the decimals of numerics
    without a modifier come behind, as `shown_name` names them, and columns that are not the input's own (time, diff)
    stay."""
    own = {column_name(at) for at in range(sink.desc.arity + sink.fallible)}
    beside = [name for name in updates.column_names if name not in own]
    shown = sink.shown
    columns = [updates.column(column_name(at)) for at in (*sink.columns, *shown.values())]
    names = [*(column_name(at) for at in range(len(sink.columns))), *map(shown_name, shown)]
    return pa.table([*columns, *(updates.column(name) for name in beside)], names=[*names, *beside])


def keyed_documents(updates: pa.Table, sink: SinkDescription) -> pa.Table:
    """Returns the documents of updates (c0, …, diff), with the columns EXISTS and DELETED. The updates include all
    those of every key that occurs. Deleted documents come first; previous rows are added where the sink carries
    them. Raises SqlError for a key that is not unique, or NULL."""
    assert sink.key is not None, "it has a key"
    updates = consolidate(updates)
    documents = updates.drop_columns([DIFF_COLUMN])
    _require_keys(documents, sink)
    diffs = updates.column(DIFF_COLUMN).to_numpy()
    at = np.arange(len(diffs))
    keys = [key_array(documents.column(column_name(place))) for place in sink.key]
    names = [column_name(place) for place in sink.key]
    come = pa.array(at, mask=diffs < 0)
    told = {
        _AT: pa.array(at),
        _COME: come,
        _LEFT: pa.array(at, mask=diffs > 0),
        _COPIES: pa.array(np.maximum(diffs, 0)),
        _GONE: pa.array(diffs < 0),
    }
    table = pa.table([*keys, *told.values()], names=[*names, *told])
    grouped = table.group_by(names, use_threads=False).aggregate(
        [(_AT, "min"), (_COME, "min"), (_LEFT, "min"), (_COPIES, "sum"), (_GONE, "max")]
    )
    if sink.enforced:
        _require_unique(documents, grouped, sink)
    deleted = grouped.column(f"{_COME}_min").is_null()
    chosen = pc.coalesce(grouped.column(f"{_COME}_min"), grouped.column(f"{_AT}_min"))
    found = documents.take(chosen)
    found = found.append_column(EXISTS, grouped.column(f"{_GONE}_max")).append_column(DELETED, deleted)
    if sink.tells_before:
        had = documents.take(grouped.column(f"{_LEFT}_min"))
        for name, column in zip(had.column_names, had.columns, strict=True):
            found = found.append_column(before_name(name), column)
    return found.take(pc.sort_indices(found, sort_keys=[(DELETED, "descending")]))


def touched_documents(updates: pa.Table, sink: SinkDescription) -> pa.Table:
    """Returns the documents of updates with times, as `keyed_documents`, and also the keys that are back at the row
    they had. EXISTS is true of all: the destination may have any of them."""
    updates = consolidate(updates)
    held = consolidate(updates.drop_columns([TIME_COLUMN]))
    _require_keys(held.filter(pc.greater(held.column(DIFF_COLUMN), 0)), sink)
    newest = updates.filter(pc.equal(updates.column(TIME_COLUMN), _last_times(updates, sink)))
    return _all_there(keyed_documents(newest.drop_columns([TIME_COLUMN]), sink))


def documents_at(updates: pa.Table, sink: SinkDescription, lower: Timestamp, closing: Timestamp) -> pa.Table:
    """Returns the documents of the keys changed since `lower`, as `touched_documents`, as they are right before
    `closing`. The updates have times; they include the rows right before `lower`, and all rows of every key that has
    others. Keys are unique at `closing`, though perhaps not at times before."""
    updates = consolidate(updates)
    touched = updates.filter(pc.greater_equal(_last_times(updates, sink), lower))
    counted = pa.schema([field for field in touched.schema if field.name != TIME_COLUMN])
    rows = touched.drop_columns([TIME_COLUMN])
    ever = consolidate(_counted(rows, 1))
    held = consolidate(touched.filter(pc.less(touched.column(TIME_COLUMN), closing)).drop_columns([TIME_COLUMN]))
    told = pa.concat_tables([_counted(ever, -1), _counted(held, 2)]).cast(counted)
    return _all_there(keyed_documents(told, sink))


def _counted(rows: pa.Table, count: int) -> pa.Table:
    """Sets the diff of each row to `count`."""
    at = rows.schema.get_field_index(DIFF_COLUMN)
    return rows.set_column(at, DIFF_COLUMN, pa.array(np.full(rows.num_rows, count, np.int64)))


def _last_times(updates: pa.Table, sink: SinkDescription) -> pa.ChunkedArray:
    """Returns for each update the time of the last update of its key; NULL where the key is NULL, which no
    destination has."""
    names = [column_name(place) for place in sink.key or ()]
    keys = pa.table([key_array(updates.column(name)) for name in names], names=names)
    last = (
        keys.append_column(TIME_COLUMN, updates.column(TIME_COLUMN))
        .group_by(names, use_threads=False)
        .aggregate([(TIME_COLUMN, "max")])
    )
    numbered = keys.append_column(_AT, pa.array(np.arange(updates.num_rows)))
    return numbered.join(last, names).sort_by(_AT).column(f"{TIME_COLUMN}_max")


def _all_there(documents: pa.Table) -> pa.Table:
    at = documents.schema.get_field_index(EXISTS)
    return documents.set_column(at, EXISTS, pa.array(np.full(documents.num_rows, True)))


def changed_documents(updates: pa.Table) -> pa.Table:
    """Turns each change of updates (c0, …, time, diff) into a document."""
    changes = consolidate(updates)
    return changes.take(pc.sort_indices(changes, sort_keys=[(TIME_COLUMN, "ascending"), (DIFF_COLUMN, "ascending")]))


def _require_keys(documents: pa.Table, sink: SinkDescription) -> None:
    for place in sink.key or ():
        if documents.column(column_name(place)).null_count:
            raise _null_key(sink, place)


def _null_key(sink: SinkDescription, place: int) -> SqlError:
    message = f'null value in column "{sink.documents.columns[place].name}", which is of the key of a sink'
    return SqlError(Sqlstate.NOT_NULL_VIOLATION, message, hint="Sink a view that leaves such rows out.")


def _require_unique(documents: pa.Table, grouped: pa.Table, sink: SinkDescription) -> None:
    doubled = grouped.filter(pc.greater(grouped.column(f"{_COPIES}_sum"), 1))
    if doubled.num_rows:
        first = documents.take(doubled.column(f"{_COME}_min").slice(0, 1))
        raise duplicate_key(first, sink)


def key_violation(document: pa.Table, sink: SinkDescription) -> SqlError:
    """Returns the error for the first of these documents: its key is NULL, or another document's too."""
    for place in sink.key or ():
        if document.column(column_name(place))[0].as_py() is None:
            return _null_key(sink, place)
    return duplicate_key(document, sink)


def duplicate_key(document: pa.Table, sink: SinkDescription) -> SqlError:
    """Returns the error for a first document whose key is another document's too."""
    desc: RelationDesc = sink.documents
    places = sink.key or ()
    names = ", ".join(desc.columns[place].name for place in places)
    columns = [document.column(column_name(place)).slice(0, 1) for place in places]
    values = (column_from_arrow(column, desc.types[place])[0] for place, column in zip(places, columns, strict=True))
    texts = (format_datum(value, desc.types[place])[:_SHOWN_MAX] for place, value in zip(places, values, strict=True))
    detail = f"Key ({names})=({', '.join(texts)}) is not unique."
    return SqlError(
        Sqlstate.UNIQUE_VIOLATION, "duplicate key in a sink", detail=detail, hint="Choose a key that is unique."
    )
