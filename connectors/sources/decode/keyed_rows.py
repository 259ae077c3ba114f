"""Turns records into rows by key (ENVELOPE UPSERT, and DEBEZIUM).

A record with a value sets the key's row; a record with a NULL value deletes the row. A value that can't be decoded is
stored as an error in place of the key's row, until the key's next record replaces it. A NULL key is stored as an error
likewise. A key that can't be decoded can't be replaced: the error stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from connectors.sources.decode.records import NO_SCHEMAS, RegistrySchemas, decoded_records, flat
from connectors.upstream import KEY, OFFSET, PARTITION
from model.external.records import RecordEncoding, key_columns
from model.physical.columns import arrow_schema
from model.types.relation_desc import RelationDesc

NO_KEY = "22004 a record's key is NULL; a record whose key and value are NULL takes this back"
"""The row of the key that is NULL. It says nothing of the record: there is one such row, whichever has told it."""


@dataclass(frozen=True, slots=True)
class KeyedRows:
    """The rows of keys, decoded.

    `rows`: rows of the collection, in the order in which they apply
    `present`: per row, true for a row, false for a deletion of the key's row
    `lasting`: errors that belong to no key
    """

    rows: pa.Table
    present: pa.Array
    lasting: pa.Table


def keyed_rows(
    records: pa.Table, encoding: RecordEncoding, desc: RelationDesc, schemas: RegistrySchemas = NO_SCHEMAS
) -> KeyedRows:
    """Decodes records of a source to rows of `desc` (c0, …, the last column the error), ordered by partition and
    offset."""
    records = in_order(records)
    decoded = decoded_records(records, encoding, schemas)
    count, keys = records.num_rows, len(key_columns(encoding))
    keyless = pc.is_null(flat(records.column(KEY)))
    errors = [decoded.value_errors.get(at) for at in range(count)]
    texts = pc.if_else(keyless, NO_KEY, pa.array(errors, pa.string()))
    failed = pa.array([decoded.key_errors.get(at) for at in range(count)], pa.string())
    texts = pc.coalesce(failed, texts)
    known, sound = pc.and_(pc.invert(keyless), pc.is_null(failed)), pc.is_null(texts)
    columns = [
        pc.if_else(known if at < keys else sound, column, pa.scalar(None, column.type))
        for at, column in enumerate((*decoded.columns, *decoded.decimals))
    ]
    rows = pa.table([*columns, texts], schema=arrow_schema(desc))
    lasting = pc.is_valid(failed)
    kept = pc.invert(lasting)
    if decoded.skipped:
        wanted = pa.array([at not in decoded.skipped for at in range(count)])
        kept, lasting = pc.and_(kept, wanted), pc.and_(lasting, wanted)
    return KeyedRows(rows.filter(kept), decoded.present.filter(kept), rows.filter(lasting))


def in_order(records: pa.Table) -> pa.Table:
    """Sorts the records of one binding into the order in which they apply."""
    return records.sort_by([(PARTITION, "ascending"), (OFFSET, "ascending")])
