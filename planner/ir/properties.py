"""Properties of a plan: its columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import assert_never

from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import (
    INT8,
    ScalarType,
    TypeName,
    declared_type,
    same_when_declared,
    shown_numeric,
    shown_scale,
)
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
from planner.ir.scalar import scalar_type

_Remembered = dict[int, tuple[Relation, RelationDesc]]
_REMEMBERED: ContextVar[_Remembered | None] = ContextVar("remembered columns", default=None)


@contextmanager
def remembering_columns() -> Iterator[None]:
    """Has the columns of each node found out once within the block. A rule asks for them at every level of a plan,
    which takes time in proportion to its depth, and to its width at each level."""
    token = _REMEMBERED.set({} if (outer := _REMEMBERED.get()) is None else outer)
    try:
        yield
    finally:
        _REMEMBERED.reset(token)


def _nullable(columns: tuple[ColumnDesc, ...]) -> tuple[ColumnDesc, ...]:
    return tuple(ColumnDesc(column.name, column.type, True) for column in columns)


def _declared(columns: tuple[ColumnDesc, ...]) -> tuple[ColumnDesc, ...]:
    """Returns the columns of a recursive relation, whose base does not know with how many decimals its steps are
    shown."""
    return tuple(ColumnDesc(column.name, declared_type(column.type), True) for column in columns)


def alike(types: Sequence[ScalarType]) -> ScalarType:
    """Returns the type of a column that several inputs fill: with a modifier if all have the same."""
    first = types[0]
    if all(type_ == first for type_ in types) or not all(same_when_declared(type_, first) for type_ in types):
        return first
    scales = {shown_scale(type_) for type_ in types} if first.name is TypeName.NUMERIC else {None}
    scale = scales.pop() if len(scales) == 1 else None
    return declared_type(first).plain() if scale is None else shown_numeric(scale)


def _different(types: Sequence[ScalarType]) -> Sequence[ScalarType]:
    """Returns the types without those that are there already: thousands of rows have few."""
    return tuple({id(type_): type_ for type_ in types}.values())


def _join_columns(join: Join) -> tuple[ColumnDesc, ...]:
    left = relation_desc_of(join.left).columns
    if join.kind in (JoinKind.SEMI, JoinKind.ANTI):
        return left
    right = relation_desc_of(join.right).columns
    match join.kind:
        case JoinKind.INNER:
            return left + right
        case JoinKind.LEFT:
            return left + _nullable(right)
        case JoinKind.FULL:
            return _nullable(left) + _nullable(right)


def relation_desc_of(relation: Relation) -> RelationDesc:
    """Returns the columns of a relation: names, types, and whether they may be NULL (True when in doubt)."""
    if isinstance(relation, Constant | Get | LocalGet):
        return relation.desc
    remembered = _REMEMBERED.get()
    if remembered is None:
        return _desc_of(relation)
    known = remembered.get(id(relation))
    if known is None:
        # With the node itself: while it is remembered no other has its id.
        known = remembered[id(relation)] = relation, _desc_of(relation)
    return known[1]


def _desc_of(relation: Relation) -> RelationDesc:
    match relation:
        case Constant() | Get() | LocalGet():
            return relation.desc
        case Let() | LetRecursive():
            return relation_desc_of(relation.body)
        case Recursive():
            return RelationDesc(_declared(relation_desc_of(relation.base).columns))
        case Project():
            columns = relation_desc_of(relation.input).columns
            return RelationDesc(tuple(columns[index] for index in relation.columns))
        case Map():
            added = tuple(
                ColumnDesc(name, scalar_type(scalar))
                for name, scalar in zip(relation.names, relation.scalars, strict=True)
            )
            return RelationDesc(relation_desc_of(relation.input).columns + added)
        case FlatMap():
            ordinality = (ColumnDesc("ordinality", INT8, False),) if relation.ordinality else ()
            return RelationDesc(relation_desc_of(relation.input).columns + relation.desc.columns + ordinality)
        case Window():
            computed = tuple(
                ColumnDesc(name, call.type) for name, call in zip(relation.names, relation.calls, strict=True)
            )
            return RelationDesc(relation_desc_of(relation.input).columns + computed)
        case Filter() | TopK() | Negate() | Threshold():
            return relation_desc_of(relation.input)
        case Join():
            return RelationDesc(_join_columns(relation))
        case Reduce():
            types = [scalar_type(key) for key in relation.key] + [a.type for a in relation.aggregates]
            return RelationDesc(
                tuple(ColumnDesc(name, type_) for name, type_ in zip(relation.names, types, strict=True))
            )
        case Union():
            descs = [relation_desc_of(input_) for input_ in relation.inputs]
            filled = zip(descs[0].names, zip(*(desc.types for desc in descs), strict=True), strict=True)
            return RelationDesc(tuple(ColumnDesc(name, alike(_different(each))) for name, each in filled))
        case _:
            assert_never(relation)
