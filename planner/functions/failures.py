"""Errors that several families raise, in PostgreSQL's words."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


def division_by_zero() -> SqlError:
    return SqlError(Sqlstate.DIVISION_BY_ZERO, "division by zero")


def out_of_range(what: str) -> SqlError:
    """Returns the error 22003; `what` is a type as a user writes it."""
    return SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, f"{what} out of range")


def float_overflow() -> SqlError:
    return SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow")


def float_underflow() -> SqlError:
    return SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: underflow")


def invalid_parameter(message: str, *, detail: str | None = None, hint: str | None = None) -> SqlError:
    """Returns SqlError 22023 for an argument that a function does not take."""
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message, detail=detail, hint=hint)


def datetime_overflow(what: str) -> SqlError:
    """Returns SqlError 22008 for a result outside of its type's range; `what` is "timestamp", "date", "interval" or
    "time"."""
    return SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f"{what} out of range")


def negative_root() -> SqlError:
    return SqlError(Sqlstate.INVALID_ARGUMENT_FOR_POWER_FUNCTION, "cannot take square root of a negative number")


def logarithm_of_zero() -> SqlError:
    return SqlError(Sqlstate.INVALID_ARGUMENT_FOR_LOGARITHM, "cannot take logarithm of zero")


def logarithm_of_negative() -> SqlError:
    return SqlError(Sqlstate.INVALID_ARGUMENT_FOR_LOGARITHM, "cannot take logarithm of a negative number")


def zero_to_negative_power() -> SqlError:
    return SqlError(Sqlstate.INVALID_ARGUMENT_FOR_POWER_FUNCTION, "zero raised to a negative power is undefined")


def complex_power() -> SqlError:
    message = "a negative number raised to a non-integer power yields a complex result"
    return SqlError(Sqlstate.INVALID_ARGUMENT_FOR_POWER_FUNCTION, message)
