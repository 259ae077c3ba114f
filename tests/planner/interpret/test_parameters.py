"""Parameters and session values become literals everywhere, in subqueries and finishings too."""

from __future__ import annotations

from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT2, INT4, INT8, TEXT
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query, evaluate_scalar
from planner.interpret.parameters import bind_query, bind_scalar, is_closed
from planner.interpret.streaming import constant_rows
from planner.ir.aggregate import SortKey
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.ir.relation import Constant, Filter, Finishing, Map, Union
from planner.ir.scalar import Call, Exists, Literal, Parameter, Scalar, SessionName, SessionValue, scalar_type
from tests.planner.interpret.samples import constant, equal, int_column


def test_a_bound_query_reads_no_parameter_and_no_given_session_value() -> None:
    inner = Filter(constant([(1, "x"), (2, "y")]), (equal(int_column(0), Parameter(1, INT4)),))
    relation = Map(constant([()], relation_desc()), (Exists(inner), SessionValue(SessionName.TIME_ZONE)), ("e", "z"))
    finishing = Finishing((), Parameter(2, INT8), None, (0, 1))
    query = Query(relation, finishing, relation_desc(("e", INT4), ("z", TEXT)))
    session = {SessionName.TIME_ZONE: "Asia/Kolkata"}
    for value, expected in ((2, True), (3, False), (None, False)):
        bound = bind_query(query, (value, 5), session)
        assert reads_of(bound.relation).session_values == set()
        assert evaluate_query(bound, EvaluationContext()) == [(expected, "Asia/Kolkata")]
    assert evaluate_query(bind_query(query, (1, 0), session), EvaluationContext()) == []


def test_a_session_value_that_is_not_given_is_left_to_the_context() -> None:
    scalar = bind_scalar(SessionValue(SessionName.CURRENT_USER), (), {SessionName.TIME_ZONE: "UTC"})
    assert scalar == SessionValue(SessionName.CURRENT_USER)
    context = EvaluationContext(session={SessionName.CURRENT_USER: "headwater"})
    assert evaluate_scalar(scalar, context) == "headwater"


def test_rows_of_parameters_are_one_constant_with_the_rows_that_they_come_to() -> None:
    def rows(*scalars: Scalar) -> Query:
        inputs = tuple(
            Map(constant([()], relation_desc()), (scalar, Literal("x", TEXT)), ("a", "b")) for scalar in scalars
        )
        return Query(Union(inputs), Finishing((), None, None, (0, 1)), relation_desc(("a", INT4), ("b", TEXT)))

    widened = Call("cast_int2_int4", (Parameter(2, INT2),), INT4)
    bound = bind_query(rows(Parameter(1, INT4), widened, Literal(7, INT4)), (5, 6), {})
    assert isinstance(bound.relation, Constant)
    assert evaluate_query(bound, EvaluationContext()) == [(5, "x"), (6, "x"), (7, "x")]
    assert evaluate_query(bind_query(rows(widened, widened), (5, None), {}), EvaluationContext()) == [(None, "x")] * 2


def test_a_row_that_may_fail_is_left_to_its_evaluation() -> None:
    fallible = Call("divide_int4_int4", (Literal(1, INT4), Parameter(1, INT4)), INT4)
    inputs = tuple(Map(constant([()], relation_desc()), (scalar,), ("a",)) for scalar in (Literal(1, INT4), fallible))
    query = Query(Union(inputs), Finishing((), None, None, (0,)), relation_desc(("a", INT4)))
    assert isinstance(bind_query(query, (0,), {}).relation, Union)


def _one_row(*scalars: Scalar, finishing: Finishing | None = None) -> Query:
    names = tuple(f"c{number}" for number in range(len(scalars)))
    columns = [(name, scalar_type(scalar)) for name, scalar in zip(names, scalars, strict=True)]
    whole = Finishing((), None, None, tuple(range(len(scalars))))
    return Query(Map(constant([()], relation_desc()), scalars, names), finishing or whole, relation_desc(*columns))


def test_one_row_of_literals_and_parameters_stands_there_as_it_is() -> None:
    query = _one_row(Parameter(1, INT4), Literal("x", TEXT))
    for value in (5, None):
        bound = bind_query(query, (value,), {})
        assert constant_rows(bound) == [(value, "x")] == evaluate_query(bound, EvaluationContext())
    turned = _one_row(Literal(1, INT4), Literal("x", TEXT), finishing=Finishing((), None, None, (1, 0, 1)))
    assert constant_rows(bind_query(turned, (), {})) == [("x", 1, "x")]


def test_rows_that_are_sorted_cut_or_counted_are_left_to_their_evaluation() -> None:
    literal = Literal(1, INT4)
    for finishing in (
        Finishing((SortKey(int_column(0), False, False),), None, None, (0,)),
        Finishing((), Literal(0, INT8), None, (0,)),
        Finishing((), None, Literal(1, INT8), (0,)),
    ):
        assert constant_rows(bind_query(_one_row(literal, finishing=finishing), (), {})) is None
    twice = Query(Constant((((1,), 2),), relation_desc(("a", INT4))), Finishing((), None, None, (0,)), relation_desc())
    assert constant_rows(twice) is None
    fallible = Call("divide_int4_int4", (Literal(1, INT4), Literal(0, INT4)), INT4)
    assert constant_rows(bind_query(_one_row(fallible), (), {})) is None


def test_a_query_is_closed_where_nothing_is_filled_in_anywhere() -> None:
    literal, parameter = Literal(True, BOOL), Parameter(1, BOOL)
    within = Exists(Filter(constant([(1,)], relation_desc(("a", INT4))), (parameter,)))
    whole = (0,)
    assert is_closed(_one_row(literal))
    assert is_closed(_one_row(Exists(Filter(constant([(1,)], relation_desc(("a", INT4))), (literal,)))))
    assert not is_closed(_one_row(parameter))
    assert not is_closed(_one_row(within))
    assert not is_closed(_one_row(SessionValue(SessionName.NOW)))
    assert not is_closed(_one_row(literal, finishing=Finishing((), Parameter(1, INT8), None, whole)))
    assert not is_closed(_one_row(literal, finishing=Finishing((), None, Parameter(1, INT8), whole)))
    assert not is_closed(_one_row(literal, finishing=Finishing((SortKey(parameter, False, False),), None, None, whole)))
    assert not is_closed(_one_row(literal, finishing=Finishing((SortKey(within, False, False),), None, None, whole)))
