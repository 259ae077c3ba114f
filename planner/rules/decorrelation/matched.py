"""A correlated relation as an uncorrelated one and the condition under which its rows belong to an outer row.

    matched(S) = (R, on, outputs):  S, for an outer row o, is outputs(r) of the rows r of R for which on(o, r)

    Filter(R, p)       moves correlated predicates into `on`
    Reduce(R, k, a)    groups by what `on` equates with the outer row as well; without k, `missing` is the answer for an
                       outer row that nothing matches
    TopK               likewise, in groups

None where that does not hold, or where something would be evaluated for rows that no outer row asks for and may fail.
Expressions here see R's row as Columns, the outer row as OuterColumn(1, …).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from planner.interpret.reach import infallible
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.columns import map_columns, shift_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Join, JoinKind, Let, Map, Project, Reduce, Relation, TopK
from planner.ir.scalar import Call, Column, Literal, Scalar, scalar_type
from planner.rules.decorrelation.failing import has_subquery, safe, safe_aggregate, sides
from planner.rules.decorrelation.frame import TOP, OuterFrame, reads_outside

_COUNTS = ("count_", "regr_count_")


@dataclass(frozen=True, slots=True)
class Matched:
    """A correlated relation, split into an uncorrelated `relation` and the condition `on` (see above). `missing` sees
    the outer row only."""

    relation: Relation
    on: tuple[Scalar, ...]
    outputs: tuple[Scalar, ...]
    missing: tuple[Scalar, ...] | None = None

    @property
    def arity(self) -> int:
        return relation_desc_of(self.relation).arity


class Rest(Protocol):
    """The other rules of decorrelation, as each of them sees them (planner/rules/decorrelate.py)."""

    def applied(self, relation: Relation, frame: OuterFrame) -> Relation: ...

    def filtered(self, below: Relation, predicates: Sequence[Scalar]) -> Relation: ...

    def correlated(self, relation: Relation) -> bool: ...

    def recurs(self, relation: Relation) -> bool: ...

    def joined(self, join: Join) -> Relation: ...

    def lateral(self, kind: JoinKind, left: Relation, right: Relation, on: tuple[Scalar, ...] = ()) -> Relation: ...

    def against(
        self,
        left: Relation,
        right: Relation,
        build: Callable[[Relation, Matched], Relation],
        accept: Callable[[Matched], bool],
    ) -> Relation: ...

    def bound(self, relation: Relation, build: Callable[[Relation], Relation]) -> Relation: ...

    def copied(self, relation: Relation) -> Relation: ...


def columns_of(relation: Relation) -> tuple[Scalar, ...]:
    """Returns the relation's own columns."""
    return tuple(Column(index, type_) for index, type_ in enumerate(relation_desc_of(relation).types))


def replaced(scalar: Scalar, outputs: Sequence[Scalar]) -> Scalar:
    """Returns the expression over rows of which `outputs` are computed."""
    return map_columns(scalar, lambda column: outputs[column.index])


def matched(relation: Relation, rest: Rest) -> Matched | None:
    """Matches the relation with outer rows; None: the relation must be evaluated for the distinct outer rows."""
    if not rest.correlated(relation):
        plain = rest.applied(relation, TOP)
        return Matched(plain, (), columns_of(plain))
    match relation:
        case Filter():
            return _filter(relation, rest)
        case Map() | Project():
            found = matched(relation.input, rest)
            return None if found is None else above(relation, found)
        case Join() if not relation.lateral:
            return _join(relation, rest)
        case Reduce():
            return _reduce(relation, rest)
        case TopK():
            return _top(relation, rest)
        case Let(local_id, value, body) if not rest.correlated(value):
            found = matched(body, rest)
            if found is None:
                return None
            return replace(found, relation=Let(local_id, rest.applied(value, TOP), found.relation))
        case _:
            return None


def above(relation: Map | Project, below: Matched) -> Matched | None:
    """Matches a node, given its input."""
    missing = below.missing
    if isinstance(relation, Project):
        chosen = None if missing is None else tuple(missing[index] for index in relation.columns)
        return replace(below, outputs=tuple(below.outputs[index] for index in relation.columns), missing=chosen)
    if any(map(has_subquery, relation.scalars)):
        return None
    if missing is not None:
        missing = (*missing, *(replaced(scalar, missing) for scalar in relation.scalars))
    added = tuple(replaced(scalar, below.outputs) for scalar in relation.scalars)
    return replace(below, outputs=below.outputs + added, missing=missing)


def _rows(relation: Relation, rest: Rest) -> Matched | None:
    """Matches rows, without an answer for outer rows that nothing matches."""
    found = matched(relation, rest)
    return None if found is None or found.missing is not None else found


def _filter(filter_: Filter, rest: Rest) -> Matched | None:
    found = _rows(filter_.input, rest)
    if found is None:
        return None
    own: list[Scalar] = []
    on = list(found.on)
    for predicate in (replaced(each, found.outputs) for each in filter_.predicates):
        if not reads_outside(predicate) and safe(predicate):
            own.append(predicate)
        elif infallible(predicate):
            on.append(predicate)
        else:
            return None
    return replace(found, relation=rest.filtered(found.relation, own), on=tuple(on))


