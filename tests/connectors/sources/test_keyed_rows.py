"""What records say of the rows of keys: in which order, and what is an error of which key."""

from __future__ import annotations

import pyarrow as pa
import pytest

from connectors.kafka.source.records import RECORDS_SCHEMA
from connectors.sources.decode.keyed_rows import NO_KEY, KeyedRows, keyed_rows
from connectors.sources.decode.records import are_key_errors
from model.external.records import (
    DecodingErrors,
    Envelope,
    RecordEncoding,
    RecordFormat,
    RecordMetadata,
    encoded_columns,
)
from model.physical.columns import rows_from_arrow
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT

Told = tuple[int, int, bytes | None, bytes | None]


def _encoding(
    values: DecodingErrors = DecodingErrors.FAIL,
    keys: DecodingErrors = DecodingErrors.FAIL,
    envelope: Envelope = Envelope.UPSERT,
) -> RecordEncoding:
    return RecordEncoding(RecordFormat.JSON, RecordFormat.JSON, (RecordMetadata.OFFSET,), values, keys, envelope)


def _keyed(encoding: RecordEncoding, *records: Told) -> tuple[KeyedRows, list[tuple[object, ...]]]:
    names = ("partition", "offset", "key", "value")
    rows: list[dict[str, object]] = [{**dict(zip(names, each, strict=True)), "headers": []} for each in records]
    desc = RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))
    told = keyed_rows(pa.Table.from_pylist(rows, schema=RECORDS_SCHEMA), encoding, desc)
    decoded = rows_from_arrow(told.rows, desc)
    return told, [(*row, present) for row, present in zip(decoded, told.present.to_pylist(), strict=True)]


def test_records_apply_by_partition_and_offset() -> None:
    _, rows = _keyed(_encoding(), (1, 5, b"1", b"2"), (0, 9, b"1", b"3"), (1, 4, b"2", None))
    assert rows == [("1", "3", 9, None, True), ("2", None, 4, None, False), ("1", "2", 5, None, True)]


def test_a_bad_value_is_an_error_of_its_key() -> None:
    _, ((key, data, offset, error, present),) = _keyed(_encoding(), (0, 7, b"1", b"{"))
    assert (key, data, offset, present) == ("1", None, None, True)
    assert str(error).startswith("22P02 the value of the record at partition 0, offset 7")
    assert not _keyed(_encoding(DecodingErrors.SKIP), (0, 7, b"1", b"{"))[1]
    ((key, told, data, offset, error, present),) = _keyed(_encoding(DecodingErrors.INLINE), (0, 7, b"1", b"{"))[1]
    assert (key, data, offset, error, present) == ("1", None, 7, None, True)
    assert "partition 0, offset 7" in str(told)


def test_a_key_that_is_null_is_one_key() -> None:
    _, rows = _keyed(_encoding(), (0, 1, None, b"1"), (0, 2, None, b"2"), (0, 3, None, b"{"), (0, 4, None, None))
    assert rows[0] == rows[1] == rows[2] == (None, None, None, NO_KEY, True)
    assert rows[3][-1] is False


def test_a_key_that_cannot_be_decoded_is_an_error_of_no_key() -> None:
    told, rows = _keyed(_encoding(), (0, 1, b"{", b"1"), (0, 2, b"{", None), (0, 3, b"1", b"{"))
    assert [row[0] for row in rows] == ["1"]
    errors = told.lasting.column(told.lasting.num_columns - 1)
    assert ["offset 1 can" in str(errors[0]), "offset 2 can" in str(errors[1])] == [True, True]
    assert are_key_errors(errors).to_pylist() == [True, True]
    assert not any(are_key_errors(told.rows.column(told.rows.num_columns - 1)).to_pylist())
    told, rows = _keyed(_encoding(keys=DecodingErrors.SKIP), (0, 1, b"{", b"1"))
    assert (told.lasting.num_rows, rows) == (0, [])


def test_a_change_of_debezium_tells_the_row_after_it() -> None:
    plain = b'{"before": null, "after": {"id": 1, "n": 1.50}, "op": "c"}'
    wrapped = b'{"schema": {}, "payload": {"before": {"id": 1}, "after": null, "op": "d"}}'
    key = b'{"schema": {}, "payload": {"id": 1}}'
    encoding = _encoding(envelope=Envelope.DEBEZIUM)
    _, rows = _keyed(encoding, (0, 1, b'{"id": 1}', plain), (0, 2, key, wrapped), (0, 3, key, None))
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ('{"id": 1}', '{"n": 1.50, "id": 1}', True),
        ('{"id": 1}', None, False),
        ('{"id": 1}', None, False),
    ]


@pytest.mark.parametrize("key", [None, b"1"])
def test_a_table_of_debezium_that_was_emptied_is_an_error(key: bytes | None) -> None:
    encoding = _encoding(envelope=Envelope.DEBEZIUM)
    emptied = b'{"before": null, "after": null, "source": {}, "op": "t", "ts_ms": 1}'
    ((_, data, _, error, present),) = _keyed(encoding, (0, 1, key, emptied))[1]
    assert (data, present) == (None, True)
    assert "TRUNCATE" in str(error) or key is None


def test_what_is_no_change_of_debezium_is_an_error_of_its_key() -> None:
    encoding = _encoding(envelope=Envelope.DEBEZIUM)
    ops = (
        b'{"before": {"id": 1}, "after": null, "op": "u"}',
        b'{"after": {"id": 1}, "op": "d"}',
        b'{"after": {"id": 1}, "op": "x"}',
        b'{"after": null, "op": ["c"]}',
        b'{"after": null, "op": "m"}',
    )
    for value in (b'{"id": 1}', b"1", b"{", b"null", b'{"schema": 1, "payload": null}', *ops):
        ((key, data, _, error, present),) = _keyed(encoding, (0, 1, b"1", value))[1]
        assert (key, data, present) == ("1", None, True)
        assert "the value of the record at partition 0, offset 1 can" in str(error)
        inline = _encoding(DecodingErrors.INLINE, envelope=Envelope.DEBEZIUM)
        ((key, told, data, _, error, present),) = _keyed(inline, (0, 1, b"1", value))[1]
        assert (key, data, error, present) == ("1", None, None, True)
        assert "partition 0, offset 1" in str(told)
