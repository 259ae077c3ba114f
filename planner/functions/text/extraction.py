"""Materialize's csv_extract and regexp_extract: one column for each value of a line, or each group of a pattern.

How many columns there are, and how they are called, is in the first argument, so that must be a constant.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT4, TEXT
from planner.functions.failures import invalid_parameter
from planner.functions.rows import key_of
from planner.functions.signature import TableFunction
from planner.functions.tables.series import one_column
from planner.functions.text.regexp import regexp_match

_COLUMNS_MAX = 1600
_NAMED = "(?P<"


def _csv_rows(count: int, text: str) -> list[tuple[str, ...]]:
    """Returns the records that have as many values; what has more or fewer is left out, as in Materialize."""
    try:
        return [tuple(record) for record in csv.reader(io.StringIO(text, newline="")) if len(record) == count]
    except csv.Error as error:
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f"malformed CSV: {error}") from None


def _regexp_rows(pattern: str, text: str) -> list[tuple[Any, ...]]:
    """Returns the groups of the first match as a row; no row without a match."""
    plain, names = _groups(pattern)
    found = regexp_match(text, plain)
    return [] if found is None else [tuple(found)[: len(names)]]


def _groups(pattern: str) -> tuple[str, tuple[str, ...]]:
    """Returns the pattern without group names, and the names; a group without a name is called by its number."""
    plain: list[str] = []
    names: list[str] = []
    at, bracketed = 0, False
    while at < len(pattern):
        piece = pattern[at : at + 2] if pattern[at] == "\\" else pattern[at]
        if piece == "(" and not bracketed:
            if pattern.startswith(_NAMED, at) and ">" in pattern[at:]:
                end = pattern.index(">", at)
                names.append(pattern[at + len(_NAMED) : end])
                plain.append("(")
                at = end + 1
                continue
            if not pattern.startswith("(?", at):
                names.append(f"column{len(names) + 1}")
        elif piece == "[":
            bracketed = True
        elif piece == "]":
            bracketed = False
        plain.append(piece)
        at += len(piece)
    return "".join(plain), tuple(names)


def _csv_desc(count: Datum) -> RelationDesc:
    if not isinstance(count, int) or not 0 < count <= _COLUMNS_MAX:
        message = f"csv_extract number of columns must be a constant between 1 and {_COLUMNS_MAX}"
        raise invalid_parameter(message)
    return relation_desc(*((f"column{number}", TEXT) for number in range(1, count + 1)))


def _regexp_desc(pattern: Datum) -> RelationDesc:
    if not isinstance(pattern, str):
        raise invalid_parameter("regexp_extract requires a constant pattern")
    regexp_match("", _groups(pattern)[0])
    names = _groups(pattern)[1]
    if not names:
        message = "regexp_extract must specify at least one capture group"
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
    return relation_desc(*((name, TEXT) for name in names))


DESCRIBED_BY_VALUE: dict[str, Callable[[Datum], RelationDesc]] = {
    "csv_extract": _csv_desc,
    "regexp_extract": _regexp_desc,
}
"""What the columns are, from the first argument; 22023 when it is no constant."""

TABLE_FUNCTIONS: tuple[TableFunction, ...] = tuple(
    TableFunction(key_of(name, arguments), name, arguments, one_column("column1", TEXT), evaluate, fallible=True)
    for name, arguments, evaluate in (
        ("csv_extract", (INT4, TEXT), _csv_rows),
        ("regexp_extract", (TEXT, TEXT), _regexp_rows),
    )
)
