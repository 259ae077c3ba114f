"""jsonpath's item methods: .type() .size() .abs() .floor() .ceiling() .double() .keyvalue() .datetime()."""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterator, Mapping
from decimal import Decimal

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.json.jsonpath import Method
from model.text.floats import parse_float8
from model.text.numerics import EXACT
from planner.functions.json.jsonpath_datetimes import Moment, read_moment
from planner.functions.json.jsonpath_values import Item, PathError, is_number, kind, path_error

_ROUNDINGS = {"floor": decimal.ROUND_FLOOR, "ceiling": decimal.ROUND_CEILING}
_DOUBLE = "jsonpath item method .double()"


def unwraps(method: Method) -> bool:
    """Tells whether a lax path applies the method to an array's elements."""
    return method.name not in ("type", "size")


def apply_method(method: Method, item: Item, root: Item, lax: bool, lenient: bool) -> Iterator[Item]:
    """Yields the results of a method on one item. `lenient`: structural errors yield nothing."""
    match method.name:
        case "type":
            yield kind(item)
        case "size":
            yield from _size(item, lax, lenient)
        case "double":
            yield _double(item)
        case "keyvalue":
            yield from _pairs(item, root)
        case "datetime":
            yield _moment(item, method.argument)
        case name:
            yield _rounded(name, item)


def _moment(item: Item, template: str | None) -> Moment:
    if not isinstance(item, str):
        message = "jsonpath item method .datetime() can only be applied to a string"
        raise path_error(Sqlstate.INVALID_ARGUMENT_FOR_SQL_JSON_DATETIME_FUNCTION, message)
    try:
        return read_moment(item, template)
    except NotSupported:
        raise
    except SqlError as error:
        raise PathError(error) from None


def _size(item: Item, lax: bool, lenient: bool) -> Iterator[Item]:
    if isinstance(item, list):
        yield Decimal(len(item))
    elif lax:
        yield Decimal(1)
    elif not lenient:
        raise path_error(
            Sqlstate.SQL_JSON_ARRAY_NOT_FOUND, "jsonpath item method .size() can only be applied to an array"
        )


def _rounded(name: str, item: Item) -> Decimal:
    if not is_number(item):
        message = f"jsonpath item method .{name}() can only be applied to a numeric value"
        raise path_error(Sqlstate.NON_NUMERIC_SQL_JSON_ITEM, message)
    assert isinstance(item, int | Decimal)
    number = Decimal(item)
    return number.copy_abs() if name == "abs" else number.to_integral_value(_ROUNDINGS[name], context=EXACT)


def _double(item: Item) -> Item:
    if is_number(item):
        assert isinstance(item, int | Decimal)
        if math.isinf(float(item)):
            message = f"numeric argument of {_DOUBLE} is out of range for type double precision"
            raise path_error(Sqlstate.NON_NUMERIC_SQL_JSON_ITEM, message)
        return item
    if not isinstance(item, str):
        message = f"{_DOUBLE} can only be applied to a string or numeric value"
        raise path_error(Sqlstate.NON_NUMERIC_SQL_JSON_ITEM, message)
    try:
        value = parse_float8(item)
    except SqlError:
        value = math.nan
    if not math.isfinite(value):
        message = f"string argument of {_DOUBLE} is not a valid representation of a double precision number"
        raise path_error(Sqlstate.NON_NUMERIC_SQL_JSON_ITEM, message)
    return EXACT.plus(Decimal(f"{value:.15g}"))


def _pairs(item: Item, root: Item) -> Iterator[Item]:
    if not isinstance(item, Mapping):
        raise path_error(
            Sqlstate.SQL_JSON_OBJECT_NOT_FOUND, "jsonpath item method .keyvalue() can only be applied to an object"
        )
    if item is not root:
        # PostgreSQL's id of an inner object is its offset in the binary form, which isn't kept here.
        raise NotSupported("jsonpath's .keyvalue() of an object inside another value")
    for key, value in item.items():
        yield {"id": Decimal(0), "key": key, "value": value}
