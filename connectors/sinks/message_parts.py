"""Turns documents into the keys and values of messages, per envelope:

UPSERT     key ─▶ the key's row now, or nothing
DEBEZIUM   key ─▶ {"before": the key's former row, or null, "after": the key's row now, or null}
CHANGES    {row, "mz_timestamp": …, "mz_diff": …}, without a key
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, assert_never

import msgspec
import pyarrow as pa

from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import DELETED, EXISTS, before_name
from connectors.sinks.plain_columns import json_objects, plain_changes, written_text
from model.external.sinks import SinkEnvelope
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name
from model.physical.shown_numerics import shown_name
from model.types.relation_desc import RelationDesc

Encode = Callable[[Any], bytes]
"""Of what `Rows` gave for a document, enveloped."""

Rows = Callable[[pa.Table, RelationDesc], Sequence[Any]]
"""Rows of c0, c1, … as a format's encoder takes them."""

BEFORE, AFTER = "before", "after"


def message_values(documents: pa.Table, sink: SinkDescription, envelope: SinkEnvelope, rows: Rows) -> list[Any]:
    """Returns the values of messages before encoding, with None for a message without a value. A change with a diff
    above 1 is repeated where the message has no `mz_diff`."""
    desc = sink.documents
    match envelope:
        case SinkEnvelope.UPSERT:
            gone = documents.column(DELETED).to_pylist()
            return [None if is_gone else row for row, is_gone in zip(rows(documents, desc), gone, strict=True)]
        case SinkEnvelope.DEBEZIUM if sink.key is not None:
            names = [*map(column_name, range(desc.arity)), *map(shown_name, sink.shown)]
            had = documents.select([*map(before_name, names)]).rename_columns(names)
            existed, gone = documents.column(EXISTS).to_pylist(), documents.column(DELETED).to_pylist()
            told = zip(rows(had, desc), existed, rows(documents, desc), gone, strict=True)
            return [{BEFORE: old if there else None, AFTER: None if left else new} for old, there, new, left in told]
        case SinkEnvelope.DEBEZIUM:
            changes = zip(rows(documents, desc), documents.column(DIFF_COLUMN).to_pylist(), strict=True)
            return [change for row, diff in changes for change in _copies(row, diff)]
        case SinkEnvelope.CHANGES:
            times, diffs = documents.column(TIME_COLUMN), documents.column(DIFF_COLUMN)
            return plain_changes(rows(documents, desc), times.to_pylist(), diffs.to_pylist())
        case _:
            assert_never(envelope)


def _copies(row: Any, diff: int) -> Iterable[dict[str, Any]]:
    change = {BEFORE: None, AFTER: row} if diff > 0 else {BEFORE: row, AFTER: None}
    return [change] * abs(diff)


def message_keys(documents: pa.Table, sink: SinkDescription, rows: Rows) -> Sequence[Any]:
    """Returns the keys of messages before encoding: numerics in them as short as they can be, so that equal keys are
    the same bytes."""
    assert sink.key is not None, "it has a key"
    columns = [documents.column(column_name(place)) for place in sink.key]
    table = pa.table(columns, names=[column_name(at) for at in range(len(columns))])
    return rows(table, key_desc(sink))


def key_desc(sink: SinkDescription) -> RelationDesc:
    """Returns the columns of keys."""
    desc = sink.documents
    return replace(desc, columns=tuple(desc.columns[place] for place in sink.key or ()))


def json_rows(documents: pa.Table, desc: RelationDesc) -> Sequence[Any]:
    """Returns rows for `json_text`."""
    return json_objects(documents, desc)


def json_text(value: Any) -> bytes:
    return msgspec.json.encode(value)


def text_rows(documents: pa.Table, desc: RelationDesc) -> Sequence[Any]:
    """Returns the values of the only column, as PostgreSQL writes them."""
    (column,) = desc.columns
    return [str(each) for each in written_text(documents, 0, column.type).to_pylist()]


def plain_text(value: Any) -> bytes:
    return str(value).encode()
