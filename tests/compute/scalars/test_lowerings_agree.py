"""Built-in lowerings say what the reference interpreter says: the same value, or the same error."""

from __future__ import annotations

import datetime

import pytest
from pyspark.sql import SparkSession

from compute.scalars.lowerings import LOWERINGS
from model.types.datum import Interval, Row
from model.types.scalar_type import (
    BOOL,
    BPCHAR,
    DATE,
    FLOAT8,
    INT4,
    INT8,
    INTERVAL,
    NUMERIC,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    ScalarType,
    array_of,
    bpchar,
    list_of,
    map_of,
    numeric,
    varchar,
)  # fmt: skip
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Function
from planner.ir.scalar import And, Call, Case, Coalesce, Literal, Or, QuantifiedArray, Quantifier, Scalar
from tests.compute.agreement import POOLS, Outcome, column_of, disagreements

SEED = 7
ROWS = 100
UTC = Literal("UTC", TEXT)


def _calls_of(row: Function) -> list[Scalar]:
    if any(type_ not in POOLS for type_ in row.arguments) or callable(row.result) or row.form == "modifier":
        return []
    copies: dict[ScalarType, int] = {}
    arguments: list[Scalar] = []
    for type_ in row.arguments:
        copy = copies.setdefault(type_, 0)
        copies[type_] += 1
        arguments.append(column_of(type_, copy))
    return [Call(row.key, (*arguments, *(UTC for _ in row.session)), row.result)]


def _families() -> dict[str, list[Scalar]]:
    families: dict[str, list[Scalar]] = {}
    for key in LOWERINGS:
        if key in FUNCTIONS:
            word = key.split("_")[0]
            for scalar in _calls_of(FUNCTIONS[key]):
                families.setdefault(word if word in ("cast", "compared") else "other", []).append(scalar)
    return families


FAMILIES = _families()


def _say(found: list[tuple[Scalar, Row, Outcome, Outcome]]) -> str:
    seen: dict[str, list[str]] = {}
    for scalar, row, ours, wanted in found:
        arguments = [row[a.index] if hasattr(a, "index") else a for a in getattr(scalar, "arguments", ())]
        name = getattr(scalar, "function", str(scalar)[:300])
        seen.setdefault(name, []).append(f"{arguments} Spark {ours} interpreter {wanted}")
    return "\n".join(f"{name} ({len(lines)}): " + " | ".join(lines[:3]) for name, lines in seen.items())


@pytest.mark.spark
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_built_in_lowering_agrees_with_the_interpreter(spark: SparkSession, family: str) -> None:
    scalars = FAMILIES[family]
    found = []
    for start in range(0, len(scalars), 60):
        found += disagreements(spark, SEED, ROWS, scalars[start : start + 60])
    assert not found, f"seed {SEED}\n{_say(found)}"


