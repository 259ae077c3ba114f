"""Plans of statements about sequences."""

from __future__ import annotations

from dataclasses import dataclass

from planner.catalog_view import QualifiedName
from planner.sequence_rules import Identity, SequenceOptions


@dataclass(frozen=True, slots=True)
class NewOwner:
    """OWNED BY table.column, as it was written; without a table, OWNED BY NONE."""

    table: tuple[str, ...] | None
    column: str


@dataclass(frozen=True, slots=True)
class CreateSequencePlan:
    """A temporary sequence's schema is pg_temp."""

    name: QualifiedName
    options: SequenceOptions
    owner: NewOwner | None
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class AlterSequencePlan:
    """ALTER SEQUENCE. `name` is as written."""

    name: tuple[str, ...]
    options: SequenceOptions
    owner: NewOwner | None
    if_exists: bool


@dataclass(frozen=True, slots=True)
class ColumnSequence:
    """The sequence that a serial or identity column comes with; `name` None: one is made up."""

    options: SequenceOptions
    identity: Identity | None
    name: str | None = None
