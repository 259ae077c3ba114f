"""Whole plans: Spark's rows are the interpreter's, or both fail with the same SQLSTATE."""

from __future__ import annotations

import decimal
import random
from collections import Counter
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from compute.render import render_peek
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.order.datum_order import row_key
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.types.datum import Interval, Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, FLOAT8, INT4, INT8, INTERVAL, NUMERIC, TEXT, ScalarType, array_of, numeric
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import (
    Constant,
    Filter,
    Finishing,
    FlatMap,
    Get,
    Join,
    JoinKind,
    Let,
    LetRecursive,
    LocalGet,
    Map,
    Negate,
    Project,
    RecursionLimit,
    Recursive,
    RecursiveBinding,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
)
from planner.ir.scalar import Call, Column, Literal, Scalar
from tests.plan_features import showing

D = decimal.Decimal
LEFT, RIGHT = GlobalId.user(1), GlobalId.user(2)
DESC = relation_desc(
    ("k", INT4),
    ("n", INT8),
    ("x", NUMERIC),
    ("f", FLOAT8),
    ("t", TEXT),
    ("i", INTERVAL),
    ("p", numeric(10, 2)),
    ("b", BOOL),
)
POOLS: tuple[list[Any], ...] = (
    [0, 1, 2, 3],
    [1, 5, -3, 9223372036854775807, -9223372036854775808],
    [D("1.5"), D("0.1"), D("-7.25"), D("12345678901234567890.123456789012345678")],
    [1.5, 0.1, 0.2, -0.0, 0.0, 1e300, 1e-300, -1e300, 3.0, float("nan")],
    ["a", "b", "", "12", "x y", "7"],
    [Interval(1, 0, 0), Interval(0, 30, 0), Interval(0, 0, 5), Interval(0, -1, 0)],
    [D("1.50"), D("-2.25"), D("99999999.99")],
    [True, False],
)
GET, OTHER = Get(LEFT, DESC), Get(RIGHT, DESC)
WIDTH = DESC.arity


def _rows(seed: int, size: int) -> list[Row]:
    dice = random.Random(seed)
    return [tuple(None if dice.random() < 0.15 else dice.choice(pool) for pool in POOLS) for _ in range(size)]


ROWS = {LEFT: _rows(1, 14), RIGHT: _rows(2, 9)}


def col(index: int, shift: int = 0) -> Column:
    return Column(index + shift, DESC.types[index])


def call(key: str, result: ScalarType, *arguments: Scalar) -> Call:
    return Call(key, arguments, result)


def key_of(index: int, descending: bool = False, nulls_first: bool = False) -> SortKey:
    return SortKey(col(index), descending, nulls_first)


def number(value: int, type_: ScalarType = INT8) -> Literal:
    return Literal(value, type_)


def reduce(key: tuple[int, ...], *aggregates: Aggregate, input_: Relation = GET) -> Reduce:
    names = tuple(f"a{i}" for i in range(len(key) + len(aggregates)))
    return Reduce(input_, tuple(col(index) for index in key), aggregates, names)


def joined(kind: JoinKind, *on: Scalar, left: Relation = GET, right: Relation = OTHER) -> Join:
    return Join(kind, left, right, on)


SAME_KEY = call("eq_int4_int4", BOOL, col(0), col(0, WIDTH))
RATIO = call("lt_int4_int4", BOOL, call("divide_int4_int4", INT4, number(6, INT4), col(0)), number(4, INT4))
PYTHON = call("eq_text_text", BOOL, call("initcap_text", TEXT, col(4)), call("initcap_text", TEXT, col(4, WIDTH)))
DIVIDES = call("eq_int4_int4", BOOL, call("divide_int4_int4", INT4, col(0), col(0, WIDTH)), number(1, INT4))
FAILING = Map(GET, (call("divide_int4_int4", INT4, number(1, INT4), col(0)),), ("q",))
GUARDED = Filter(FAILING, (call("gt_int4_int4", BOOL, col(0), number(100, INT4)),))

