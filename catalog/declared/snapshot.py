"""The input of all system relations' contents, fixed at one read."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from catalog.declared.dataflow_status import IndexUse, MaintainedStatus, MoveStatus
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from model.types.datum import Inet
from planner.functions.system.lock_lookup import AdvisoryKey


@dataclass(frozen=True, slots=True)
class CollectionFrontiers:
    """Readable at t when since <= t < upper."""

    since: Antichain
    upper: Antichain


class UpdatableRelations(Protocol):
    """Tells what can be written to: tables, and views through which a table's rows are changed."""

    def events(self, id: GlobalId) -> int:
        """Returns the bits of the commands that can be executed on a relation: 4 UPDATE, 8 INSERT, 16 DELETE."""
        ...

    def column(self, id: GlobalId, number: int) -> bool:
        """Tells whether a column, by its number from 1, can be given values."""
        ...


@dataclass(frozen=True, slots=True)
class EncryptionStatus:
    """The encryption of a connection, and the client's certificate, with names on a line each."""

    version: str
    cipher: str
    bits: int
    client_name: str | None = None
    client_serial: int | None = None
    issuer_name: str | None = None


ClientKind = Literal["client backend", "http client", "websocket client", "agent"]
"""What a client is, as pg_stat_activity.backend_type has it; the first speaks PostgreSQL's protocol."""


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """A connection. `state` is pg_stat_activity's: active, idle, idle in transaction …; times are in UTC."""

    pid: int
    user: str
    database: str
    application_name: str
    client_address: Inet | None
    client_port: int | None
    connected_at: datetime.datetime
    transaction_started_at: datetime.datetime | None
    query_started_at: datetime.datetime | None
    state: str
    query: str
    encryption: EncryptionStatus | None = None
    kind: ClientKind = "client backend"


class StatementStatus(NamedTuple):
    """A present or past statement. `role` is the oid of the logged-in role, `user` the role's name at login; `type`
    the kind of statement (`select`); `queued_ms` the time from arrival to beginning. `sqlstate`: of the final error,
    if any. A tuple, which is packed for another process in a tenth of a dataclass's time."""

    number: int
    pid: int
    role: int
    user: str
    database: str
    application_name: str
    kind: ClientKind
    type: str
    sql: str
    began_at: datetime.datetime
    finished_at: datetime.datetime | None
    queued_ms: float
    planned_ms: float
    executed_ms: float
    rows: int | None
    bytes: int
    sqlstate: str | None
    read_ts: int | None


@dataclass(frozen=True, slots=True)
class Durations:
    """A summary of durations, in ms."""

    count: int
    total: float
    least: float
    largest: float
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class StatementStatistics:
    """The calls of a statement by a role in a database. `rows` were returned, or changed."""

    role: int
    database: str
    query_id: int
    text: str
    planning: Durations
    executing: Durations
    rows: int


@dataclass(frozen=True, slots=True)
class StatisticsStatus:
    """The statistics of statements `since` a time; `left_out` counts statements that no longer fitted in."""

    statements: tuple[StatementStatistics, ...] = ()
    left_out: int = 0
    since: datetime.datetime = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """A change of the catalog, in the words of mz_audit_events: `event` is create, alter, drop, grant, revoke or
    comment; `details` is jsonb. `user` None: the server itself; `time` is that of the commit."""

    number: int
    event: str
    object_type: str
    details: str
    user: str | None
    time: int


@dataclass(frozen=True, slots=True)
class SettingStatus:
    """A setting, with its value for the reading session, in its unit. `kind` is pg_settings.vartype: bool, integer,
    string …; `reset` is what RESET gives it, `source` where the value comes from."""

    name: str
    value: str
    description: str
    kind: str = "string"
    unit: str | None = None
    category: str = "Client Connection Defaults"
    context: str = "user"
    default: str | None = None
    reset: str | None = None
    source: str = "default"
    least: str | None = None
    most: str | None = None
    choices: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class StuckCallStatus:
    """A call into Java that a replica makes for `subject` and that does not end; a processor has worked on it for
    `processor_ms`."""

    subject: str
    since: datetime.datetime
    processor_ms: int


@dataclass(frozen=True, slots=True)
class ReconciliationStatus:
    """What became of a replica's dataflows when a server told it what to run: how many were `kept`, and the ids and
    the reason of each that was `replaced`; the reason is empty where none was wanted under its ids."""

    at: datetime.datetime
    kept: int
    replaced: tuple[tuple[tuple[GlobalId, ...], str], ...]


