"""WITH MUTUALLY RECURSIVE as PostgreSQL's WITH RECURSIVE, and beside it what that does not say.

    WITH MUTUALLY RECURSIVE [([RETURN AT | ERROR AT] RECURSION LIMIT [=] n)] name (column type, …) AS (query), …

becomes, each word at its place,

    WITH          RECURSIVE name (column, …) AS (query), …
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.errors import SqlError
from model.sqlstate import Sqlstate
from planner.ir.relation import RecursionLimit
from planner.syntax.pieces import type_name_at
from planner.syntax.segments import Segment, words_of
from planner.syntax.word_reader import WordReader

_CLAUSE = ("with", "mutually", "recursive")
_LIMIT_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True)
class MutualRecursion:
    """`types` are the TypeNames of the columns of each query, in order."""

    types: tuple[tuple[Any, ...], ...]
    limit: RecursionLimit | None


def take_recursions(sql: str) -> tuple[str, dict[int, MutualRecursion]] | None:
    """The text in PostgreSQL's words, and what they leave out by the byte at which their WITH begins.

    None when there are none, or when the text can't be cut into tokens; SqlError 42601 at what is malformed."""
    words = words_of(sql)
    if words is None:
        return None
    segment = Segment(bytearray(sql.encode()), words)
    found = {
        word.start: _take(sql, segment, index) for index, word in enumerate(words) if segment.starts(index, *_CLAUSE)
    }
    return (segment.data.decode(), found) if found else None


def _take(sql: str, segment: Segment, at: int) -> MutualRecursion:
    mutually = segment.words[at + 1]
    segment.blank(mutually.start, mutually.end)
    reader = WordReader(sql, segment.words, at + len(_CLAUSE))
    start, limit = reader.word.start, _limit(reader)
    if limit is not None:
        segment.blank(start, segment.words[reader.at - 1].end)
    types = [_query(reader, segment)]
    while reader.take(","):
        types.append(_query(reader, segment))
    return MutualRecursion(tuple(types), limit)


def _limit(reader: WordReader) -> RecursionLimit | None:
    if not reader.take("("):
        return None
    returns = reader.take("return", "at")
    if not returns:
        reader.take("error", "at")
    reader.expect("recursion", "limit")
    reader.take("=")
    word = reader.word
    if not word.text.isdigit():
        reader.fail()
    rounds = int(word.text)
    if not 1 <= rounds <= _LIMIT_MAX:
        message = f"the recursion limit must be between 1 and {_LIMIT_MAX}"
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message, position=reader.position(word.start))
    reader.at += 1
    reader.expect(")")
    return RecursionLimit(rounds, not returns)


def _query(reader: WordReader, segment: Segment) -> tuple[Any, ...]:
    """The types of one query's columns, which are blanked."""
    reader.identifier()
    reader.expect("(")
    types: list[Any] = []
    while True:
        reader.identifier()
        start, end = reader.until((",",), (")",))
        types.append(type_name_at(reader.sql, start, end))
        segment.blank(start, end)
        if not reader.take(","):
            break
    reader.expect(")", "as")
    reader.parenthesis()
    return tuple(types)
