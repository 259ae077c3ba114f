"""Rows of a data collection, one for each record: key, value, metadata, error (ENVELOPE NONE)."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from connectors.sources.decode.records import NO_SCHEMAS, RegistrySchemas, decoded_records
from model.external.records import RecordEncoding
from model.physical.columns import arrow_schema
from model.types.relation_desc import RelationDesc


def decoded_rows(
    records: pa.Table, encoding: RecordEncoding, desc: RelationDesc, schemas: RegistrySchemas = NO_SCHEMAS
) -> pa.Table:
    """Decodes each record that is not skipped to a row of `desc` (c0, …, the decimals of numerics without a modifier,
    the last column the error)."""
    decoded = decoded_records(records, encoding, schemas)
    errors = {**decoded.value_errors, **decoded.key_errors}
    columns = [*decoded.columns, *decoded.decimals]
    if errors:
        sound = pa.array([at not in errors for at in range(records.num_rows)])
        columns = [pc.if_else(sound, column, pa.scalar(None, column.type)) for column in columns]
    columns.append(pa.array([errors.get(at) for at in range(records.num_rows)], pa.string()))
    rows = pa.table(columns, schema=arrow_schema(desc))
    if decoded.skipped:
        return rows.filter(pa.array([at not in decoded.skipped for at in range(records.num_rows)]))
    return rows
