"""Chooses who answers a query. Pure: `Reader` carries the choice out.

    constant     reads nothing: the interpreter, at once
    of key       few rows by the key of an index, at once
    projected    values of sequences: the server computes the top projection, over another query's rows
    in turn      branches of a union whose values of sequences stand in the order of the branches
    read         everything else: at one time, in the first of several ways that does not give way

A read goes to the interpreter where it reads system relations or nothing, to one index, to indexes of views, or to
Spark, which never gives way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.ids.global_id import GlobalId
from planner.ir.query import Query
from planner.ir.relation import Finishing
from server.evaluation.query_facts import QueryFacts
from server.ledgers.counting.split import Split
from server.planning.access import IndexAccess
from server.planning.arranged_query import ArrangedQuery
from server.planning.statement_plans import ReadSet


@dataclass(frozen=True, slots=True)
class OfConstant:
    """The interpreter answers at once."""


@dataclass(frozen=True, slots=True)
class OfKey:
    """An index answers at once, with the rows of few keys."""

    access: IndexAccess


@dataclass(frozen=True, slots=True)
class OfProjection:
    """The server projects the rows of the query below."""

    parts: Split


@dataclass(frozen=True, slots=True)
class InTurn:
    """Several queries answer, one after the other."""

    queries: Sequence[Query]


@dataclass(frozen=True, slots=True)
class OfRead:
    """The query is read at one time: see `ways_of`."""


def immediate_choice(facts: QueryFacts, reads: ReadSet, access: IndexAccess | None) -> OfConstant | OfKey | None:
    """Returns the choice for a query whose rows may be complete at once; None for other queries."""
    if facts.parts is not None:
        return None
    if access is not None:
        return None if access.keys is None else OfKey(access)
    return None if reads.user or reads.system or reads.timed else OfConstant()


def lasting_choice(facts: QueryFacts, finishing: Finishing, reads: ReadSet) -> OfProjection | InTurn | OfRead:
    """Returns the choice for a query whose rows come in batches."""
    if facts.parts is not None and (reads.user or finishing.order or finishing.limit is not None):
        return OfProjection(facts.parts)
    if facts.branches and reads.user:
        return InTurn(facts.branches)
    return OfRead()


@dataclass(frozen=True, slots=True)
class ByInterpreter:
    """The interpreter, over system relations or nothing."""


@dataclass(frozen=True, slots=True)
class ByIndex:
    """One index. It gives way for many rows, and where it is not complete soon."""

    access: IndexAccess


@dataclass(frozen=True, slots=True)
class ByIndexes:
    """Spark, over indexes of views. They give way where one is not complete soon."""

    arranged: ArrangedQuery


@dataclass(frozen=True, slots=True)
class BySpark:
    """Spark, over what is stored. `waits`: for that to be complete, which was not asked for while indexes could
    answer."""

    waits: bool


Way = ByIndex | ByIndexes | BySpark


def way_without_tables(facts: QueryFacts) -> ByInterpreter | BySpark:
    """Returns the way to compute a query that reads no collection of users."""
    return BySpark(waits=False) if facts.gathers else ByInterpreter()


def ways_of(access: IndexAccess | None, arranged: ArrangedQuery | None) -> tuple[Way, ...]:
    """Returns the ways to read collections of users, best first; `access` and `arranged` where they show the
    transaction's view. The last way never gives way."""
    ways: list[Way] = []
    if access is not None:
        ways.append(ByIndex(access))
    if arranged is not None:
        ways.append(ByIndexes(arranged))
    return (*ways, BySpark(waits=bool(ways)))


def indexes_of(ways: Sequence[Way]) -> list[GlobalId]:
    """Returns the collections of the indexes that may answer."""
    found: list[GlobalId] = []
    for way in ways:
        match way:
            case ByIndex(access):
                found.append(access.index.collection)
            case ByIndexes(arranged):
                found += [each.collection for each in arranged.indexes]
            case BySpark():
                pass
    return found
