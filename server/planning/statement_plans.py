"""Turns statements into executable plans: unfolds views, rewrites, finds what is read. Cached.

The cache's key is everything planning depends on: text, catalog version, database, search path, user, parameter types.
`now()`, the user's name and the like are parameters of execution, and in no plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from catalog.facts.roles.predefined import role_of_name
from catalog.lookup.planner_view import StateCatalogView
from catalog.nouns.clusters import DEFAULT_CLUSTER
from catalog.nouns.items import MaterializedView, View
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId, Namespace
from model.types.scalar_type import ScalarType
from planner.catalog_view import ItemView, PlanningContext
from planner.function_rules import RoutineNames
from planner.ir.query import Query, whole_query
from planner.ir.reads import reads_of
from planner.ir.relation import Relation
from planner.ir.scalar import SessionName
from planner.ir.unique import unique_key
from planner.plans.changes import (
    DeletePlan,
    InsertPlan,
    MergeAction,
    MergePlan,
    ModifyingPart,
    ModifyingPlan,
    UpdatePlan,
)
from planner.plans.constraints import RowGuard
from planner.plans.copying import CopySubscribePlan
from planner.plans.explaining import Explained, ExplainedObject, ExplainPlan, ExplainStage
from planner.plans.functions import SteppedPlan
from planner.plans.locks import LockRowsPlan
from planner.plans.plan import Plan, PlannedStatement
from planner.plans.queries import CopyToPlan, SelectPlan
from planner.plans.session import DeclareCursorPlan, PreparePlan
from planner.plans.subscribing import SubscribePlan
from planner.plans.tables import CreateTableAsPlan
from planner.plans.views import CreateIndexPlan, PlannedIndexKey
from planner.privileges import INSERT, UPDATE
from planner.rules.inline_views import inline_views
from planner.statements.plan_statement import plan_statement
from planner.statements.session.scanned_rows import with_scanned_rows
from planner.syntax.parse import ParsedStatement
from planner.temporary_schema import is_temporary, own_schema
from server.planning.access import IndexAccess, index_access
from server.planning.arranged_query import ArrangedQuery, arranged_query
from server.planning.definitions import Definitions
from server.planning.long_texts import is_long_text, took_long
from server.planning.recent_plans import RecentPlans
from server.planning.row_security import RoleReading, reading_as


@dataclass(frozen=True, slots=True)
class ReadSet:
    """The reads of a plan.

    `user`, `system`: collections of users, and of the system.
    `timed`: whether the answer depends on the timestamp even without a collection.
    `named`: users' items that the statement itself names, including views.
    """

    user: frozenset[GlobalId]
    system: frozenset[GlobalId]
    timed: bool
    named: frozenset[GlobalId] = frozenset()

    @property
    def anything(self) -> bool:
        """Returns whether the answer depends on the time of reading: even a view of constants may be replaced."""
        return bool(self.user or self.system or self.timed or self.named)


NOTHING_READ = ReadSet(frozenset(), frozenset(), False)


@dataclass(frozen=True, slots=True)
class Planned:
    """A statement ready to execute, once its parameters are known.

    `access`: the index that may answer it, or find the rows it changes.
    `arranged`: the query over indexes of views.
    `base`: the committed catalog of the planning session.
    `seen`: the catalog of the transaction's read timestamp, with its own changes, if the statement was not planned in
        the newest catalog.
    `long`: whether the plan is too long to be walked on the event loop.
    `failure`: why it can't be executed, although it is meaningful: its constants fail.
    """

    statement: PlannedStatement
    reads: ReadSet
    access: IndexAccess | None = None
    arranged: ArrangedQuery | None = None
    base: CatalogState | None = None
    seen: CatalogState | None = None
    long: bool = False
    failure: SqlError | None = None

    @property
    def plan(self) -> Plan:
        return self.statement.plan


_DROPPED = 0
"""Stands for a role that is gone: whatever is for PUBLIC binds it."""


@dataclass(frozen=True, slots=True)
class PlanningSession:
    """The part of a session that planning sees. `own`: a plan of the server, which no policy binds. `cluster`: the name
    of the one that runs its queries. `routine`, `checks_bodies`: as in PlanningContext. `scanned`: the
    query of a cursor gives its table's rows, too."""

    database: str
    search_path: tuple[str, ...]
    user: str
    own: bool = False
    cluster: str = DEFAULT_CLUSTER
    routine: RoutineNames | None = None
    checks_bodies: bool = True
    scanned: bool = False

    def role(self, state: CatalogState) -> int | None:
        """Returns the oid of the session's role. None for the server itself, which plans statements whose rights were
        checked before."""
        role = state.role_named(self.user)
        return None if role is None else role.oid

    def reading(self, state: CatalogState, planning: Definitions) -> RoleReading | None:
        """Returns how the role reads; None for the server itself, and where nothing has row security."""
        if self.own:
            return None
        role = role_of_name(state, self.user)
        return reading_as(state, planning, _DROPPED if role is None else role.oid)

    def context(
        self,
        state: CatalogState,
        parameter_types: tuple[ScalarType | None, ...] = (),
        view: StateCatalogView | None = None,
    ) -> PlanningContext:
        """Returns the planning context; `view` is of the state."""
        catalog = view or StateCatalogView(state, self.role(state))
        return PlanningContext(
            catalog,
            self.database,
            self.search_path,
            self.user,
            parameter_types,
            self.cluster,
            self.routine,
            self.checks_bodies,
        )


