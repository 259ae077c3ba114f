"""The parts of a message beyond PostgreSQL's grammar: clauses of statements, and WITH MUTUALLY RECURSIVE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.ir.relation import RecursionLimit
from planner.syntax.cluster_statements import ClusterStatement
from planner.syntax.connection_statements import ConnectionStatement
from planner.syntax.own_statements import (
    BackupStatement,
    PromoteStatement,
    ReadHoldStatement,
    RepairTableStatement,
    RepairViewStatement,
    ShowObjects,
    SubscribeStatement,
)
from planner.syntax.sink_statements import CreateSink
from planner.syntax.source_statements import SourceStatement

OwnStatement = (
    SubscribeStatement
    | ReadHoldStatement
    | RepairTableStatement
    | RepairViewStatement
    | BackupStatement
    | PromoteStatement
    | ClusterStatement
    | ConnectionStatement
    | SourceStatement
    | CreateSink
)


@dataclass(frozen=True, slots=True)
class Extension:
    """The clauses of Headwater's own that were found beside a statement. `as_of` is an expression's syntax tree; `end`
    is where the text ends (bytes).

    `retain_history` is the interval's text; with `retains` and without it, the setting is reset. `explained` and
    `checked` are the kind of the object, of which the statement has become TABLE name. `statement` is one of our own,
    whose place an empty SELECT keeps; `subscribe` is the one inside a COPY, DECLARE or PREPARE. With `json_copy` FORMAT
    JSON was among COPY's options. `granted_on` is the kind of object of a GRANT that PostgreSQL does not have.

    `asserted` are the columns of a materialized view that must not be NULL.
    """

    as_of: Any = None
    at_least: bool = False
    retains: bool = False
    retain_history: str | None = None
    explain: str | None = None
    explain_format: str = "text"
    show: ShowObjects | None = None
    end: int = 0
    or_replace: bool = False
    default_index: bool = False
    cluster: str | None = None
    swap: bool = False
    checked: str | None = None
    explained: str | None = None
    statement: OwnStatement | None = None
    subscribe: SubscribeStatement | None = None
    fetch_timeout: str | None = None
    json_copy: bool = False
    granted_on: str | None = None
    asserted: tuple[str, ...] = ()


NO_EXTENSION = Extension()


@dataclass(frozen=True, slots=True)
class MutualRecursion:
    """WITH MUTUALLY RECURSIVE: `types` are, for each query in order, the TypeNames of its declared columns."""

    types: tuple[tuple[Any, ...], ...]
    limit: RecursionLimit | None
