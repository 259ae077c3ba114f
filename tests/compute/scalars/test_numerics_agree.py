"""Numerics of all sizes and scales: Spark's answers are the interpreter's, which PostgreSQL judges, or 22003 where a
column of Spark's does not hold them."""

from __future__ import annotations

import decimal
import random
from collections import defaultdict
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from compute.render import render_peek
from compute.scalars.failure import Failure
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.text.numerics import EXACT
from model.types.datum import Datum, Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4, INT8, NUMERIC, TEXT, ScalarType, numeric, shown_numeric
from planner.functions.registry import AGGREGATES
from planner.interpret.parameters import DEFAULT_STYLE
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Finishing, Get, Reduce
from planner.ir.scalar import Call, Case, Coalesce, Column, Literal, Scalar
from tests.compute.agreement import Outcome, by_interpreter, by_spark

TABLE = GlobalId.user(1)
TYPES = (NUMERIC, NUMERIC, numeric(20, 2), numeric(38, 30), numeric(9, 4))
ROWS, PAIRS_A_HALF = 300, 200
_OVERFLOW = Failure.NUMERIC_OVERFLOW.value
_HALF = Decimal("0.5")


def drawn(dice: random.Random, whole: int, scale: int) -> Decimal:
    """Of at most so many whole digits and decimals, mostly of far fewer."""
    places = dice.choice((0, min(2, scale), dice.randint(0, scale)))
    digits = dice.randint(1, dice.choice((min(3, whole), min(8, whole), whole))) if whole else 0
    value = Decimal(dice.randrange(10 ** (digits + places))).scaleb(-places, EXACT)
    return value.copy_negate() if dice.random() < 0.3 else value


def near_a_half(dice: random.Random) -> tuple[Decimal, Decimal]:
    """Two numbers of which the quotient is a half of a last decimal, or the least that can be above or below one."""
    divisor = drawn(dice, dice.choice((1, 3, 6)), dice.choice((0, 2, 6)))
    places = dice.choice((12, 16, 16, 17))
    quotient = (Decimal(dice.randrange(1, 10 ** dice.choice((17, 18)))) + _HALF).scaleb(-places, EXACT)
    least = Decimal(dice.choice((-1, 0, 1))).scaleb(-18)
    product = EXACT.multiply(quotient, divisor).quantize(least, decimal.ROUND_HALF_UP, EXACT)
    return EXACT.add(product, least), divisor


def rows(dice: random.Random) -> list[Row]:
    bounds = [(20, 18), (20, 18), (18, 2), (8, 30), (5, 4)]
    found: list[Row] = [tuple(drawn(dice, *bound) for bound in bounds) for _ in range(ROWS)]
    for _ in range(PAIRS_A_HALF):
        left, right = near_a_half(dice)
        if abs(left) < 10**20:
            found.append((left, right, *(drawn(dice, *bound) for bound in bounds[2:])))
    return found


def scalars() -> list[Scalar]:
    columns: list[tuple[Scalar, ScalarType]] = [(Column(i, type_), type_) for i, type_ in enumerate(TYPES)]
    tiny, long = Literal(Decimal("1e-30"), NUMERIC), Literal(Decimal("98765432109876543210.123"), NUMERIC)
    operands = [column for column, _ in columns] + [tiny, long]
    by_place = ((0, 1), (0, 2), (2, 4), (4, 2), (3, 4), (0, 3), (5, 0), (0, 6), (3, 5))
    pairs = [(operands[left], operands[right]) for left, right in by_place]
    found: list[Scalar] = []
    for word, type_ in (("add", NUMERIC), ("subtract", NUMERIC), ("multiply", NUMERIC), ("divide", NUMERIC),
                        ("modulo", NUMERIC), ("lt", BOOL)):  # fmt: skip
        found += [Call(f"{word}_numeric_numeric", pair, type_) for pair in pairs]
    found += [Call("round_numeric_int4", (each, Literal(3, INT4)), NUMERIC) for each in operands]
    return found + [Call("cast_numeric_text", (each,), TEXT) for each in (*operands, *_of_scales_of_their_own(pairs))]


def _of_scales_of_their_own(pairs: list[tuple[Scalar, Scalar]]) -> list[Scalar]:
    """Numerics whose decimals hang on the values, which their text shows letter by letter."""
    quotients: list[Scalar] = [Call("divide_numeric_numeric", pair, NUMERIC) for pair in pairs]
    last, price, rate = quotients[-1], Column(2, TYPES[2]), Column(4, TYPES[4])
    positive = Call("lt_numeric_numeric", (Literal(Decimal(0), NUMERIC), price), BOOL)
    small = Call("round_numeric_int4", (last, Literal(3, INT4)), shown_numeric(3))
    return [
        *quotients,
        Case(((positive, price),), rate, NUMERIC),
        Case(((positive, last),), Literal(Decimal(0), shown_numeric(0)), NUMERIC),
        Coalesce((Case(((positive, rate),), Literal(None, NUMERIC), TYPES[4]), last, price), NUMERIC),
        Call("add_numeric_numeric", (small, last), NUMERIC),
        Call("negate_numeric", (last,), NUMERIC),
    ]


def _agree(ours: Outcome, wanted: Outcome) -> bool:
    return ours == wanted or ours[1] == _OVERFLOW


