"""Drops columns that nobody reads where they begin, so that Spark reads few columns. Volatile columns stay: as in
PostgreSQL, sequences count, statements sleep and locks are taken even if nobody looks at the values.

`_prune(relation, needed)` yields the relation with exactly the columns `needed`, in ascending order. A relation
whose meaning depends on whole rows (distinct, threshold, recursion) needs all columns. Top-k and windows compare
whole rows to break ties, but do without unread columns that may fail: PostgreSQL does not compute such columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import replace

from model.types.scalar_type import INT8
from planner.functions.system.server_calls import calls_server
from planner.functions.volatility import calls_volatile
from planner.interpret.reach import infallible
from planner.ir.aggregate import Aggregate
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
from planner.ir.scalar import TRUE, Literal, Scalar
from planner.ir.visit import (
    inputs_of,
    rewrite_aggregate,
    scalars_of,
    subqueries_of,
    walk_relation,
    with_inputs,
    with_scalars,
)

Needed = frozenset[int]
_COUNT = Aggregate("count_star", (), INT8)
_ANY = "any"
"""Names a constant that any column may stand for: only that there are rows is of interest."""


_MAINTAINED: ContextVar[bool] = ContextVar("whether what is pruned is maintained", default=False)


def prune_columns(relation: Relation) -> Relation:
    """Returns the same columns and rows."""
    return _prune(relation, _all(relation))


def prune_maintained_columns(relation: Relation) -> Relation:
    """Prunes the plan of a dataflow. A dataflow evaluates nothing for its effect, so an unread random() is dropped,
    too. Calls for the server alone, such as nextval, stay, and are refused later.
    """
    token = _MAINTAINED.set(True)
    try:
        return prune_columns(relation)
    finally:
        _MAINTAINED.reset(token)


def _does_something(scalar: Scalar) -> bool:
    """Tells whether an expression is to be evaluated though nobody reads its value."""
    return calls_server(scalar) if _MAINTAINED.get() else calls_volatile(scalar)


def _all(relation: Relation) -> Needed:
    return frozenset(range(relation_desc_of(relation).arity))


def _projected(relation: Relation, columns: tuple[int, ...]) -> Relation:
    if columns == tuple(range(relation_desc_of(relation).arity)):
        return relation
    if isinstance(relation, Project):
        return _projected(relation.input, tuple(relation.columns[at] for at in columns))
    return Project(relation, columns)


def _narrow(relation: Relation, have: Needed, needed: Needed) -> Relation:
    """Narrows from the columns `have` of a relation to those `needed`."""
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
    """Returns the relation with the columns that `_some` chooses. If no column is wanted, keeps a column that exists
    already, or a constant: the first column may have to be computed, and may fail, for nobody.
    """
    if wanted or not relation_desc_of(relation).arity:
        return _prune(relation, wanted)
    rows = _without_columns(_prune(relation, frozenset()))
    if relation_desc_of(rows).arity:
        return _projected(rows, (0,))
    return Map(rows, (TRUE,), (_ANY,))


def _without_columns(relation: Relation) -> Relation:
    """Returns the relation beneath projections to no columns; what others read of a local, its projection says."""
    while isinstance(relation, Project) and not relation.columns and not isinstance(relation.input, LocalGet):
        relation = relation.input
    return relation


def _present(relation: Relation) -> Relation:
    """Returns a constant column for each row of a relation, as all parts of a union can have it."""
    if isinstance(relation, Negate):
        return Negate(_present(relation.input))
    rows = _without_columns(_prune(relation, frozenset()))
    width = relation_desc_of(rows).arity
    return _projected(Map(rows, (TRUE,), ("present",)), (width,))


def _prune(relation: Relation, needed: Needed) -> Relation:
    match relation:
        case LocalGet() if not needed:
            return _projected(relation, ())
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
        case Union() if not needed and relation_desc_of(relation).arity:
            return Project(Union(tuple(map(_present, relation.inputs))), ())
        case Union() | Negate():
            return with_inputs(relation, tuple(_prune(part, needed) for part in inputs_of(relation)))
        case Let():
            return _prune_let(relation, needed)
        case LetRecursive():
            *values, body = inputs_of(relation)
            return with_inputs(relation, (*(_prune(each, _all(each)) for each in values), _prune(body, needed)))
        case TopK():
            return _prune_top_k(relation, needed)
        case Window():
            return _prune_window(relation, needed)
        case Threshold() | Recursive():
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
    """Prunes a Let's value to the columns that its uses read. Uses have been narrowed by projections already; uses
    within subqueries, which are parts of expressions, read all columns.
    """
    body = _prune(let.body, needed)
    kept = _columns_used(body, let.local_id)
    if _read_in_subqueries(body, let.local_id):
        kept = _all(let.value)
    value = _with_some(let.value, kept)
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
    """Returns the relation, in which every use of the local id is a projection, over the narrower value."""
    match relation:
        case Map(input=Project(columns=(), input=LocalGet() as read), scalars=(scalar,), names=(name,)) if (
            scalar,
            name,
        ) == (TRUE, _ANY) and _is(read, shared):
            return _projected(shared, (0,))
        case Project(input=LocalGet() as read) if _is(read, shared):
            return _projected(shared, tuple(positions[at] for at in relation.columns))
        case _:
            return with_inputs(relation, tuple(_reading(i, shared, positions) for i in inputs_of(relation)))


def _is(read: LocalGet, shared: LocalGet) -> bool:
    return read.local_id == shared.local_id


def _prune_map(relation: Map, needed: Needed) -> Relation:
    width = relation_desc_of(relation.input).arity
    kept = [at for at, scalar in enumerate(relation.scalars) if width + at in needed or _does_something(scalar)]
    wanted = frozenset(at for at in needed if at < width) | _read(relation.scalars[at] for at in kept)
    below = _some(relation.input, wanted)
    positions = _positions(below)
    inner = _with_some(relation.input, wanted)
    if not kept:
        return _narrow(inner, below, needed)
    scalars = tuple(remap_columns(relation.scalars[at], positions) for at in kept)
    mapped = Map(inner, scalars, tuple(relation.names[at] for at in kept))
    return _narrow(mapped, below | frozenset(width + at for at in kept), needed)


def _prune_top_k(relation: TopK, needed: Needed) -> Relation:
    if not (_counts(relation.limit, None) or _counts(relation.offset, None, 0)):
        return _prune(relation.input, needed)
    have = _all(relation) - _left_out(relation, needed)
    if not have:
        return Project(replace(relation, input=_with_some(relation.input, have)), ())
    return _narrow(_reading_only(relation, have), have, needed)


def _counts(bound: Scalar | None, *without_effect: int | None) -> bool:
    """Tells whether a limit or an offset leaves rows out: not where its value is one of those given."""
    return bound is not None and not (isinstance(bound, Literal) and bound.value in without_effect)


def _prune_window(relation: Window, needed: Needed) -> Relation:
    width = relation_desc_of(relation.input).arity
    kept = [at for at in range(len(relation.calls)) if width + at in needed]
    if any(map(_does_something, scalars_of(relation))):
        kept = list(range(len(relation.calls)))
    if not kept:
        return _prune(relation.input, needed)
    calls, names = tuple(relation.calls[at] for at in kept), tuple(relation.names[at] for at in kept)
    own = frozenset(at for at in needed if at < width)
    relation = Window(relation.input, relation.group, relation.order, calls, names)
    have = frozenset(range(width)) - _left_out(relation, own)
    produced = frozenset(width + at for at in kept)
    return _narrow(_reading_only(relation, have), have | produced, needed)


def _left_out(relation: TopK | Window, needed: Needed) -> Needed:
    """Returns the columns of the input that may fail, and neither the relation reads, nor anybody who reads it."""
    return _may_fail(relation.input) - needed - frozenset(relation.group) - _read(scalars_of(relation))


def _reading_only(relation: TopK | Window, have: Needed) -> Relation:
    """Returns the relation over some columns of its input."""
    positions = _positions(have)
    group = tuple(positions[at] for at in relation.group)
    moved = with_scalars(relation, lambda scalar: remap_columns(scalar, positions))
    assert isinstance(moved, TopK | Window)
    return replace(moved, input=_prune(relation.input, have), group=group)


def _may_fail(relation: Relation) -> Needed:
    """Returns the columns that a relation computes itself, by what may fail."""
    match relation:
        case Project():
            inner = _may_fail(relation.input)
            return frozenset(at for at, column in enumerate(relation.columns) if column in inner)
        case Map():
            width = relation_desc_of(relation.input).arity
            own = (width + at for at, scalar in enumerate(relation.scalars) if _fails_alone(scalar))
            return _may_fail(relation.input).union(own)
        case Reduce():
            keys = len(relation.key)
            own = (keys + at for at, each in enumerate(relation.aggregates) if any(map(_fails_alone, each.arguments)))
            return frozenset(own)
        case Join(kind=JoinKind.SEMI | JoinKind.ANTI):
            return _may_fail(relation.left)
        case Join():
            width = relation_desc_of(relation.left).arity
            return _may_fail(relation.left).union(width + at for at in _may_fail(relation.right))
        case Union():
            return frozenset[int]().union(*map(_may_fail, relation.inputs))
        case Filter() | FlatMap() | TopK() | Window():
            return _may_fail(relation.input)
        case _:
            return frozenset()


def _fails_alone(scalar: Scalar) -> bool:
    """Tells whether an expression may fail, and does nothing else that counts."""
    return not infallible(scalar) and not _does_something(scalar)


def _prune_join(relation: Join, needed: Needed) -> Relation:
    if relation.lateral:
        return _prune_lateral(relation, needed)
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


def _prune_lateral(relation: Join, needed: Needed) -> Relation:
    """Returns the right side sees all columns of the left."""
    width = relation_desc_of(relation.left).arity
    of_right = frozenset(at - width for at in _read(relation.on) | needed if at >= width)
    right = _some(relation.right, of_right)
    have = frozenset(range(width)) | frozenset(at + width for at in right)
    positions = _positions(have)
    on = tuple(remap_columns(predicate, positions) for predicate in relation.on)
    left = _prune(relation.left, _all(relation.left))
    return _narrow(Join(relation.kind, left, _with_some(relation.right, of_right), on, True), have, needed)


def _prune_reduce(relation: Reduce, needed: Needed) -> Relation:
    keys = len(relation.key)
    kept = [
        at
        for at, each in enumerate(relation.aggregates)
        if keys + at in needed or any(map(_does_something, _scalars_in(each)))
    ]
    if not kept and not keys and relation.aggregates:
        # An aggregate over all rows is one row, though nobody reads its value.
        return Project(Reduce(_with_some(relation.input, frozenset()), (), (_COUNT,), ("count",)), ())
    aggregates = [relation.aggregates[at] for at in kept]
    read = set(_read(relation.key))
    for aggregate in aggregates:
        read |= _read(_scalars_in(aggregate))
    wanted = frozenset(read)
    positions = _positions(_some(relation.input, wanted))
    key = tuple(remap_columns(scalar, positions) for scalar in relation.key)
    moved = tuple(rewrite_aggregate(a, lambda node, level: _remap_at(node, level, positions)) for a in aggregates)
    names = (*relation.names[:keys], *(relation.names[keys + at] for at in kept))
    inner = Reduce(_with_some(relation.input, wanted), key, moved, names)
    return _narrow(inner, frozenset(range(keys)) | frozenset(keys + at for at in kept), needed)


def _scalars_in(aggregate: Aggregate) -> tuple[Scalar, ...]:
    condition = () if aggregate.condition is None else (aggregate.condition,)
    return (*aggregate.arguments, *(key.expression for key in aggregate.order), *condition)


def _remap_at(node: Scalar, level: int, positions: dict[int, int]) -> Scalar | None:
    return remap_columns(node, positions) if level == 0 else None