class _NotingView(StateCatalogView):
    """A catalog view that notes lookups in a temporary schema: a session without one must not share plans with it."""

    __slots__ = ("temporary",)

    def __init__(self, state: CatalogState, role: int | None) -> None:
        super().__init__(state, role)
        self.temporary = False

    def schema_oid(self, database: str, schema: str) -> int | None:
        self.temporary |= is_temporary(schema)
        return super().schema_oid(database, schema)

    def _qualified(self, database: str, schema: str, name: str) -> ItemView | None:
        self.temporary |= is_temporary(schema)
        return super()._qualified(database, schema, name)


class Planning(Definitions):
    """Plans against any version of the catalog; only plans against committed versions are cached."""

    def __init__(self) -> None:
        super().__init__()
        self._recent = RecentPlans[Planned](lambda planned, base: replace(planned, base=base))

    def plan(
        self,
        statement: ParsedStatement,
        state: CatalogState,
        session: PlanningSession,
        parameter_types: tuple[ScalarType | None, ...] = (),
        *,
        cacheable: bool = True,
    ) -> Planned:
        """Plans a statement. Raises SqlError for a statement that can't be planned, or can't be executed."""
        planned = self.describe(statement, state, session, parameter_types, cacheable=cacheable)
        if planned.failure is not None:
            raise planned.failure
        return planned

    def describe(
        self,
        statement: ParsedStatement,
        state: CatalogState,
        session: PlanningSession,
        parameter_types: tuple[ScalarType | None, ...] = (),
        *,
        cacheable: bool = True,
    ) -> Planned:
        """Plans a statement that may never be executed: SqlError only for a statement without meaning. Cached plans
        were made in a committed catalog, their `base`."""
        cacheable = cacheable and not statement.holds_secret
        # Others' temporary tables come and go, and are no reason to plan again what names none of them.
        shared = own_schema(session.search_path) is None
        version = state.shared_version if shared else state.version
        # EXPLAIN ANALYZE and what it runs begin at the same place.
        key = (statement.source, statement.offset, statement.kind, version, session, parameter_types)
        known = self._recent.get(key, state) if cacheable else None
        if known is not None:
            return known
        view = _NotingView(state, session.role(state))
        planned = plan_statement(statement, session.context(state, parameter_types, view))
        cacheable = cacheable and not (shared and view.temporary)
        try:
            finished = self._finished(planned, state, session)
        except SqlError as failure:
            if failure.sqlstate is Sqlstate.INVALID_OBJECT_DEFINITION:
                # Policies that come back to their own table mean nothing.
                raise
            return Planned(planned, NOTHING_READ, failure=failure)
        if is_long_text(statement.source) or took_long():
            finished = replace(finished, long=True)
        if cacheable:
            finished = replace(finished, base=state)
            # A statement is prepared with the types that its client declares, and executed with those that it was told.
            told = (*key[:-1], planned.parameter_types)
            for each in {key, told}:
                self._recent.put(each, finished, len(statement.source), state)
        return finished

    def _finished(self, planned: PlannedStatement, state: CatalogState, session: PlanningSession) -> Planned:
        reading, named = session.reading(state, self), state.cluster_named(session.cluster)
        cluster = None if named is None else named.oid
        written = planned.plan
        if session.scanned and isinstance(written, SelectPlan):
            # Beneath views that their owners' policies bind, rows are not looked for.
            view = partial(self.view_relation, state) if reading is None else lambda _: None
            planned = replace(planned, plan=with_scanned_rows(written, view))
        plan, read = self._finish(planned.plan, state, reading)
        if isinstance(written, SelectPlan) and written is not planned.plan:
            read = replace(read, named=read.named | _read_set(written.query.relation, written.query.relation).named)
        if reading is not None and reading.bound:
            read = replace(read, named=read.named | reading.named)
            return Planned(
                replace(planned, plan=plan), read, self._secured_access(planned.plan, state, reading, cluster)
            )
        if isinstance(planned.plan, UpdatePlan | DeletePlan):
            return Planned(replace(planned, plan=plan), read, self._changed(planned.plan, state, cluster))
        query = _query_of(planned.plan)
        if query is None:
            return Planned(replace(planned, plan=plan), read)
        arranged = arranged_query(query, state, self, cluster)
        if arranged is not None:
            read = replace(read, user=read.user | arranged.reads)
        return Planned(replace(planned, plan=plan), read, index_access(query, state, self, cluster), arranged)

    def _secured_access(
        self, plan: Plan, state: CatalogState, reading: RoleReading, cluster: int | None
    ) -> IndexAccess | None:
        """Returns the index that finds rows, which are then held against the policies and the statement's conditions,
        in this order."""
        if isinstance(plan, UpdatePlan | DeletePlan):
            query: Query | None = whole_query(plan.selection)
        else:
            query = _query_of(plan)
        if query is None:
            return None
        if isinstance(plan, LockRowsPlan):
            reading = reading.locking(plan)
        seen = inline_views(query.relation, partial(self.view_relation, state), reading)
        access = index_access(replace(query, relation=seen), state, self, cluster)
        return None if access is None or access.keys is None else access

    def _changed(self, plan: UpdatePlan | DeletePlan, state: CatalogState, cluster: int | None) -> IndexAccess | None:
        """Returns the index that finds the rows to change. All rows of a table are better read by Spark."""
        selection = inline_views(plan.selection, lambda _: None)
        access = index_access(whole_query(selection), state, self, cluster)
        return None if access is None or access.keys is None else access

    def _finish(self, plan: Plan, state: CatalogState, reading: RoleReading | None) -> tuple[Plan, ReadSet]:
        match plan:
            case SelectPlan():
                query = self._query(plan.query, state, reading, answered=True)
                return replace(plan, query=query), _read_set(plan.query.relation, query.relation)
            case LockRowsPlan():
                query = self._query(plan.query, state, None if reading is None else reading.locking(plan))
                if reading is not None:
                    reading.require_lockable(plan)
                return replace(plan, query=query), _read_set(plan.query.relation, query.relation)
            case SteppedPlan():
                return replace(plan, query=self._query(plan.query, state, reading)), NOTHING_READ
            case CopyToPlan():
                query = self._query(plan.query, state, reading, answered=True)
                return replace(plan, query=query), _read_set(plan.query.relation, query.relation)
            case SubscribePlan():
                relation = self.executable(plan.relation, state, reading)
                return replace(plan, relation=relation), _read_set(plan.relation, relation)
            case CopySubscribePlan():
                subscribe, read = self._finish(plan.subscribe, state, reading)
                assert isinstance(subscribe, SubscribePlan)
                return replace(plan, subscribe=subscribe), read
            case CreateIndexPlan(default=True):
                return replace(plan, keys=self._default_keys(plan, state)), NOTHING_READ
            case InsertPlan():
                return self._finish_insert(plan, state, reading)
            case ModifyingPlan():
                return self._finish_modifying(plan, state, reading)
            case CreateTableAsPlan():
                query = self._query(plan.source, state, reading)
                read = _read_set(plan.source.relation, query.relation)
                return replace(plan, source=query), read if plan.with_data else NOTHING_READ
            case UpdatePlan() | DeletePlan():
                relation = self.executable(plan.selection, state, reading)
                read, finished = _read_set(plan.selection, relation), replace(plan, selection=relation)
                if isinstance(finished, UpdatePlan) and reading is not None:
                    found = reading.through(finished.view).guards(plan.target, UPDATE, finished.reads_target)
                    read = union_of([read, *_guards_read(found)])
                    finished = replace(finished, guards=(*found, *finished.guards))
                return self._finish_returning(finished, read, state, reading)
            case MergePlan():
                return self._finish_merge(plan, state, reading)
            case ExplainPlan(stage=ExplainStage.RAW):
                return plan, NOTHING_READ
            case ExplainPlan():
                if isinstance(plan.statement, ExplainedObject):
                    return plan, NOTHING_READ
                inner, read = self._finish(plan.statement, state, reading)
                assert isinstance(inner, Explained)
                return replace(plan, statement=inner), read
            case _:
                return plan, NOTHING_READ

    def _finish_insert(
        self, plan: InsertPlan, state: CatalogState, reading: RoleReading | None
    ) -> tuple[Plan, ReadSet]:
        query = self._query(plan.source, state, reading)
        read, conflict = _read_set(plan.source.relation, query.relation), plan.conflict
        if conflict is not None and conflict.update is not None:
            relation = self.executable(conflict.update.relation, state, reading)
            read = union_of([read, _read_set(conflict.update.relation, relation)])
            conflict = replace(conflict, update=replace(conflict.update, relation=relation))
        writing = None if reading is None else reading.through(plan.view)
        guards = () if writing is None else writing.guards(plan.target, INSERT, plan.reads_target)
        if writing is not None and conflict is not None and conflict.update is not None:
            existing = writing.conflict_guards(plan.target, plan.reads_target)
            changed = (*writing.guards(plan.target, UPDATE, plan.reads_target), *conflict.update.guards)
            read = union_of([read, *_guards_read((*existing, *changed))])
            conflict = replace(conflict, update=replace(conflict.update, existing=existing, guards=changed))
        read = union_of([read, *_guards_read(guards)])
        plan = replace(plan, source=query, conflict=conflict, guards=(*guards, *plan.guards))
        return self._finish_returning(plan, read, state, reading)

    def _finish_merge(self, plan: MergePlan, state: CatalogState, reading: RoleReading | None) -> tuple[Plan, ReadSet]:
        """Finishes a MERGE, whose actions may read in subqueries."""
        selection = self.executable(plan.selection, state, reading)
        reads, actions = [_read_set(plan.selection, selection)], list[MergeAction]()
        for action in plan.actions:
            finished = action if reading is None else reading.guarded_action(plan, action)
            reads += _guards_read((*finished.existing, *finished.guards))
            if action.relation is not None:
                relation = self.executable(action.relation, state, reading)
                reads.append(_read_set(action.relation, relation))
                finished = replace(finished, relation=relation)
            actions.append(finished)
        return replace(plan, selection=selection, actions=tuple(actions)), union_of(reads)

    def _default_keys(self, plan: CreateIndexPlan, state: CatalogState) -> tuple[PlannedIndexKey, ...]:
        """Returns columns that tell rows apart, where some are known to; else all."""
        on = state.items.get(plan.on)
        if on is None or not isinstance(on.definition, View | MaterializedView):
            return plan.keys
        columns = unique_key(self.maintained_relation(state, on.id))
        return tuple(plan.keys[at] for at in columns) if columns else plan.keys

    def _finish_modifying(
        self, plan: ModifyingPlan, state: CatalogState, reading: RoleReading | None
    ) -> tuple[Plan, ReadSet]:
        """Finishes a plan of several parts; each counts as reading what any of them reads."""
        main, *reads = self._finish(plan.main, state, reading)
        assert isinstance(main, ModifyingPart)
        steps = []
        for step in plan.steps:
            part, read = self._finish(step.plan, state, reading)
            assert isinstance(part, ModifyingPart)
            steps.append(replace(step, plan=part))
            reads.append(read)
        return ModifyingPlan(tuple(steps), main), union_of(reads)

    def _finish_returning(
        self,
        plan: InsertPlan | UpdatePlan | DeletePlan,
        read: ReadSet,
        state: CatalogState,
        reading: RoleReading | None,
    ) -> tuple[Plan, ReadSet]:
        """Finishes a RETURNING, whose reads count as the statement's."""
        if plan.returning is None:
            return plan, read
        returning = self._query(plan.returning, state, reading)
        shown = _read_set(plan.returning.relation, returning.relation)
        return replace(plan, returning=returning), union_of([read, shown])

    def _query(
        self, query: Query, state: CatalogState, reading: RoleReading | None, *, answered: bool = False
    ) -> Query:
        return replace(query, relation=self.executable(query.relation, state, reading, answered=answered))


