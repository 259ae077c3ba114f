"""Maps from text, Materialize's: MAP[…], values by their keys, which keys and pairs are there, map_agg."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.order.datum_order import sort_key
from model.types.datum import Datum
from model.types.maps import Map, map_from
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, INT4, TEXT, ScalarType, array_of, list_of, map_of
from planner.functions.collections.lists import held, member_type
from planner.functions.rows import ANY, ANYCOMPATIBLEMAP, ANYELEMENT, function, key_of, operator, syntax
from planner.functions.signature import AggregateFunction, Function, TableFunction

Types = tuple[ScalarType, ...]


def _made(*parts: Any) -> Map:
    """Builds a map from keys and values in turn."""
    return map_from(zip(parts[::2], parts[1::2], strict=True))


def _value(pairs: Map, key: str) -> Datum:
    """Returns a value; NULL where there is none."""
    return dict(pairs).get(key)


def _contains(types: Types, left: Map, right: Map) -> bool:
    """Tells whether each pair of the right map is in the left one."""
    key = sort_key(types[0])
    present = set(key(left))
    return all(pair in present for pair in key(right))


def _contained(types: Types, left: Map, right: Map) -> bool:
    return _contains(types, right, left)


def _has(pairs: Map, key: str) -> bool:
    return any(each == key for each, _ in pairs)


def _with_keys(quantifier: Callable[[Any], bool]) -> Callable[[Map, Any], bool]:
    def evaluate(pairs: Map, keys: Any) -> bool:
        present = {key for key, _ in pairs}
        return quantifier(key in present for key in keys)

    return evaluate


def _collected(rows: list[tuple[Any, ...]]) -> Map | None:
    return map_from(rows) if rows else None


def _pairs_desc(types: Types) -> RelationDesc:
    return relation_desc(("key", TEXT), ("value", member_type(types[0])))


_BOTH = (ANYCOMPATIBLEMAP, ANYCOMPATIBLEMAP)
_KEYS = (array_of(TEXT), list_of(TEXT))

MAP_OF = syntax("map_of", (TEXT, ANY), lambda types: map_of(types[1]), _made, strict=False, variadic=True)

FUNCTIONS: tuple[Function, ...] = (
    MAP_OF,
    operator("->", "arrow", (ANYCOMPATIBLEMAP, TEXT), lambda types: member_type(types[0]), _value),
    operator("@>", "contains", _BOTH, BOOL, _contains, typed=True),
    operator("<@", "contained", _BOTH, BOOL, _contained, typed=True),
    operator("?", "has_key", (ANYCOMPATIBLEMAP, TEXT), BOOL, _has),
    *(operator("?&", "has_all_keys", (ANYCOMPATIBLEMAP, keys), BOOL, _with_keys(all)) for keys in _KEYS),
    *(operator("?|", "has_any_key", (ANYCOMPATIBLEMAP, keys), BOOL, _with_keys(any)) for keys in _KEYS),
    function("map_length", (ANYCOMPATIBLEMAP,), INT4, len),
)

AGGREGATES: tuple[AggregateFunction, ...] = (
    AggregateFunction(
        key_of("map_agg", (TEXT, ANYELEMENT)),
        "map_agg",
        (TEXT, ANYELEMENT),
        lambda types: map_of(held(types[1])),
        _collected,
        skips_nulls=False,
        ordered=True,
    ),
)

TABLE_FUNCTIONS: tuple[TableFunction, ...] = (
    TableFunction(
        key_of("unnest", (ANYCOMPATIBLEMAP,)),
        "unnest",
        (ANYCOMPATIBLEMAP,),
        _pairs_desc,
        lambda pairs: [tuple(pair) for pair in pairs],
    ),
)
