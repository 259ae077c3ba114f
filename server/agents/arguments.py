"""Arguments of tools, checked: each is a text, a whole number, a list of texts, or values by column."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

SQL_LENGTH_MAX = 100_000
ROWS_DEFAULT, ROWS_MAX = 100, 1_000
TIMEOUT_MS_DEFAULT, TIMEOUT_MS_MAX = 10_000, 60_000
_STATEMENTS_MAX, _KEY_COLUMNS_MAX = 100, 100
_TIME_MS_MAX = (1 << 63) - 1
_DIGITS_MAX = 100
"""Python reads no numbers of some thousands of digits."""
_JSON_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "array": list,
    "object": dict,
}


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument as JSON Schema describes it."""

    name: str
    type: str
    description: str
    required: bool = False
    limits: Mapping[str, Any] | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """Returns the argument's JSON Schema."""
        return {"type": self.type, "description": self.description, **(self.limits or {})}


class Arguments:
    """The arguments of one call. Each read raises SqlError 22023 for an argument of another type, or beyond limits."""

    def __init__(self, known: tuple[Argument, ...], given: Mapping[str, Any]) -> None:
        types = {each.name: each.type for each in known}
        for name, value in given.items():
            if name not in types:
                raise _invalid(f'there is no argument "{name}"')
            # A boolean is a number to Python alone.
            if isinstance(value, bool) or not isinstance(value, _JSON_TYPES[types[name]]):
                raise _invalid(f'argument "{name}" is to be of type {types[name]}')
        for each in known:
            if each.required and each.name not in given:
                raise _invalid(f'argument "{each.name}" is missing')
        self._given = given

    def text(self, name: str, default: str = "") -> str:
        """Returns a text without zero bytes, of limited length."""
        return _text(name, self._given.get(name, default))

    def number(self, name: str, default: int, most: int) -> int:
        """Returns a whole number from 1 to `most`."""
        value = self._given.get(name, default)
        if not 1 <= value <= most:
            raise _invalid(f'argument "{name}" is to be from 1 to {most}')
        return int(value)

    def statements(self, name: str) -> tuple[str, ...]:
        """Returns a list of texts, at least one."""
        given = self._given[name]
        if not 1 <= len(given) <= _STATEMENTS_MAX:
            raise _invalid(f'argument "{name}" is to have 1 to {_STATEMENTS_MAX} items')
        return tuple(_text(name, each) for each in given)

    def key(self, name: str) -> dict[str, str | None]:
        """Returns the texts of values by column; None is NULL."""
        given = self._given.get(name, {})
        if len(given) > _KEY_COLUMNS_MAX:
            raise _invalid(f'argument "{name}" has more than {_KEY_COLUMNS_MAX} columns')
        return {_text(name, column): _value_text(name, value) for column, value in given.items()}

    def as_of(self, name: str) -> int | None:
        """Returns a time in milliseconds since 1970, told as such or as a date and time with its zone."""
        told = self._given.get(name)
        if told is None:
            return None
        text = _text(name, told).strip()
        if text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX and int(text) <= _TIME_MS_MAX:
            return int(text)
        try:
            time = datetime.datetime.fromisoformat(text)
            if time.tzinfo is None:
                raise ValueError
            return max(int(time.timestamp() * 1000), 0)
        except (ValueError, OverflowError):
            raise _invalid(
                f'argument "{name}" is to be milliseconds since 1970, or a time such as 2026-11-27T12:00:00Z'
            ) from None


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise _invalid(f'argument "{name}" is to be a text without zero bytes')
    if len(value) > SQL_LENGTH_MAX:
        raise _invalid(f'argument "{name}" has more than {SQL_LENGTH_MAX} characters')
    return value


def _value_text(name: str, value: Any) -> str | None:
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case int() | float() | str():
            return _text(name, str(value))
        case _:
            raise _invalid(f'argument "{name}" is to have texts, numbers, booleans or null for columns')


def _invalid(message: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
