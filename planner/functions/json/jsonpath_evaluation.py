"""jsonpath evaluated: the items that a path yields of a jsonb value, as late as they are asked for.

In lax mode an array is unwrapped where an item is wanted and an item taken for an array of one where an array is; in
strict mode both are errors. Inside a predicate an error makes it unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import Json
from model.json.jsonpath import (
    DEPTH_MAX,
    Accessor,
    AnyDepth,
    AnyElement,
    AnyKey,
    Arithmetic,
    Both,
    Chain,
    Comparison,
    Current,
    Either,
    Expression,
    IsUnknown,
    JsonPath,
    Key,
    Last,
    LikeRegex,
    Method,
    Not,
    PathConstant,
    PathExists,
    PathFilter,
    PathVariable,
    Predicate,
    Root,
    Sign,
    StartsWith,
    Subscripts,
)
from planner.functions.json.jsonpath_datetimes import SessionZone
from planner.functions.json.jsonpath_methods import apply_method, unwraps
from planner.functions.json.jsonpath_values import Item, PathError, calculate, compare, is_number, path_error

_INDEX_MAX = 1 << 31


@dataclass(frozen=True, slots=True)
class _Scope:
    """The values of @ and `last` at a place of the path. `lenient`: a missing member is no error."""

    current: Item
    last: int
    lenient: bool


class Evaluation:
    """One path over one value. Without `variables` (not even none) each is null. `zone` is the session's,
    for the paths that may ask for it."""

    def __init__(
        self, path: JsonPath, root: Item, variables: Mapping[str, Json] | None, zone: SessionZone | None = None
    ) -> None:
        self._path = path
        self._root = root
        self._variables = variables
        self._zone = zone
        self._lax = not path.strict

    def items(self) -> Iterator[Item]:
        """Yields the items that the path selects. Raises PathError for failures that silence can suppress, SqlError for
        others."""
        return self._items(self._path.expression, _Scope(self._root, -1, self._lax))

    def any(self) -> bool:
        """Tells whether the path yields items; in strict mode none of them may fail."""
        return self._exists(self._path.expression, _Scope(self._root, -1, self._lax))

    def _exists(self, expression: Expression, scope: _Scope) -> bool:
        """Tells whether an expression yields items; in lax mode the first one suffices, without its value."""
        if not self._lax:
            return bool(list(self._items(expression, scope)))
        match expression:
            case PathVariable(name=name):
                self._variable(name)
                return True
            case Sign(operand=operand):
                return any(map(is_number, self._unwrapped(operand, scope)))
            case _:
                return next(self._items(expression, scope), _NOTHING) is not _NOTHING

    def _items(self, expression: Expression, scope: _Scope) -> Iterator[Item]:
        match expression:
            case Root():
                yield self._root
            case Current():
                yield scope.current
            case Last():
                yield Decimal(scope.last)
            case PathVariable(name=name):
                yield self._variable(name)
            case PathConstant(value=value):
                yield value
            case Chain(head=head, accessors=accessors):
                for item in self._items(head, scope):
                    yield from self._accessed(item, accessors, scope, self._lax)
            case Sign(symbol=symbol, operand=operand):
                yield from self._signed(symbol, operand, scope)
            case Arithmetic(symbol=symbol, left=left, right=right):
                first = self._single(left, scope, "left", symbol)
                yield calculate(symbol, first, self._single(right, scope, "right", symbol))
            case _:
                yield self._truth(expression, scope)

    def _variable(self, name: str) -> Item:
        if self._variables is None:
            return None
        if name not in self._variables:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'could not find jsonpath variable "{name}"')
        return self._variables[name]

    def _unwrapped(self, expression: Expression, scope: _Scope) -> Iterator[Item]:
        for item in self._items(expression, scope):
            if self._lax and isinstance(item, list):
                yield from item
            else:
                yield item

    def _signed(self, symbol: str, operand: Expression, scope: _Scope) -> Iterator[Item]:
        for item in self._unwrapped(operand, scope):
            if not is_number(item):
                message = f"operand of unary jsonpath operator {symbol} is not a numeric value"
                raise path_error(Sqlstate.SQL_JSON_NUMBER_NOT_FOUND, message)
            yield calculate(symbol, Decimal(0), item)

    def _single(self, operand: Expression, scope: _Scope, side: str, symbol: str) -> Item:
        found = list(self._unwrapped(operand, scope))
        if len(found) != 1 or not is_number(found[0]):
            message = f"{side} operand of jsonpath operator {symbol} is not a single numeric value"
            raise path_error(Sqlstate.SINGLETON_SQL_JSON_ITEM_REQUIRED, message)
        return found[0]

    def _accessed(self, item: Item, accessors: tuple[Accessor, ...], scope: _Scope, unwrap: bool) -> Iterator[Item]:
        """Yields the items that the accessors find, in order. `unwrap`: an array is replaced by its elements."""
        if not accessors:
            yield item
            return
        first, rest = accessors[0], accessors[1:]
        if unwrap and isinstance(item, list) and _takes_elements(first):
            for element in item:
                yield from self._accessed(element, accessors, scope, False)
            return
        match first:
            case AnyDepth():
                inner = replace(scope, lenient=True)
                for found in _descend(item, first, 0):
                    yield from self._accessed(found, rest, inner, self._lax)
            case PathFilter(predicate=predicate):
                if self._truth(predicate, replace(scope, current=item)) is True:
                    yield from self._accessed(item, rest, scope, self._lax)
            case Method():
                for made in apply_method(first, item, self._root, self._lax, scope.lenient):
                    yield from self._accessed(made, rest, scope, self._lax)
            case Key() | AnyKey() | AnyElement() | Subscripts():
                for child in self._children(item, first, scope):
                    yield from self._accessed(child, rest, scope, self._lax)

    def _children(self, item: Item, accessor: Key | AnyKey | AnyElement | Subscripts, scope: _Scope) -> Iterator[Item]:
        match accessor:
            case Key(name=name):
                if isinstance(item, Mapping) and name in item:
                    yield item[name]
                elif not scope.lenient:
                    raise _no_member(item, name)
            case AnyKey():
                if isinstance(item, Mapping):
                    yield from item.values()
                elif not scope.lenient:
                    message = "jsonpath wildcard member accessor can only be applied to an object"
                    raise path_error(Sqlstate.SQL_JSON_OBJECT_NOT_FOUND, message)
            case AnyElement():
                if isinstance(item, list) or self._lax:
                    yield from item if isinstance(item, list) else [item]
                elif not scope.lenient:
                    message = "jsonpath wildcard array accessor can only be applied to an array"
                    raise path_error(Sqlstate.SQL_JSON_ARRAY_NOT_FOUND, message)
            case Subscripts():
                if isinstance(item, list) or self._lax:
                    yield from self._elements(item if isinstance(item, list) else [item], accessor, scope)
                elif not scope.lenient:
                    message = "jsonpath array accessor can only be applied to an array"
                    raise path_error(Sqlstate.SQL_JSON_ARRAY_NOT_FOUND, message)

    def _elements(self, array: list[Item], subscripts: Subscripts, scope: _Scope) -> Iterator[Item]:
        inner = replace(scope, last=len(array) - 1)
        for start, end in subscripts.ranges:
            low = self._index(start, inner)
            high = low if end is None else self._index(end, inner)
            if not scope.lenient and (low < 0 or low > high or high >= len(array)):
                message = "jsonpath array subscript is out of bounds"
                raise path_error(Sqlstate.INVALID_SQL_JSON_SUBSCRIPT, message)
            yield from array[max(low, 0) : max(high + 1, 0)]

    def _index(self, expression: Expression, scope: _Scope) -> int:
        found = list(self._items(expression, scope))
        if len(found) != 1 or not is_number(found[0]):
            message = "jsonpath array subscript is not a single numeric value"
            raise path_error(Sqlstate.INVALID_SQL_JSON_SUBSCRIPT, message)
        assert isinstance(found[0], int | Decimal)
        index = int(found[0])
        if not -_INDEX_MAX <= index < _INDEX_MAX:
            message = "jsonpath array subscript is out of integer range"
            raise path_error(Sqlstate.INVALID_SQL_JSON_SUBSCRIPT, message)
        return index

    def _truth(self, predicate: Predicate, scope: _Scope) -> bool | None:
        """Evaluates a predicate to true, false, or unknown (None)."""
        match predicate:
            case Both(left=left, right=right):
                first = self._truth(left, scope)
                if first is False:
                    return False
                second = self._truth(right, scope)
                return first if second is True else second
            case Either(left=left, right=right):
                first = self._truth(left, scope)
                if first is True:
                    return True
                second = self._truth(right, scope)
                return first if second is False else second
            case Not(operand=inner):
                truth = self._truth(inner, scope)
                return None if truth is None else not truth
            case IsUnknown(operand=inner):
                return self._truth(inner, scope) is None
            case _:
                try:
                    return self._judged(predicate, scope)
                except PathError:
                    return None

    def _judged(self, predicate: Comparison | PathExists | StartsWith | LikeRegex, scope: _Scope) -> bool | None:
        match predicate:
            case PathExists(operand=operand):
                return self._exists(operand, scope)
            case Comparison(symbol=symbol, left=left, right=right):
                firsts, seconds = list(self._unwrapped(left, scope)), list(self._unwrapped(right, scope))
                return self._some(compare(symbol, first, second, self._zone) for first in firsts for second in seconds)
            case StartsWith(operand=operand, initial=initial):
                prefix = next(self._items(initial, scope))
                texts = list(self._unwrapped(operand, scope))
                return self._some(
                    item.startswith(prefix) if isinstance(item, str) and isinstance(prefix, str) else None
                    for item in texts
                )
            case LikeRegex(operand=operand):
                pattern = predicate.compiled()
                return self._some(
                    pattern.matches(item) if isinstance(item, str) else None
                    for item in list(self._unwrapped(operand, scope))
                )

    def _some(self, truths: Iterator[bool | None]) -> bool | None:
        """Returns true if any is; unknown if any is, in strict mode at once, in lax mode when none is true."""
        found = unknown = False
        for truth in truths:
            if truth is None:
                if not self._lax:
                    return None
                unknown = True
            elif truth:
                if self._lax:
                    return True
                found = True
        return True if found else None if unknown else False


_NOTHING = object()


def _takes_elements(accessor: Accessor) -> bool:
    match accessor:
        case Key() | AnyKey() | PathFilter():
            return True
        case Method():
            return unwraps(accessor)
        case _:
            return False


def _no_member(item: Item, name: str) -> PathError:
    if isinstance(item, Mapping):
        return path_error(Sqlstate.SQL_JSON_MEMBER_NOT_FOUND, f'JSON object does not contain key "{name}"')
    message = "jsonpath member accessor can only be applied to an object"
    return path_error(Sqlstate.SQL_JSON_MEMBER_NOT_FOUND, message)


def _descend(item: Item, depth: AnyDepth, level: int) -> Iterator[Item]:
    """Yields the item and the items inside of it, at the wanted levels, parents before children."""
    inside = item.values() if isinstance(item, Mapping) else item if isinstance(item, list) else None
    leaf = depth.first == depth.last == DEPTH_MAX and inside is None and level > 0
    if depth.first <= level <= depth.last or leaf:
        yield item
    if level < depth.last and inside is not None:
        for child in inside:
            yield from _descend(child, depth, level + 1)
