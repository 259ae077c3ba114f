"""Sums and averages of floats of every sign, size and mix, held against exact rational sums: in groups, in windows, by
DISTINCT, and maintained."""

from __future__ import annotations

import math
import random
import struct
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from compute.maintain.planning.maintained import plan_maintenance
from compute.render import render_peek
from compute.spark.session import profile_sessions
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import FLOAT8, INT4
from model.updates.update import Update
from planner.functions.registry import AGGREGATES
from planner.ir.aggregate import Aggregate
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Finishing, Get, Reduce, Relation, Window
from planner.ir.scalar import Column
from planner.ir.window import WindowCall
from tests.compute.maintain.histories import History, course_of, differences

TABLE = GlobalId.user(1)
DESC = relation_desc(("k", INT4), ("x", FLOAT8))
GET, KEY, VALUE = Get(TABLE, DESC), Column(0, INT4), Column(1, FLOAT8)
GROUPS = 400
DOUBLE_DIGITS = 53
LARGEST = 1.7976931348623157e308
SAFE = 1e150
TIMES = 5


def any_float(dice: random.Random) -> float:
    """Any bits at all that are a finite number."""
    while True:
        (value,) = struct.unpack("<d", dice.randbytes(8))
        if math.isfinite(value):
            return float(value)


def floats(dice: random.Random) -> list[float]:
    """Some numbers that tell a sum that is rounded often from one that is rounded once."""
    size, top = dice.randint(1, 12), dice.choice((-1060, -300, -96, -40, 0, 0, 0, 40, 62, 100, 520, 960))
    near = [math.ldexp(dice.uniform(-1, 1), top - dice.randrange(70)) for _ in range(size)]
    one = dice.choice(near)
    half = math.ldexp(one, -DOUBLE_DIGITS)
    match dice.randrange(7):
        case 0:
            return [round(dice.uniform(-100, 100), dice.randrange(3)) for _ in range(size)]
        case 1:
            return [*near, *(-value for value in near), one]
        case 2:
            return [any_float(dice) for _ in range(size)]
        case 3:
            return [one, half, dice.choice((half, -half, half / 2**60, -half / 2**60, 0.0))]
        case 4:
            return [dice.choice((1, -1)) * dice.choice((LARGEST, LARGEST / 3, 1e154, 1e16, 0.1)) for _ in range(size)]
        case 5:
            return [-abs(value) for value in near]
    return near


def drawn(seed: int) -> list[Row]:
    dice = random.Random(seed)
    rows: list[Row] = [(group, value) for group in range(GROUPS) for value in floats(dice)]
    dice.shuffle(rows)
    return rows


def by_fractions(values: list[float]) -> tuple[float | None, float | None]:
    """The sum and the average; None for 22003."""
    total = sum(map(Fraction, values), Fraction(0))
    squares = sum((Fraction(value) ** 2 for value in values), Fraction(0)) - total**2 / len(values)
    try:
        rounded = float(total)
    except OverflowError:
        return None, None
    try:
        float(squares)
    except OverflowError:
        return rounded, None
    return rounded, rounded / len(values)


def groups(rows: list[Row]) -> dict[int, list[float]]:
    found: defaultdict[int, list[float]] = defaultdict(list)
    for group, value in rows:
        found[group].append(value)  # type: ignore[index, arg-type]
    return found


def sums(distinct: bool = False) -> Reduce:
    calls = [Aggregate(f"{word}_float8", (VALUE,), FLOAT8, distinct=distinct) for word in ("sum", "avg")]
    return Reduce(GET, (KEY,), tuple(calls), ("k", "s", "a"))


def by_spark(spark: SparkSession, relation: Relation, rows: list[Row]) -> set[Row]:
    desc = relation_desc_of(relation)
    everything = Finishing((), None, None, tuple(range(desc.arity)))
    frame = spark.createDataFrame(rows_to_arrow(rows, DESC)).repartition(3)
    peek = render_peek(spark, relation, everything, {TABLE: frame})
    return set(rows_from_arrow(peek.rows_of(peek.dataframe.toArrow()), desc))


def answerable(rows: list[Row]) -> list[Row]:
    """Those of groups that have no error."""
    wanted = {group: by_fractions(values) for group, values in groups(rows).items()}
    return [row for row in rows if wanted[row[0]][1] is not None]  # type: ignore[index]


@pytest.mark.parametrize("seed", range(8))
def test_the_interpreter_rounds_exact_sums_once(seed: int) -> None:
    for values in groups(drawn(seed)).values():
        for word, wanted in zip(("sum", "avg"), by_fractions(values), strict=True):
            evaluate = AGGREGATES[f"{word}_float8"].evaluate
            rows = [(value,) for value in values]
            if wanted is None:
                with pytest.raises(Exception, match="value out of range: overflow"):
                    evaluate(rows)
            else:
                assert evaluate(rows) == wanted, values


@pytest.mark.spark
def test_spark_rounds_exact_sums_once(spark: SparkSession) -> None:
    for distinct in (False, True):
        rows = answerable(drawn(100))
        wanted = {
            (group, *by_fractions(list(set(values)) if distinct else values)) for group, values in groups(rows).items()
        }
        wrong = by_spark(spark, sums(distinct), rows) ^ wanted
        assert not wrong, sorted(wrong)[:6]


@pytest.mark.spark
def test_windows_round_exact_sums_once(spark: SparkSession) -> None:
    rows = answerable(drawn(101))
    calls = tuple(WindowCall(f"{word}_float8", (VALUE,), FLOAT8) for word in ("sum", "avg"))
    found = by_spark(spark, Window(GET, (0,), (), calls, ("s", "a")), rows)
    wanted = {(group, *by_fractions(values)) for group, values in groups(rows).items()}
    wrong = {(row[0], row[2], row[3]) for row in found} ^ wanted
    assert not wrong, sorted(wrong)[:6]


@pytest.mark.spark
def test_maintained_sums_are_exact_at_every_time(spark: SparkSession, tmp_path: Path) -> None:
    """Rows come, and half of them go again; none so large that the sum of some has an error."""
    dice, view = random.Random(102), GlobalId.user(9)
    updates = []
    for row in drawn(102):
        if abs(row[1]) < SAFE:  # type: ignore[arg-type, operator]
            time = dice.randrange(TIMES)
            updates.append(Update(row, Timestamp(time), 1))
            if dice.random() < 0.5:
                updates.append(Update(row, Timestamp(dice.randrange(time, TIMES)), -1))
    history = History({TABLE: DESC}, {TABLE: updates})
    plan = plan_maintenance(((view, sums()),), (view,))
    course = course_of(plan, history, profile_sessions(spark), tmp_path, [0, 2, TIMES])
    wrong = differences(view, sums(), history, course, range(TIMES))
    assert not wrong, "\n".join(wrong)
