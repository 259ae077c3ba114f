"""Replaces expressions of constants by their values.

Two kinds of expressions stay: expressions that would raise, because a guard (CASE, AND) may keep the error from ever
happening, and expressions that could take long, because planning makes other sessions wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from model.errors.sql_error import SqlError
from planner.functions.growing import bounded_call
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Join,
    JoinKind,
    Map,
    Negate,
    Project,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.scalar import FALSE, TRUE, And, Call, Case, Coalesce, Literal, Or, Scalar, scalar_type
from planner.ir.visit import map_relation, rewrite_scalar, with_scalars

_FAILED: ContextVar[list[Call] | None] = ContextVar("calls of constants that failed", default=None)


@contextmanager
def noting_failures() -> Iterator[list[Call]]:
    """Collects, during the block, calls of constants that would raise, in the list that the block is given."""
    failed: list[Call] = []
    token = _FAILED.set(failed)
    try:
        yield failed
    finally:
        _FAILED.reset(token)


def fold_constants(relation: Relation) -> Relation:
    """Returns the relation with constant expressions evaluated, and filters that are always or never true taken out."""
    return map_relation(relation, lambda node: _without_rows(_filter(with_scalars(node, fold))))


def fold(scalar: Scalar) -> Scalar:
    """Evaluates the constant parts of an expression, innermost first."""

    def visit(node: Scalar, level: int) -> Scalar | None:
        match node:
            case Call():
                arguments = tuple(rewrite_scalar(argument, visit, level) for argument in node.arguments)
                return _tried(Call(node.function, arguments, node.type))
            case And():
                return _connect(tuple(rewrite_scalar(o, visit, level) for o in node.operands), TRUE, FALSE)
            case Or():
                return _connect(tuple(rewrite_scalar(o, visit, level) for o in node.operands), FALSE, TRUE)
            case Case():
                branches = tuple(
                    (rewrite_scalar(c, visit, level), rewrite_scalar(v, visit, level)) for c, v in node.branches
                )
                return folded_case(Case(branches, rewrite_scalar(node.otherwise, visit, level), node.type))
            case Coalesce():
                operands = tuple(rewrite_scalar(o, visit, level) for o in node.operands)
                return folded_coalesce(Coalesce(operands, node.type))
            case _:
                return None

    return rewrite_scalar(scalar, visit)


def _tried(call: Call) -> Scalar:
    try:
        return folded_call(call)
    except SqlError:
        failed = _FAILED.get()
        if failed is not None:
            failed.append(call)
        return call


def folded_call(call: Call) -> Scalar:
    """Returns the value of a call of constants that is always the same and quickly found; raises SqlError where it has
    none. Any other call as it is."""
    function = FUNCTIONS[call.function]
    if function.volatility is not Volatility.IMMUTABLE or function.needs_system or function.session:
        return call
    values = [argument.value for argument in call.arguments if isinstance(argument, Literal)]
    if len(values) != len(call.arguments):
        return call
    if function.strict and any(value is None for value in values):
        return Literal(None, call.type)
    if not bounded_call(function, values):
        return call
    types = (tuple(scalar_type(argument) for argument in call.arguments),) if function.typed else ()
    return Literal(function.evaluate(*types, *values), call.type)


def _connect(operands: tuple[Scalar, ...], neutral: Literal, decisive: Literal) -> Scalar:
    """Folds AND and OR: neutral operands go, a decisive one decides (it wins over errors in the others)."""
    if decisive in operands:
        return decisive
    kept = tuple(operand for operand in operands if operand != neutral)
    if not kept:
        return neutral
    if len(kept) == 1:
        return kept[0]
    return And(kept) if neutral is TRUE else Or(kept)


def folded_case(case: Case) -> Scalar:
    """Returns CASE without branches that are never taken."""
    branches: list[tuple[Scalar, Scalar]] = []
    for condition, value in case.branches:
        if condition == TRUE:
            return Case(tuple(branches), value, case.type) if branches else value
        if not isinstance(condition, Literal):
            branches.append((condition, value))
    return Case(tuple(branches), case.otherwise, case.type) if branches else case.otherwise


def folded_coalesce(coalesce: Coalesce) -> Scalar:
    """Folds COALESCE without what is NULL, and what follows a constant."""
    kept: list[Scalar] = []
    for operand in coalesce.operands:
        if isinstance(operand, Literal) and operand.value is None:
            continue
        kept.append(operand)
        if isinstance(operand, Literal):
            break
    if not kept:
        return Literal(None, coalesce.type)
    return kept[0] if len(kept) == 1 else Coalesce(tuple(kept), coalesce.type)


def _filter(relation: Relation) -> Relation:
    """Folds a filter: a condition that is a constant is always or never true; an error beside one that is never true
    does not show."""
    if not isinstance(relation, Filter):
        return relation
    if any(isinstance(p, Literal) and p.value is not True for p in relation.predicates):
        return Constant((), relation_desc_of(relation))
    predicates = tuple(p for p in relation.predicates if p != TRUE)
    return Filter(relation.input, predicates) if predicates else relation.input


def _without_rows(relation: Relation) -> Relation:
    """Returns the relation, or an empty one where its input is empty; an aggregate over all rows, and the kept sides
    of outer joins, are not empty."""
    match relation:
        case Project() | Map() | FlatMap() | Filter() | TopK() | Window() | Negate() | Threshold():
            empty = _is_empty(relation.input)
        case Reduce():
            empty = bool(relation.key) and _is_empty(relation.input)
        case Join(kind=JoinKind.INNER | JoinKind.SEMI):
            empty = _is_empty(relation.left) or _is_empty(relation.right)
        case Join(kind=JoinKind.LEFT | JoinKind.ANTI):
            empty = _is_empty(relation.left)
        case Union():
            empty = all(map(_is_empty, relation.inputs))
        case _:
            empty = False
    return Constant((), relation_desc_of(relation)) if empty else relation


def _is_empty(relation: Relation) -> bool:
    return isinstance(relation, Constant) and not relation.rows
