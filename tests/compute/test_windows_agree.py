"""Windows: Spark's rows are the interpreter's, whichever way a call takes, or both fail with the same SQLSTATE."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from pyspark.sql import DataFrame, SparkSession

from compute.render import render_peek
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.order.datum_order import row_key
from model.physical.columns import rows_from_arrow
from model.types.scalar_type import BOOL, FLOAT8, INT4, INT8, NUMERIC, TEXT, array_of, numeric
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_relation
from planner.ir.aggregate import SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Finishing, Relation, Window
from planner.ir.scalar import Literal, Scalar
from planner.ir.window import BoundKind, Exclusion, FrameBound, FrameMode, WindowCall, WindowFrame
from tests.compute.test_render_agrees import FAILING, GET, LEFT, ROWS, call, col, frames, key_of, number
from tests.plan_features import showing

__all__ = ["frames"]

PLACES = (
    WindowCall("row_number", (), INT8),
    WindowCall("rank", (), INT8),
    WindowCall("dense_rank", (), INT8),
    WindowCall("percent_rank", (), FLOAT8),
    WindowCall("cume_dist", (), FLOAT8),
    WindowCall("ntile_int4", (number(3, INT4),), INT4),
    WindowCall("ntile_int4", (call("add_int4_int4", INT4, number(1, INT4), number(2, INT4)),), INT4),
    WindowCall("lag_anyelement", (col(2),), NUMERIC),
    WindowCall("lead_anyelement_int4", (col(4), number(2, INT4)), TEXT),
    WindowCall("lead_anyelement_int4", (col(4), col(0)), TEXT),
    WindowCall("lag_anycompatible_int4_anycompatible", (col(6), number(1, INT4), col(6)), numeric(10, 2)),
)
UNBOUNDED, CURRENT = FrameBound(BoundKind.UNBOUNDED_PRECEDING), FrameBound(BoundKind.CURRENT_ROW)
REST = FrameBound(BoundKind.UNBOUNDED_FOLLOWING)


def before(count: int | None) -> FrameBound:
    return FrameBound(BoundKind.PRECEDING, number(count, INT8) if count is not None else Literal(None, INT8))


def after(count: int) -> FrameBound:
    return FrameBound(BoundKind.FOLLOWING, number(count, INT8))


def near(distance: int) -> WindowFrame:
    """The rows whose `k` is at most so far away."""
    key = call("cast_int4_numeric", NUMERIC, col(0))
    away = call("cast_int4_numeric", NUMERIC, number(distance, INT4))
    checked = call("frame_distance_numeric_bool", NUMERIC, away, Literal(True, BOOL))
    low = call("subtract_numeric_numeric", NUMERIC, key, checked)
    high = call("add_numeric_numeric", NUMERIC, key, checked)
    start, end = FrameBound(BoundKind.PRECEDING, low), FrameBound(BoundKind.FOLLOWING, high)
    return WindowFrame(FrameMode.RANGE, start, end, Exclusion.NO_OTHERS, key)


def framed(frame: WindowFrame) -> tuple[WindowCall, ...]:
    return (
        WindowCall("count_star", (), INT8, None, frame),
        WindowCall("count_star", (), INT8, col(7), frame),
        WindowCall("sum_int4", (col(0),), INT8, col(7), frame),
        WindowCall("sum_int8", (col(1),), NUMERIC, None, frame),
        WindowCall("avg_int4", (col(0),), NUMERIC, None, frame),
        WindowCall("sum_numeric", (col(6),), NUMERIC, None, frame),
        WindowCall("sum_float8", (col(3),), FLOAT8, None, frame),
        WindowCall("min_text", (col(4),), TEXT, None, frame),
        WindowCall("bool_or_bool", (col(7),), BOOL, None, frame),
        WindowCall("array_agg_anynonarray", (col(0),), array_of(INT4), None, frame),
        WindowCall("string_agg_text_text", (col(4), Literal("-", TEXT)), TEXT, col(7), frame),
        WindowCall("first_value_anyelement", (col(1),), INT8, None, frame),
        WindowCall("last_value_anyelement", (col(6),), numeric(10, 2), None, frame),
        WindowCall("nth_value_anyelement_int4", (col(4), number(2, INT4)), TEXT, None, frame),
    )


FRAMES = (
    WindowFrame(),
    WindowFrame(FrameMode.ROWS, UNBOUNDED, CURRENT),
    WindowFrame(FrameMode.RANGE, CURRENT, REST),
    WindowFrame(FrameMode.RANGE, UNBOUNDED, REST),
    WindowFrame(FrameMode.ROWS, before(1), after(2)),
    WindowFrame(FrameMode.ROWS, before(2), before(1)),
    WindowFrame(FrameMode.ROWS, before(1), before(2)),
    WindowFrame(FrameMode.ROWS, before(1), after(1), Exclusion.CURRENT_ROW),
    WindowFrame(FrameMode.ROWS, UNBOUNDED, REST, Exclusion.GROUP),
    WindowFrame(FrameMode.GROUPS, before(1), after(1), Exclusion.TIES),
    WindowFrame(FrameMode.GROUPS, after(1), REST),
    WindowFrame(FrameMode.GROUPS, UNBOUNDED, CURRENT),
    near(1),
)
KEYS: tuple[tuple[SortKey, ...], ...] = ((key_of(0),), (key_of(0, True, False),), (key_of(0, False, True),))


def window(
    group: tuple[int, ...], order: tuple[SortKey, ...], calls: tuple[WindowCall, ...], input_: Relation = GET
) -> Window:
    return Window(input_, group, order, calls, tuple(f"w{i}" for i in range(len(calls))))


def failing(scalar: Scalar) -> WindowCall:
    return WindowCall("sum_int4", (scalar,), INT8)


PLANS: tuple[Relation, ...] = (
    window((), (), PLACES),
    window((7,), (key_of(0),), PLACES),
    window((5,), (key_of(5, True), key_of(3)), PLACES),
    *(window((7,), order, framed(frame)) for frame, order in zip(FRAMES, itertools.cycle(KEYS))),
    window((), (), framed(WindowFrame())),
    window((3,), (), framed(WindowFrame(FrameMode.ROWS, before(1), CURRENT))),
    window((7,), KEYS[0], framed(near(1)), Filter(GET, (Literal(False, BOOL),))),
    window((7,), (), (failing(call("divide_int4_int4", INT4, number(1, INT4), col(0))),)),
    window((7,), (), (WindowCall("count_star", (), INT8),), FAILING),
    window((7,), (), (WindowCall("string_agg_text_text", (col(4), col(4)), TEXT),), FAILING),
    window((7,), (), (WindowCall("nth_value_anyelement_int4", (col(0), number(0, INT4)), INT4),)),
    window((7,), (), (WindowCall("ntile_int4", (number(0, INT4),), INT4),)),
    window((7,), KEYS[0], framed(near(-1))),
    window((7,), KEYS[0], framed(WindowFrame(FrameMode.ROWS, before(-1), CURRENT))),
    window((7,), KEYS[0], framed(WindowFrame(FrameMode.GROUPS, before(None), CURRENT))),
)


def answer(relation: Relation, spark: SparkSession, frames: dict[GlobalId, DataFrame] | None) -> Counter[object] | str:
    """By the interpreter when there are no frames."""
    desc = relation_desc_of(relation)
    try:
        if frames is None:
            rows = evaluate_relation(relation, EvaluationContext(collections=lambda id_: ROWS[id_]))
        else:
            peek = render_peek(spark, relation, Finishing((), None, None, tuple(range(desc.arity))), frames)
            rows = rows_from_arrow(peek.rows_of(peek.dataframe.toArrow()), desc)
    except SqlError as error:
        return error.sqlstate.value
    return Counter(map(row_key(desc.types), rows))


@pytest.mark.spark
def test_windows_agree_with_the_interpreter(
    spark: SparkSession, frames: dict[GlobalId, DataFrame], whole: bool
) -> None:
    """Every run tries plans that show together all that any shows."""
    wrong: list[str] = []
    named = {str(number): plan for number, plan in enumerate(PLANS)}
    for plan in PLANS if whole else map(named.__getitem__, showing(named)):
        wanted, ours = answer(plan, spark, None), answer(plan, spark, {LEFT: frames[LEFT]})
        if isinstance(wanted, str) or isinstance(ours, str):
            if wanted != ours:
                wrong.append(f"{plan}: Spark {ours!s:.200}, interpreter {wanted!s:.200}")
        elif ours != wanted:
            wrong.append(f"{plan}: only Spark {list(ours - wanted)[:2]}, only interpreter {list(wanted - ours)[:2]}")
    assert not wrong, "\n".join(wrong)
