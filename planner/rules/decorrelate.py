"""Makes joins of subqueries and lateral inputs, so that no relation refers to a row outside it.

`applied(relation, frame)` is, for each of the frame's distinct outer rows, that row followed by each row that the
relation has for it. It is defined by recursion on the relation:

    applied(uncorrelated, F)     = F x uncorrelated
    applied(Filter(R, p), F)     = Filter(applied(R, F), p)                     likewise Map, FlatMap, Project
    applied(Reduce(R, k, a), F)  = Reduce(applied(R, F), F ++ k, a)             without k: also for rows without any
    applied(L join R on p, F)    = applied(L, F) join applied(R, F) on the same outer row and p
    applied(L lateral R, F)      = applied(L, F) join applied(R, distinct rows of it that R needs)

Subqueries in expressions first become columns of the node's input (lift_subqueries).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from model.errors import NotSupported
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.columns import outer_references
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
from planner.ir.scalar import Coalesce, Column, Literal, OuterColumn, Scalar
from planner.ir.visit import inputs_of, rewrite_relation, scalars_of, subqueries_of, walk_relation, with_inputs
from planner.rules.frame import TOP, Frame, crossed, distinct_columns, first_columns, joined
from planner.rules.lift_subqueries import SubqueryLift

_COUNTS = ("count_", "regr_count_")


def decorrelate(relation: Relation) -> Relation:
    """The same rows without OuterColumns and subqueries. SqlError 0A000 for what has no join form here."""
    if not any(_needs_work(node) for node in walk_relation(relation)):
        return relation
    return _Decorrelation().applied(relation, TOP)


def _needs_work(node: Relation) -> bool:
    return (isinstance(node, Join) and node.lateral) or next(subqueries_of(node), None) is not None


def correlated(relation: Relation) -> bool:
    """Whether it refers to any row outside it."""
    found = False

    def visit(node: Scalar, level: int) -> Scalar | None:
        nonlocal found
        found = found or (isinstance(node, OuterColumn) and node.depth > level)
        return None

    rewrite_relation(relation, visit, 0)
    return found


class _Decorrelation:
    """`_shared` holds the values of Lets that are correlated: they are put in where they are used."""

    def __init__(self) -> None:
        self._lift = SubqueryLift(self.applied)

    def applied(self, relation: Relation, frame: Frame) -> Relation:
        """For each row of the frame, that row followed by each of the relation's rows for it."""
        if not correlated(relation):
            return crossed(frame.outer, self._uncorrelated(relation))
        match relation:
            case Constant() | Get() | LocalGet():
                return crossed(frame.outer, relation)
            case Let():
                return self._applied_let(relation, frame)
            case Recursive():
                raise NotSupported("WITH RECURSIVE that refers to an outer query")
            case Project(below, columns):
                kept = (*range(frame.width), *(frame.width + column for column in columns))
                return Project(self.applied(below, frame), kept)
            case Map() | FlatMap() | Filter() | Reduce() | TopK():
                return self._applied_scalars(relation, frame)
            case Join():
                return self._applied_join(relation, frame)
            case Negate() | Threshold():
                return with_inputs(relation, (self.applied(relation.input, frame),))
            case Union(inputs):
                return Union(tuple(self.applied(each, frame) for each in inputs))
            case _:
                assert_never(relation)

    def _uncorrelated(self, relation: Relation) -> Relation:
        """Nothing outside matters; what is inside may still have subqueries of its own."""
        if not any(_needs_work(node) for node in walk_relation(relation)):
            return relation
        match relation:
            case Map() | FlatMap() | Filter() | Reduce() | TopK():
                return self._applied_scalars(relation, TOP)
            case Join():
                return self._applied_join(relation, TOP)
            case _:
                return with_inputs(relation, tuple(self._uncorrelated(each) for each in inputs_of(relation)))

    def _applied_let(self, let: Let, frame: Frame) -> Relation:
        if not correlated(let.value):
            return Let(let.local_id, self._uncorrelated(let.value), self.applied(let.body, frame))
        return self.applied(_substituted(let.body, let.local_id, let.value), frame)

    # Nodes with expressions

    def _applied_scalars(self, relation: Map | FlatMap | Filter | Reduce | TopK, frame: Frame) -> Relation:
        below = self.applied(relation.input, frame)
        width, own = frame.width, relation_desc_of(relation.input).arity
        outer = tuple(range(width))

        def placed(scalars: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
            return tuple(frame.inside(scalar, width) for scalar in scalars)

        match relation:
            case Filter(_, predicates):
                return first_columns(self._lift.filtered(below, placed(predicates)), width + own)
            case Map(_, scalars, names):
                lifted, values = self._lift.lifted(below, placed(scalars))
                mapped = Map(lifted, values, names)
                extra = relation_desc_of(lifted).arity
                kept = (*range(width + own), *range(extra, extra + len(values)))
                return mapped if extra == width + own else Project(mapped, kept)
            case FlatMap():
                lifted, arguments = self._lift.lifted(below, placed(relation.arguments))
                flat = FlatMap(lifted, relation.function, arguments, relation.desc, relation.ordinality)
                extra = relation_desc_of(lifted).arity
                end = relation_desc_of(flat).arity
                return flat if extra == width + own else Project(flat, (*range(width + own), *range(extra, end)))
            case Reduce():
                return self._applied_reduce(relation, below, frame)
            case TopK():
                for bound in (relation.limit, relation.offset):
                    if bound is not None and frame.inside(bound, 0) != bound:
                        raise NotSupported("LIMIT or OFFSET that refers to an outer query")
                order = tuple(_placed_key(key, frame) for key in relation.order)
                group = (*outer, *(width + column for column in relation.group))
                return TopK(below, group, order, relation.limit, relation.offset)
            case _:
                assert_never(relation)

    def _applied_reduce(self, reduce: Reduce, below: Relation, frame: Frame) -> Relation:
        width = frame.width
        scalars = [frame.inside(scalar, width) for scalar in scalars_of(reduce)]
        lifted, values = self._lift.lifted(below, tuple(scalars))
        rest = iter(values)
        key = tuple(next(rest) for _ in reduce.key)
        aggregates = tuple(_rebuilt(aggregate, rest) for aggregate in reduce.aggregates)
        desc = relation_desc_of(below)
        outer = tuple(Column(index, desc.types[index]) for index in range(width))
        names = (*desc.names[:width], *reduce.names)
        grouped = Reduce(lifted, (*outer, *key), aggregates, names)
        if key or not width:
            return grouped
        # A group without key exists for every outer row, also for those without rows.
        pairs = [(index, index) for index in range(width)]
        complete = joined(JoinKind.LEFT, frame.outer, grouped, pairs)
        values_at = [Column(2 * width + i, aggregate.type) for i, aggregate in enumerate(aggregates)]
        defaulted = tuple(
            Coalesce((column, Literal(0, column.type)), column.type)
            if aggregate.function.startswith(_COUNTS)
            else column
            for aggregate, column in zip(aggregates, values_at, strict=True)
        )
        mapped = Map(complete, defaulted, reduce.names)
        end = 2 * width + len(aggregates)
        return Project(mapped, (*range(width), *range(end, end + len(aggregates))))

    # Joins

    def _applied_join(self, join: Join, frame: Frame) -> Relation:
        if join.lateral:
            return self._applied_lateral(join, frame)
        width = frame.width
        left_arity = relation_desc_of(join.left).arity
        semi = join.kind in (JoinKind.SEMI, JoinKind.ANTI)
        right_arity = relation_desc_of(join.right).arity
        left = self.applied(join.left, frame)
        if join.kind is not JoinKind.FULL and not correlated(join.right):
            right = self._uncorrelated(join.right)
            on = tuple(frame.inside(scalar, width) for scalar in join.on)
            return self._joined_on(Join(join.kind, left, right, on))
        right = self.applied(join.right, frame)
        pairs = [(index, index) for index in range(width)]
        keys = joined(join.kind, left, right, pairs).on
        at = width + left_arity

        def place(index: int) -> int:
            return width + index if index < left_arity else at + width + index - left_arity

        on = tuple(_inside_two(scalar, frame, place) for scalar in join.on)
        both = self._joined_on(Join(join.kind, left, right, (*keys, *on)))
        if semi or not width:
            return both
        kept = (*range(width, at), *range(at + width, at + width + right_arity))
        if join.kind is not JoinKind.FULL:
            return Project(both, (*range(width), *kept))
        types = relation_desc_of(left).types
        outer = tuple(Coalesce((Column(i, types[i]), Column(at + i, types[i])), types[i]) for i in range(width))
        end = relation_desc_of(both).arity
        mapped = Map(both, outer, relation_desc_of(frame.outer).names)
        return Project(mapped, (*range(end, end + width), *kept))

    def _joined_on(self, join: Join) -> Relation:
        return self._lift.joined(join)

    def _applied_lateral(self, join: Join, frame: Frame) -> Relation:
        width = frame.width
        left = self.applied(join.left, frame)
        left_width = relation_desc_of(left).arity
        reads = {(1, index): width + index for index in outer_references(join.right, 1)}
        for (depth, index), position in frame.positions.items():
            if index in outer_references(join.right, depth + 1):
                reads[(depth + 1, index)] = position
        columns = sorted(set(reads.values()))
        inner = Frame(
            distinct_columns(left, columns),
            {reference: columns.index(position) for reference, position in reads.items()},
        )
        right = self.applied(join.right, inner)
        pairs = [(position, index) for index, position in enumerate(columns)]
        keys = joined(join.kind, left, right, pairs).on

        def place(index: int) -> int:
            own = left_width - width
            return width + index if index < own else left_width + len(columns) + index - own

        on = tuple(_inside_two(scalar, frame, place) for scalar in join.on)
        both = self._joined_on(Join(join.kind, left, right, (*keys, *on)))
        end = relation_desc_of(both).arity
        return Project(both, (*range(left_width), *range(left_width + len(columns), end)))


def _inside_two(scalar: Scalar, frame: Frame, place: Callable[[int], int]) -> Scalar:
    """The expression of a join's predicate where its own columns have moved to `place`."""
    moved = Frame(frame.outer, frame.positions)
    far = 1_000_000

    def visit(node: Scalar) -> Scalar:
        return node

    shifted = moved.inside(visit(scalar), far)
    return _moved_back(shifted, far, place)


def _moved_back(scalar: Scalar, far: int, place: Callable[[int], int]) -> Scalar:
    from planner.ir.columns import map_columns

    return map_columns(
        scalar,
        lambda column: Column(place(column.index - far), column.type) if column.index >= far else column,
    )


def _placed_key(key: SortKey, frame: Frame) -> SortKey:
    return SortKey(frame.inside(key.expression, frame.width), key.descending, key.nulls_first)


def _rebuilt(aggregate: Aggregate, scalars: object) -> Aggregate:
    raise AssertionError


def _substituted(body: Relation, local_id: int, value: Relation) -> Relation:
    raise AssertionError
