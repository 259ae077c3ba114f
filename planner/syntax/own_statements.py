"""Statements that PostgreSQL does not have, as written: what the dialect makes of their texts.

Expressions, queries and types in them are PostgreSQL's syntax trees, with places in the whole message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SHOW_KINDS = frozenset(
    (
        "tables",
        "views",
        "materialized views",
        "schemas",
        "databases",
        "objects",
        "indexes",
        "sources",
        "sinks",
        "clusters",
        "cluster replicas",
        "types",
        "roles",
        "secrets",
        "connections",
        "columns",
        "read holds",
    )
)


@dataclass(frozen=True, slots=True)
class Place:
    """A name, with the byte at which it stands."""

    parts: tuple[str, ...]
    location: int


@dataclass(frozen=True, slots=True)
class SubscribeStatement:
    """SUBSCRIBE, as written. `source` is the object's name, or a SelectStmt; times and orders are syntax trees."""

    source: Place | Any
    envelope: str | None = None
    keys: tuple[Place, ...] = ()
    order: tuple[Any, ...] = ()
    snapshot: bool = True
    progress: bool = False
    as_of: Any = None
    at_least: bool = False
    earliest: bool = False
    up_to: Any = None
    latest: bool = False

    @property
    def kind(self) -> str:
        return "subscribe_stmt"


@dataclass(frozen=True, slots=True)
class CreateReadHoldStatement:
    """CREATE READ HOLD. `source` is the hold to clone; `lease` is an interval's text."""

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
class DropReadHoldStatement:
    names: tuple[str, ...]
    if_exists: bool

    @property
    def kind(self) -> str:
        return "drop_read_hold_stmt"


@dataclass(frozen=True, slots=True)
class RepairTableStatement:
    """ALTER TABLE … REPAIR."""

    table: Place

    @property
    def kind(self) -> str:
        return "repair_table_stmt"


@dataclass(frozen=True, slots=True)
class BackupStatement:
    """BACKUP TO a directory or objects of a bucket."""

    place: str

    @property
    def kind(self) -> str:
        return "backup_stmt"


@dataclass(frozen=True, slots=True)
class PromoteStatement:
    """ALTER SYSTEM PROMOTE, of a standby that is named, or of the one that there is; FORCE does not wait for it."""

    standby: str | None
    force: bool = False

    @property
    def kind(self) -> str:
        return "promote_stmt"


@dataclass(frozen=True, slots=True)
class RepairViewStatement:
    """ALTER MATERIALIZED VIEW … REPAIR."""

    view: Place

    @property
    def kind(self) -> str:
        return "repair_view_stmt"


ReadHoldStatement = CreateReadHoldStatement | AlterReadHold | DropReadHoldStatement


@dataclass(frozen=True, slots=True)
class ShowObjects:
    """SHOW of catalog objects. `name` is what FROM or CREATE TABLE names, part by part; `create` is SHOW CREATE's;
    with `on`, the name is the relation's whose indexes are wanted."""

    kind: str
    name: tuple[str, ...] = ()
    like: str | None = None
    create: str | None = None
    on: bool = False
