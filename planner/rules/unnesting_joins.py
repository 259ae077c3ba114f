"""Joins over a domain: sides that read outer rows carry the domain's columns, and meet on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from model.errors import NotSupported
from planner.ir.columns import map_columns, own_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Join, JoinKind, Let, Map, Project, Relation
from planner.ir.scalar import Coalesce, Column, Scalar
from planner.rules import unnesting, unnesting_subqueries
from planner.rules.correlation import references
from planner.rules.null_safe import same

if TYPE_CHECKING:
    from planner.rules.unnesting import Decorrelation, Domain


def lower_join(work: Decorrelation, join: Join, domain: Domain) -> Relation:
    if any(unnesting_subqueries.contains_subquery(scalar) for scalar in join.on):
        return _with_subqueries(work, join, domain)
    if join.lateral:
        return _lateral(work, join, domain)
    if join.kind is JoinKind.FULL and domain.arity:
        return _full(work, join, domain)
    if join.kind is JoinKind.INNER and domain.arity and not work.correlated(join.left):
        return _right_first(work, join, domain)
    left = work.lower(join.left, domain)
    n, width = domain.arity, relation_desc_of(left).arity
    if not domain.arity or not work.correlated(join.right):
        on = tuple(unnesting.move(scalar, domain) for scalar in join.on)
        return Join(join.kind, left, work.lower(join.right, unnesting.CLOSED), on)
    right = work.lower(join.right, domain)
    own_left = width - n

    def place(column: Column) -> Scalar:
        """Behind the domain's columns, of which there are now two copies."""
        behind = n if column.index < own_left else 2 * n
        return Column(column.index + behind, column.type)

    on = tuple(_move_with(scalar, domain, place) for scalar in join.on)
    equal = tuple(same(Column(at, c.type), Column(width + at, c.type)) for at, c in enumerate(domain.columns))
    joined = Join(join.kind, left, right, (*equal, *on))
    if join.kind in (JoinKind.SEMI, JoinKind.ANTI):
        return joined
    total = relation_desc_of(joined).arity
    return Project(joined, (*range(width), *range(width + n, total)))


def _move_with(scalar: Scalar, domain: Domain, place: Callable[[Column], Scalar]) -> Scalar:
    """First to a row without the domain, then behind it."""
    moved = unnesting.move(scalar, domain)
    n = domain.arity

    def unmoved(column: Column) -> Scalar:
        if column.index < n:
            return column
        return place(Column(column.index - n, column.type))

    return map_columns(moved, unmoved)


def _right_first(work: Decorrelation, join: Join, domain: Domain) -> Relation:
    """Only the right side reads outer rows: it alone carries the domain's columns."""
    left = work.lower(join.left, unnesting.CLOSED)
    right = work.lower(join.right, domain)
    n, width = domain.arity, relation_desc_of(left).arity
    total = width + relation_desc_of(right).arity

    def place(column: Column) -> Scalar:
        return Column(column.index if column.index < width else column.index + n, column.type)

    def unmoved(column: Column) -> Scalar:
        if column.index < n:
            return Column(width + column.index, column.type)
        return place(Column(column.index - n, column.type))

    on = tuple(map_columns(unnesting.move(scalar, domain), unmoved) for scalar in join.on)
    joined = Join(JoinKind.INNER, left, right, on)
    return Project(joined, (*range(width, width + n), *range(width), *range(width + n, total)))


def _full(work: Decorrelation, join: Join, domain: Domain) -> Relation:
    left, right = work.lower(join.left, domain), work.lower(join.right, domain)
    n, width = domain.arity, relation_desc_of(left).arity

    def place(column: Column) -> Scalar:
        return Column(column.index + (n if column.index < width - n else 2 * n), column.type)

    on = tuple(_move_with(scalar, domain, place) for scalar in join.on)
    equal = tuple(same(Column(at, c.type), Column(width + at, c.type)) for at, c in enumerate(domain.columns))
    joined = Join(JoinKind.FULL, left, right, (*equal, *on))
    total = relation_desc_of(joined).arity
    # Of a row without a partner one side's domain columns are NULL; where both are there they are the same.
    merged = tuple(
        Coalesce((Column(at, c.type), Column(width + at, c.type)), c.type) for at, c in enumerate(domain.columns)
    )
    mapped = Map(joined, merged, relation_desc_of(domain.relation).names)
    return Project(mapped, (*range(total, total + n), *range(n, width), *range(width + n, total)))


