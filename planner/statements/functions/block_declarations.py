"""The variables that a block of PL/pgSQL declares, read off its tokens: what the grammar returns of them lacks
modifiers and the names of users' types."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import postgast
from postgast import pg_query_pb2 as tree

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.names import type_named
from planner.plans.functions import BlockCursor, BlockVariable, PartAssignmentStep, PartSubscript
from planner.syntax.grammar import COMMENTS

_RECORD, _REFCURSOR = "record", "refcursor"
_ENDS_TYPE = ("collate", "not", "default", ":=", "=")
_SIZED = ("(", "[")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    token: int

    @property
    def folded(self) -> str:
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Declarations:
    """`variables`: those of each block that has some, by the block's place among all blocks, in the order of their
    BEGIN. `grammatical`: the code with record for each type that the grammar does not know."""

    variables: dict[int, tuple[BlockVariable, ...]]
    grammatical: str


def declarations_of(code: str) -> Declarations:
    """Reads all DECLARE sections. Raises SqlError 42601 for a type that is missing."""
    data, words = code.encode(), _words_of(code)
    found: dict[int, tuple[BlockVariable, ...]] = {}
    unknown: list[tuple[int, int]] = []
    waiting: list[BlockVariable] = []
    block = at = 0
    while at < len(words):
        if words[at].token == tree.Token.BEGIN_P:
            if waiting:
                found[block] = tuple(waiting)
                waiting = []
            block += 1
        elif words[at].token == tree.Token.DECLARE:
            end = next((i for i in range(at, len(words)) if words[i].token == tree.Token.BEGIN_P), len(words))
            for declared in _divided(words[at + 1 : end]):
                variable, places = _variable(declared, data)
                waiting.append(variable)
                unknown += places
            at = end
            continue
        at += 1
    for start, stop in reversed(unknown):
        lines = data[start:stop].count(b"\n")
        data = data[:start] + _RECORD.encode() + b"\n" * lines + data[stop:]
    return Declarations(found, data.decode())


def _words_of(code: str) -> list[_Word]:
    data = code.encode()
    try:
        tokens = postgast.scan(code).tokens
    except postgast.PgQueryError as error:
        raise SqlError(Sqlstate.SYNTAX_ERROR, error.message) from None
    return [
        _Word(data[token.start : token.end].decode(), token.start, token.end, token.token)
        for token in tokens
        if token.token not in COMMENTS
    ]


def _divided(words: Sequence[_Word]) -> Iterator[Sequence[_Word]]:
    """Divides a section into its declarations, at the semicolons."""
    begin = depth = 0
    for at, word in enumerate(words):
        depth += (word.text in _SIZED) - (word.text in (")", "]"))
        if word.text == ";" and depth == 0:
            own = words[begin:at]
            begin = at + 1
            if own and own[0].token == tree.Token.DECLARE:
                own = own[1:]
            if own:
                yield own


def _variable(words: Sequence[_Word], data: bytes) -> tuple[BlockVariable, list[tuple[int, int]]]:
    """Returns a variable, and the places of the types that the grammar does not know."""
    name, rest = _name(words[0]), list(words[1:])
    if not rest:
        raise SqlError(Sqlstate.SYNTAX_ERROR, "missing data type declaration")
    if rest[0].folded == "alias" and len(rest) > 2:
        other = rest[-1].text
        return BlockVariable(name, None, alias=other if other.startswith("$") else _name(rest[-1])), []
    at = next((at for at, word in enumerate(rest[:3]) if word.token == tree.Token.CURSOR), None)
    if at is not None and all(word.folded in ("no", "scroll") for word in rest[:at]):
        scroll = None if at == 0 else at == 1
        return _cursor(name, scroll, rest[at + 1 :], data)
    constant = rest[0].folded == "constant"
    rest = rest[constant:]
    end = next((at for at, word in enumerate(rest) if word.folded in _ENDS_TYPE), len(rest))
    if end == 0:
        raise SqlError(Sqlstate.SYNTAX_ERROR, "missing data type declaration")
    typed, rest = rest[:end], rest[end:]
    nullable = not any(one.folded == "not" and two.folded == "null" for one, two in itertools.pairwise(rest))
    given = next((at for at, word in enumerate(rest) if word.folded in ("default", ":=", "=")), None)
    value = None if given is None else data[rest[given].end : words[-1].end].decode().strip()
    written, places = _type(typed, data)
    type_ = None if written.lower() == _RECORD else written
    return BlockVariable(name, type_, value, constant, nullable), places


def _type(typed: Sequence[_Word], data: bytes) -> tuple[str, list[tuple[int, int]]]:
    """Returns a type as it is written, and its place where the grammar does not know it."""
    start, stop = typed[0].start, typed[-1].end
    written = data[start:stop].decode()
    known = written.lower() in (_RECORD, _REFCURSOR) or _is_known(typed)
    return written, [] if known else [(start, stop)]


def _cursor(
    name: str, scroll: bool | None, rest: Sequence[_Word], data: bytes
) -> tuple[BlockVariable, list[tuple[int, int]]]:
    """Returns a cursor with parameters and a query, from the words behind CURSOR."""
    parameters: list[tuple[str, str]] = []
    places: list[tuple[int, int]] = []
    at = depth = begin = 0
    if rest and rest[0].text == "(":
        for at, word in enumerate(rest):
            depth += (word.text in _SIZED) - (word.text in (")", "]"))
            if (word.text == "," and depth == 1) or depth == 0:
                own = rest[begin + 1 : at]
                begin = at
                if len(own) < 2:
                    raise SqlError(Sqlstate.SYNTAX_ERROR, "missing data type declaration")
                written, unknown = _type(own[1:], data)
                parameters.append((_name(own[0]), written))
                places += unknown
            if depth == 0:
                at += 1
                break
    if len(rest) < at + 2 or rest[at].folded not in ("for", "is"):
        found = rest[at].text if len(rest) > at else ";"
        raise SqlError(Sqlstate.SYNTAX_ERROR, f'syntax error at or near "{found}"')
    query = data[rest[at + 1].start : rest[-1].end].decode()
    cursor = BlockCursor(tuple(parameters), query, scroll)
    return BlockVariable(name, _REFCURSOR, cursor=cursor), places


def _is_known(typed: Sequence[_Word]) -> bool:
    """Tells whether the grammar knows a type: PostgreSQL's own, without %TYPE."""
    plain = []
    for word in typed:
        if word.text in _SIZED:
            break
        plain.append(word.folded)
    return "%" not in plain and "." not in plain and type_named(" ".join(plain)) is not None