def _with_literals() -> list[Scalar]:
    text, int4, int8, number, float8 = (column_of(t) for t in (TEXT, INT4, INT8, NUMERIC, FLOAT8))
    price = column_of(numeric(10, 2))
    calls: list[Scalar] = []

    def add(key: str, result: ScalarType, *arguments: Scalar) -> Scalar:
        calls.append(Call(key, arguments, result))
        return calls[-1]

    def number_of(value: int) -> Literal:
        return Literal(value, INT4)

    for value in (1, 2, -1, 0, 7):
        for word in ("divide", "modulo", "add", "multiply"):
            add(f"{word}_int4_int4", INT4, int4, number_of(value))
            add(f"{word}_int8_int8", INT8, int8, Literal(value, INT8))
            add(f"{word}_numeric_numeric", NUMERIC, price, Literal(POOLS[NUMERIC][3] * value, NUMERIC))
            add(f"{word}_numeric_numeric", NUMERIC, number, Literal(POOLS[NUMERIC][12] * value, NUMERIC))
        add("substr_text_int4", TEXT, text, number_of(value))
        add("left_text_int4", TEXT, text, number_of(value))
        add("right_text_int4", TEXT, text, number_of(value))
        add("substr_text_int4_int4", TEXT, text, number_of(value), number_of(3))
        add("split_part_text_text_int4", TEXT, text, Literal(",", TEXT), number_of(value))
        add("round_numeric_int4", NUMERIC, number, number_of(value))
        add("shift_left_int4_int4", INT4, int4, number_of(value))
        add("shift_right_int8_int4", INT8, int8, number_of(value))
    for pattern in ("%a%", "_bc", "a,%", "%", "", "é%"):
        if "like_text_text" in FUNCTIONS:
            add("like_text_text", BOOL, text, Literal(pattern, TEXT))
            add("not_like_text_text", BOOL, text, Literal(pattern, TEXT))
    for trim in ("btrim", "ltrim", "rtrim"):
        add(f"{trim}_text_text", TEXT, text, Literal("aH ", TEXT))
    for target in (numeric(5, 2), numeric(38, 0), numeric(3, 3)):
        add("modify_numeric", target, number, number_of(target.modifier), Literal(True, BOOL))
        add("modify_numeric", target, price, number_of(target.modifier), Literal(False, BOOL))
    add("modify_varchar", varchar(3), text, number_of(varchar(3).modifier), Literal(True, BOOL))
    add("modify_varchar", varchar(3), text, number_of(varchar(3).modifier), Literal(False, BOOL))
    add("modify_bpchar", bpchar(3), column_of(BPCHAR), number_of(bpchar(3).modifier), Literal(True, BOOL))
    calls += _dates() + _containers()
    zero = Literal(0, INT4)
    divided = Call("divide_int4_int4", (number_of(10), int4), INT4)
    wrong = Call("eq_int4_int4", (divided, number_of(1)), BOOL)
    flag = column_of(BOOL)
    calls += [
        And((flag, wrong)),
        And((wrong, flag)),
        Or((flag, wrong)),
        Or((wrong, column_of(BOOL, 1), flag)),
        Case(((flag, divided),), zero, INT4),
        Case(((wrong, zero), (flag, divided)), number_of(3), INT4),
        Coalesce((int4, divided), INT4),
        Coalesce((divided, column_of(INT4, 1)), INT4),
        Coalesce((price, number), NUMERIC),
        Case(((flag, price), (wrong, Call("multiply_numeric_numeric", (number, number), NUMERIC))), number, NUMERIC),
        Call("add_int4_int4", (divided, Call("multiply_int4_int4", (divided, divided), INT4)), INT4),
        Call("cast_text_int4", (text,), INT4),
        Call("cast_float8_text", (float8, UTC), TEXT),
        And((Call("eq_int4_int4", (Call("cast_text_int4", (text,), INT4), number_of(12)), BOOL), flag)),
    ]
    for quantifier in Quantifier:
        calls.append(QuantifiedArray(quantifier, "eq_int4_int4", int4, column_of(array_of(INT4))))
        calls.append(QuantifiedArray(quantifier, "lt_int4_int4", int4, Literal((1, None, 5), array_of(INT4))))
    return calls


def _dates() -> list[Scalar]:
    units = ("microseconds", "ms", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade",
             "century", "millennium", "isoyear", "dow", "isodow", "doy", "epoch", "julian", "nonsense")  # fmt: skip
    calls: list[Scalar] = []
    for unit in units:
        word = Literal(unit, TEXT)
        for type_ in (TIMESTAMP, DATE, TIME, TIMESTAMPTZ):
            zone = (UTC,) if type_ == TIMESTAMPTZ else ()
            calls.append(Call(f"extract_text_{type_.name}", (word, column_of(type_), *zone), NUMERIC))
            calls.append(Call(f"date_part_text_{type_.name}", (word, column_of(type_), *zone), FLOAT8))
            if type_ in (TIMESTAMP, TIMESTAMPTZ):
                calls.append(Call(f"date_trunc_text_{type_.name}", (word, column_of(type_), *zone), type_))
    return calls + _bins()


