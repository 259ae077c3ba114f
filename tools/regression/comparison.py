"""In what two servers' answers differ, and which differences follow from others: what reads a table that one server
could not make or fill says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tools.regression.scripts import Statement
from tools.regression.session import Result, Text

_ORDERED = re.compile(r"\border\s+by\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_][\w$]*")
_CHANGED = re.compile(
    r"""\b(?:insert\s+into | update(?:\s+only)? | delete\s+from(?:\s+only)? | merge\s+into | into | copy | prepare
    | declare | truncate(?:\s+table)? | (?:create|alter|drop)\s+(?:or\s+replace\s+)?
      (?:unique\s+|temp(?:orary)?\s+|unlogged\s+|recursive\s+)*
      (?:table|view|materialized\s+view|index|sequence|type|domain|function|procedure|aggregate|schema)
      (?:\s+if\s+(?:not\s+)?exists)?(?:\s+only)?
    | create\s+(?:trigger|rule)\b[^;]*?\b(?:on|to) )\s+"?([\w.$]+)""",
    re.IGNORECASE | re.VERBOSE,
)
_ZEROS = re.compile(r"(\d)\.0+(?!\d)|(?<=\d)(\.\d*?[1-9])0+(?!\d)")
_ABORTED = "25P02"
_USERS_TYPES = 16_384


@dataclass(frozen=True, slots=True)
class Difference:
    """`kind`: refused (Headwater's error alone), accepted (PostgreSQL's alone), sqlstate, rows, copy, order, zeros (at
    the end of numbers), names, types, tag, results."""

    kind: str
    postgresql: Any
    headwater: Any


def difference(postgresql: Sequence[Result], headwater: Sequence[Result], sql: str) -> Difference | None:
    """The first one; rows are in order where the statement says so."""
    for theirs, ours in zip(postgresql, headwater, strict=False):
        found = _of_results(theirs, ours, _ORDERED.search(sql) is not None)
        if found is not None:
            return found
    if len(postgresql) != len(headwater):
        return Difference("results", len(postgresql), len(headwater))
    return None


def _of_results(theirs: Result, ours: Result, ordered: bool) -> Difference | None:
    if theirs.kind == ours.kind == "error":
        return None if theirs.sqlstate == ours.sqlstate else Difference("sqlstate", _error(theirs), _error(ours))
    if ours.kind == "error":
        return Difference("refused", theirs.kind, _error(ours))
    if theirs.kind == "error":
        return Difference("accepted", _error(theirs), asdict(ours))
    if theirs.kind != ours.kind or theirs.text != ours.text:
        return Difference("tag", theirs.text or theirs.kind, ours.text or ours.kind)
    if theirs.rows != ours.rows:
        same = _sorted(theirs.rows) == _sorted(ours.rows)
        if same and ordered:
            return Difference("order", theirs.rows, ours.rows)
        if not same:
            alike = _sorted(map(_without_zeros, theirs.rows)) == _sorted(map(_without_zeros, ours.rows))
            return Difference("zeros" if alike else theirs.kind, theirs.rows, ours.rows)
    if theirs.names != ours.names:
        return Difference("names", theirs.names, ours.names)
    pairs = zip(theirs.types, ours.types, strict=True)
    if any(one != other and min(one, other) < _USERS_TYPES for one, other in pairs):
        return Difference("types", theirs.types, ours.types)
    return None


def _error(result: Result) -> tuple[str, str]:
    return result.sqlstate, result.text


def _sorted(rows: Iterable[tuple[Text, ...]]) -> list[tuple[Text, ...]]:
    return sorted(rows, key=lambda row: [(value is None, value or "") for value in row])


def _without_zeros(row: tuple[Text, ...]) -> tuple[Text, ...]:
    return tuple(None if value is None else _ZEROS.sub(r"\1\2", value) for value in row)


class Consequences:
    """Knows what the two servers have not alike any more."""

    def __init__(self, before: Consequences | None = None) -> None:
        self._unlike: set[str] = set() if before is None else set(before._unlike)

    def note(self, statement: Statement, found: Difference) -> bool:
        """Whether the difference follows from an earlier one; what it leaves unlike is remembered."""
        follows = not self._unlike.isdisjoint(map(str.lower, _WORD.findall(statement.sql)))
        follows = follows or (found.kind in ("refused", "sqlstate") and found.headwater[0] == _ABORTED)
        if follows or found.kind in ("refused", "accepted", "tag", "results"):
            names = (name.rpartition(".")[2].lower() for name in _CHANGED.findall(statement.sql))
            self._unlike.update(name for name in names if name)
        return follows