def _name(word: _Word) -> str:
    return word.text[1:-1].replace('""', '"') if word.text.startswith('"') else word.folded


def part_assignment(text: str) -> PartAssignmentStep:
    """Reads an assignment to a part of a variable, such as `row.list[2] := 5`. Raises SqlError 42601 for a text that is
    none."""
    data = text.encode()
    words = _words_of(text)
    name, path, at = _name(words[0]), list[str | PartSubscript](), 1
    while at < len(words) and words[at].text in (".", "["):
        if words[at].text == ".":
            path.append(_name(words[at + 1]))
            at += 2
            continue
        end, depth = at, 0
        bounds = [words[at].end]
        for end in range(at, len(words)):
            depth += (words[end].text in _SIZED) - (words[end].text in (")", "]"))
            if depth == 1 and words[end].text == ":":
                bounds += [words[end].start, words[end].end]
            if depth == 0:
                break
        bounds.append(words[end].start)
        parts = [data[start:stop].decode().strip() or None for start, stop in zip(bounds[::2], bounds[1::2])]
        path.append(PartSubscript(parts[0], parts[-1], len(parts) > 1))
        at = end + 1
    if at >= len(words) or words[at].text not in (":=", "="):
        raise SqlError(Sqlstate.SYNTAX_ERROR, f'syntax error at or near "{words[min(at, len(words) - 1)].text}"')
    return PartAssignmentStep(name, tuple(path), data[words[at].end :].decode().strip())


def plain_name(text: str) -> str:
    """Returns the name that a word, quoted or not, means."""
    return _name(_Word(text, 0, 0, 0))


def refused(words: str) -> Any:
    """Returns the error for what of PL/pgSQL is not there."""
    return NotSupported(f"{words} in PL/pgSQL")
