"""Groups of the environment's parts that belong together: each is made once, with the environment."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakSet

from catalog.declared.snapshot import OutsideStatus, RuleStatus, SessionStatus, StandbyStatus
from model.ids.global_id import GlobalId
from model.time.clock import Clock, Randomness
from model.time.timestamp import Timestamp
from server.evaluation.work import Evaluations
from server.ledgers.backups import Backups
from server.ledgers.index_uses import IndexUses
from server.ledgers.locks import Locks, SessionLocks
from server.ledgers.measures import Measures
from server.ledgers.notifications import Listeners
from server.ledgers.samples import Samples
from server.ledgers.server_access import ServerAccess
from server.ledgers.statement_log import StatementLog
from server.ledgers.unfinished_paths import UnfinishedPaths
from server.ledgers.unfinished_uploads import UnfinishedUploads
from server.objects.sources.left_slots import LeftSlots
from server.secrets.keyring import Keyring
from server.subscription.limits import BufferLimits
from server.subscription.subscription import Subscription
from timeline.durable_oracle import DurableOracle
from timeline.lease import Lease
from timeline.write_locks import WriteLocks

_PROBES_AT_ONCE = 4


class ConnectedClient(Protocol):
    """Both ends of a client's connection: addresses and ports; "" and None without a network."""

    @property
    def client_address(self) -> str: ...

    @property
    def client_port(self) -> int | None: ...

    @property
    def server(self) -> tuple[str, int | None]: ...


class OfferedSettings(Protocol):
    """A session's variables."""

    def offer(self, system: tuple[str, ...]) -> None:
        """Takes what is to hold of ALTER SYSTEM from the next statement on."""
        ...


class SessionRecord(Protocol):
    """A session as seen by other sessions."""

    @property
    def role(self) -> int:
        """Returns the oid of the role that the client has logged in as."""
        ...

    @property
    def pid(self) -> int: ...

    def status(self) -> SessionStatus: ...

    @property
    def listening_channels(self) -> tuple[str, ...]: ...

    @property
    def startup(self) -> ConnectedClient: ...

    @property
    def variables(self) -> OfferedSettings: ...

    @property
    def locks(self) -> SessionLocks: ...

    def cancel(self) -> None:
        """Cancels the running statement, if any."""
        ...

    def end(self) -> None:
        """Ends the session, with the running statement."""
        ...


@dataclass(frozen=True, slots=True)
class ExportedSnapshot:
    """The time at which an open transaction reads, for others to read at the same: pg_export_snapshot()."""

    at: Timestamp
    database: str
    isolation: str
    read_only: bool


@dataclass(slots=True)
class Clients:
    """Who is connected, and what was begun for them.

    `sessions`: by pid
    `listeners`: the sessions that NOTIFY reaches
    `subscriptions`: all that have begun, until nobody knows them any longer
    `snapshots`: exported by open transactions, by identifier
    """

    sessions: dict[int, SessionRecord] = field(default_factory=dict)
    listeners: Listeners = field(default_factory=Listeners)
    subscriptions: WeakSet[Subscription] = field(default_factory=WeakSet)
    snapshots: dict[str, ExportedSnapshot] = field(default_factory=dict)


@dataclass(slots=True)
class HeldLocks:
    """Locks of statements and transactions.

    `writes`: write locks of running statements, on collections
    `rows`: locks of transactions, on rows and tables
    """

    writes: WriteLocks
    rows: Locks = field(default_factory=Locks)


@dataclass(slots=True)
class EvaluationPlaces:
    """The places where evaluations run.

    `apart`: those that take their time, where nobody waits
    `here`: those that take none
    """

    apart: Evaluations
    here: Evaluations


@dataclass(slots=True)
class EnvironmentOptions:
    """Options of the server that statements show or obey.

    `retain_history_ms`: how far back collections stay readable
    `subscribe_limits`: how much may wait for a slow subscriber
    `webhooks_at`: the address for requests to webhook sources (`http://127.0.0.1:6876`), if any
    `reload_configuration`: has the files of the options read again, some time after it returns
    `rules`: who comes in, as pg_hba_file_rules shows it
    `settings`: those of ALTER SYSTEM that hold, `name=value`
    """

    retain_history_ms: int
    subscribe_limits: BufferLimits = field(default_factory=BufferLimits)
    webhooks_at: str = ""
    reload_configuration: Callable[[], None] = lambda: None
    rules: Callable[[], tuple[RuleStatus, ...]] = lambda: ()
    settings: tuple[str, ...] = ()


class Outside:
    """The world beside the database: files, programs, other systems.

    `keyring`: opens secrets
    `access`: whether statements may reach the server's files and programs
    `probes`: threads that ask whether other systems answer
    `left_slots`: replication slots of sources that are gone
    `unfinished`, `uploads`: files and objects that statements are still writing
    `backups`: those under way, and how the last ones have ended
    `lease`: by which the server leads, and knows who would lead after it
    """

    def __init__(self, clock: Clock, randomness: Randomness, keyring: Keyring, access: ServerAccess) -> None:
        self.keyring = keyring
        self.access = access
        self.probes: Executor = ThreadPoolExecutor(_PROBES_AT_ONCE, "probe")
        self.left_slots = LeftSlots(clock, keyring, self.probes)
        self.unfinished = UnfinishedPaths(None, randomness)
        self.uploads = UnfinishedUploads(None, randomness)
        self.backups = Backups(clock)
        self.lease: Lease | None = None

    def status(self, webhooks_at: str) -> OutsideStatus:
        """Returns the server as others reach it, its HTTP port at `webhooks_at`."""
        present = () if self.lease is None else self.lease.standbys.present
        standbys = (
            StandbyStatus(
                each.name,
                said.address,
                said.pid,
                said.ready,
                said.message,
                said.hydrated,
                said.caught_up,
                said.dataflows,
                said.hydrated_dataflows,
            )
            for each in present
            for said in (each.record,)
        )
        return OutsideStatus(webhooks_at, self.left_slots.attempts(), tuple(standbys))


class Observations:
    """The environment's work since it began, for users to see.

    `measures`: counts of statements
    `statement_log`: the newest statements
    `samples`: lags, statistics and replicas in the past hour
    `index_uses`: when each index was read last
    `started_ms`: when the environment began
    """

    def __init__(self, clock: Clock) -> None:
        self.measures = Measures()
        self.statement_log = StatementLog(clock)
        self.samples = Samples()
        self.started_ms = clock.now_ms()
        self.index_uses = IndexUses(Timestamp(self.started_ms))


class FreshNumbers:
    """Ids and numbers that are given once."""

    def __init__(self, oracle: DurableOracle) -> None:
        self._oracle = oracle
        self._transient_ids = itertools.count(1)
        self._last_transaction = 0

    def transient_id(self) -> GlobalId:
        """Returns an id for an object that ends before the environment."""
        return GlobalId.transient(next(self._transient_ids))

    def next_transaction(self) -> int:
        """Returns a fresh transaction number: the next write's earliest timestamp, or the next number when several
        transactions begin within it. Numbers grow with time, like PostgreSQL's."""
        self._last_transaction = max(int(self._oracle.peek_write_ts), self._last_transaction + 1)
        return self._last_transaction