AGGREGATES = (
    Aggregate("count_star", (), INT8),
    Aggregate("count_any", (col(4),), INT8, distinct=True),
    Aggregate("count_any", (col(5),), INT8, distinct=True),
    Aggregate("sum_int4", (col(0),), INT8),
    Aggregate("sum_int4", (col(0),), INT8, distinct=True),
    Aggregate("sum_int8", (col(1),), NUMERIC),
    Aggregate("sum_int8", (col(1),), NUMERIC, distinct=True),
    Aggregate("avg_int4", (col(0),), NUMERIC),
    Aggregate("avg_int8", (col(1),), NUMERIC),
    Aggregate("avg_numeric", (col(6),), NUMERIC),
    Aggregate("sum_numeric", (col(6),), NUMERIC, condition=col(7)),
    Aggregate("sum_numeric", (col(6),), NUMERIC),
    Aggregate("sum_float8", (col(3),), FLOAT8),
    Aggregate("sum_float8", (col(3),), FLOAT8, distinct=True),
    Aggregate("avg_float8", (col(3),), FLOAT8),
    Aggregate("min_interval", (col(5),), INTERVAL),
    Aggregate("max_interval", (col(5),), INTERVAL),
    Aggregate("min_text", (col(4),), TEXT, condition=col(7)),
    Aggregate("max_float8", (col(3),), FLOAT8),
    Aggregate("max_numeric", (col(6),), numeric(10, 2)),
    Aggregate("bool_and_bool", (col(7),), BOOL),
    Aggregate("bool_or_bool", (col(7),), BOOL),
    Aggregate("stddev_int4", (col(0),), NUMERIC),
    Aggregate("var_pop_float8", (col(0) and call("cast_int4_float8", FLOAT8, col(0)),), FLOAT8),
    Aggregate("array_agg_anynonarray", (col(0),), array_of(INT4)),
    Aggregate("array_agg_anynonarray", (col(4),), array_of(TEXT), order=(key_of(1, True, True), key_of(0))),
    Aggregate("string_agg_text_text", (col(4), Literal("-", TEXT)), TEXT, distinct=True),
    Aggregate("bit_or_int4", (col(0),), INT4),
)
_IN_FOURS = tuple((at // 4 + 1, AGGREGATES[at : at + 4]) for at in range(0, len(AGGREGATES), 4))
"""Spark plans seven queries of four aggregates in a quarter of the time that it takes for one query of all of them."""

STEP_DESC = relation_desc(("n", INT4))
COUNTING = Recursive(
    5,
    Constant((((1,), 1),), STEP_DESC),
    Project(
        Map(
            Filter(LocalGet(5, STEP_DESC), (call("lt_int4_int4", BOOL, Column(0, INT4), number(6, INT4)),)),
            (call("add_int4_int4", INT4, Column(0, INT4), number(1, INT4)),),
            ("n",),
        ),
        (1,),
    ),
    distinct=False,
)
REACHING = Recursive(
    6,
    Constant((((0,), 1), ((0,), 1)), STEP_DESC),
    Project(
        Map(
            LocalGet(6, STEP_DESC),
            (
                call(
                    "modulo_int4_int4",
                    INT4,
                    call("add_int4_int4", INT4, Column(0, INT4), number(2, INT4)),
                    number(5, INT4),
                ),
            ),
            ("n",),
        ),
        (1,),
    ),
    distinct=True,
)

N, SIX = Column(0, INT4), number(6, INT4)
START = Constant((((0,), 1),), STEP_DESC)
ADDED = Project(
    Map(
        Filter(LocalGet(8, STEP_DESC), (call("lt_int4_int4", BOOL, N, SIX),)),
        (call("add_int4_int4", INT4, N, number(1, INT4)),),
        ("n",),
    ),
    (1,),
)
RATIO_TO_3 = call("divide_int4_int4", INT4, SIX, call("subtract_int4_int4", INT4, N, number(3, INT4)))
FAILS_AT_3 = call("lt_int4_int4", BOOL, RATIO_TO_3, number(100, INT4))


def mutually(value: Relation, limit: RecursionLimit | None) -> LetRecursive:
    """7 is `value`, which may read 7 and 8, and 8 is 7."""
    one, other = LocalGet(7, STEP_DESC), LocalGet(8, STEP_DESC)
    bindings = (RecursiveBinding(7, STEP_DESC, value), RecursiveBinding(8, STEP_DESC, one))
    return LetRecursive(bindings, Union((one, other)), limit)


ALTERNATING = LetRecursive(
    (
        RecursiveBinding(9, DESC, GET),
        RecursiveBinding(10, DESC, Threshold(Union((LocalGet(9, DESC), Negate(LocalGet(10, DESC)))))),
    ),
    LocalGet(10, DESC),
    RecursionLimit(3, False),
)

PLANS: dict[str, Relation] = {
    "get": GET,
    "constant": Constant(((ROWS[LEFT][0], 2), (ROWS[LEFT][3], 1)), DESC),
    "many constants": Constant(tuple((row, 20) for row in ROWS[LEFT]), DESC),
    "no rows": Constant((), DESC),
    "no columns": Map(Constant((((), 3),), RelationDesc(())), (number(1, INT4),), ("a",)),
    "projected away": Project(GET, ()),
    "project": Project(GET, (4, 0, 0)),
    "filter": Filter(GET, (call("gt_int4_int4", BOOL, col(0), number(1, INT4)), col(7))),
    "failing map": FAILING,
    "guarded filter": Filter(GET, (RATIO, call("ne_int4_int4", BOOL, col(0), number(0, INT4)))),
    "failing filter": Filter(GET, (RATIO,)),
    "filter after failure": GUARDED,
    **{f"group by key, {at}": reduce((0,), *some) for at, some in _IN_FOURS},
    "group by text and flag": reduce((4, 7), *AGGREGATES[:8]),
    "group by interval": reduce((5,), Aggregate("count_star", (), INT8)),
    "group by float": reduce((3,), Aggregate("count_star", (), INT8)),
    **{f"group all, {at}": reduce((), *some) for at, some in _IN_FOURS},
    **{
        f"group nothing, {at}": reduce((), *some, input_=Filter(GET, (Literal(False, BOOL),))) for at, some in _IN_FOURS
    },
    "distinct": reduce((0, 7)),
    "one group of nothing": reduce(()),
    "sum out of range": reduce((), Aggregate("sum_numeric", (col(2),), NUMERIC)),
    "group failing": Reduce(FAILING, (col(7),), (Aggregate("sum_int4", (Column(WIDTH, INT4),), INT8),), ("b", "s")),
    "failing key": Reduce(GET, (call("divide_int4_int4", INT4, number(1, INT4), col(0)),), (), ("b",)),
    **{f"{kind} join": joined(kind, SAME_KEY) for kind in JoinKind},
    **{f"{kind} join on nothing": joined(kind) for kind in JoinKind},
    **{
        f"{kind} join by inequality": joined(kind, call("lt_int4_int4", BOOL, col(0), col(0, WIDTH)))
        for kind in JoinKind
    },
    **{f"{kind} join in python with key": joined(kind, SAME_KEY, PYTHON) for kind in JoinKind},
    **{f"{kind} join that fails": joined(kind, DIVIDES) for kind in JoinKind},
    **{
        f"{kind} join that is guarded": joined(
            kind, DIVIDES, call("gt_int4_int4", BOOL, col(0, WIDTH), number(0, INT4))
        )
        for kind in JoinKind
    },
    **{
        f"{kind} join of failing": Project(joined(kind, SAME_KEY, left=Project(FAILING, tuple(range(WIDTH)))), (0, 1))
        for kind in JoinKind
    },
    **{f"{kind} join with failing": Project(joined(kind, SAME_KEY, right=FAILING), (0, 1)) for kind in JoinKind},
    "join by interval": joined(JoinKind.INNER, call("eq_interval_interval", BOOL, col(5), col(5, WIDTH))),
    "join not distinct": joined(JoinKind.INNER, call("not_distinct_int4_int4", BOOL, col(0), col(0, WIDTH))),
    "union": Union((GET, OTHER, GET)),
    "except all": Threshold(Union((Project(GET, (0, 7)), Negate(Project(OTHER, (0, 7)))))),
    "except": Threshold(Union((reduce((0, 4)), Negate(reduce((0, 4), input_=OTHER))))),
    "minus": Union((GET, Negate(Constant(((ROWS[LEFT][2], 1),), DESC)))),
    "top": TopK(GET, (7,), (key_of(0, True, True),), number(2), number(1)),
    "top of all": TopK(GET, (), (key_of(3),), number(3), None),
    "top of failing": TopK(FAILING, (7,), (key_of(0),), number(2), None),
    "let": Let(1, reduce((0,), AGGREGATES[0]), Union((LocalGet(1, relation_desc(("k", INT4), ("c", INT8))),) * 2)),
    "recursive": COUNTING,
    "recursive distinct": REACHING,
    "mutually recursive": mutually(Reduce(Union((START, ADDED)), (Column(0, INT4),), (), ("n",)), None),
    "mutually recursive with repeats": mutually(Union((START, START, ADDED)), RecursionLimit(4, False)),
    "mutually recursive to its limit": mutually(Union((START, ADDED)), RecursionLimit(5, False)),
    "mutually recursive beyond its limit": mutually(Union((START, ADDED)), RecursionLimit(5, True)),
    "mutually recursive and failing": mutually(Filter(Union((START, ADDED)), (FAILS_AT_3,)), None),
    "mutually recursive in turns": ALTERNATING,
    "series": FlatMap(
        Project(GET, (0,)),
        "generate_series_int4_int4",
        (number(0, INT4), Column(0, INT4)),
        relation_desc(("g", INT4)),
        True,
    ),
    "series that fails": FlatMap(
        Project(GET, (0,)),
        "generate_series_int4_int4_int4",
        (number(0, INT4), number(3, INT4), Column(0, INT4)),
        relation_desc(("g", INT4)),
    ),
    "unnest": FlatMap(
        Map(Project(GET, (0,)), (Literal(("a", None, "b"), array_of(TEXT)),), ("a",)),
        "unnest_anyarray",
        (Column(1, array_of(TEXT)),),
        relation_desc(("u", TEXT)),
        True,
    ),
}


def _finishing(relation: Relation) -> Finishing:
    return Finishing((), None, None, tuple(range(relation_desc_of(relation).arity)))


FINISHINGS: dict[str, tuple[Relation, Finishing]] = {
    **{name: (plan, _finishing(plan)) for name, plan in PLANS.items()},
    "ordered": (GET, Finishing((key_of(3, True, False), key_of(0)), number(5), number(2), (4, 0, 3))),
    "ordered by what is not shown": (
        GET,
        Finishing((key_of(4, False, True), key_of(0, True, True), key_of(1)), number(9), None, (4, 0)),
    ),
    "limited to none": (FAILING, Finishing((), number(0), None, (0,))),
    "failing with limit": (FAILING, Finishing((key_of(0, True),), number(1), number(1), (0,))),
    "negative limit": (GET, Finishing((), number(-1), None, (0,))),
    "negative offset": (GET, Finishing((), None, number(-1), (0,))),
}


@pytest.fixture(scope="module")
def frames(spark: SparkSession) -> dict[GlobalId, DataFrame]:
    return {id_: spark.createDataFrame(rows_to_arrow(rows, DESC)) for id_, rows in ROWS.items()}


def _by_interpreter(relation: Relation, finishing: Finishing) -> list[Row] | str:
    desc = relation_desc_of(relation)
    shown = RelationDesc(tuple(desc.columns[i] for i in finishing.project))
    try:
        return evaluate_query(Query(relation, finishing, shown), EvaluationContext(collections=lambda id_: ROWS[id_]))
    except SqlError as error:
        return error.sqlstate.value


def _by_spark(
    spark: SparkSession, frames: dict[GlobalId, DataFrame], relation: Relation, finishing: Finishing
) -> list[Row] | str:
    desc = relation_desc_of(relation)
    shown = RelationDesc(tuple(desc.columns[i] for i in finishing.project))
    try:
        peek = render_peek(spark, relation, finishing, frames)
        table = peek.rows_of(peek.dataframe.toArrow())
    except SqlError as error:
        return error.sqlstate.value
    return rows_from_arrow(table, shown)


@pytest.mark.spark
def test_plans_agree_with_the_interpreter(spark: SparkSession, frames: dict[GlobalId, DataFrame], whole: bool) -> None:
    """Every run tries the plans that show something new."""
    wrong: list[str] = []
    left_out = set() if whole else PLANS.keys() - set(showing(PLANS))
    for name, (relation, finishing) in FINISHINGS.items():
        if name in left_out:
            continue
        wanted = _by_interpreter(relation, finishing)
        ours = _by_spark(spark, frames, relation, finishing)
        if isinstance(wanted, str) or isinstance(ours, str):
            if wanted != ours:
                wrong.append(f"{name}: Spark {ours!s:.200}, interpreter {wanted!s:.200}")
            continue
        types = [relation_desc_of(relation).types[i] for i in finishing.project]
        key = row_key(types)
        if finishing.order:
            same = [key(row) for row in ours] == [key(row) for row in wanted]
        else:
            same = Counter(map(key, ours)) == Counter(map(key, wanted))
        if not same:
            extra = Counter(map(key, ours)) - Counter(map(key, wanted))
            missing = Counter(map(key, wanted)) - Counter(map(key, ours))
            wrong.append(f"{name}: only Spark {list(extra)[:2]}, only interpreter {list(missing)[:2]}")
    assert not wrong, "\n".join(wrong)
