"""The errors that the input functions of several families raise, in PostgreSQL's words."""

from __future__ import annotations

from model.errors.error_sources import ErrorSource
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

SPACES = " \t\n\v\f\r"
"""What C's isspace() takes for white space in the C locale; str.strip() takes more."""


def invalid_syntax(
    type_text: str, text: str, *, detail: str | None = None, source: ErrorSource | None = None
) -> SqlError:
    """Returns SqlError 22P02 for a text that is no value of a type."""
    message = f'invalid input syntax for type {type_text}: "{text}"'
    return SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, message, detail=detail, source=source)


def out_of_range(type_text: str, text: str) -> SqlError:
    """Returns the error 22003 in the wording of the integer types."""
    return SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, f'value "{text}" is out of range for type {type_text}')


def invalid_datetime(type_text: str, text: str) -> SqlError:
    """Returns SqlError 22007 for a text that is no date or time."""
    return SqlError(Sqlstate.INVALID_DATETIME_FORMAT, f'invalid input syntax for type {type_text}: "{text}"')


def field_overflow(text: str, *, hint: str | None = None) -> SqlError:
    """Returns the error 22008 for a field, such as the month, out of its range."""
    return SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f'date/time field value out of range: "{text}"', hint=hint)


def datetime_range(what: str, text: str) -> SqlError:
    """Returns SqlError 22008 for a date or time outside of what its type can hold; `what` is "date", "timestamp" or
    "time"."""
    return SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f'{what} out of range: "{text}"')
