"""Statements about secrets and connections, and those that are the same for sources and sinks, as written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from planner.catalog_view import FoundUpstream
from planner.syntax.options import Option
from planner.syntax.own_statements import Place

OwnObject = Literal["secret", "connection", "source", "sink", "replication slot"]


@dataclass(frozen=True, slots=True)
class CreateSecret:
    """CREATE SECRET, as written. `value` is an expression's syntax tree."""

    name: Place
    if_not_exists: bool
    value: Any

    @property
    def kind(self) -> str:
        return "create_secret_stmt"


@dataclass(frozen=True, slots=True)
class CreateConnection:
    """CREATE CONNECTION. `of` is the kind, in capitals (`CONFLUENT SCHEMA REGISTRY`); `conditions` are WITH's
    options."""

    name: Place
    if_not_exists: bool
    of: str
    options: tuple[Option, ...]
    conditions: tuple[Option, ...]

    @property
    def kind(self) -> str:
        return "create_connection_stmt"


@dataclass(frozen=True, slots=True)
class ValidateConnection:
    name: Place

    @property
    def kind(self) -> str:
        return "validate_connection_stmt"


@dataclass(frozen=True, slots=True)
class RenamedTo:
    name: str


@dataclass(frozen=True, slots=True)
class OwnedByRole:
    role: str


@dataclass(frozen=True, slots=True)
class NewSecretValue:
    """ALTER SECRET … AS, as written. `value` is an expression's syntax tree."""

    value: Any


@dataclass(frozen=True, slots=True)
class ChangedOptions:
    """SET (…) and RESET (…), of which an option without a value is made; `conditions` are WITH's options."""

    changes: tuple[Option, ...]
    resets: tuple[Option, ...]
    conditions: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class SinkTold:
    """PAUSE, RESUME or BACKFILL, in capitals."""

    word: str


@dataclass(frozen=True, slots=True)
class SinkSetOptions:
    """SET (option = value, …)."""

    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class SinkSetFrom:
    """SET FROM a relation."""

    source: Place


@dataclass(frozen=True, slots=True)
class ClusterSet:
    """SET CLUSTER."""

    cluster: str


@dataclass(frozen=True, slots=True)
class AddedSubsources:
    """ADD SUBSOURCE a [AS b], … [WITH ({ TEXT | WIDE } COLUMNS (…))], by upstream's names and our own. `found` is
    what the source reads, once that was looked up."""

    tables: tuple[tuple[Place, Place | None], ...]
    options: tuple[Option, ...]
    found: FoundUpstream | None = None


@dataclass(frozen=True, slots=True)
class DroppedSubsources:
    """DROP SUBSOURCE [IF EXISTS] a, … [CASCADE]."""

    names: tuple[Place, ...]
    if_exists: bool
    cascade: bool


@dataclass(frozen=True, slots=True)
class RefreshedSubsources:
    """REFRESH [SUBSOURCE a, …] [WITH ({ TEXT | WIDE } COLUMNS (…))], by our names, or of all of them. `found` is
    what the source reads, once that was looked up."""

    names: tuple[Place, ...]
    options: tuple[Option, ...]
    found: FoundUpstream | None = None


@dataclass(frozen=True, slots=True)
class AlterOwnObject:
    """ALTER SECRET, CONNECTION, SOURCE and SINK."""

    object: OwnObject
    name: Place
    if_exists: bool
    action: (
        RenamedTo
        | OwnedByRole
        | NewSecretValue
        | ChangedOptions
        | AddedSubsources
        | DroppedSubsources
        | RefreshedSubsources
        | SinkTold
        | ClusterSet
        | SinkSetFrom
        | SinkSetOptions
    )

    @property
    def kind(self) -> str:
        return f"alter_{self.object}_stmt"


@dataclass(frozen=True, slots=True)
class DropOwnObjects:
    """DROP SECRET, CONNECTION, SOURCE, SINK and REPLICATION SLOT."""

    object: OwnObject
    names: tuple[Place, ...]
    if_exists: bool
    cascade: bool

    @property
    def kind(self) -> str:
        return f"drop_{self.object.replace(' ', '_')}_stmt"


@dataclass(frozen=True, slots=True)
class CommentOnOwnObject:
    """COMMENT ON SECRET, CONNECTION, SOURCE and SINK; None takes the comment away."""

    object: OwnObject
    name: Place
    text: str | None

    @property
    def kind(self) -> str:
        return f"comment_on_{self.object}_stmt"


ConnectionStatement = (
    CreateSecret | CreateConnection | ValidateConnection | AlterOwnObject | DropOwnObjects | CommentOnOwnObject
)
