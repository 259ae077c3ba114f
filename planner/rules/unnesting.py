"""Decorrelation: subqueries and lateral joins become joins, so that no expression looks outside its own row.

    rows of R for each outer row  =  distinct(outer columns that R reads) ⋈ R, with these columns in front of R's

A relation is lowered over a `Domain`: a relation of distinct rows of the outer columns that are read. The lowered
relation has the domain's columns first, then its own. What reads no outer column is lowered once and crossed with the
domain; the predicates above it then find the domain's columns at hand. (Source: Neumann and Kemper, "Unnesting
Arbitrary Queries".)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from model.errors import NotSupported
from model.relation_desc import RelationDesc
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.columns import shift_depths
from planner.ir.locals import fresh_local_ids
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    Join,
    JoinKind,
    Let,
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
)
from planner.ir.scalar import Column, OuterColumn, Scalar
from planner.ir.visit import (
    ScalarVisit,
    inputs_of,
    map_relation,
    rewrite_aggregate,
    rewrite_scalar,
    rewrite_sort_keys,
    rewrite_subqueries,
    scalars_of,
    walk_relation,
    with_inputs,
    with_scalars,
)
from planner.rules import unnesting_joins, unnesting_reduce, unnesting_subqueries
from planner.rules.correlation import Reference, correlated

UNIT = Constant((((), 1),), RelationDesc(()))


@dataclass(frozen=True, slots=True)
class Domain:
    """Distinct rows of outer columns; `positions` tells where each stands. Without columns: one empty row."""

    relation: Relation
    positions: dict[Reference, int]

    @property
    def arity(self) -> int:
        return len(self.columns)

    @property
    def columns(self) -> tuple[Column, ...]:
        types = relation_desc_of(self.relation).types
        return tuple(Column(at, type_) for at, type_ in enumerate(types))


CLOSED = Domain(UNIT, {})


def decorrelate(relation: Relation) -> Relation:
    """The same rows by joins; no subqueries, no OuterColumns, no lateral joins are left."""
    if not _has_work(relation):
        return relation
    relation = _inline_correlated_lets(relation)
    return Decorrelation(fresh_local_ids(relation)).lower(relation, CLOSED)


def _has_work(relation: Relation) -> bool:
    return any(
        (isinstance(node, Join) and node.lateral)
        or any(unnesting_subqueries.contains_subquery(scalar) for scalar in scalars_of(node))
        for node in walk_relation(relation)
    )


class Decorrelation:
    """One plan's decorrelation; knows which local ids are free."""

    def __init__(self, local_ids: Iterator[int]) -> None:
        self._local_ids = local_ids
        self._carried: dict[int, Domain] = {}

    def shared(self, relation: Relation) -> tuple[int, LocalGet]:
        """A new local id to bind the relation to, and how to read it."""
        local = next(self._local_ids)
        return local, LocalGet(local, relation_desc_of(relation))

    def lower(self, relation: Relation, domain: Domain) -> Relation:
        """The domain's columns, then the relation's, for each row of the domain."""
        if domain.arity and not self.correlated(relation):
            return Join(JoinKind.INNER, domain.relation, self.lower(relation, CLOSED), ())
        match relation:
            case LocalGet() if relation.local_id in self._carried:
                return self._carried_get(relation, domain)
            case Constant() | Get() | LocalGet():
                return relation
            case Let():
                return Let(relation.local_id, self.lower(relation.value, CLOSED), self.lower(relation.body, domain))
            case Recursive():
                return self._recursive(relation, domain)
            case Project():
                lowered = self.lower(relation.input, domain)
                front = tuple(range(domain.arity))
                return Project(lowered, (*front, *(at + domain.arity for at in relation.columns)))
            case Map():
                return self._map(relation, domain)
            case FlatMap():
                return self._flat_map(relation, domain)
            case Filter():
                return unnesting_subqueries.lower_filter(self, relation, domain)
            case Join():
                return unnesting_joins.lower_join(self, relation, domain)
            case Reduce():
                return unnesting_reduce.lower_reduce(self, relation, domain)
            case TopK():
                return self._top_k(relation, domain)
            case Negate() | Threshold() | Union():
                return with_inputs(relation, tuple(self.lower(i, domain) for i in inputs_of(relation)))

    def correlated(self, relation: Relation) -> bool:
        """Whether a relation differs by row of the domain: it reads one, or a recursion that carries the domain."""
        if correlated(relation):
            return True
        return any(isinstance(node, LocalGet) and node.local_id in self._carried for node in walk_relation(relation))

    def _recursive(self, relation: Recursive, domain: Domain) -> Relation:
        """Each row of the domain has a recursion of its own; side by side, they carry the domain's columns."""
        if not domain.arity:
            base, step = self.lower(relation.base, CLOSED), self.lower(relation.step, CLOSED)
            return Recursive(relation.local_id, base, step, relation.distinct)
        base = self.lower(relation.base, domain)
        self._carried[relation.local_id] = domain
        step = self.lower(relation.step, domain)
        return Recursive(relation.local_id, base, step, relation.distinct)

    def _carried_get(self, relation: LocalGet, domain: Domain) -> Relation:
        if self._carried[relation.local_id] is not domain:
            raise NotSupported("a recursive query that a subquery of it refers to")
        columns = relation_desc_of(domain.relation).columns + relation.desc.columns
        return LocalGet(relation.local_id, RelationDesc(columns))

    def scalars(
        self, relation: Relation, scalars: tuple[Scalar, ...], domain: Domain
    ) -> tuple[Relation, tuple[Scalar, ...]]:
        """Expressions over a relation's own row, moved to its lowered form; that form, with columns added behind for
        the values of subqueries."""
        moved = tuple(move(scalar, domain) for scalar in scalars)
        return unnesting_subqueries.attach(self, relation, moved)

    def _map(self, relation: Map, domain: Domain) -> Relation:
        lowered = self.lower(relation.input, domain)
        arity = relation_desc_of(lowered).arity
        extended, scalars = self.scalars(lowered, relation.scalars, domain)
        wide = relation_desc_of(extended).arity
        mapped = Map(extended, scalars, relation.names)
        if wide == arity:
            return mapped
        return Project(mapped, (*range(arity), *range(wide, wide + len(scalars))))

    def _flat_map(self, relation: FlatMap, domain: Domain) -> Relation:
        lowered = self.lower(relation.input, domain)
        arity = relation_desc_of(lowered).arity
        extended, arguments = self.scalars(lowered, relation.arguments, domain)
        wide = relation_desc_of(extended).arity
        result = replace(relation, input=extended, arguments=arguments)
        if wide == arity:
            return result
        return Project(result, (*range(arity), *range(wide, relation_desc_of(result).arity)))

    def _top_k(self, relation: TopK, domain: Domain) -> Relation:
        for scalar in (relation.limit, relation.offset):
            if scalar is not None and _reads_outside(scalar):
                raise NotSupported("LIMIT or OFFSET that depends on a row outside")
        lowered = self.lower(relation.input, domain)
        arity = relation_desc_of(lowered).arity
        extended, keys = self.scalars(lowered, tuple(key.expression for key in relation.order), domain)
        order = tuple(replace(old, expression=key) for old, key in zip(relation.order, keys, strict=True))
        group = (*range(domain.arity), *(at + domain.arity for at in relation.group))
        top = TopK(extended, group, order, self._closed(relation.limit), self._closed(relation.offset))
        return top if relation_desc_of(extended).arity == arity else Project(top, tuple(range(arity)))

    def _closed(self, scalar: Scalar | None) -> Scalar | None:
        if scalar is not None and unnesting_subqueries.contains_subquery(scalar):
            raise NotSupported("a subquery in LIMIT or OFFSET")
        return scalar