def _bins() -> list[Scalar]:
    strides = [Interval(0, 0, 2_000_000), Interval(0, 7, -3), Interval(0, 0, 1), Interval(0, 100_000_000, 0)]
    strides += [Interval(0, 0, 0), Interval(0, -1, 5), Interval(1, 0, 0)]
    origins = [datetime.datetime(1970, 1, 1), datetime.datetime(1, 1, 1, 0, 0, 1), datetime.datetime(9999, 12, 31)]
    calls: list[Scalar] = []
    for type_, zone in ((TIMESTAMP, None), (TIMESTAMPTZ, datetime.UTC)):
        for stride in strides:
            for origin in origins:
                begin = Literal(origin.replace(tzinfo=zone), type_)
                key = f"date_bin_interval_{type_.name}_{type_.name}"
                calls.append(Call(key, (Literal(stride, INTERVAL), column_of(type_), begin), type_))
    return calls


def _containers() -> list[Scalar]:
    ints, texts = array_of(INT4), array_of(TEXT)
    calls: list[Scalar] = [
        Call("single_value_int8_anyelement", (column_of(INT8), column_of(TEXT)), TEXT),
        Call("single_value_int8_anyelement", (Literal(1, INT8), column_of(NUMERIC)), NUMERIC),
        Call("array_length_anyarray_int4", (column_of(ints), Literal(1, INT4)), INT4),
        Call("cardinality_anyarray", (column_of(ints),), INT4),
        Call("subscript_anyarray_int4", (column_of(ints), column_of(INT4)), INT4),
    ]
    for name in ("greatest", "least"):
        for type_ in (INT4, NUMERIC, FLOAT8, TEXT, INTERVAL):
            arguments = tuple(column_of(type_, copy) for copy in range(3))
            calls.append(Call(f"{name}_anyelement", arguments, type_))
    for word in ("eq", "ne", "lt", "le", "gt", "ge", "distinct", "not_distinct"):
        for array in (ints, texts):
            calls.append(Call(f"{word}_anyarray_anyarray", (column_of(array), column_of(array, 1)), BOOL))
    return calls + _members()


def _members() -> list[Scalar]:
    ints, texts, pairs = list_of(INT4), list_of(TEXT), map_of(INT4)
    calls: list[Scalar] = [
        Call("list_length_anycompatiblelist", (column_of(ints),), INT4),
        Call("map_length_anycompatiblemap", (column_of(pairs),), INT4),
        Call("list_item_anycompatiblelist_int8", (column_of(ints), column_of(INT8)), INT4),
        Call("list_of_anyelement", (column_of(INT4), Literal(None, INT4), column_of(INT4, 1)), ints),
        Call("list_of_anyelement", (column_of(NUMERIC),), list_of(NUMERIC)),
        Call("list_of_anyelement", (column_of(texts), column_of(texts, 1)), list_of(texts)),
        Coalesce((column_of(pairs), Literal((("a", None), ("é'", 2)), pairs)), pairs),
        Coalesce((column_of(texts), Literal(("a", None, "\\'"), texts)), texts),
    ]
    for place in (0, 1, 3, -1, 2**31):
        calls.append(Call("list_item_anycompatiblelist_int8", (column_of(texts), Literal(place, INT8)), TEXT))
    for word in ("eq", "ne", "lt", "le", "gt", "ge", "distinct", "not_distinct"):
        for type_, name in ((ints, "anycompatiblelist"), (texts, "anycompatiblelist"), (pairs, "anycompatiblemap")):
            calls.append(Call(f"{word}_{name}_{name}", (column_of(type_), column_of(type_, 1)), BOOL))
    return calls


@pytest.mark.spark
def test_guards_and_literals_agree_with_the_interpreter(spark: SparkSession) -> None:
    found = disagreements(spark, SEED, ROWS, _with_literals())
    assert not found, f"seed {SEED}\n{_say(found)}"
