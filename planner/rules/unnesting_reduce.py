"""Groups over a domain: the domain's columns join the key, and an aggregate over no rows is still one row for each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.scalar_type import BOOL
from planner.functions.registry import AGGREGATES, FUNCTIONS
from planner.ir.aggregate import Aggregate
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Join, JoinKind, Map, Project, Reduce, Relation
from planner.ir.scalar import TRUE, Call, Case, Column, Literal, Scalar, SessionValue, scalar_type
from planner.rules.null_safe import same

if TYPE_CHECKING:
    from planner.rules.unnesting import Decorrelation, Domain


def lower_reduce(work: Decorrelation, reduce: Reduce, domain: Domain) -> Relation:
    lowered = work.lower(reduce.input, domain)
    relation, key, aggregates = _parts(work, reduce, lowered, domain)
    names = (*relation_desc_of(domain.relation).names, *reduce.names)
    grouped = Reduce(relation, (*domain.columns, *key), aggregates, names)
    if reduce.key or not domain.arity:
        return grouped
    return _with_empty_groups(grouped, reduce, domain)


def _parts(
    work: Decorrelation, reduce: Reduce, lowered: Relation, domain: Domain
) -> tuple[Relation, tuple[Scalar, ...], tuple[Aggregate, ...]]:
    """The key and aggregates over the lowered input, extended by the values of their subqueries."""
    flat: list[Scalar] = list(reduce.key)
    for aggregate in reduce.aggregates:
        flat.extend(aggregate.arguments)
        flat.extend(key.expression for key in aggregate.order)
        if aggregate.condition is not None:
            flat.append(aggregate.condition)
    relation, moved = work.scalars(lowered, tuple(flat), domain)
    rest = iter(moved)
    key = tuple(next(rest) for _ in reduce.key)
    aggregates: list[Aggregate] = []
    for aggregate in reduce.aggregates:
        arguments = tuple(next(rest) for _ in aggregate.arguments)
        order = tuple(replace(item, expression=next(rest)) for item in aggregate.order)
        condition = None if aggregate.condition is None else next(rest)
        aggregates.append(replace(aggregate, arguments=arguments, order=order, condition=condition))
    return relation, key, tuple(aggregates)


def empty_value(aggregate: Aggregate) -> Scalar:
    """What the aggregate is over no rows."""
    row = AGGREGATES[aggregate.function]
    if aggregate.function.startswith(("count_", "regr_count_")):
        return Literal(0, aggregate.type)
    own = [argument for argument in aggregate.arguments if not isinstance(argument, SessionValue)]
    types = tuple(scalar_type(argument) for argument in own)
    session = [None] * len(row.session)
    value = row.evaluate(types, [], *session) if row.typed else row.evaluate([], *session)
    return Literal(value, aggregate.type)


def _with_empty_groups(grouped: Reduce, reduce: Reduce, domain: Domain) -> Relation:
    n, count = domain.arity, len(reduce.aggregates)
    marked = Map(grouped, (TRUE,), ("present",))
    equal = tuple(same(Column(at, c.type), Column(n + at, c.type)) for at, c in enumerate(domain.columns))
    joined = Join(JoinKind.LEFT, domain.relation, marked, equal)
    present = Column(2 * n + count, BOOL)
    positions: list[int] = []
    added: list[Scalar] = []
    for at, aggregate in enumerate(reduce.aggregates):
        column = Column(2 * n + at, aggregate.type)
        empty = empty_value(aggregate)
        if isinstance(empty, Literal) and empty.value is None:
            positions.append(column.index)
            continue
        positions.append(2 * n + count + 1 + len(added))
        added.append(Case(((is_true(present), column),), empty, aggregate.type))
    mapped: Relation = Map(joined, tuple(added), tuple("value" for _ in added)) if added else joined
    return Project(mapped, (*range(n), *positions))


def is_true(value: Scalar) -> Call:
    """`value IS TRUE`."""
    assert "is_true_bool" in FUNCTIONS
    return Call("is_true_bool", (value,), BOOL)
