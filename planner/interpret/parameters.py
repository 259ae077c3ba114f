"""Literals in the places of $1, $2 … and of session values, when a statement executes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from model.text.context import DEFAULT_CONTEXT, output_style
from model.types.datum import Datum, Row
from model.types.scalar_type import TEXT
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import Constant, Finishing, Map, Relation, Union
from planner.ir.scalar import (
    Call,
    Literal,
    Parameter,
    Scalar,
    SessionName,
    SessionValue,
    SubqueryCompare,
    scalar_type,
)
from planner.ir.visit import (
    ScalarVisit,
    has_subquery,
    inputs_of,
    operands_of,
    rewrite_relation,
    rewrite_scalar,
    rewrite_sort_keys,
    scalars_of,
    walk_relation,
    with_inputs,
)

DEFAULT_STYLE = Literal(output_style(DEFAULT_CONTEXT), TEXT)
"""The OUTPUT_STYLE of default settings."""


def in_default_style(scalar: Scalar) -> Scalar:
    """Returns the expression with its texts written as default settings write them, whatever the session's are: the
    keys of an index are the same for everybody."""
    return rewrite_scalar(scalar, _in_default_style)


def _in_default_style(node: Scalar, level: int) -> Scalar | None:
    return DEFAULT_STYLE if node == SessionValue(SessionName.OUTPUT_STYLE) else None


def _substitution(parameters: Sequence[Datum], session: Mapping[SessionName, Datum]) -> ScalarVisit:
    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Parameter):
            assert 1 <= node.number <= len(parameters), f"parameter ${node.number} was not bound"
            return Literal(parameters[node.number - 1], node.type)
        if isinstance(node, SessionValue) and node.name in session:
            return Literal(session[node.name], scalar_type(node))
        if isinstance(node, Call) and len(node.arguments) == 1 and isinstance(node.arguments[0], Parameter):
            cell = _cell(node, parameters)
            return None if cell is None else Literal(cell[0], node.type)
        return None

    return visit


def bind_scalar(scalar: Scalar, parameters: Sequence[Datum], session: Mapping[SessionName, Datum]) -> Scalar:
    """Returns the expression with `parameters` ($1 first) and the given session values as literals."""
    return rewrite_scalar(scalar, _substitution(parameters, session))


def bind_relation(relation: Relation, parameters: Sequence[Datum], session: Mapping[SessionName, Datum]) -> Relation:
    """Returns the relation with `parameters` and the given session values as literals. Rows of them are one
    Constant."""
    return rewrite_relation(_with_rows(relation, parameters), _substitution(parameters, session), 0)


def _with_rows(relation: Relation, parameters: Sequence[Datum]) -> Relation:
    """Makes rows of VALUES whose cells are literals and parameters a Constant at once: there may be many thousands."""
    if isinstance(relation, Union):
        rows = [_row(each, parameters) for each in relation.inputs]
        if all(row is not None for row in rows):
            return Constant(tuple((row, 1) for row in rows if row is not None), relation_desc_of(relation))
    inputs = inputs_of(relation)
    changed = tuple(_with_rows(each, parameters) for each in inputs)
    same = all(one is other for one, other in zip(inputs, changed, strict=True))
    return relation if same else with_inputs(relation, changed)


def _row(relation: Relation, parameters: Sequence[Datum]) -> Row | None:
    """Returns the one row of a relation; None when it has to be computed."""
    if not isinstance(relation, Map) or not isinstance(relation.input, Constant) or relation.input.rows != (((), 1),):
        return None
    cells = [_cell(scalar, parameters) for scalar in relation.scalars]
    return tuple(cell[0] for cell in cells if cell is not None) if None not in cells else None


def _cell(scalar: Scalar, parameters: Sequence[Datum]) -> tuple[Datum] | None:
    """Returns the value of a literal, of a parameter, and of one that is widened (drivers send the least integers that
    do)."""
    match scalar:
        case Literal():
            return (scalar.value,)
        case Parameter():
            return (parameters[scalar.number - 1],)
        case Call(function=name, arguments=(only,)):
            function = FUNCTIONS[name]
            plain = function.strict and not (function.typed or function.needs_system or function.session)
            if not plain or function.fallible or function.volatility is not Volatility.IMMUTABLE:
                return None
            cell = _cell(only, parameters)
            return cell if cell is None or cell[0] is None else (function.evaluate(cell[0]),)
        case _:
            return None


def bind_finishing(
    finishing: Finishing, parameters: Sequence[Datum], session: Mapping[SessionName, Datum]
) -> Finishing:
    """Returns the finishing with `parameters` and the given session values as literals."""
    visit = _substitution(parameters, session)
    return replace(
        finishing,
        order=rewrite_sort_keys(finishing.order, visit),
        limit=None if finishing.limit is None else rewrite_scalar(finishing.limit, visit),
        offset=None if finishing.offset is None else rewrite_scalar(finishing.offset, visit),
    )


def is_closed(query: Query) -> bool:
    """Tells whether a query has nothing to fill in, so that `bind_query` would return it unchanged. False also for
    some queries that would not change."""
    finishing = query.finishing
    pending = [key.expression for key in finishing.order]
    pending += [scalar for scalar in (finishing.limit, finishing.offset) if scalar is not None]
    if any(map(has_subquery, pending)):
        return False
    pending += [scalar for node in walk_relation(query.relation) for scalar in scalars_of(node)]
    while pending:
        scalar = pending.pop()
        if isinstance(scalar, Parameter | SessionValue):
            return False
        if isinstance(scalar, SubqueryCompare):
            pending.append(scalar.condition)
        pending.extend(operands_of(scalar))
    return True


def bind_query(query: Query, parameters: Sequence[Datum], session: Mapping[SessionName, Datum]) -> Query:
    """Returns the query with `parameters` and the given session values as literals. One row of them is a Constant."""
    relation, row = query.relation, _row(query.relation, parameters)
    return Query(
        bind_relation(relation, parameters, session)
        if row is None
        else Constant(((row, 1),), relation_desc_of(relation)),
        bind_finishing(query.finishing, parameters, session),
        query.desc,
    )
