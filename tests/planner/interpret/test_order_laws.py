"""The order of datums: total, in step with equality, and PostgreSQL's where it is surprising."""

from __future__ import annotations

import decimal
import math
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json.json_text import Json, write_jsonb
from model.order.datum_order import identity_key, row_key, sort_key
from model.types.datum import Interval
from model.types.scalar_type import FLOAT8, INT4, INTERVAL, JSONB, NUMERIC, TEXT, ScalarType, array_of

_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 2).map(decimal.Decimal), st.sampled_from(("", "a", "b", "aa"))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(("a", "b", "aa")), inner, max_size=3)
    ),
    max_leaves=6,
)
_VALUES: list[tuple[ScalarType, st.SearchStrategy[Any]]] = [
    (FLOAT8, st.floats()),
    (NUMERIC, st.one_of(st.decimals(-9, 9, places=2), st.just(decimal.Decimal("NaN")))),
    (TEXT, st.text(max_size=3)),
    (INTERVAL, st.builds(Interval, st.integers(-2, 2), st.integers(-40, 40), st.integers(-9, 9))),
    (JSONB, _JSON.map(write_jsonb)),
    (array_of(FLOAT8), st.lists(st.one_of(st.none(), st.floats()), max_size=3).map(tuple)),
]


@pytest.mark.parametrize(("type_", "values"), _VALUES, ids=[str(type_) for type_, _ in _VALUES])
def test_every_order_is_total_and_equal_keys_hash_alike(type_: ScalarType, values: st.SearchStrategy[Any]) -> None:
    key = sort_key(type_)

    @given(values, values, values)
    def check(first: Any, second: Any, third: Any) -> None:
        a, b, c = key(first), key(second), key(third)
        assert (a < b) + (a == b) + (b < a) == 1
        assert not (a < b and b < c) or a < c
        assert a != b or hash(a) == hash(b)

    check()


@given(st.lists(st.tuples(st.one_of(st.none(), st.integers(0, 3)), st.floats()), max_size=6))
def test_rows_sort_with_nulls_last_and_identify_what_is_not_distinct(rows: list[tuple[Any, ...]]) -> None:
    types = (INT4, FLOAT8)
    ordered = sorted(rows, key=row_key(types))
    firsts = [row[0] for row in ordered]
    assert firsts == sorted(value for value in firsts if value is not None) + [None] * firsts.count(None)
    keys = {row_key(types)(row) for row in rows}
    assert len(keys) == len({identity_key(types)(row) for row in rows})


def test_nan_is_greatest_and_minus_zero_is_zero() -> None:
    key = sort_key(FLOAT8)
    assert key(math.nan) == key(float("nan")) > key(math.inf)
    assert key(-0.0) == key(0.0)


def test_jsonb_sorts_as_postgres_sorts_it(postgres: psycopg.Connection[tuple[object, ...]]) -> None:
    values: list[Json] = [
        None, True, False, "", "a", "b", "aa", decimal.Decimal(-1), decimal.Decimal(2), [], [None], ["a"], [[]],
        [decimal.Decimal(1)], [decimal.Decimal(1), None], {}, {"a": None}, {"b": None}, {"aa": None}, {"a": []},
        {"a": decimal.Decimal(1)}, {"a": None, "b": None}, {"b": None, "aa": None}, [{}], ["a", "b"], ["b", "a"],
    ]  # fmt: skip
    texts = [write_jsonb(value) for value in values]
    rows = postgres.execute("SELECT x::text AS written FROM unnest(%s::jsonb[]) x ORDER BY x", (texts,)).fetchall()
    assert [row[0] for row in rows] == sorted(texts, key=sort_key(JSONB))