@pytest.mark.spark
def test_spark_has_the_interpreters_numerics_or_refuses_them(spark: SparkSession) -> None:
    dice = random.Random(5)
    desc = relation_desc(*((f"x{i}", type_) for i, type_ in enumerate(TYPES)))
    held = rows_to_arrow(rows(dice), desc)
    data, frame, every = rows_from_arrow(held, desc), spark.createDataFrame(held), scalars()
    answers, wrong, refused = [], [], 0
    for start in range(0, len(every), 60):
        answers += by_spark(spark, desc, frame, every[start : start + 60])
    for scalar, ours, wanted in zip(every, answers, by_interpreter(data, every), strict=True):
        wrong += [(scalar, row, a, b) for row, a, b in zip(data, ours, wanted, strict=True) if not _agree(a, b)]
        refused += sum(a != b for a, b in zip(ours, wanted, strict=True))
    assert not wrong, f"{len(wrong)} differ: {wrong[:3]}"
    assert refused < ROWS * len(every) / 2, "what is refused tells nothing"


@pytest.mark.spark
def test_python_functions_are_told_decimals_that_are_computed(spark: SparkSession) -> None:
    """Of a CASE, a sum of two and a quotient, not only of a stored column."""
    desc = relation_desc(("price", numeric(10, 2)), ("rate", numeric(8, 4)))
    data: list[Row] = [
        (Decimal("1.50"), Decimal("0.5000")),
        (Decimal("-2.00"), Decimal("2.0000")),
        (None, Decimal("1.0000")),
    ]
    price, rate = Column(0, numeric(10, 2)), Column(1, numeric(8, 4))
    positive = Call("lt_numeric_numeric", (Literal(Decimal(0), NUMERIC), price), BOOL)
    either = Case(((positive, price),), rate, NUMERIC)
    quotient = Call("divide_numeric_numeric", (price, rate), NUMERIC)
    values = (
        either,
        quotient,
        Call("add_numeric_numeric", (either, either), NUMERIC),
        Coalesce((price, rate), NUMERIC),
    )
    every: list[Scalar] = [Call("concat_any", (each, DEFAULT_STYLE), TEXT) for each in values]
    frame = spark.createDataFrame(rows_to_arrow(data, desc))
    found = by_spark(spark, desc, frame, every)
    assert found == by_interpreter(data, every)
    assert found[0][0] == ("1.50", None) and found[2][1] == ("4.0000", None)


@pytest.mark.spark
def test_python_functions_tell_the_decimals_of_their_results(spark: SparkSession) -> None:
    desc = relation_desc(("told", TEXT), ("n", numeric(10, 2)))
    data: list[Row] = [("1.000", Decimal("4.00")), ("2.50", Decimal("2.00")), (None, Decimal("1.00")), ("x", None)]
    told, n = Column(0, TEXT), Column(1, numeric(10, 2))
    parsed = Call("cast_text_numeric", (told,), NUMERIC)
    values = (parsed, Call("sqrt_numeric", (n,), NUMERIC), Call("add_numeric_numeric", (parsed, n), NUMERIC))
    every: list[Scalar] = [Call("cast_numeric_text", (each,), TEXT) for each in values]
    frame = spark.createDataFrame(rows_to_arrow(data, desc))
    found = by_spark(spark, desc, frame, every)
    assert found == by_interpreter(data, every)
    assert found[0][0] == ("1.000", None) and found[1][0] == ("2.000000000000000", None)


@pytest.mark.spark
def test_spark_has_the_interpreters_means(spark: SparkSession) -> None:
    dice, groups = random.Random(6), defaultdict(list)
    for group in range(300):
        for _ in range(dice.randint(1, 9)):
            whole = int(drawn(dice, dice.choice((2, 9, 18)), 0))
            # The decimals of a sum of values without a modifier are those that it needs: of few they don't count.
            groups[group].append((drawn(dice, 6, 4), drawn(dice, 18, 2), whole, whole % 2**31))
    types = (NUMERIC, numeric(20, 2), INT8, INT4)
    desc = relation_desc(("k", INT4), *((f"x{i}", type_) for i, type_ in enumerate(types)))
    held = rows_to_arrow([(group, *values) for group, each in groups.items() for values in each], desc)
    names = ("avg_numeric", "avg_numeric", "avg_int8", "avg_int4")
    calls = tuple(Aggregate(name, (Column(i + 1, types[i]),), NUMERIC) for i, name in enumerate(names))
    mean = Reduce(Get(TABLE, desc), (Column(0, INT4),), calls, ("k", "a", "b", "c", "d"))
    finishing = Finishing((), None, None, tuple(range(5)), shown=True)
    peek = render_peek(spark, mean, finishing, {TABLE: spark.createDataFrame(held)})
    result = relation_desc(("k", INT4), *((name, NUMERIC) for name in "abcd"))
    found = {tuple(map(str, row)) for row in rows_from_arrow(peek.rows_of(peek.dataframe.toArrow()), result)}
    as_held: dict[Datum, list[Row]] = defaultdict(list)
    for key, *values in rows_from_arrow(held, desc):
        as_held[key].append(tuple(values))
    wanted = {
        (str(key), *(str(AGGREGATES[name].evaluate([(row[i],) for row in each])) for i, name in enumerate(names)))
        for key, each in as_held.items()
    }
    assert found == wanted, sorted(found ^ wanted)[:6]
