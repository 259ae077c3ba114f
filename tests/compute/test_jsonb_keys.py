"""jsonb in Spark groups, joins and sorts by value (1 = 1.0, an object after an array), as the interpreter has it."""

from __future__ import annotations

from collections import Counter

import pytest
from pyspark.sql import DataFrame, SparkSession

from compute.render import render_peek
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.order.datum_order import row_key
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.types.datum import Interval, Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, INT4, INT8, INTERVAL, JSONB, array_of
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import (
    Finishing,
    Get,
    Join,
    JoinKind,
    LocalGet,
    Negate,
    Project,
    Recursive,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
)
from planner.ir.scalar import Call, Column, Literal

TABLE, OTHER = GlobalId.user(1), GlobalId.user(2)
DESC = relation_desc(("j", JSONB), ("k", INT4), ("spans", array_of(INTERVAL)), ("list", array_of(JSONB)))
_MONTH, _DAYS = (Interval(1, 0, 0),), (Interval(0, 30, 0),)
_TEXTS = (
    "1",
    "1.0",
    "1.00",
    "2",
    "10",
    "9",
    '{"a": 1}',
    '{"a": 1.0}',
    "[1]",
    "[]",
    '"x"',
    "null",
    "true",
    "-3.5",
    None,
)
ROWS: dict[GlobalId, list[Row]] = {
    TABLE: [(text, at % 3, _MONTH if at % 2 else _DAYS, (text,)) for at, text in enumerate(_TEXTS)],
    OTHER: [("1.000", 1, None, None), ('{"a": 1}', 2, None, None), (None, 3, None, None), ("[2]", 4, None, None)],
}
GET, OTHERS = Get(TABLE, DESC), Get(OTHER, DESC)
J, K, SPANS, LIST = (Column(at, type_) for at, type_ in enumerate(DESC.types))
COUNT = Aggregate("count_star", (), INT8)
SAME = Call("eq_jsonb_jsonb", (J, Column(DESC.arity, JSONB)), BOOL)
PLANS: dict[str, Relation] = {
    "grouped": Reduce(GET, (J,), (COUNT,), ("j", "n")),
    "distinct": Reduce(GET, (J,), (), ("j",)),
    "grouped by a list of intervals": Reduce(GET, (SPANS,), (COUNT,), ("s", "n")),
    "count of distinct values": Reduce(GET, (K,), (Aggregate("count_any", (J,), INT8, distinct=True),), ("k", "n")),
    "except": Threshold(Union((Project(GET, (0,)), Negate(Project(OTHERS, (0,)))))),
    "top of each value": TopK(GET, (0,), (SortKey(K, False, False),), Literal(1, INT8), None),
    "top by value": TopK(GET, (1,), (SortKey(J, True, True),), Literal(2, INT8), None),
    "recursion": Recursive(1, Project(GET, (0,)), LocalGet(1, relation_desc(("j", JSONB))), distinct=True),
    **{f"{kind} join": Join(kind, GET, OTHERS, (SAME,)) for kind in JoinKind},
}
ORDERS: dict[str, Finishing] = {
    "ascending": Finishing((SortKey(J, False, False),), None, None, (0,)),
    "descending, limited": Finishing(
        (SortKey(J, True, True), SortKey(K, False, False)), Literal(7, INT8), None, (0, 1)
    ),
}


@pytest.fixture(scope="module")
def frames(spark: SparkSession) -> dict[GlobalId, DataFrame]:
    return {id_: spark.createDataFrame(rows_to_arrow(rows, DESC)) for id_, rows in ROWS.items()}


def _whole(relation: Relation) -> Finishing:
    return Finishing((), None, None, tuple(range(relation_desc_of(relation).arity)))


@pytest.mark.spark
def test_jsonb_meets_and_sorts_by_value(spark: SparkSession, frames: dict[GlobalId, DataFrame]) -> None:
    cases = [(name, plan, _whole(plan)) for name, plan in PLANS.items()]
    cases += [(name, GET, finishing) for name, finishing in ORDERS.items()]
    wrong = []
    for name, relation, finishing in cases:
        desc = relation_desc_of(relation)
        shown = RelationDesc(tuple(desc.columns[at] for at in finishing.project))
        context = EvaluationContext(collections=lambda id_: ROWS[id_])
        wanted = evaluate_query(Query(relation, finishing, shown), context)
        peek = render_peek(spark, relation, finishing, frames)
        ours = rows_from_arrow(peek.rows_of(peek.dataframe.toArrow()), shown)
        key = row_key(shown.types)
        left, right = [key(row) for row in ours], [key(row) for row in wanted]
        if left != right if finishing.order else Counter(left) != Counter(right):
            wrong.append(f"{name}: Spark {ours}, interpreter {wanted}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.spark
def test_what_no_key_reaches_is_refused(spark: SparkSession, frames: dict[GlobalId, DataFrame]) -> None:
    relation = Reduce(GET, (LIST,), (), ("l",))
    with pytest.raises(SqlError) as caught:
        render_peek(spark, relation, _whole(relation), frames)
    assert caught.value.sqlstate is Sqlstate.FEATURE_NOT_SUPPORTED
