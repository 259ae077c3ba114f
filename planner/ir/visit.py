"""Traversal of scalars and relations: one place that knows every node's children.

`level` counts the rows between a node and the place where a traversal began: it grows by one inside subqueries and in
the right input of a lateral join. A Column at level 0 and an OuterColumn or a Placeholder whose depth is the level mean
the same row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.placeholder import Placeholder
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    Join,
    Let,
    LetRecursive,
    LocalGet,
    Map,
    Negate,
    Project,
    Recursive,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Case,
    Coalesce,
    Column,
    Exists,
    Literal,
    Or,
    OuterColumn,
    Parameter,
    QuantifiedArray,
    RowOf,
    Scalar,
    SessionValue,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
)
from planner.ir.steps import UNDER_WAY


def has_subquery(scalar: Scalar) -> bool:
    """Tells whether any part of the expression is a subquery."""
    if isinstance(scalar, Exists | SubqueryValue | SubqueryArray | SubqueryCompare):
        return True
    return any(map(has_subquery, operands_of(scalar)))


def parts_of(scalar: Scalar) -> Iterator[Scalar]:
    """Yields an expression and all that it evaluates for the same row."""
    waiting = [scalar]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(operands_of(part))


ScalarVisit = Callable[[Scalar, int], Scalar | None]
"""Takes a node and its level; a Scalar takes the node's place, None goes on to its children."""


