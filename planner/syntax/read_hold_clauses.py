"""Statements about named read holds, none of which PostgreSQL's grammar knows.

    CREATE READ HOLD [IF NOT EXISTS] h {ON object, … [AT time] | FROM other} [WITH LEASE '1h']
    ALTER READ HOLD [IF EXISTS] h {ADVANCE TO time | RENEW | OWNER TO role}
    DROP READ HOLD [IF EXISTS] h, …

A hold's name has no schema: holds belong to the whole server, as PostgreSQL's replication slots do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from planner.syntax.pieces import expression_at
from planner.syntax.segments import Segment
from planner.syntax.subscribe_clauses import Place
from planner.syntax.word_reader import WordReader

_STAND_IN = b"SELECT"
_LEASE = ("with", "lease")


@dataclass(frozen=True, slots=True)
class CreateReadHold:
    """`source` is the hold that this one is cloned from; `lease` an interval's text."""

    name: str
    objects: tuple[Place, ...]
    source: str | None
    at: Any
    lease: str | None
    if_not_exists: bool

    @property
    def kind(self) -> str:
        return "create_read_hold_stmt"


@dataclass(frozen=True, slots=True)
class AlterReadHold:
    """One of: a time to advance to, a new owner, or neither, which renews the lease."""

    name: str
    advance_to: Any
    owner: str | None
    if_exists: bool

    @property
    def kind(self) -> str:
        return "alter_read_hold_stmt"


@dataclass(frozen=True, slots=True)
class DropReadHold:
    names: tuple[str, ...]
    if_exists: bool

    @property
    def kind(self) -> str:
        return "drop_read_hold_stmt"


ReadHoldStatement = CreateReadHold | AlterReadHold | DropReadHold


def take_read_hold(sql: str, segment: Segment) -> ReadHoldStatement | None:
    """The statement; a stand-in keeps its place in the tree."""
    readers: dict[str, Callable[[WordReader], ReadHoldStatement]] = {"create": _create, "alter": _alter, "drop": _drop}
    first = segment.words[0].lower if segment.words else ""
    if first not in readers or not segment.starts(1, "read", "hold"):
        return None
    reader = WordReader(sql, segment.words, 3)
    statement = readers[first](reader)
    reader.expect_end()
    segment.replace(0, len(segment.words) - 1, _STAND_IN)
    return statement


def _create(reader: WordReader) -> CreateReadHold:
    if_not_exists = reader.take("if", "not", "exists")
    name = reader.identifier()
    objects: list[Place] = []
    source, at = None, None
    if reader.take("from"):
        source = reader.identifier()
    else:
        reader.expect("on")
        while not objects or reader.take(","):
            location = reader.word.start
            objects.append(Place(reader.name(), location))
        if reader.take("at"):
            at = expression_at(reader.sql, *reader.until(_LEASE))
    lease = None
    if reader.take(*_LEASE):
        reader.take("=")
        lease = reader.string()
    return CreateReadHold(name, tuple(objects), source, at, lease, if_not_exists)


def _alter(reader: WordReader) -> AlterReadHold:
    if_exists = reader.take("if", "exists")
    name = reader.identifier()
    if reader.take("advance", "to"):
        return AlterReadHold(name, expression_at(reader.sql, *reader.until()), None, if_exists)
    if reader.take("owner", "to"):
        return AlterReadHold(name, None, reader.identifier(), if_exists)
    reader.expect("renew")
    return AlterReadHold(name, None, None, if_exists)


def _drop(reader: WordReader) -> DropReadHold:
    if_exists = reader.take("if", "exists")
    names = [reader.identifier()]
    while reader.take(","):
        names.append(reader.identifier())
    return DropReadHold(tuple(names), if_exists)