@dataclass(frozen=True, slots=True)
class ReplicaDataflowStatus:
    """How an index, a view, a source or a sink is in one replica.

    `status`, `reason`, `rows`, `rows_total`: as in MaintainedStatus
    `origin`: inputs, kept or copied; None: not known yet, as all that follows
    `copied_from`: the replica of which the state is a copy
    `records`: updates in all arrangements, of `memory_bytes` and `file_bytes`
    """

    object: GlobalId
    status: str
    reason: str | None
    rows: int
    rows_total: int
    origin: str | None = None
    copied_from: str | None = None
    records: int | None = None
    memory_bytes: int | None = None
    file_bytes: int | None = None
    ticks: int | None = None


class ReplicaPhaseStatus(NamedTuple):
    """A status that a replica had from a time on."""

    status: str
    reason: str | None
    at: datetime.datetime


@dataclass(frozen=True, slots=True)
class ReplicaStatus:
    """A replica: `status` is `ready`, `starting` or `not-ready`. `pid` is None of a replica that runs elsewhere,
    `address` of any other."""

    id: str
    name: str
    cluster_id: str
    cluster: str
    status: str
    updated_at: datetime.datetime
    pid: int | None = None
    address: str | None = None
    reason: str | None = None
    stuck: tuple[StuckCallStatus, ...] = ()
    reconciliations: tuple[ReconciliationStatus, ...] = ()
    phases: tuple[ReplicaPhaseStatus, ...] = ()
    dataflows: tuple[ReplicaDataflowStatus, ...] = ()
    uppers: tuple[tuple[GlobalId, Timestamp | None], ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedStatus:
    """A statement that the reading session has prepared; types are pg_type oids."""

    name: str
    statement: str
    prepared_at: datetime.datetime
    parameter_types: tuple[int, ...]
    from_sql: bool


@dataclass(frozen=True, slots=True)
class CursorStatus:
    """A cursor or portal that the reading session has open."""

    name: str
    statement: str
    holdable: bool
    binary: bool
    scrollable: bool
    created_at: datetime.datetime


@dataclass(frozen=True, slots=True)
class HeldStatus:
    """A capability in force. `expires_at` None never does."""

    frontier: Antichain
    expires_at: datetime.datetime | None


@dataclass(frozen=True, slots=True)
class PreparedTransactionStatus:
    """A transaction that PREPARE TRANSACTION has left; `role` and `database` are oids."""

    number: int
    gid: str
    prepared_ms: int
    role: int
    database: int


class LargeObjectStatus(Protocol):
    """A large object; `acl` is its list of rights as `acl_kept` reads it, None for its kind's."""

    @property
    def oid(self) -> int: ...

    @property
    def owner(self) -> int: ...

    @property
    def acl(self) -> str | None: ...

    @property
    def comment(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class LockStatus:
    """A lock on a table, or on a row of it, that a session has or waits for; or an advisory one on a key in a
    database, by oid. Of a prepared transaction `pid` is 0, and `transaction` its number."""

    table: GlobalId | None
    row: bool
    pid: int
    mode: str
    granted: bool
    advisory: tuple[int, AdvisoryKey] | None = None
    transaction: int = 0

    @property
    def kind(self) -> str:
        """Returns PostgreSQL's word for what is locked."""
        if self.advisory is not None:
            return "advisory"
        return "tuple" if self.row else "relation"


@dataclass(frozen=True, slots=True)
class SourceFigures:
    """The counts of a source since its replica opened it. Offsets are sums over partitions, known upstream and
    bound."""

    messages: int
    bytes: int
    updates: int
    errors: int
    bindings: int
    offset_known: int | None
    offset_committed: int | None
    bound_at: datetime.datetime


@dataclass(frozen=True, slots=True)
class TaskCondition:
    """The condition of a source or a sink from `since` on (None: since before this server began). `error` says why
    no records pass, `hint` what can be done."""

    since: datetime.datetime | None
    status: str
    error: str | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source's condition now, and its past conditions, oldest first."""

    id: GlobalId
    condition: TaskCondition
    history: tuple[TaskCondition, ...] = ()
    figures: SourceFigures | None = None


@dataclass(frozen=True, slots=True)
class SlotAttempts:
    """The attempts to drop a left replication slot since the server began, with the last error. `dropped`: the slot
    is gone, and is looked for once more."""

    count: int
    error: str | None
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class SinkFigures:
    """The counts of a sink since its replica opened it. `frontier` is how far the destination is, `lag_ms` how far
    that is behind the sink's input."""

    transactions: int
    loaded: int
    stored: int
    bytes: int
    commit_ms: int
    frontier: int
    lag_ms: int


@dataclass(frozen=True, slots=True)
class SinkStatus:
    """A sink's condition now, and its past conditions, oldest first."""

    id: GlobalId
    condition: TaskCondition
    history: tuple[TaskCondition, ...] = ()
    figures: SinkFigures | None = None


@dataclass(frozen=True, slots=True)
class ReplicaFigures:
    """The use of a replica's process and its children. `cpu_nano_cores`: a billion for each processor that was busy all
    the time since the sample before; None where there was none."""

    replica: str
    cpu_nano_cores: int | None
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One moment: how many ms each collection was behind the clock (None: for ever complete), and the counts of
    sources, sinks and replicas. Ids are texts."""

    at: datetime.datetime
    lags_ms: tuple[tuple[str, int | None], ...]
    sources: tuple[tuple[str, SourceFigures], ...] = ()
    sinks: tuple[tuple[str, SinkFigures], ...] = ()
    replicas: tuple[ReplicaFigures, ...] = ()

    def __len__(self) -> int:
        """Returns how many rows it has for all histories together."""
        return len(self.lags_ms) + len(self.sources) + len(self.sinks) + len(self.replicas)


@dataclass(frozen=True, slots=True)
class RuleStatus:
    """A rule for clients, a row of pg_hba_file_rules; a wrong line of the file has only an error."""

    number: int | None
    file: str | None
    line: int
    place: str | None = None
    databases: tuple[str, ...] | None = None
    users: tuple[str, ...] | None = None
    address: str | None = None
    netmask: str | None = None
    method: str | None = None
    options: tuple[str, ...] | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """A backup under way, or an ended backup since the server began. `status` is `running`, `done`, `failed` or
    `cancelled`. `parts` and `bytes` are numbers of all, of those in the place, and of those copied there."""

    place: str
    started_at: datetime.datetime
    ended_at: datetime.datetime | None
    status: str
    name: str | None
    timestamp: Timestamp | None
    parts: tuple[int, int, int]
    bytes: tuple[int, int, int]
    error: str | None


@dataclass(frozen=True, slots=True)
class SnapshotReader:
    """The session that reads system relations: its user, its search path, and what only the session itself sees."""

    user: str = "headwater"
    search_path: tuple[str, ...] = ("public",)
    settings: tuple[SettingStatus, ...] = ()
    prepared: tuple[PreparedStatus, ...] = ()
    cursors: tuple[CursorStatus, ...] = ()
    large_objects: tuple[LargeObjectStatus, ...] = ()


@dataclass(frozen=True, slots=True)
class StandbyStatus:
    """A standby that is there: where it listens, whether it would lead at once, how many of its dataflows it keeps
    itself, whether all have hydrated and are up to date, and what it does."""

    name: str
    address: str
    pid: int
    ready: bool
    message: str
    hydrated: bool
    caught_up: bool
    dataflows: int
    hydrated_dataflows: int


@dataclass(frozen=True, slots=True)
class OutsideStatus:
    """The server as others reach it: the address of the HTTP port, the attempts to drop left replication slots of
    upstream databases, by name, and the standbys."""

    webhooks_at: str = ""
    slot_attempts: Mapping[str, SlotAttempts] = field(default_factory=dict)
    standbys: tuple[StandbyStatus, ...] = ()


@dataclass(frozen=True, slots=True)
class SystemSnapshot:
    """The state of the server from which system relations are computed. `database` and `reader` are those of the
    reading session; the rest is the same for every session. `now` is the time
    of the read, for what depends on daylight saving time; `timestamp` is that of the timeline. `held` has the
    capabilities of named read holds, by their ids; `last_values` what sequences have given last, by
    collection; `rules` are for logins; `index_use`,
    `statements`, `statistics`, `audited` and `samples` are empty for queries about others. Without `updates` no view
    can be written to."""

    state: CatalogState
    database: str
    reader: SnapshotReader = SnapshotReader()
    frontiers: Mapping[GlobalId, CollectionFrontiers] = field(default_factory=dict)
    sessions: tuple[SessionStatus, ...] = ()
    replicas: tuple[ReplicaStatus, ...] = ()
    locks: tuple[LockStatus, ...] = ()
    prepared_transactions: tuple[PreparedTransactionStatus, ...] = ()
    held: Mapping[str, HeldStatus] = field(default_factory=dict)
    maintained: tuple[MaintainedStatus, ...] = ()
    moves: tuple[MoveStatus, ...] = ()
    sources: tuple[SourceStatus, ...] = ()
    sinks: tuple[SinkStatus, ...] = ()
    last_values: Mapping[GlobalId, int] = field(default_factory=dict)
    index_use: IndexUse = field(default_factory=IndexUse)
    rules: tuple[RuleStatus, ...] = ()
    statements: tuple[StatementStatus, ...] = ()
    statistics: StatisticsStatus = StatisticsStatus()
    audited: tuple[AuditEvent, ...] = ()
    samples: tuple[Sample, ...] = ()
    outside: OutsideStatus = OutsideStatus()
    backups: tuple[BackupStatus, ...] = ()
    updates: UpdatableRelations | None = None
    timestamp: Timestamp = TIMESTAMP_MIN
    now: datetime.datetime = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