def rewrite_scalar(scalar: Scalar, visit: ScalarVisit, level: int = 0) -> Scalar:
    """Returns the expression with every outermost node for which `visit` answers replaced, subqueries included."""
    steps = UNDER_WAY.get()
    if steps is not None:
        steps.take()
    answer = visit(scalar, level)
    if answer is not None:
        return answer

    def within(operands: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        return tuple(rewrite_scalar(operand, visit, level) for operand in operands)

    match scalar:
        case Column() | OuterColumn() | Literal() | Parameter() | SessionValue() | Placeholder():
            return scalar
        case Call():
            return Call(scalar.function, within(scalar.arguments), scalar.type) if scalar.arguments else scalar
        case And():
            return And(within(scalar.operands))
        case Or():
            return Or(within(scalar.operands))
        case Case():
            branches = tuple(
                (rewrite_scalar(condition, visit, level), rewrite_scalar(value, visit, level))
                for condition, value in scalar.branches
            )
            return Case(branches, rewrite_scalar(scalar.otherwise, visit, level), scalar.type)
        case Coalesce():
            return Coalesce(within(scalar.operands), scalar.type)
        case ArrayOf():
            return ArrayOf(within(scalar.elements), scalar.type)
        case RowOf():
            return RowOf(within(scalar.fields), scalar.type)
        case Exists():
            return Exists(rewrite_relation(scalar.relation, visit, level + 1))
        case SubqueryValue():
            return SubqueryValue(rewrite_relation(scalar.relation, visit, level + 1), scalar.type)
        case SubqueryArray():
            return SubqueryArray(rewrite_relation(scalar.relation, visit, level + 1), scalar.type)
        case SubqueryCompare():
            return SubqueryCompare(
                scalar.quantifier,
                rewrite_scalar(scalar.condition, visit, level + 1),
                rewrite_relation(scalar.relation, visit, level + 1),
            )
        case QuantifiedArray():
            return QuantifiedArray(
                scalar.quantifier,
                scalar.comparison,
                rewrite_scalar(scalar.left, visit, level),
                rewrite_scalar(scalar.array, visit, level),
            )
        case _:
            assert_never(scalar)


def rewrite_sort_keys(keys: tuple[SortKey, ...], visit: ScalarVisit, level: int = 0) -> tuple[SortKey, ...]:
    return tuple(SortKey(rewrite_scalar(k.expression, visit, level), k.descending, k.nulls_first) for k in keys)


def rewrite_aggregate(aggregate: Aggregate, visit: ScalarVisit, level: int = 0) -> Aggregate:
    condition = aggregate.condition
    return replace(
        aggregate,
        arguments=tuple(rewrite_scalar(argument, visit, level) for argument in aggregate.arguments),
        condition=None if condition is None else rewrite_scalar(condition, visit, level),
        order=rewrite_sort_keys(aggregate.order, visit, level),
    )


def rewrite_relation(relation: Relation, visit: ScalarVisit, level: int) -> Relation:
    """Returns the relation with every scalar in it rewritten; its own columns are out of reach when `level` is above
    0."""
    steps = UNDER_WAY.get()
    if steps is not None:
        steps.take()

    def within(scalars: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        return tuple(rewrite_scalar(scalar, visit, level) for scalar in scalars)

    def optional(scalar: Scalar | None) -> Scalar | None:
        return None if scalar is None else rewrite_scalar(scalar, visit, level)

    if isinstance(relation, Join) and relation.lateral:
        left = rewrite_relation(relation.left, visit, level)
        right = rewrite_relation(relation.right, visit, level + 1)
        return Join(relation.kind, left, right, within(relation.on), True)
    relation = with_inputs(relation, tuple(rewrite_relation(i, visit, level) for i in inputs_of(relation)))
    return with_scalars(relation, lambda scalar: rewrite_scalar(scalar, visit, level))


def with_scalars(relation: Relation, change: Callable[[Scalar], Scalar]) -> Relation:
    """Returns the node with each scalar that stands in it changed."""

    def within(scalars: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        return tuple(change(scalar) for scalar in scalars)

    def keys(order: tuple[SortKey, ...]) -> tuple[SortKey, ...]:
        return tuple(SortKey(change(key.expression), key.descending, key.nulls_first) for key in order)

    def optional(scalar: Scalar | None) -> Scalar | None:
        return None if scalar is None else change(scalar)

    match relation:
        case Map():
            return Map(relation.input, within(relation.scalars), relation.names)
        case FlatMap():
            return replace(relation, arguments=within(relation.arguments))
        case Filter():
            return Filter(relation.input, within(relation.predicates))
        case Join():
            return Join(relation.kind, relation.left, relation.right, within(relation.on), relation.lateral)
        case Reduce():
            aggregates = tuple(
                replace(a, arguments=within(a.arguments), condition=optional(a.condition), order=keys(a.order))
                for a in relation.aggregates
            )
            return Reduce(relation.input, within(relation.key), aggregates, relation.names)
        case TopK():
            order, limit, offset = keys(relation.order), optional(relation.limit), optional(relation.offset)
            return TopK(relation.input, relation.group, order, limit, offset)
        case Window():
            calls = tuple(call.with_scalars(change) for call in relation.calls)
            return replace(relation, order=keys(relation.order), calls=calls)
        case Constant() | Get() | LocalGet() | Let() | Recursive() | LetRecursive():
            return relation
        case Project() | Negate() | Threshold() | Union():
            return relation
        case _:
            assert_never(relation)


def rewrite_subqueries(scalar: Scalar, change: Callable[[Relation], Relation]) -> Scalar:
    """Returns the expression with the relation of each subquery in it changed; not those inside these relations."""

    def visit(node: Scalar, level: int) -> Scalar | None:
        match node:
            case Exists():
                return Exists(change(node.relation))
            case SubqueryValue():
                return SubqueryValue(change(node.relation), node.type)
            case SubqueryArray():
                return SubqueryArray(change(node.relation), node.type)
            case SubqueryCompare():
                condition = rewrite_subqueries(node.condition, change)
                return SubqueryCompare(node.quantifier, condition, change(node.relation))
            case _:
                return None

    return rewrite_scalar(scalar, visit)


def with_subqueries(relation: Relation, change: Callable[[Relation], Relation]) -> Relation:
    """Returns the relation with the outermost subqueries in its scalars changed."""
    inputs = inputs_of(relation)
    if inputs:
        relation = with_inputs(relation, tuple(with_subqueries(each, change) for each in inputs))
    if not any(map(has_subquery, scalars_of(relation))):
        return relation
    return with_scalars(relation, lambda scalar: rewrite_subqueries(scalar, change))


def map_relation(relation: Relation, change: Callable[[Relation], Relation]) -> Relation:
    """Changes every relation below (subqueries included), then the relation itself."""

    def within(scalar: Scalar) -> Scalar:
        return rewrite_subqueries(scalar, lambda inner: map_relation(inner, change))

    inputs = inputs_of(relation)
    if inputs:
        relation = with_inputs(relation, tuple([map_relation(each, change) for each in inputs]))
    return change(with_scalars(relation, within) if any(map(has_subquery, scalars_of(relation))) else relation)


def inputs_of(relation: Relation) -> tuple[Relation, ...]:
    """Returns the relations a relation is made of, subqueries in its scalars left out."""
    steps = UNDER_WAY.get()
    if steps is not None:
        steps.take()
    match relation:
        case Constant() | Get() | LocalGet():
            return ()
        case Let():
            return (relation.value, relation.body)
        case Recursive():
            return (relation.base, relation.step)
        case LetRecursive():
            return (*(binding.value for binding in relation.bindings), relation.body)
        case Join():
            return (relation.left, relation.right)
        case Union():
            return relation.inputs
        case Project() | Map() | FlatMap() | Filter() | Reduce() | TopK() | Window() | Negate() | Threshold():
            return (relation.input,)
        case _:
            assert_never(relation)


def with_inputs(relation: Relation, inputs: tuple[Relation, ...]) -> Relation:
    """Returns the same node over other inputs, in the order of `inputs_of`; itself when they are the same."""
    if all(old is new for old, new in zip(inputs_of(relation), inputs, strict=True)):
        return relation
    match relation:
        case Constant() | Get() | LocalGet():
            return relation
        case Let():
            return Let(relation.local_id, inputs[0], inputs[1])
        case Recursive():
            return Recursive(relation.local_id, inputs[0], inputs[1], relation.distinct)
        case LetRecursive():
            values = zip(relation.bindings, inputs[:-1], strict=True)
            bindings = tuple(replace(binding, value=value) for binding, value in values)
            return LetRecursive(bindings, inputs[-1], relation.limit)
        case Join():
            return Join(relation.kind, inputs[0], inputs[1], relation.on, relation.lateral)
        case Union():
            return Union(inputs)
        case Project() | Map() | FlatMap() | Filter() | Reduce() | TopK() | Window() | Negate() | Threshold():
            return replace(relation, input=inputs[0])
        case _:
            assert_never(relation)


def scalars_of(relation: Relation) -> Iterator[Scalar]:
    """Yields the scalars in the node itself."""
    match relation:
        case Map():
            yield from relation.scalars
        case FlatMap():
            yield from relation.arguments
        case Filter():
            yield from relation.predicates
        case Join():
            yield from relation.on
        case Reduce():
            yield from relation.key
            for aggregate in relation.aggregates:
                yield from aggregate.arguments
                yield from (key.expression for key in aggregate.order)
                if aggregate.condition is not None:
                    yield aggregate.condition
        case TopK():
            yield from (key.expression for key in relation.order)
            yield from (scalar for scalar in (relation.limit, relation.offset) if scalar is not None)
        case Window():
            yield from (key.expression for key in relation.order)
            for call in relation.calls:
                yield from call.scalars
        case Constant() | Get() | LocalGet() | Let() | Recursive() | LetRecursive():
            return
        case Project() | Negate() | Threshold() | Union():
            return
        case _:
            assert_never(relation)


def operands_of(scalar: Scalar) -> tuple[Scalar, ...]:
    """Returns the expressions that a node evaluates for the same row; what stands in subqueries is left out."""
    steps = UNDER_WAY.get()
    if steps is not None:
        steps.take()
    match scalar:
        case (
            Column()
            | OuterColumn()
            | Literal()
            | Parameter()
            | SessionValue()
            | Placeholder()
            | Exists()
            | SubqueryValue()
            | SubqueryArray()
            | SubqueryCompare()
        ):
            return ()
        case Call():
            return scalar.arguments
        case And() | Or() | Coalesce():
            return scalar.operands
        case Case():
            return (*(part for branch in scalar.branches for part in branch), scalar.otherwise)
        case ArrayOf():
            return scalar.elements
        case RowOf():
            return scalar.fields
        case QuantifiedArray():
            return (scalar.left, scalar.array)
        case _:
            assert_never(scalar)


def subqueries_of(relation: Relation) -> Iterator[Relation]:
    """Returns the relations of the subqueries that stand in the node's own scalars."""
    return subqueries_in(*scalars_of(relation))


def subqueries_in(*scalars: Scalar) -> Iterator[Relation]:
    """Yields the relations of the subqueries in expressions; not those nested in these relations."""
    pending = list(scalars)
    while pending:
        scalar = pending.pop()
        if isinstance(scalar, Exists | SubqueryValue | SubqueryArray | SubqueryCompare):
            yield scalar.relation
            if isinstance(scalar, SubqueryCompare):
                pending.append(scalar.condition)
        else:
            pending.extend(operands_of(scalar))


def walk_relation(relation: Relation) -> Iterator[Relation]:
    """Yields the relation and all below it, subqueries included."""
    pending = [relation]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(inputs_of(node))
        pending.extend(subqueries_of(node))
