"""One execution of one statement: session, transaction, parameters, and their consequences."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ParamSpec, Protocol, TypeVar

from catalog.changes.apply import apply
from catalog.changes.change import Change
from catalog.changes.roles.changes_allowed import require_allowed
from catalog.declared.dataflow_status import IndexUse
from catalog.declared.mz_catalog import AUDIT_EVENTS_OID
from catalog.declared.mz_histories import HISTORY_OIDS
from catalog.declared.mz_internal import ACTIVITY_LOG_OID, FRONTIER_OIDS, LIFECYCLE_OID, NOTICES_OID
from catalog.declared.pg_stat_statements import STATISTICS_INFO_OID, STATISTICS_OID
from catalog.declared.snapshot import (
    CursorStatus,
    PreparedStatus,
    SettingStatus,
    SnapshotReader,
    StatisticsStatus,
    SystemSnapshot,
)
from catalog.facts.roles.decide import may_use_schema
from catalog.facts.visibility import effective_path
from catalog.lookup.system_lookup import CatalogLookup
from catalog.lookup.targets import DdlSession
from catalog.lookup.updatable_views import CatalogUpdates
from catalog.nouns.clusters import Cluster
from catalog.nouns.items import Item
from catalog.nouns.system_schemas import system_schema_named
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.text.context import TextContext, output_style
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from model.types.datum import Datum, Row
from planner.interpret.context import EvaluationContext
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.ir.scalar import SessionName
from planner.privileges import Need
from planner.temporary_schema import named_schemas, own_name
from server.environment.environment import Environment
from server.evaluation.work import Viewer, Work
from server.ledgers.counting.session_counters import SessionCounters
from server.ledgers.locks import SessionLocks
from server.ledgers.read_holds import held_statuses
from server.ledgers.replica_rows import replica_rows
from server.objects.maintained.statuses import maintained_statuses, move_statuses
from server.planning.long_texts import beside
from server.settings.session_values import SessionValues
from server.transactions.open_objects import StoredObject
from server.transactions.row_moves import Mover
from server.transactions.session_facts import ExecutionFacts
from server.transactions.snapshots import export_snapshot
from server.transactions.trace import Trace
from server.transactions.transaction import Transaction

P = ParamSpec("P")
T = TypeVar("T")


_AUDIT_EVENTS, _NOTICES = GlobalId.system(AUDIT_EVENTS_OID), GlobalId.system(NOTICES_OID)
_STATEMENTS = frozenset(map(GlobalId.system, (ACTIVITY_LOG_OID, LIFECYCLE_OID)))
_LARGE_OBJECTS = frozenset(GlobalId.system(oid) for oid in (2995, 2609))
"""pg_largeobject_metadata, and pg_description, by PostgreSQL's own oids."""
_FRONTIERS = frozenset(map(GlobalId.system, FRONTIER_OIDS))
_SAMPLES = frozenset(map(GlobalId.system, HISTORY_OIDS))
_STATISTICS = frozenset((GlobalId.system(STATISTICS_OID), GlobalId.system(STATISTICS_INFO_OID)))


