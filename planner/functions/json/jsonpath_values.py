"""The operations of jsonpath on single JSON items: comparison, arithmetic, type; and their errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import Json
from planner.functions.failures import division_by_zero
from planner.functions.json.jsonpath_datetimes import Moment, SessionZone, compare_moments
from planner.functions.numbers.numeric_math import add, divide_whole, multiply, remainder, subtract

Item = Json | Moment
"""What a path is about: a JSON value, or what .datetime() makes."""

_DIGITS_MIN = 16
_SCALE_MAX = 1000
_BASE_DIGITS = 4


class PathError(Exception):
    """An error that predicates take for unknown, and that `silent` calls suppress."""

    def __init__(self, error: SqlError) -> None:
        super().__init__(error)
        self.error = error


def path_error(sqlstate: Sqlstate, message: str) -> PathError:
    return PathError(SqlError(sqlstate, message))


def is_number(value: Item) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def compare(symbol: str, left: Item, right: Item, zone: SessionZone | None) -> bool | None:
    """Compares two items of a path; returns None (unknown) for containers and for items of different kinds. A JSON null
    equals only another null."""
    if isinstance(left, Moment) and isinstance(right, Moment):
        sign = compare_moments(left, right, zone)
        return None if sign is None else _ordered(symbol, sign)
    if left is None or right is None:
        if left is None and right is None:
            return symbol in ("==", "<=", ">=")
        return symbol == "!="
    if isinstance(left, bool) and isinstance(right, bool):
        return _ordered(symbol, (left > right) - (left < right))
    if isinstance(left, str) and isinstance(right, str):
        return _ordered(symbol, (left > right) - (left < right))
    if is_number(left) and is_number(right):
        first, second = _decimal(left), _decimal(right)
        return _ordered(symbol, (first > second) - (first < second))
    return None


def _ordered(symbol: str, sign: int) -> bool:
    match symbol:
        case "==":
            return sign == 0
        case "!=":
            return sign != 0
        case "<":
            return sign < 0
        case "<=":
            return sign <= 0
        case ">":
            return sign > 0
        case _:
            return sign >= 0


def _decimal(value: Item) -> Decimal:
    assert isinstance(value, int | Decimal)
    return Decimal(value)


def calculate(symbol: str, left: Item, right: Item) -> Decimal:
    """Calculates exactly but for division; division by zero is a PathError of 22012."""
    first, second = _decimal(left), _decimal(right)
    if symbol in ("/", "%") and not second:
        raise PathError(division_by_zero())
    operations: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
        "+": add,
        "-": subtract,
        "*": multiply,
        "/": divide_whole,
        "%": remainder,
    }
    return operations[symbol](first, second)


def kind(value: Item) -> str:
    """Returns the result of .type()."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case list():
            return "array"
        case Mapping():
            return "object"
        case Moment():
            return str(value.type)
        case _:
            return "number"
