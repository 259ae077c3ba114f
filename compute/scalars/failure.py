"""Errors as data: each fixed message has a number, so that an error column is an integer wherever it can be.

Numbers are ranks by text: the least number is the least error. Messages that quote a value travel as text,
"SQLSTATE message"; `as_text` turns numbers into the same form.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from compute.scalars.spark_sql import Sql, call, string_literal, when
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.numerics import unstorable


class Failure(StrEnum):
    SUBSTRING_LENGTH = "22011 negative substring length not allowed"
    BIGINT_RANGE = "22003 bigint out of range"
    INTEGER_RANGE = "22003 integer out of range"
    SMALLINT_RANGE = "22003 smallint out of range"
    OID_RANGE = "22003 OID out of range"
    NUMERIC_OVERFLOW = "22003 value overflows numeric format"
    NUMERIC_FIELD = "22003 numeric field overflow"
    FLOAT_OVERFLOW = "22003 value out of range: overflow"
    FLOAT_UNDERFLOW = "22003 value out of range: underflow"
    DATE_RANGE = "22008 date out of range"
    TIMESTAMP_RANGE = "22008 timestamp out of range"
    DATE_FOR_TIMESTAMP = "22008 date out of range for timestamp"
    INTERVAL_RANGE = "22008 interval out of range"
    INFINITE_DATES = "22008 cannot subtract infinite dates"
    INFINITE_TIMESTAMPS = "22008 cannot subtract infinite timestamps"
    INFINITE_NUMERIC = "0A000 infinity as a numeric is not supported"
    DIVISION_BY_ZERO = "22012 division by zero"
    NEGATIVE_ROOT = "2201F cannot take square root of a negative number"
    MORE_THAN_ONE_ROW = "21000 more than one row returned by a subquery used as an expression"
    ZERO_STEP = "22023 step size cannot equal zero"


_RANKED = tuple(sorted(failure.value for failure in Failure))
_CODES = {text: rank for rank, text in enumerate(_RANKED, 1)}


@dataclass(frozen=True, slots=True)
class Error:
    """A nullable expression of an error: the number of a failure in `failures`, or text with `is_text`."""

    sql: Sql
    is_text: bool = False
    failures: frozenset[Failure] = frozenset()


def failing_when(condition: str, failure: Failure) -> Error:
    """Returns the error of rows for which `condition` is true."""
    return Error(when((condition, str(_CODES[failure.value]))), failures=frozenset((failure,)))


def as_text(error: Error) -> Error:
    if error.is_text:
        return error
    arms = [(f"{error.sql} = {_CODES[text]}", string_literal(text)) for text in sorted(error.failures)]
    return Error(when(*arms) if arms else Sql("CAST(NULL AS STRING)"), True)


def first_error(*errors: Error | None) -> Error | None:
    """Returns the first error that is not NULL."""
    found = list(dict.fromkeys(error for error in errors if error is not None))
    if len(found) <= 1:
        return found[0] if found else None
    is_text = any(error.is_text for error in found)
    if is_text:
        found = [as_text(error) for error in found]
    failures = frozenset[Failure]().union(*(error.failures for error in found))
    return Error(call("coalesce", *(error.sql for error in found)), is_text, failures)


def decode_error(value: int | str) -> SqlError:
    """Returns the SqlError for a live error, given as a number or text."""
    text = _RANKED[value - 1] if isinstance(value, int) else value
    if text == Failure.NUMERIC_OVERFLOW:
        return unstorable()
    state, _, message = text.partition(" ")
    return SqlError(Sqlstate(state), message)


def encode_error(error: SqlError) -> str:
    return f"{error.sqlstate.value} {error.message}"