def _reads_outside(scalar: Scalar) -> bool:
    found: list[Scalar] = []

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, OuterColumn) and node.depth > level:
            found.append(node)
        return None

    rewrite_scalar(scalar, visit)
    return bool(found)


def _mover(domain: Domain) -> ScalarVisit:
    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Column) and level == 0:
            return Column(node.index + domain.arity, node.type)
        if isinstance(node, OuterColumn) and node.depth == level:
            return OuterColumn(level, node.index + domain.arity, node.type)
        if isinstance(node, OuterColumn) and node.depth > level:
            at = domain.positions[node.depth - level, node.index]
            return OuterColumn(level, at, node.type) if level else Column(at, node.type)
        return None

    return visit


def move(scalar: Scalar, domain: Domain) -> Scalar:
    """An expression over a relation's row, over the lowered relation's: behind the domain, whose columns are the outer
    ones. Subqueries in it then read no row but this one."""
    return rewrite_scalar(scalar, _mover(domain))


def move_aggregate(aggregate: Aggregate, domain: Domain) -> Aggregate:
    return rewrite_aggregate(aggregate, _mover(domain))


def move_order(order: tuple[SortKey, ...], domain: Domain) -> tuple[SortKey, ...]:
    return rewrite_sort_keys(order, _mover(domain))


def _inline_correlated_lets(relation: Relation) -> Relation:
    """A Let whose value reads outer rows is written out wherever it is used: its value differs by outer row."""

    def change(node: Relation) -> Relation:
        if not isinstance(node, Let) or not correlated(node.value):
            return node
        return _substitute(node.body, node.local_id, node.value, 0)

    return map_relation(relation, change)


def _substitute(relation: Relation, local_id: int, value: Relation, depth: int) -> Relation:
    """`value`, seen from `depth` rows further in, in the place of LocalGet(local_id)."""
    if isinstance(relation, LocalGet) and relation.local_id == local_id:
        return shift_depths(value, depth)
    if isinstance(relation, Join) and relation.lateral:
        left = _substitute(relation.left, local_id, value, depth)
        right = _substitute(relation.right, local_id, value, depth + 1)
        changed: Relation = Join(relation.kind, left, right, relation.on, True)
    else:
        inputs = tuple(_substitute(i, local_id, value, depth) for i in inputs_of(relation))
        changed = with_inputs(relation, inputs)

    def inner(scalar: Scalar) -> Scalar:
        return rewrite_subqueries(scalar, lambda r: _substitute(r, local_id, value, depth + 1))

    return with_scalars(changed, inner)