def _join(join: Join, rest: Rest) -> Matched | None:
    left = _rows(join.left, rest)
    right = _rows(join.right, rest)
    if left is None or right is None or join.kind is JoinKind.FULL:
        return None
    if join.kind is not JoinKind.INNER and (right.on or right.outputs != columns_of(right.relation)):
        return None
    width = left.arity
    shifted = tuple(shift_columns(output, width) for output in right.outputs)
    own: list[Scalar] = []
    on = [*left.on, *(shift_columns(each, width) for each in right.on)]
    for predicate in (replaced(each, (*left.outputs, *shifted)) for each in join.on):
        if not infallible(predicate):
            return None
        if not reads_outside(predicate):
            own.append(predicate)
        elif join.kind is JoinKind.INNER:
            on.append(predicate)
        else:
            return None
    semi = join.kind in (JoinKind.SEMI, JoinKind.ANTI)
    outputs = left.outputs if semi else (*left.outputs, *shifted)
    return Matched(Join(join.kind, left.relation, right.relation, tuple(own)), tuple(on), outputs)


def _equated(on: Sequence[Scalar]) -> list[Scalar] | None:
    """Returns the expressions that the predicates equate with the outer row; None when a predicate is no such
    equality."""
    owns: list[Scalar] = []
    for predicate in on:
        pair = sides(predicate)
        if pair is None:
            return None
        owns.append(pair[0])
    return owns


def _equal(on: Sequence[Scalar], owns: Sequence[Scalar]) -> tuple[Scalar, ...]:
    """Returns the equalities where what they equate with the outer row are the first columns."""
    equalities = []
    for at, (predicate, own) in enumerate(zip(on, owns, strict=True)):
        assert isinstance(predicate, Call)
        key = Column(at, scalar_type(own))
        arguments = tuple(key if argument is own else argument for argument in predicate.arguments)
        equalities.append(replace(predicate, arguments=arguments))
    return tuple(equalities)


def _reduce(reduce: Reduce, rest: Rest) -> Matched | None:
    found = _rows(reduce.input, rest)
    if found is None:
        return None
    owns = _equated(found.on)
    if owns is None:
        return None
    key = tuple(replaced(scalar, found.outputs) for scalar in reduce.key)
    aggregates = tuple(_replaced_aggregate(aggregate, found.outputs) for aggregate in reduce.aggregates)
    if any(reads_outside(scalar) or not infallible(scalar) for scalar in key):
        return None
    if not all(map(safe_aggregate, aggregates)) or any(map(_aggregate_reads_outside, aggregates)):
        return None
    names = tuple(f"key{at}" for at in range(len(owns))) + reduce.names
    grouped = Reduce(found.relation, (*owns, *key), aggregates, names)
    missing = None if reduce.key else tuple(map(of_no_rows, reduce.aggregates))
    return Matched(grouped, _equal(found.on, owns), columns_of(grouped)[len(owns) :], missing)


def of_no_rows(aggregate: Aggregate) -> Literal:
    """Returns the aggregate of no rows."""
    return Literal(0 if aggregate.function.startswith(_COUNTS) else None, aggregate.type)


def _replaced_aggregate(aggregate: Aggregate, outputs: Sequence[Scalar]) -> Aggregate:
    condition = aggregate.condition
    return replace(
        aggregate,
        arguments=tuple(replaced(argument, outputs) for argument in aggregate.arguments),
        condition=None if condition is None else replaced(condition, outputs),
        order=tuple(replace(key, expression=replaced(key.expression, outputs)) for key in aggregate.order),
    )


def _aggregate_reads_outside(aggregate: Aggregate) -> bool:
    parts = [*aggregate.arguments, *(key.expression for key in aggregate.order)]
    if aggregate.condition is not None:
        parts.append(aggregate.condition)
    return any(map(reads_outside, parts))


def _top(top: TopK, rest: Rest) -> Matched | None:
    found = _rows(top.input, rest)
    if found is None:
        return None
    owns = _equated(found.on)
    bounds = [bound for bound in (top.limit, top.offset) if bound is not None]
    if owns is None or any(map(reads_outside, bounds)) or any(map(has_subquery, bounds)):
        return None
    order = [key.expression for key in top.order]
    if any(reads_outside(scalar) or not infallible(scalar) for scalar in (*found.outputs, *order)):
        return None
    names = relation_desc_of(top).names
    mapped = Map(found.relation, (*owns, *found.outputs), (*(f"key{at}" for at in range(len(owns))), *names))
    start, end = found.arity, found.arity + len(owns) + len(names)
    keyed = Project(mapped, tuple(range(start, end)))
    count = len(owns)
    keys = tuple(SortKey(shift_columns(k.expression, count), k.descending, k.nulls_first) for k in top.order)
    group = (*range(count), *(column + count for column in top.group))
    best = TopK(keyed, group, keys, top.limit, top.offset)
    return Matched(best, _equal(found.on, owns), columns_of(best)[count:])
