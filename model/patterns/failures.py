"""The ways in which a pattern is refused, in PostgreSQL's words."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

BRACES = "braces {} not balanced"
BRACKETS = "brackets [] not balanced"
PARENTHESES = "parentheses () not balanced"
COUNT = "invalid repetition count(s)"
OPERAND = "quantifier operand invalid"
RANGE = "invalid character range"
CLASS = "invalid character class"
ELEMENT = "invalid collating element"
ESCAPE = "invalid escape \\ sequence"
REFERENCE = "invalid backreference number"
OPTION = "invalid embedded option"
VERSION = "invalid regexp (reg version 0.8)"
COMPLEX = "regular expression is too complex"


def invalid(problem: str) -> SqlError:
    """Returns SqlError 2201B for a pattern that can't be read."""
    return SqlError(Sqlstate.INVALID_REGULAR_EXPRESSION, f"invalid regular expression: {problem}")


def unknown_flag(flag: str) -> SqlError:
    """Returns the error 22023 for an unknown flag."""
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'invalid regular expression option: "{flag}"')


def hopeless() -> SqlError:
    """Returns SqlError 2201B for a pattern that can be read, but that takes more steps to match with a text than a
    statement may take."""
    return SqlError(Sqlstate.INVALID_REGULAR_EXPRESSION, f"regular expression failed: {COMPLEX}")
