"""Makes joins of subqueries and lateral inputs, so that no relation refers to a row outside it.

`applied(relation, frame)` is, for each of the frame's outer rows, that row followed by each row that the relation has
for it. It is defined by recursion on the relation:

    applied(uncorrelated, F)     = F x uncorrelated
    applied(Filter(R, p), F)     = Filter(applied(R, F), p)                     likewise Map, FlatMap, Project, Union
    applied(Reduce(R, k, a), F)  = Reduce(applied(R, F), F ++ k, a)             without k: also for rows without any
    applied(L join R on p, F)    = applied(L, F) join applied(R, F) on the same outer row and p
    applied(L lateral R, F)      = applied(L, F) lateral R

A lateral join is one join when the right input is `matched` by a condition; else the right input is applied to the
distinct rows that it reads. Subqueries in expressions become lateral joins (lift_subqueries).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from model.errors.sql_error import NotSupported
from model.types.relation_desc import RelationDesc
from planner.functions.numbers.shown_scales import decimals_of_value
from planner.functions.sameness import same
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.columns import map_columns, outer_references
from planner.ir.locals import fresh_local_ids, reads_local
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    Join,
    JoinKind,
    Let,
    LetRecursive,
    LocalGet,
    Map,
    Negate,
    Project,
    Recursive,
    RecursiveBinding,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.scalar import Coalesce, Column, OuterColumn, Scalar, scalar_type
from planner.ir.visit import inputs_of, scalars_of, subqueries_of, walk_relation, with_inputs
from planner.rules.decimals.outer import decimals_read_outside
from planner.rules.decorrelation.failing import has_subquery
from planner.rules.decorrelation.frame import (
    TOP,
    OuterFrame,
    correlated,
    crossed,
    distinct_columns,
    projected,
    reads_outside,
    same_columns,
)
from planner.rules.decorrelation.lateral import joins_at_once, side_by_side
from planner.rules.decorrelation.lift_subqueries import filtered, joined, lifted, open_conjuncts
from planner.rules.decorrelation.local_ids import renumbered, substituted
from planner.rules.decorrelation.matched import Matched, above, columns_of, matched, of_no_rows


def decorrelate(relation: Relation) -> Relation:
    """Returns the same rows without OuterColumns and subqueries. Raises SqlError 0A000 for what has no join form
    here."""
    if not any(map(_needs_work, walk_relation(relation))):
        return relation
    decorrelation = _Decorrelation(fresh_local_ids(relation), _recursions(relation))
    return _named(decorrelation.applied(relation, TOP), relation_desc_of(relation).names)


def _recursions(relation: Relation) -> frozenset[int]:
    """Returns the local ids of WITH RECURSIVE and of what is bound to something that reads it."""
    lets = [node for node in walk_relation(relation) if isinstance(node, Let)]
    found: frozenset[int] = frozenset()
    while (more := frozenset(let.local_id for let in lets if _recurs(let.value, found))) != found:
        found = more
    return found


def _recurs(relation: Relation, recursions: frozenset[int]) -> bool:
    nodes = walk_relation(relation)
    return any(isinstance(n, Recursive) or (isinstance(n, LocalGet) and n.local_id in recursions) for n in nodes)


def _named(relation: Relation, names: tuple[str, ...]) -> Relation:
    """Returns the relation with these names: columns that were passed on under another name have their own."""
    desc = relation_desc_of(relation)
    other = [at for at, name in enumerate(names) if desc.names[at] != name]
    if not other:
        return relation
    renamed = Map(relation, tuple(Column(at, desc.types[at]) for at in other), tuple(names[at] for at in other))
    places = {at: len(names) + new for new, at in enumerate(other)}
    return Project(renamed, tuple(places.get(at, at) for at in range(len(names))))


def _needs_work(node: Relation) -> bool:
    return (isinstance(node, Join) and node.lateral) or next(subqueries_of(node), None) is not None


class _Decorrelation:
    """One run of the rule over a plan; `ids` supplies local ids for new bindings. Other files of the folder call the
    run as `Rest`.

    `_carried` holds recursions with references to outer rows: rows of a recursion's last round carry the frame's
    columns.
    """

    def __init__(self, ids: Iterator[int], recursions: frozenset[int]) -> None:
        self._ids = ids
        self._recursions = recursions
        self._carried: dict[int, tuple[OuterFrame, LocalGet]] = {}

    def recurs(self, relation: Relation) -> bool:
        """Tells whether a relation reads a recursion as a whole, not once per outer row."""
        return not self.correlated(relation) and _recurs(relation, self._recursions)

    def correlated(self, relation: Relation) -> bool:
        if correlated(relation):
            return True
        return bool(self._carried) and reads_local(relation, frozenset(self._carried))

    def filtered(self, below: Relation, predicates: Sequence[Scalar]) -> Relation:
        return filtered(self, below, predicates)

    def joined(self, join: Join) -> Relation:
        return joined(self, join)

    def against(
        self,
        left: Relation,
        right: Relation,
        build: Callable[[Relation, Matched], Relation],
        accept: Callable[[Matched], bool],
    ) -> Relation:
        found = matched(right, self)
        if found is not None and accept(found):
            return build(left, found)

        def by_distinct_rows(shared: Relation) -> Relation:
            aggregated = self._aggregates_by_distinct_rows(shared, right)
            if aggregated is not None and accept(aggregated):
                return build(shared, aggregated)
            return build(shared, self._by_distinct_rows(shared, right))

        return self.bound(left, by_distinct_rows)

    def bound(self, relation: Relation, build: Callable[[Relation], Relation]) -> Relation:
        if isinstance(relation, Get | LocalGet) or (isinstance(relation, Constant) and len(relation.rows) < 2):
            return build(relation)
        local_id = next(self._ids)
        return Let(local_id, relation, build(LocalGet(local_id, relation_desc_of(relation))))

    def copied(self, relation: Relation) -> Relation:
        return renumbered(relation, self._ids)

    def _aggregates_by_distinct_rows(self, left: Relation, right: Relation) -> Matched | None:
        """Plans as `_by_distinct_rows` does, for an aggregate over all rows: outer rows without any are left to the
        reader."""
        if isinstance(right, Map | Project):
            below = self._aggregates_by_distinct_rows(left, right.input)
            return None if below is None else above(right, below)
        if not isinstance(right, Reduce) or right.key or not self.correlated(right):
            return None
        frame, on = self._distinct_rows(left, right)
        rows = self._grouped(right, frame)
        return Matched(rows, on, columns_of(rows)[frame.width :], tuple(map(of_no_rows, right.aggregates)))

    def _by_distinct_rows(self, left: Relation, right: Relation) -> Matched:
        frame, on = self._distinct_rows(left, right)
        rows = self.applied(right, frame)
        return Matched(rows, on, columns_of(rows)[frame.width :])

    def _distinct_rows(self, left: Relation, right: Relation) -> tuple[OuterFrame, tuple[Scalar, ...]]:
        """Returns the distinct outer rows that `right` reads, and the condition that finds them again."""
        columns, shown = sorted(outer_references(right, 1)), sorted(decimals_read_outside(right))
        distinct = distinct_columns(left, columns, shown)
        types = relation_desc_of(left).types
        outer: list[Scalar] = [OuterColumn(1, column, types[column]) for column in columns]
        outer += [decimals_of_value(OuterColumn(1, column, types[column])) for column in shown]
        pairs = zip(outer, columns_of(distinct), strict=True)
        on = tuple(same(own, found, scalar_type(own)) for own, found in pairs)
        return OuterFrame(distinct, {(1, column): at for at, column in enumerate(columns)}), on

    def lateral(self, kind: JoinKind, left: Relation, right: Relation, on: tuple[Scalar, ...] = ()) -> Relation:
        on = tuple(open_conjuncts(on))
        if not self.correlated(right):
            return joined(self, Join(kind, left, self.applied(right, TOP), on))
        if kind is JoinKind.INNER and _row_by_row(right):
            width = relation_desc_of(left).arity
            each = OuterFrame(left, {(1, index): index for index in range(width)})
            return self.filtered(self.applied(right, each), on)
        return self.against(
            left,
            right,
            lambda shared, found: side_by_side(self, kind, shared, found, on),
            lambda found: joins_at_once(kind, found, on),
        )

    def applied(self, relation: Relation, frame: OuterFrame) -> Relation:
        if frame is TOP:
            if not any(map(_needs_work, walk_relation(relation))):
                return relation
        elif not self.correlated(relation):
            return crossed(frame.outer, self.applied(relation, TOP))
        match relation:
            case Constant() | Get():
                return crossed(frame.outer, relation)
            case LocalGet(local_id):
                carried = self._carried.get(local_id)
                if carried is None or carried[0] is not frame:
                    raise NotSupported("WITH RECURSIVE that refers to an outer query and to itself in a subquery")
                return carried[1]
            case Let(local_id, value, body):
                if self.correlated(value):
                    return self.applied(substituted(body, local_id, value, self._ids), frame)
                return Let(local_id, self.applied(value, TOP), self.applied(body, frame))
            case Recursive():
                return self._applied_recursion(relation, frame)
            case LetRecursive():
                return self._applied_let_recursive(relation, frame)
            case Project(below, columns):
                kept = (*range(frame.width), *(frame.width + column for column in columns))
                return Project(self.applied(below, frame), kept)
            case Filter(below, predicates):
                placed = tuple(frame.inside(predicate, frame.width) for predicate in predicates)
                return self.filtered(self.applied(below, frame), placed)
            case Map() | FlatMap():
                return self._applied_to_rows(relation, frame)
            case TopK():
                return self._applied_top(relation, frame)
            case Window():
                return self._applied_window(relation, frame)
            case Reduce():
                return self._applied_reduce(relation, frame)
            case Join():
                return self._applied_join(relation, frame)
            case Negate() | Threshold():
                return with_inputs(relation, (self.applied(relation.input, frame),))
            case Union(inputs):
                return Union(tuple(self.applied(each, frame) for each in inputs))
            case _:
                assert_never(relation)

    def _applied_to_rows(self, relation: Map | FlatMap, frame: OuterFrame) -> Relation:
        below = self.applied(relation.input, frame)
        placed = tuple(frame.inside(scalar, frame.width) for scalar in scalars_of(relation))
        rows, values = lifted(self, below, placed)
        above: Relation
        if isinstance(relation, Map):
            above = Map(rows, values, relation.names)
        else:
            above = replace(relation, input=rows, arguments=values)
        start, end = relation_desc_of(rows).arity, relation_desc_of(above).arity
        return projected(above, (*range(relation_desc_of(below).arity), *range(start, end)))

    def _applied_recursion(self, recursive: Recursive, frame: OuterFrame) -> Relation:
        """Applies a recursion: all outer rows recur side by side; a round's rows belong to the outer row that they
        carry."""
        if frame is TOP:
            return with_inputs(recursive, tuple(self.applied(each, TOP) for each in inputs_of(recursive)))
        base = self.applied(recursive.base, frame)
        self._carried[recursive.local_id] = (frame, LocalGet(recursive.local_id, relation_desc_of(base)))
        step = self.applied(recursive.step, frame)
        del self._carried[recursive.local_id]
        return Recursive(recursive.local_id, base, step, recursive.distinct)

    def _applied_let_recursive(self, let: LetRecursive, frame: OuterFrame) -> Relation:
        """Plans as `_applied_recursion` does: an outer row whose own rounds have ended stays unchanged while others
        go on."""
        if frame is TOP:
            return with_inputs(let, tuple(self.applied(each, TOP) for each in inputs_of(let)))
        outer = relation_desc_of(frame.outer).columns
        descs = {each.local_id: RelationDesc((*outer, *each.desc.columns)) for each in let.bindings}
        carried = {local_id: (frame, LocalGet(local_id, desc)) for local_id, desc in descs.items()}
        self._carried |= carried
        bindings = tuple(
            RecursiveBinding(each.local_id, descs[each.local_id], self.applied(each.value, frame))
            for each in let.bindings
        )
        body = self.applied(let.body, frame)
        for local_id in carried:
            del self._carried[local_id]
        return LetRecursive(bindings, body, let.limit)

    def _applied_top(self, top: TopK, frame: OuterFrame) -> Relation:
        bounds = tuple(bound for bound in (top.limit, top.offset) if bound is not None)
        constant = not any(reads_outside(bound) or has_subquery(bound) for bound in bounds)
        assert constant, "where a limit depends on rows, planning numbers them"
        width = frame.width
        below = self.applied(top.input, frame)
        rows, values = lifted(self, below, [frame.inside(key.expression, width) for key in top.order])
        order = tuple(
            SortKey(value, key.descending, key.nulls_first) for value, key in zip(values, top.order, strict=True)
        )
        group = (*range(width), *(width + column for column in top.group))
        return projected(TopK(rows, group, order, top.limit, top.offset), range(relation_desc_of(below).arity))

    def _applied_window(self, window: Window, frame: OuterFrame) -> Relation:
        counted = [offset for call in window.calls for offset in call.frame.counted]
        if any(map(reads_outside, counted)):
            raise NotSupported("a frame's offset that refers to an outer query")
        if any(map(has_subquery, counted)):
            raise NotSupported("a frame's offset with a subquery")
        width = frame.width
        below = self.applied(window.input, frame)
        rows, values = lifted(self, below, [frame.inside(scalar, width) for scalar in scalars_of(window)])
        placed = iter(values)
        group = (*range(width), *(width + column for column in window.group))
        order = tuple(replace(key, expression=next(placed)) for key in window.order)
        calls = tuple(call.with_scalars(lambda _: next(placed)) for call in window.calls)
        above = Window(rows, group, order, calls, window.names)
        start = relation_desc_of(rows).arity
        return projected(above, (*range(relation_desc_of(below).arity), *range(start, start + len(calls))))

    def _grouped(self, reduce: Reduce, frame: OuterFrame) -> Relation:
        """Groups the rows of each outer row; groups without rows are missing."""
        width = frame.width
        below = self.applied(reduce.input, frame)
        scalars = tuple(frame.inside(scalar, width) for scalar in scalars_of(reduce))
        rows, placed = lifted(self, below, scalars)
        rest = iter(placed)
        key = tuple(next(rest) for _ in reduce.key)
        aggregates = tuple(_with_scalars(aggregate, rest) for aggregate in reduce.aggregates)
        names = (*relation_desc_of(below).names[:width], *reduce.names)
        return Reduce(rows, (*columns_of(below)[:width], *key), aggregates, names)

    def _applied_reduce(self, reduce: Reduce, frame: OuterFrame) -> Relation:
        width = frame.width
        grouped = self._grouped(reduce, frame)
        if reduce.key or not width:
            return grouped
        # A group without key exists for every outer row, also for those without rows.
        complete = Join(JoinKind.LEFT, frame.outer, grouped, same_columns(frame.outer, range(width), width))
        values = tuple(
            _of_some_rows(aggregate, Column(2 * width + at, aggregate.type))
            for at, aggregate in enumerate(reduce.aggregates)
        )
        arity = 2 * width + len(values)
        mapped = Map(complete, values, reduce.names)
        return Project(mapped, (*range(width), *range(arity, arity + len(values))))

    def _applied_join(self, join: Join, frame: OuterFrame) -> Relation:
        width = frame.width
        on = tuple(frame.inside(scalar, width) for scalar in join.on)
        if join.lateral:
            return self.lateral(join.kind, self.applied(join.left, frame), frame.around(join.right, width), on)
        if join.kind is not JoinKind.FULL and not self.correlated(join.right):
            return joined(self, Join(join.kind, self.applied(join.left, frame), self.applied(join.right, TOP), on))
        return self._applied_to_both(join, frame, on)

    def _applied_to_both(self, join: Join, frame: OuterFrame, inside: tuple[Scalar, ...]) -> Relation:
        width = frame.width
        left, right = self.applied(join.left, frame), self.applied(join.right, frame)
        at = relation_desc_of(left).arity

        def place(column: Column) -> Scalar:
            # The frame's columns stay in front; those of the right input stand behind the frame's second copy.
            return column if column.index < at else Column(column.index + width, column.type)

        on = (*same_columns(left, range(width), at), *(map_columns(scalar, place) for scalar in inside))
        both = joined(self, Join(join.kind, left, right, on))
        if join.kind in (JoinKind.SEMI, JoinKind.ANTI) or not width:
            return both
        end = relation_desc_of(both).arity
        kept = (*range(width, at), *range(at + width, end))
        if join.kind is not JoinKind.FULL:
            return Project(both, (*range(width), *kept))
        desc = relation_desc_of(left)
        outer = tuple(
            Coalesce((Column(i, desc.types[i]), Column(at + i, desc.types[i])), desc.types[i]) for i in range(width)
        )
        return Project(Map(both, outer, desc.names[:width]), (*range(end, end + width), *kept))


def _of_some_rows(aggregate: Aggregate, column: Column) -> Scalar:
    """Returns the aggregate of a group that may have no rows and thus no column."""
    default = of_no_rows(aggregate)
    return column if default.value is None else Coalesce((column, default), aggregate.type)


def _row_by_row(relation: Relation) -> bool:
    """Tells whether each row comes from one outer row and from nothing that outer rows share."""
    match relation:
        case Map() | Filter() | Project() | FlatMap():
            return _row_by_row(relation.input)
        case Constant(rows):
            return len(rows) <= 1
        case _:
            return False


def _with_scalars(aggregate: Aggregate, scalars: Iterator[Scalar]) -> Aggregate:
    """Returns the aggregate with other expressions, in the order of scalars_of."""
    arguments = tuple(next(scalars) for _ in aggregate.arguments)
    order = tuple(replace(key, expression=next(scalars)) for key in aggregate.order)
    condition = None if aggregate.condition is None else next(scalars)
    return replace(aggregate, arguments=arguments, order=order, condition=condition)
