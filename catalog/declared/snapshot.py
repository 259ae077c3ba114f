"""All that the contents of system relations are computed from, as it was at one read."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from catalog.declared.dataflow_status import MaintainedStatus
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from model.types.datum import Inet


@dataclass(frozen=True, slots=True)
class CollectionFrontiers:
    """Readable at t when since <= t < upper."""

    since: Antichain
    upper: Antichain


@dataclass(frozen=True, slots=True)
class EncryptionStatus:
    """What encrypts a connection, and whose certificate the client has shown, with names on a line each."""

    version: str
    cipher: str
    bits: int
    client_name: str | None = None
    client_serial: int | None = None
    issuer_name: str | None = None


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


@dataclass(frozen=True, slots=True)
class SettingStatus:
    """A setting, with its value for the session that reads, in its unit. `kind` is pg_settings.vartype: bool, integer,
    string …"""

    name: str
    value: str
    description: str
    kind: str = "string"
    unit: str | None = None
    category: str = "Client Connection Defaults"
    context: str = "user"
    default: str | None = None
    least: str | None = None
    most: str | None = None
    choices: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class StuckCallStatus:
    """What a replica does for `subject` inside Java, and does not come to an end with; a processor has worked on it for
    so long."""

    subject: str
    since: datetime.datetime
    processor_ms: int


@dataclass(frozen=True, slots=True)
class ReplicaStatus:
    """A replica: `status` is `ready`, `starting` or `not-ready`."""

    id: str
    name: str
    cluster: str
    status: str
    updated_at: datetime.datetime
    pid: int | None = None
    reason: str | None = None
    stuck: tuple[StuckCallStatus, ...] = ()


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
    """A cursor or portal that the reading session holds open."""

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
class LockStatus:
    """A lock on a table, or on a row of it, that a session has or waits for."""

    table: GlobalId
    row: bool
    pid: int
    mode: str
    granted: bool


@dataclass(frozen=True, slots=True)
class SourceFigures:
    """What has come of a source since its replica opened it; offsets are sums over partitions, known and bound."""

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
    """What a source or a sink was about from `since` on (None: since before this server); `error` is why nothing came
    or went, `hint` what could be done."""

    since: datetime.datetime | None
    status: str
    error: str | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """What a source is about, and was about before, the oldest first."""

    id: GlobalId
    condition: TaskCondition
    history: tuple[TaskCondition, ...] = ()
    figures: SourceFigures | None = None


@dataclass(frozen=True, slots=True)
class SlotAttempts:
    """How often it was tried to drop a left replication slot since the server began, and why it was not to be had the
    last time. `dropped`: it is gone, and is only looked for once more."""

    count: int
    error: str | None
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class SinkFigures:
    """What has come of a sink since its replica opened it. `frontier`: how far the destination is, `lag_ms` behind what
    it is to have."""

    transactions: int
    loaded: int
    stored: int
    bytes: int
    commit_ms: int
    frontier: int
    lag_ms: int


@dataclass(frozen=True, slots=True)
class SinkStatus:
    """What a sink is about, and was about before, the oldest first."""

    id: GlobalId
    condition: TaskCondition
    history: tuple[TaskCondition, ...] = ()
    figures: SinkFigures | None = None


@dataclass(frozen=True, slots=True)
class SystemSnapshot:
    """`database`, `user`, `search_path`, settings, prepared statements and cursors are the reading session's; the rest
    is the same for every session. `now` is the time of the read, for what depends on daylight saving time; `timestamp`
    is that of the timeline. `held` has the capabilities of named read holds, by their ids; `last_values` what
    sequences have given last, by collection; `webhooks_at` is the address of the server's HTTP port; `slot_attempts`
    are those on left replication slots, by name."""

    state: CatalogState
    database: str
    user: str = "headwater"
    search_path: tuple[str, ...] = ("public",)
    frontiers: Mapping[GlobalId, CollectionFrontiers] = field(default_factory=dict)
    sessions: tuple[SessionStatus, ...] = ()
    settings: tuple[SettingStatus, ...] = ()
    replicas: tuple[ReplicaStatus, ...] = ()
    prepared: tuple[PreparedStatus, ...] = ()
    cursors: tuple[CursorStatus, ...] = ()
    locks: tuple[LockStatus, ...] = ()
    held: Mapping[str, HeldStatus] = field(default_factory=dict)
    maintained: tuple[MaintainedStatus, ...] = ()
    sources: tuple[SourceStatus, ...] = ()
    sinks: tuple[SinkStatus, ...] = ()
    last_values: Mapping[GlobalId, int] = field(default_factory=dict)
    webhooks_at: str = ""
    slot_attempts: Mapping[str, SlotAttempts] = field(default_factory=dict)
    timestamp: Timestamp = TIMESTAMP_MIN
    now: datetime.datetime = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