class Asker(Protocol):
    """The part of a session that an execution needs."""

    @property
    def pid(self) -> int: ...

    @property
    def user(self) -> str:
        """The current role."""
        ...

    @property
    def role(self) -> int:
        """The current role's oid."""
        ...

    @property
    def session_user(self) -> str: ...

    @property
    def database(self) -> str: ...

    @property
    def search_path(self) -> tuple[str, ...]: ...

    @property
    def temporary_schema(self) -> str:
        """Returns the name of the session's temporary schema, existing or not."""
        ...

    @property
    def text_context(self) -> TextContext: ...

    @property
    def max_staleness_ms(self) -> int | None: ...

    @property
    def counters(self) -> SessionCounters: ...

    @property
    def locks(self) -> SessionLocks: ...

    def settings(self) -> tuple[SettingStatus, ...]: ...

    def prepared(self) -> tuple[PreparedStatus, ...]: ...

    def cursors(self) -> tuple[CursorStatus, ...]: ...

    def relations_in_use(self) -> frozenset[GlobalId]:
        """Returns what the session's open cursors read."""
        ...

    def scanned_tables(self) -> frozenset[GlobalId]:
        """Returns the tables under scans of the transaction's cursors."""
        ...

    async def current_row(self, execution: Execution, cursor: str, item: Item) -> tuple[Row | None, Mover]:
        """Returns a cursor's row of a table, None for a row that is gone, and the row's place."""
        ...

    def now_ms(self) -> int: ...

    def setting(self, name: str) -> str | None: ...

    def change_setting(self, name: str, value: str | None, local: bool) -> str: ...

    def change_role(self, state: CatalogState, variable: str, name: str | None, local: bool) -> str:
        """Does what SET ROLE does, or SET SESSION AUTHORIZATION; returns what SHOW prints then."""
        ...

    async def list_large_objects(self, execution: Execution) -> None:
        """Notes all large objects of the database in the transaction, for system relations that show them."""
        ...

    async def large_objects(self, execution: Execution) -> tuple[StoredObject, ...]:
        """Returns all large objects of the database."""
        ...

    async def large_object(self, execution: Execution, oid: int) -> StoredObject:
        """Returns a large object's row; raises SqlError 42704 without the object."""
        ...

    async def change_large_object(self, execution: Execution, row: StoredObject) -> None:
        """Gives a large object another owner, list of rights or comment."""
        ...

    async def call_large_object(self, execution: Execution, function: str, arguments: tuple[Any, ...]) -> Any:
        """Returns what a function of large objects returns, in the execution's transaction."""
        ...

    def notice(self, severity: Severity, sqlstate: Sqlstate, message: str, *, detail: str | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class Execution:
    """One execution.

    `parameters`: the values of $1, $2, …
    `seen`, `base`, `long`: from the plan (see Planned).
    `writing`: whether it reads in order to write.
    `later`: whether its rows are read only on request.
    `trace`: the account of its reads, if somebody wants one.
    """

    environment: Environment
    asker: Asker
    transaction: Transaction
    parameters: tuple[Datum, ...] = ()
    seen: CatalogState | None = None
    base: CatalogState | None = None
    writing: bool = False
    long: bool = False
    later: bool = False
    needs: tuple[Need, ...] = ()
    trace: Trace | None = None
    _unchanging: dict[SessionName, Datum] = field(default_factory=dict, init=False, compare=False)

    async def worked_out(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Runs work that grows with the plan: at once for most plans, beside the event loop for long ones."""
        if self.long:
            return await beside(work, *arguments, **named)
        return work(*arguments, **named)

    def rely_on(self, ids: Iterable[GlobalId]) -> None:
        """Notes items that the statement names: COMMIT fails if an item has changed since the statement was planned."""
        base = self.base or self.environment.catalog.state
        self.transaction.changes.reliance.note(ids, base, self.asker.database, self.asker.search_path)

    @property
    def catalog(self) -> CatalogState:
        """Returns the catalog with the transaction's own changes."""
        return self.seen or self.transaction.changes.catalog or self.environment.catalog.state

    @property
    def newest_catalog(self) -> CatalogState:
        """Returns the catalog that rights depend on: today's, also for a transaction reading the past, with the
        transaction's own changes. Raises SqlError 40001 where these don't fit the committed catalog."""
        return self.transaction.changes.over(self.environment.catalog.state)

    @property
    def planned_catalog(self) -> CatalogState:
        """Returns the catalog in which the statement was planned, with the transaction's own changes."""
        return self.seen or self.transaction.changes.catalog or self.base or self.environment.catalog.state

    @property
    def role(self) -> int:
        """The oid of the current role."""
        return self.asker.role

    @property
    def ddl_session(self) -> DdlSession:
        """Returns the session in the form that DDL needs."""
        asker = self.asker
        return DdlSession(asker.database, asker.search_path, asker.user, asker.temporary_schema, asker.session_user)

    @property
    def max_staleness_ms(self) -> int | None:
        """Returns the session's staleness; None for a statement that writes, which can't rely on stale reads."""
        return None if self.writing else self.asker.max_staleness_ms

    def require_change(self, change: Change) -> None:
        """Raises SqlError 42501 for a change that the current role may not make."""
        require_allowed(self.catalog, self.role, (change,))

    def change_catalog(self, *changes: Change) -> None:
        """Buffers changes in the transaction, which sees them from now on. Raises SqlError 42501 where the current role
        may not make them."""
        if not changes:
            return
        require_allowed(self.catalog, self.role, changes)
        self.buffer_changes(changes)

    def buffer_changes(self, changes: Sequence[Change]) -> None:
        """Buffers catalog changes without asking for privileges: changes that every session may make, to objects of its
        own.
        """
        self.transaction.changes.add(
            self.environment.catalog.state, apply(self.catalog, changes), changes, self.asker.session_user
        )

    def session_values(self, timestamp: Timestamp) -> Mapping[SessionName, Datum]:
        """Returns the values of SessionValues in this execution; mz_now() is `timestamp`."""

        def told(name: SessionName) -> Datum:
            match name:
                case SessionName.MZ_NOW:
                    return timestamp
                case SessionName.EXPORTED_SNAPSHOT:
                    return export_snapshot(self, timestamp)
                case SessionName.CLOCK_TIME:
                    now = datetime.datetime.fromtimestamp(self.asker.now_ms() / 1000, datetime.UTC)
                    return max(self.transaction.started, now)
                case _:
                    if name not in self._unchanging:
                        self._unchanging[name] = self._unchanging_value(name)
                    return self._unchanging[name]

        return SessionValues(told)

    def _unchanging_value(self, name: SessionName) -> Datum:
        """Returns a value that stays the same throughout the statement."""
        asker = self.asker
        match name:
            case SessionName.NOW | SessionName.STATEMENT_TIME:
                return self.transaction.started
            case SessionName.CURRENT_USER:
                return asker.user
            case SessionName.SESSION_USER:
                return asker.session_user
            case SessionName.CURRENT_DATABASE:
                return asker.database
            case SessionName.CURRENT_SCHEMA | SessionName.CURRENT_SCHEMAS:
                path = asker.search_path
                existing = self._present_schemas(own_name(name, path) for name in named_schemas(path))
                first = existing[0] if existing else None
                return first if name is SessionName.CURRENT_SCHEMA else existing
            case SessionName.CURRENT_SCHEMAS_IMPLICIT:
                return self._present_schemas(effective_path(asker.search_path))
            case SessionName.BACKEND_PID:
                return asker.pid
            case SessionName.TIME_ZONE:
                return asker.text_context.time_zone
            case SessionName.DATE_STYLE:
                return asker.text_context.date_style
            case SessionName.OUTPUT_STYLE:
                return output_style(asker.text_context)
            case SessionName.TEXT_SEARCH:
                return asker.text_context.text_search
            case SessionName.SIMILARITY:
                return asker.text_context.similarity
            case SessionName.MZ_NOW | SessionName.CLOCK_TIME | SessionName.EXPORTED_SNAPSHOT:
                raise AssertionError(f"{name} changes")

    def state_at(self, timestamp: Timestamp) -> CatalogState:
        """Returns the catalog for a statement at `timestamp`; the newest for a statement without a timestamp."""
        if self.seen is not None or self.transaction.changes.catalog is not None or timestamp == TIMESTAMP_MIN:
            return self.catalog
        return self.environment.catalog.at(timestamp)

    @property
    def facts(self) -> ExecutionFacts:
        """Returns the facts that functions ask for and that no catalog holds."""
        return ExecutionFacts(self)

    def setting(self, name: str) -> str | None:
        """Returns the value that SHOW prints; None for an unknown setting."""
        return self.asker.setting(name)

    @property
    def cluster_oid(self) -> int | None:
        """The oid of the cluster that runs the session's queries; None where there is none of its name."""
        cluster = self.newest_catalog.cluster_named(self.setting("cluster") or "")
        return None if cluster is None else cluster.oid

    @property
    def cluster(self) -> Cluster:
        """The cluster that runs the session's queries; raises SqlError 42704 where there is none of its name."""
        name = self.setting("cluster") or ""
        cluster = self.newest_catalog.cluster_named(name)
        if cluster is None:
            hint = "SET cluster to one of those that SHOW CLUSTERS lists."
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'cluster "{name}" does not exist', hint=hint)
        return cluster

    def _present_schemas(self, names: Iterable[str]) -> tuple[str, ...]:
        """Returns the existing schemas among the names, each once."""
        catalog, database = self.catalog, self.catalog.database_named(self.asker.database)

        def exists(name: str) -> bool:
            own = None if database is None else catalog.schema_named(database.oid, name)
            usable = own is not None and may_use_schema(catalog, self.role, own.oid)
            return usable or system_schema_named(name) is not None

        return tuple(name for name in dict.fromkeys(names) if exists(name))

    def evaluation_context(self, timestamp: Timestamp) -> EvaluationContext:
        """Returns an evaluation context for the interpreter."""
        return EvaluationContext(
            text=self.asker.text_context,
            session=self.session_values(timestamp),
            system=self.catalog_lookup(self.state_at(timestamp)),
        )

    def work(self, query: Query, timestamp: Timestamp, *, system: bool) -> Work:
        """Returns the evaluation of a query without parameters at `timestamp`, for the interpreter; `system`: it reads
        system relations."""
        asker = self.asker
        viewer = Viewer(self.state_at(timestamp), asker.database, asker.search_path, asker.user)
        snapshot = self.system_snapshot(timestamp, reads_of(query.relation).collections) if system else None
        return Work(query, asker.text_context, self.session_values(timestamp), viewer, snapshot)

    def _index_use(self) -> IndexUse:
        uses = self.environment.observed.index_uses
        return IndexUse(uses.last(self.environment.dataflows), uses.missed.of_the_day(self.environment.clock.now_ms()))

    def catalog_lookup(self, state: CatalogState) -> CatalogLookup:
        """Returns names and oids as the session sees them."""
        asker = self.asker
        return CatalogLookup(state, asker.database, asker.search_path, asker.user, self.facts)

    async def prepare_snapshot(self, read: Collection[GlobalId]) -> None:
        """Prepares, with turns for others between, what a snapshot would take long for at once."""
        if not _LARGE_OBJECTS.isdisjoint(read):
            await self.asker.list_large_objects(self)
        if not _STATEMENTS.isdisjoint(read):
            await self.environment.observed.statement_log.prepare()

    def system_snapshot(self, timestamp: Timestamp, read: Collection[GlobalId]) -> SystemSnapshot:
        """Returns the snapshot from which the system relations that are `read` are computed, at `timestamp`."""
        environment, asker, log = self.environment, self.asker, self.environment.observed.statement_log
        objects = () if _LARGE_OBJECTS.isdisjoint(read) else self.transaction.writes.objects.listed
        return SystemSnapshot(
            state=self.state_at(timestamp),
            database=asker.database,
            reader=SnapshotReader(
                asker.user, asker.search_path, asker.settings(), asker.prepared(), asker.cursors(), objects
            ),
            frontiers={} if _FRONTIERS.isdisjoint(read) else environment.frontiers(),
            sessions=tuple(session.status() for session in environment.clients.sessions.values()),
            replicas=replica_rows(environment.catalog.state, environment.compute.statuses()),
            locks=tuple(environment.locks.rows.statuses()),
            prepared_transactions=environment.prepared.statuses(),
            held=held_statuses(environment.storage, self.state_at(timestamp)),
            maintained=maintained_statuses(environment.dataflows, environment.catalog.state),
            moves=move_statuses(environment.dataflows),
            sources=environment.ingestions.statuses(environment.catalog.state),
            sinks=environment.deliveries.statuses(environment.catalog.state),
            timestamp=timestamp,
            last_values=environment.counters.last_values(),
            index_use=self._index_use() if _NOTICES in read else IndexUse(),
            rules=environment.options.rules(),
            outside=environment.outside.status(environment.options.webhooks_at),
            backups=environment.outside.backups.statuses(),
            statements=() if _STATEMENTS.isdisjoint(read) else log.statuses(),
            statistics=StatisticsStatus() if _STATISTICS.isdisjoint(read) else log.statistics.status(),
            samples=() if _SAMPLES.isdisjoint(read) else environment.observed.samples.recent(),
            audited=environment.catalog.audit.until(timestamp) if _AUDIT_EVENTS in read else (),
            updates=CatalogUpdates(self.state_at(timestamp)),
        )
