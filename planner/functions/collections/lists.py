"""Lists, Materialize's: LIST[…], items and slices, joining and taking apart, list_agg. Their places begin at 1."""

from __future__ import annotations

from model.errors.sql_error import NotSupported
from model.order.datum_order import sort_key
from model.types.datum import Datum
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import (
    BOOL,
    INT4,
    INT8,
    ScalarType,
    TypeName,
    list_of,
    type_text,
    users_type,
    without_modifiers,
)
from planner.functions.rows import (
    ANYCOMPATIBLE,
    ANYCOMPATIBLELIST,
    ANYELEMENT,
    first_type,
    function,
    key_of,
    operator,
    syntax,
)
from planner.functions.signature import AggregateFunction, Function, TableFunction

List = tuple[Datum, ...]
Types = tuple[ScalarType, ...]


def _item(items: List, place: int) -> Datum:
    """Returns an item; NULL where there is none."""
    return items[place - 1] if 1 <= place <= len(items) else None


def _slice(items: List, first: int, last: int) -> List:
    """Cuts a slice, both ends included."""
    return items[max(first, 1) - 1 : max(last, 0)]


def _concatenate(left: List | None, right: List | None) -> List | None:
    """Concatenates two lists; NULL beside a list counts as nothing."""
    if left is None or right is None:
        return right if left is None else left
    return left + right


def _append(items: List | None, item: Datum) -> List:
    return (*(items or ()), item)


def _prepend(item: Datum, items: List | None) -> List:
    return (item, *(items or ()))


def _remove(types: Types, items: List | None, item: Datum) -> List | None:
    """Removes all items that are not distinct from the item."""
    if items is None:
        return None
    if item is None:
        return tuple(each for each in items if each is not None)
    key = sort_key(types[1])
    return tuple(each for each in items if each is None or key(each) != key(item))


def _layers(types: Types, items: List) -> int:
    count, member = 0, types[0]
    while member.name is TypeName.LIST and member.member is not None:
        count, member = count + 1, member.member
    return count


def _contains(types: Types, left: List, right: List) -> bool:
    """Tells whether each item of the right list is in the left one; NULL equals nothing."""
    key = sort_key(member_type(types[0]))
    present = {key(item) for item in left if item is not None}
    return all(item is not None and key(item) in present for item in right)


def _contained(types: Types, left: List, right: List) -> bool:
    return _contains(types, right, left)


def member_type(type_: ScalarType) -> ScalarType:
    """Returns the type of a list's items or of a map's values."""
    assert type_.member is not None
    return type_.member


def holdable(type_: ScalarType) -> bool:
    """Tells whether lists and maps may hold values of a type: not those of users' types, and no records."""
    return users_type(type_) is None and (type_.element or type_).name is not TypeName.RECORD


def held(type_: ScalarType) -> ScalarType:
    """Returns the type; raises 0A000 for one that lists and maps can't hold."""
    if not holdable(type_):
        raise NotSupported(f"a list or a map of values of type {type_text(type_)}")
    return type_


def _member_of_first(types: Types) -> ScalarType:
    return member_type(types[0])


def _joined_type(types: Types) -> ScalarType:
    """Returns the type for members of both arguments, whatever their modifiers."""
    return without_modifiers(types[0])


def _second_type(types: Types) -> ScalarType:
    return without_modifiers(types[1])


def _unnest_desc(types: Types) -> RelationDesc:
    return relation_desc(("unnest", member_type(types[0])))


_JOINED = (ANYCOMPATIBLELIST, ANYCOMPATIBLE)
_BOTH = (ANYCOMPATIBLELIST, ANYCOMPATIBLELIST)

LIST_OF = syntax(
    "list_of", (ANYELEMENT,), lambda types: list_of(types[0]), lambda *items: items, strict=False, variadic=True
)

FUNCTIONS: tuple[Function, ...] = (
    LIST_OF,
    syntax("list_item", (ANYCOMPATIBLELIST, INT8), _member_of_first, _item),
    syntax("list_slice", (ANYCOMPATIBLELIST, INT8, INT8), first_type, _slice),
    function("list_length", (ANYCOMPATIBLELIST,), INT4, len),
    function("list_n_layers", (ANYCOMPATIBLELIST,), INT4, _layers, typed=True),
    function("list_append", _JOINED, _joined_type, _append, strict=False),
    function("list_prepend", _JOINED[::-1], _second_type, _prepend, strict=False),
    function("list_cat", _BOTH, _joined_type, _concatenate, strict=False),
    function("list_remove", _JOINED, first_type, _remove, strict=False, typed=True),
    operator("||", "concat", _BOTH, _joined_type, _concatenate, strict=False),
    operator("||", "concat", _JOINED, _joined_type, _append, strict=False),
    operator("||", "concat", _JOINED[::-1], _second_type, _prepend, strict=False),
    operator("@>", "contains", _BOTH, BOOL, _contains, typed=True),
    operator("<@", "contained", _BOTH, BOOL, _contained, typed=True),
)

AGGREGATES: tuple[AggregateFunction, ...] = (
    AggregateFunction(
        key_of("list_agg", (ANYELEMENT,)),
        "list_agg",
        (ANYELEMENT,),
        lambda types: list_of(held(types[0])),
        lambda rows: tuple(row[0] for row in rows) if rows else None,
        skips_nulls=False,
        ordered=True,
    ),
)

TABLE_FUNCTIONS: tuple[TableFunction, ...] = (
    TableFunction(
        key_of("unnest", (ANYCOMPATIBLELIST,)),
        "unnest",
        (ANYCOMPATIBLELIST,),
        _unnest_desc,
        lambda items: [(item,) for item in items],
    ),
)