def _lateral(work: Decorrelation, join: Join, domain: Domain) -> Relation:
    """The right side over the distinct left rows' columns that it reads, joined back to the left."""
    left = work.lower(join.left, domain)
    local, rows = work.shared(left)
    read = references(join.right)
    n, width = domain.arity, relation_desc_of(left).arity
    sources: list[int] = []
    positions: dict[tuple[int, int], int] = {}
    for depth, index in read:
        source = index + n if depth == 1 else domain.positions[depth - 1, index]
        if source not in sources:
            sources.append(source)
        positions[depth, index] = sources.index(source)
    inner = unnesting_subqueries.domain_of(rows, sources, positions)
    right = work.lower(join.right, inner)
    k = inner.arity

    def place(column: Column) -> Scalar:
        return Column(column.index + (n if column.index < width - n else n + k), column.type)

    on = tuple(_move_with(scalar, domain, place) for scalar in join.on)
    equal = tuple(
        same(Column(source, c.type), Column(width + at, c.type))
        for at, (source, c) in enumerate(zip(sources, inner.columns, strict=True))
    )
    joined = Join(join.kind, rows, right, (*equal, *on))
    total = relation_desc_of(joined).arity
    return Let(local, left, Project(joined, (*range(width), *range(width + k, total))))


def _with_subqueries(work: Decorrelation, join: Join, domain: Domain) -> Relation:
    """An inner join's conditions are as good above it; of others, each subquery must read one side only."""
    if join.kind is JoinKind.INNER:
        crossed = Join(JoinKind.INNER, join.left, join.right, (), join.lateral)
        return work.lower(Filter(crossed, join.on), domain)
    if join.lateral or domain.arity:
        raise NotSupported("a subquery in the ON of an outer join within a subquery or lateral join")
    left, right = work.lower(join.left, domain), work.lower(join.right, domain)
    width, total = relation_desc_of(left).arity, relation_desc_of(left).arity + relation_desc_of(right).arity
    pieces = unnesting_subqueries.subqueries_in(join.on)
    replaced: dict[Scalar, Scalar] = {}
    added_left: list[Scalar] = []
    added_right: list[Scalar] = []
    for piece in pieces:
        read = own_columns(piece)
        if all(at < width for at in read):
            added_left.append(piece)
        elif all(at >= width for at in read):
            added_right.append(map_columns(piece, lambda c: Column(c.index - width, c.type)))
        else:
            raise NotSupported("a subquery in the ON of an outer join that reads both sides")
    extended_left, values_left = unnesting_subqueries.attach(work, left, tuple(added_left))
    extended_right, values_right = unnesting_subqueries.attach(work, right, tuple(added_right))
    wide = relation_desc_of(extended_left).arity
    left_values, right_values = iter(values_left), iter(values_right)
    for piece in pieces:
        if all(at < width for at in own_columns(piece)):
            replaced[piece] = next(left_values)
        else:
            replaced[piece] = map_columns(next(right_values), lambda c: Column(c.index + wide, c.type))
    on = tuple(
        unnesting_subqueries.replace_subqueries(
            scalar, replaced, lambda c: Column(c.index if c.index < width else c.index + wide - width, c.type)
        )
        for scalar in join.on
    )
    joined = Join(join.kind, extended_left, extended_right, on)
    if join.kind in (JoinKind.SEMI, JoinKind.ANTI):
        return Project(joined, tuple(range(width)))
    return Project(joined, (*range(width), *range(wide, wide + total - width)))
