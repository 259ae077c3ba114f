"""Plans of statements about the session itself: transactions, variables, prepared statements, cursors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from model.types.scalar_type import ScalarType
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class BeginPlan:
    """BEGIN or START TRANSACTION, with `words` as the words that the statement begins with."""

    isolation: str | None
    read_only: bool | None
    deferrable: bool | None
    words: str = "BEGIN"


@dataclass(frozen=True, slots=True)
class CommitPlan:
    chain: bool


@dataclass(frozen=True, slots=True)
class PreparedTransactionPlan:
    """PREPARE TRANSACTION, COMMIT PREPARED, ROLLBACK PREPARED, with the transaction's identifier."""

    command: OneOf["PREPARE TRANSACTION", "COMMIT PREPARED", "ROLLBACK PREPARED"]
    name: str


@dataclass(frozen=True, slots=True)
class RollbackPlan:
    chain: bool


@dataclass(frozen=True, slots=True)
class SavepointPlan:
    action: OneOf["savepoint", "release", "rollback_to"]
    name: str


@dataclass(frozen=True, slots=True)
class SetTransactionPlan:
    """SET TRANSACTION / SET SESSION CHARACTERISTICS (session=True)."""

    isolation: str | None
    read_only: bool | None
    deferrable: bool | None
    session: bool


@dataclass(frozen=True, slots=True)
class ImportSnapshotPlan:
    """SET TRANSACTION SNAPSHOT: the transaction reads at the time of the one that has exported the snapshot."""

    identifier: str


@dataclass(frozen=True, slots=True)
class SetVariablePlan:
    """SET or RESET of a variable. `value` None is SET x TO DEFAULT, or with `reset` RESET x. `local`: for the
    transaction only."""

    name: str
    value: str | None
    local: bool
    reset: bool = False


@dataclass(frozen=True, slots=True)
class ResetAllPlan:
    pass


@dataclass(frozen=True, slots=True)
class ShowVariablePlan:
    """SHOW of a variable; `name` "all" shows every variable."""

    name: str


@dataclass(frozen=True, slots=True)
class DiscardPlan:
    target: OneOf["all", "plans", "sequences", "temp"]


@dataclass(frozen=True, slots=True)
class ListenPlan:
    """LISTEN, or UNLISTEN where it does not begin; `channel` None: all channels."""

    channel: str | None
    begins: bool


@dataclass(frozen=True, slots=True)
class NotifyPlan:
    channel: str
    payload: str


@dataclass(frozen=True, slots=True)
class PreparePlan:
    """PREPARE name (types) AS statement: the prepared statement's text and its declared parameter types. `sql` is the
    text of PREPARE itself."""

    name: str
    parameter_types: tuple[ScalarType | None, ...]
    statement_sql: str
    sql: str


@dataclass(frozen=True, slots=True)
class ExecutePlan:
    """Arguments are scalars that see no columns, not yet cast to the parameter's types."""

    name: str
    arguments: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class DeallocatePlan:
    """None: all."""

    name: str | None


@dataclass(frozen=True, slots=True)
class DeclareCursorPlan:
    """DECLARE of a cursor for a query. `sql` is the whole statement; only its query may contain parameters, whose types
    are `parameter_types`."""

    name: str
    query_sql: str
    sql: str
    hold: bool
    scroll: bool | None
    binary: bool
    parameter_types: tuple[ScalarType, ...] = ()


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """PostgreSQL's directions; `count` None is ALL. `move` skips without returning rows. After `timeout_ms` what has
    come is all there is; None waits."""

    cursor: str
    direction: OneOf["forward", "backward", "absolute", "relative"]
    count: int | None
    move: bool
    timeout_ms: int | None = None


@dataclass(frozen=True, slots=True)
class CloseCursorPlan:
    """None: all."""

    name: str | None


@dataclass(frozen=True, slots=True)
class SetConstraintsPlan:
    """SET CONSTRAINTS. `names` None means all constraints that can be deferred."""

    names: tuple[tuple[str, ...], ...] | None
    deferred: bool
