"""Documents of numerics without a modifier: equal ones are one key, and each is written with its own decimals."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pyarrow as pa

from connectors.sinks.documents import changed_documents, keyed_documents, projected
from connectors.sinks.message_parts import json_rows, json_text, message_keys, message_values
from connectors.sinks.messages import DELETED, EXISTS
from connectors.sinks.plain_columns import json_lines, quick_text_columns, text_columns
from connectors.sinks.reduction import Reduction
from model.external.sinks import SinkEnvelope, SqliteTable
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.decimals_columns import with_decimals_columns
from model.types.relation_desc import relation_desc
from model.types.scalar_type import NUMERIC, TEXT, numeric
from model.updates.update import Update, updates_to_arrow
from tests.connectors.sinks.sessions import sink_into

_STORED = with_decimals_columns(relation_desc(("t", TEXT), ("k", NUMERIC), ("n", NUMERIC), ("m", numeric(5, 2))))
_SINK = replace(
    sink_into(SqliteTable("x", "t")),
    desc=_STORED,
    fallible=False,
    columns=(1, 3, 2),
    names=("k", "m", "n"),
    key=(0,),
)


def _row(k: str, n: str | None) -> Row:
    told = [None if each is None else Decimal(each) for each in (k, n)]
    decimals = [None if each is None else len(each.partition(".")[2]) for each in (k, n)]
    return ("x", *told, Decimal("1.50"), *decimals)


def _updates(*changes: tuple[str, str | None, int]) -> pa.Table:
    updates = [Update(_row(k, n), Timestamp(5), diff) for k, n, diff in changes]
    return projected(updates_to_arrow(updates, _STORED), _SINK)


def test_a_key_that_shows_other_decimals_is_the_same_key() -> None:
    updates = _updates(("1.0", "1.50", -1), ("1.00", "1.500", 1), ("2", None, 1), ("3.0", "0.000", -1))
    documents = keyed_documents(updates.drop_columns(["time"]), replace(_SINK, enforced=True))
    shown = zip(
        text_columns(documents, _SINK).to_pylist(),
        documents.column(EXISTS).to_pylist(),
        documents.column(DELETED).to_pylist(),
        strict=True,
    )
    assert sorted(shown, key=str) == [
        ({"k": "1.00", "m": "1.50", "n": "1.500"}, True, False),
        ({"k": "2", "m": "1.50", "n": None}, False, False),
        ({"k": "3.0", "m": "1.50", "n": "0.000"}, True, True),
    ]
    assert quick_text_columns(documents, _SINK).equals(text_columns(documents, _SINK))
    assert sorted(map(json_text, message_keys(documents, _SINK, json_rows))) == [b'{"k":1}', b'{"k":2}', b'{"k":3}']


def test_rows_before_show_the_decimals_that_they_had() -> None:
    sink = replace(_SINK, place=_Enveloped())
    updates = _updates(("1.0", "1.50", -1), ("1.00", "1.500", 1))
    documents = keyed_documents(updates.drop_columns(["time"]), sink)
    (told,) = message_values(documents, sink, SinkEnvelope.DEBEZIUM, json_rows)
    before, after = '{"k":1.0,"m":1.50,"n":1.50}', '{"k":1.00,"m":1.50,"n":1.500}'
    assert json_text(told).decode() == f'{{"before":{before},"after":{after}}}'


def test_changes_that_differ_in_decimals_alone_are_changes() -> None:
    sink = replace(_SINK, key=None)
    lines = json_lines(changed_documents(_updates(("1", "1.5", -1), ("1", "1.50", 1))), sink).decode().splitlines()
    assert [line.partition(',"mz_timestamp"')[0] for line in lines] == [
        '{"k":1,"m":1.50,"n":1.5',
        '{"k":1,"m":1.50,"n":1.50',
    ]
    assert [json.loads(line)["mz_diff"] for line in lines] == [-1, 1]


def test_a_sum_shows_the_most_decimals_of_what_is_added() -> None:
    sink = replace(_SINK, sums=(2,))
    digits = "12345678901234567890.123456789012345678"
    reduction = Reduction(sink)
    reduction.take(_updates(("1.0", "1.50", 1), ("1.00", digits, 1), ("1", "2.0", -1)))
    (keys,) = reduction.to_load(10)
    assert keys.num_rows == 1
    (documents,) = reduction.documents(10)
    (row,) = text_columns(documents, sink).to_pylist()
    assert row["n"] == "12345678901234567889.623456789012345678"


class _Enveloped:
    """A place of messages that tell the rows before."""

    secrets = ()
    envelope = SinkEnvelope.DEBEZIUM
