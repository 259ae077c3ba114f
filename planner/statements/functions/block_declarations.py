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
from planner.plans.functions import BlockVariable
from planner.syntax.grammar import COMMENTS

_RECORD = "record"
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
    """Reads all DECLARE sections. Raises SqlError 0A000 for cursors and aliases; raises 42601 for a type that is
    missing."""
    data = code.encode()
    try:
        tokens = postgast.scan(code).tokens
    except postgast.PgQueryError as error:
        raise SqlError(Sqlstate.SYNTAX_ERROR, error.message) from None
    words = [
        _Word(data[token.start : token.end].decode(), token.start, token.end, token.token)
        for token in tokens
        if token.token not in COMMENTS
    ]
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
                variable, place = _variable(declared, data)
                waiting.append(variable)
                unknown += [place] if place is not None else []
            at = end
            continue
        at += 1
    for start, stop in reversed(unknown):
        lines = data[start:stop].count(b"\n")
        data = data[:start] + _RECORD.encode() + b"\n" * lines + data[stop:]
    return Declarations(found, data.decode())


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


def _variable(words: Sequence[_Word], data: bytes) -> tuple[BlockVariable, tuple[int, int] | None]:
    """Returns a variable, and the place of its type where the grammar does not know the type."""
    name, rest = _name(words[0]), list(words[1:])
    constant = bool(rest) and rest[0].folded == "constant"
    rest = rest[constant:]
    if any(word.folded in ("cursor", "alias") for word in rest[:2]) or not rest:
        raise NotSupported("a cursor or an alias among the variables of PL/pgSQL")
    end = next((at for at, word in enumerate(rest) if word.folded in _ENDS_TYPE), len(rest))
    if end == 0:
        raise SqlError(Sqlstate.SYNTAX_ERROR, "missing data type declaration")
    typed, rest = rest[:end], rest[end:]
    nullable = not any(one.folded == "not" and two.folded == "null" for one, two in itertools.pairwise(rest))
    given = next((at for at, word in enumerate(rest) if word.folded in ("default", ":=", "=")), None)
    value = None if given is None else data[rest[given].end : words[-1].end].decode().strip()
    start, stop = typed[0].start, typed[-1].end
    written = data[start:stop].decode()
    type_ = None if written.lower() == _RECORD else written
    unknown = type_ is not None and not _is_known(typed)
    variable = BlockVariable(name, type_, value, constant, nullable)
    return variable, (start, stop) if unknown else None


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


def plain_name(text: str) -> str:
    """Returns the name that a word, quoted or not, means."""
    return _name(_Word(text, 0, 0, 0))


def refused(words: str) -> Any:
    """Returns the error for what of PL/pgSQL is not there."""
    return NotSupported(f"{words} in PL/pgSQL")
