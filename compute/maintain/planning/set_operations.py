"""Plans any combination of DISTINCT, UNION, EXCEPT and INTERSECT by counting the inputs.

A query made of unions, negations, thresholds and DISTINCTs alone decides row by row how often each row appears. One
accumulation that counts each input separately maintains the whole query:

    l EXCEPT r = those for which min(1, c0) - min(1, c1) > 0, of
                 count(*) of part 0 as c0, count(*) of part 1 as c1, by the whole row, of (l, 0) + (r, 1)

A single DISTINCT or threshold is a step of its own.
"""

from __future__ import annotations

from typing import Protocol

from compute.maintain.planning.groups import accumulated, accumulates_by, distinct, regrouped
from compute.maintain.planning.multiplicities import (
    Count,
    Leaf,
    Once,
    Positive,
    Sum,
    at_most_one,
    is_positive,
    leaves_of,
    once,
    positive,
    summed,
    value,
)
from compute.maintain.planning.segments import columns_of, computed, filtered, negated, projected, united
from compute.maintain.planning.streams import Streams
from compute.maintain.steps.parts import Keyed
from compute.maintain.steps.threshold import ThresholdStep
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4, INT8
from planner.ir.aggregate import Aggregate
from planner.ir.properties import relation_desc_of
from planner.ir.relation import FlatMap, Let, LocalGet, Negate, Reduce, Relation, Threshold, Union
from planner.ir.scalar import Call, Column, Literal

_ONE = Literal(1, INT8)


class SetScope(Protocol):
    """The plan around a set operation."""

    @property
    def streams(self) -> Streams: ...

    def bind(self, let: Let) -> Relation:
        """Registers the binding of a Let, and returns the body."""
        ...

    def bound(self, local_id: int) -> Relation: ...

    def segment(self, relation: Relation) -> Relation: ...


def is_set_operation(relation: Relation) -> bool:
    return isinstance(relation, Threshold) or (
        isinstance(relation, Reduce) and bool(relation.key) and not relation.aggregates
    )


def set_operation(scope: SetScope, relation: Relation) -> Relation:
    """Plans a relation for which `is_set_operation` holds."""
    return _planned(scope, _count_of(scope, relation), relation)


def _count_of(scope: SetScope, relation: Relation) -> Count:
    match relation:
        case Threshold():
            return positive(_count_of(scope, relation.input))
        case Reduce() if is_set_operation(relation):
            if relation.key == columns_of(relation.input):
                return once(_count_of(scope, relation.input))
            return once(Leaf((computed(relation.input, relation.key, relation.names),)))
        case Union():
            return summed(tuple(_count_of(scope, each) for each in relation.inputs), ())
        case Negate():
            return summed((), (_count_of(scope, relation.input),))
        case Let():
            return _count_of(scope, scope.bind(relation))
        case LocalGet():
            bound = scope.bound(relation.local_id)
            return _count_of(scope, bound) if is_set_operation(bound) else Leaf((relation,))
        case _:
            return Leaf((relation,))


def _planned(scope: SetScope, count: Count, relation: Relation) -> Relation:
    """Returns each row as often as the count says; `relation` has the rows' columns."""
    match count:
        case Leaf():
            return united([scope.segment(each) for each in count.inputs])
        case Sum() if not count.removed:
            return united([_planned(scope, each, relation) for each in count.added])
        case Once(Leaf() as leaf):
            rows = united([scope.segment(each) for each in leaf.inputs])
            return distinct(scope.streams, rows, columns_of(rows), relation_desc_of(relation).names)
        case Positive(Sum() as operand):
            signed = _signed(scope, operand)
            if signed is None or not accumulates_by(columns_of(signed)):
                return _counted(scope, count, relation)
            step = ThresholdStep(Keyed(signed, columns_of(signed)))
            return scope.streams.add(step, relation_desc_of(signed).columns)
        case _:
            return _counted(scope, count, relation)


def _signed(scope: SetScope, total: Sum) -> Relation | None:
    """Returns the rows of a sum of inputs; None for a sum of anything else."""
    parts: list[Relation] = []
    for each in total.added:
        if not isinstance(each, Leaf):
            return None
        parts += map(scope.segment, each.inputs)
    for each in total.removed:
        if not isinstance(each, Leaf):
            return None
        parts += (negated(scope.segment(relation)) for relation in each.inputs)
    return united(parts)


def _counted(scope: SetScope, count: Count, relation: Relation) -> Relation:
    desc = relation_desc_of(relation)
    leaves = leaves_of(count)
    parts: list[Relation] = []
    for number, leaf in enumerate(leaves):
        rows = united([scope.segment(each) for each in leaf.inputs])
        parts.append(computed(rows, (*columns_of(rows), Literal(number, INT4)), (*desc.names, "part")))
    rows = united(parts)
    width = desc.arity
    key, part = columns_of(rows)[:width], Column(width, INT4)
    aggregates = tuple(
        Aggregate("count_star", (), INT8, condition=Call("eq_int4_int4", (part, Literal(number, INT4)), BOOL))
        for number in range(len(leaves))
    )
    reduce = Reduce(rows, key, aggregates, (*desc.names, *(f"count{number}" for number in range(len(leaves)))))
    counts = (accumulated if accumulates_by(key) else regrouped)(scope.streams, rows, reduce)
    columns = {leaf: Column(width + number, INT8) for number, leaf in enumerate(leaves)}
    found = filtered(counts, (is_positive(count, columns),))
    if not at_most_one(count):
        copies = (_ONE, value(count.operand if isinstance(count, Positive) else count, columns))
        found = FlatMap(found, "generate_series_int8_int8", copies, relation_desc(("copy", INT8, False)))
    return projected(found, range(width))