def _query_of(plan: Plan) -> Query | None:
    """Returns the query whose rows are the plan's answer, or are explained."""
    match plan:
        case SelectPlan(query=query) | CopyToPlan(query=query) | ExplainPlan(statement=SelectPlan(query=query)):
            return query
        case LockRowsPlan(query=query):
            return query
        case _:
            return None


def union_of(reads: Iterable[ReadSet]) -> ReadSet:
    """Returns the union of reads."""
    union = NOTHING_READ
    for read in reads:
        named = union.named | read.named
        union = ReadSet(union.user | read.user, union.system | read.system, union.timed or read.timed, named)
    return union


def _guards_read(guards: Iterable[RowGuard]) -> list[ReadSet]:
    """Returns the reads of the conditions that guard rows."""
    return [read_set(each.reading.relation) for each in guards if each.reading is not None]


def query_at_its_time(plan: Plan) -> Query | None:
    """Returns the query of a plan that only reads, at the time of its transaction: names have their meaning of that
    time."""
    match plan:
        case CopyToPlan(query=query, as_of=None) | SelectPlan(query=query, as_of=None):
            return query
        case _:
            return None


def planned_as_seen(plan: Plan) -> bool:
    """Returns whether the plan is made in the catalog of its transaction's time: plans that only read, or declare,
    prepare or explain a query."""
    match plan:
        case DeclareCursorPlan() | PreparePlan():
            return True
        case ExplainPlan(statement=SelectPlan() as explained):
            return planned_as_seen(explained)
        case _:
            return query_at_its_time(plan) is not None


def reads_to_write(plan: Plan) -> bool:
    """Returns whether the plan's reads decide its writes."""
    return isinstance(plan, InsertPlan | UpdatePlan | DeletePlan | MergePlan | ModifyingPlan | CreateTableAsPlan)


def relies_on_names(plan: Plan) -> bool:
    """Returns whether the plan's reads must still hold at COMMIT."""
    locking = isinstance(plan, LockRowsPlan)
    return locking or reads_to_write(plan) or query_at_its_time(plan) is not None


def _read_set(written: Relation, executable: Relation) -> ReadSet:
    """Returns the reads of a relation, given its `written` form with views folded, and its `executable` form."""
    named = (id_ for id_ in reads_of(written).collections if id_.namespace is not Namespace.SYSTEM)
    return replace(read_set(executable), named=frozenset(named))


def read_set(relation: Relation) -> ReadSet:
    """Returns the reads of an executable relation."""
    reads = reads_of(relation)
    system = frozenset(id_ for id_ in reads.collections if id_.namespace is Namespace.SYSTEM)
    user = frozenset(reads.collections) - system
    timed = not reads.session_values.isdisjoint((SessionName.MZ_NOW, SessionName.EXPORTED_SNAPSHOT))
    return ReadSet(user, system, timed)
