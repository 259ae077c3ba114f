"""Columns that nobody reads are dropped where they begin, so that Spark reads few; but not what sequences count.

`_prune(relation, needed)` yields the relation with exactly the columns `needed`, in ascending order. A relation whose
meaning depends on its whole rows (distinct, threshold, top-k and windows with their ties, recursion) needs all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from planner.functions.system.server_calls import calls_server
from planner.ir.columns import own_columns, remap_columns
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
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.scalar import Scalar
from planner.ir.visit import inputs_of, rewrite_aggregate, subqueries_of, walk_relation, with_inputs

Needed = frozenset[int]


def prune_columns(relation: Relation) -> Relation:
    """The same columns and rows."""
    return _prune(relation, _all(relation))


def _all(relation: Relation) -> Needed:
    return frozenset(range(relation_desc_of(relation).arity))


def _projected(relation: Relation, columns: tuple[int, ...]) -> Relation:
    if columns == tuple(range(relation_desc_of(relation).arity)):
        return relation
    if isinstance(relation, Project):
        return _projected(relation.input, tuple(relation.columns[at] for at in columns))
    return Project(relation, columns)


def _narrow(relation: Relation, have: Needed, needed: Needed) -> Relation:
    """From the columns `have` of a relation to those `needed`."""
    positions = {at: new for new, at in enumerate(sorted(have))}
    return _projected(relation, tuple(positions[at] for at in sorted(needed)))


def _positions(have: Needed) -> dict[int, int]:
    return {at: new for new, at in enumerate(sorted(have))}


def _read(scalars: Iterable[Scalar]) -> Needed:
    found: set[int] = set()
    for scalar in scalars:
        found |= own_columns(scalar)
    return frozenset(found)


def _some(relation: Relation, needed: Needed) -> Needed:
    """Returns the needed columns, at least one where there is one: rows without columns are awkward for later steps."""
    return needed if needed or not relation_desc_of(relation).arity else frozenset((0,))


def _with_some(relation: Relation, wanted: Needed) -> Relation:
    """The relation with the columns that `_some` gives: where none is wanted, with one that is there already instead of
    the first, which may have to be computed, and may fail, though nobody looks at it."""
    if wanted or not relation_desc_of(relation).arity:
        return _prune(relation, wanted)
    rows = _prune(relation, frozenset())
    while isinstance(rows, Project) and not rows.columns:
        rows = rows.input
    if relation_desc_of(rows).arity:
        return _projected(rows, (0,))
    return _prune(relation, _some(relation, wanted))


def _prune(relation: Relation, needed: Needed) -> Relation:
    match relation:
        case Constant() | Get() | LocalGet():
            kept = _some(relation, needed)
            return _narrow(_projected(relation, tuple(sorted(kept))), kept, needed)
        case Project():
            return _prune_project(relation, needed)
        case Map():
            return _prune_map(relation, needed)
        case FlatMap():
            return _prune_flat_map(relation, needed)
        case Filter():
            have = needed | _read(relation.predicates)
            positions = _positions(have)
            predicates = tuple(remap_columns(p, positions) for p in relation.predicates)
            return _narrow(Filter(_prune(relation.input, have), predicates), have, needed)
        case Join():
            return _prune_join(relation, needed)
        case Reduce():
            return _prune_reduce(relation, needed)
        case Union() | Negate():
            return with_inputs(relation, tuple(_prune(part, needed) for part in inputs_of(relation)))
        case Let():
            return _prune_let(relation, needed)
        case LetRecursive():
            *values, body = inputs_of(relation)
            return with_inputs(relation, (*(_prune(each, _all(each)) for each in values), _prune(body, needed)))
        case TopK() | Window() | Threshold() | Recursive():
            inner = with_inputs(relation, tuple(_prune(i, _all(i)) for i in inputs_of(relation)))
            return _narrow(inner, _all(relation), needed)


def _prune_project(relation: Project, needed: Needed) -> Relation:
    below = frozenset(relation.columns[at] for at in needed)
    positions = _positions(below)
    inner = _prune(relation.input, below)
    return _projected(inner, tuple(positions[relation.columns[at]] for at in sorted(needed)))


def _prune_flat_map(relation: FlatMap, needed: Needed) -> Relation:
    width = relation_desc_of(relation.input).arity
    wanted = frozenset(at for at in needed if at < width) | _read(relation.arguments)
    below = _some(relation.input, wanted)
    positions = _positions(below)
    arguments = tuple(remap_columns(argument, positions) for argument in relation.arguments)
    called = replace(relation, input=_with_some(relation.input, wanted), arguments=arguments)
    produced = frozenset(range(width, relation_desc_of(relation).arity))
    return _narrow(called, below | produced, needed)


def _prune_let(let: Let, needed: Needed) -> Relation:
    """The value keeps what any of its uses reads; these have been narrowed to that by projections, but for those in
    subqueries, which stand in expressions and read all of it."""
    body = _prune(let.body, needed)
    kept = _some(let.value, _columns_used(body, let.local_id))
    if _read_in_subqueries(body, let.local_id):
        kept = _all(let.value)
    if kept == _all(let.value):
        return Let(let.local_id, _prune(let.value, kept), body)
    value = _prune(let.value, kept)
    shared = LocalGet(let.local_id, relation_desc_of(value))
    return Let(let.local_id, value, _reading(body, shared, _positions(kept)))


def _columns_used(relation: Relation, local_id: int) -> Needed:
    match relation:
        case Project(input=LocalGet() as read) if read.local_id == local_id:
            return frozenset(relation.columns)
        case LocalGet() if relation.local_id == local_id:
            return _all(relation)
        case _:
            found: Needed = frozenset()
            return found.union(*(_columns_used(i, local_id) for i in inputs_of(relation)))


def _read_in_subqueries(relation: Relation, local_id: int) -> bool:
    for node in walk_relation(relation):
        for subquery in subqueries_of(node):
            if any(isinstance(read, LocalGet) and read.local_id == local_id for read in walk_relation(subquery)):
                return True
    return False


def _reading(relation: Relation, shared: LocalGet, positions: dict[int, int]) -> Relation:
    """The relation, in which every use of the local id is a projection, over the narrower value."""
    match relation:
        case Project(input=LocalGet() as read) if read.local_id == shared.local_id:
            return _projected(shared, tuple(positions[at] for at in relation.columns))
        case _:
            return with_inputs(relation, tuple(_reading(i, shared, positions) for i in inputs_of(relation)))


def _prune_map(relation: Map, needed: Needed) -> Relation:
    width = relation_desc_of(relation.input).arity
    # A sequence counts whoever looks at its values.
    kept = [at for at, scalar in enumerate(relation.scalars) if width + at in needed or calls_server(scalar)]
    wanted = frozenset(at for at in needed if at < width) | _read(relation.scalars[at] for at in kept)
    below = _some(relation.input, wanted)
    positions = _positions(below)
    inner = _with_some(relation.input, wanted)
    if not kept:
        return _narrow(inner, below, needed)
    scalars = tuple(remap_columns(relation.scalars[at], positions) for at in kept)
    mapped = Map(inner, scalars, tuple(relation.names[at] for at in kept))
    return _narrow(mapped, below | frozenset(width + at for at in kept), needed)


def _prune_join(relation: Join, needed: Needed) -> Relation:
    if relation.lateral:
        inner = with_inputs(relation, (_prune(relation.left, _all(relation.left)), relation.right))
        return _narrow(inner, _all(relation), needed)
    width = relation_desc_of(relation.left).arity
    read = _read(relation.on) | needed
    of_left = frozenset(at for at in read if at < width)
    of_right = frozenset(at - width for at in read if at >= width)
    left, right = _some(relation.left, of_left), _some(relation.right, of_right)
    behind = frozenset(at + width for at in right)
    positions = _positions(left | behind)
    on = tuple(remap_columns(predicate, positions) for predicate in relation.on)
    joined = Join(relation.kind, _with_some(relation.left, of_left), _with_some(relation.right, of_right), on)
    have = left if relation.kind in (JoinKind.SEMI, JoinKind.ANTI) else left | behind
    return _narrow(joined, have, needed)


def _prune_reduce(relation: Reduce, needed: Needed) -> Relation:
    keys = len(relation.key)
    kept = [at for at in range(len(relation.aggregates)) if keys + at in needed]
    if not kept and not keys and relation.aggregates:
        # An aggregate over all rows is one row, whatever is read of it.
        kept = [0]
    aggregates = [relation.aggregates[at] for at in kept]
    read = set(_read(relation.key))
    for aggregate in aggregates:
        condition = () if aggregate.condition is None else (aggregate.condition,)
        read |= _read((*aggregate.arguments, *(key.expression for key in aggregate.order), *condition))
    wanted = frozenset(read)
    positions = _positions(_some(relation.input, wanted))
    key = tuple(remap_columns(scalar, positions) for scalar in relation.key)
    moved = tuple(rewrite_aggregate(a, lambda node, level: _remap_at(node, level, positions)) for a in aggregates)
    names = (*relation.names[:keys], *(relation.names[keys + at] for at in kept))
    inner = Reduce(_with_some(relation.input, wanted), key, moved, names)
    return _narrow(inner, frozenset(range(keys)) | frozenset(keys + at for at in kept), needed)


def _remap_at(node: Scalar, level: int, positions: dict[int, int]) -> Scalar | None:
    return remap_columns(node, positions) if level == 0 else None
