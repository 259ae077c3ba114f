"""The definitions of views, materialized views and indexes: plans of their SQL, and their relations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from catalog.changes.table_changes import naming
from catalog.lookup.planner_view import BoundCatalogView, definition_context
from catalog.nouns.items import FunctionDefinition, Index, Item, MaterializedView, Role, Table, View
from catalog.nouns.policies import PolicyCondition
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.nouns.sources import Source, SourceProgress
from catalog.state.catalog_state import CatalogState
from catalog.state.edits import with_item
from compute.maintain.planning.determinism import settled
from connectors.gauge import Gauge
from connectors.sinks.recovery_log import FRONTIER, LOG_DESC
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import BOOL, MZ_TIMESTAMP, TEXT, ScalarType
from planner.functions.casts.table import find_cast
from planner.functions.numbers.shown_scales import with_stored_decimals
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.ir.relation import Filter, Get, Map, Project, Relation, TopK
from planner.ir.rewrite_gets import rewrite_gets
from planner.ir.scalar import Call, Column, Literal, Scalar, SessionName, SessionValue, scalar_type
from planner.ir.unit import are_plain_rows
from planner.plans.plan import Plan, PlannedStatement
from planner.plans.queries import SelectPlan
from planner.plans.views import CreateIndexPlan, CreateMaterializedViewPlan, CreateViewPlan
from planner.privileges import Need
from planner.rules.inline_views import DataReading, inline_views
from planner.rules.pipeline import optimize, optimize_maintained, optimize_statement
from planner.statements.kept_rules import planned_function, policy_condition
from planner.statements.plan_statement import plan_statement
from planner.syntax.parse import parse

_GONE_MAX = 1024
_Bound = View | MaterializedView | Index | FunctionDefinition | PolicyCondition
_STATES_MAX = 4
"""Before and after DDL, in transactions that see one or the other."""


class Definitions:
    """Plans each definition once for as long as everything it names is unchanged: relations, their keys, and types.

    Definitions of dropped items are forgotten from time to time; temporary views come and go without end.
    """

    def __init__(self) -> None:
        self._definitions: dict[_Bound, tuple[_Defined, ...]] = {}
        self._maintained: dict[View | MaterializedView, tuple[_Unfolded, ...]] = {}

    def view_relation(self, state: CatalogState, id_: GlobalId) -> Relation | None:
        """Returns the relation of a view, not yet unfolded; None for items that are no view."""
        item = state.items.get(id_)
        match None if item is None else item.definition:
            case View() as view:
                return self._defined(state, view)
            case SourceProgress(source_id=source, desc=desc):
                definition = state.items[source].definition
                assert isinstance(definition, Source)
                return progress_relation(source, desc, definition.gauge)
            case SinkProgress(sink_id=sink, desc=desc):
                return sink_progress_relation(sink, desc)
            case _:
                return None

    def maintained_relation(self, state: CatalogState, id_: GlobalId) -> Relation:
        """Returns the relation of a view or materialized view over tables and materialized views, rewritten."""
        definition = state.items[id_].definition
        if not isinstance(definition, View | MaterializedView):
            relation = self.view_relation(state, id_)
            assert relation is not None, "it has a definition"
            return optimize_maintained(inline_views(relation, partial(self.view_relation, state)))
        known = self._maintained.get(definition, ())
        for each in known:
            if _hold_in(state, each.seen):
                return each.relation
        seen = dict(self._known(state, definition).seen)

        def lookup(below: GlobalId) -> Relation | None:
            seen.update(self._seen_in(state, below))
            return self.view_relation(state, below)

        unfolded = optimize_maintained(inline_views(self._defined(state, definition), lookup))
        self._maintained[definition] = (_Unfolded(unfolded, tuple(seen.items())), *known[: _STATES_MAX - 1])
        return unfolded

    def _seen_in(self, state: CatalogState, id_: GlobalId) -> dict[GlobalId, _Identity]:
        """Returns what the relation of an item depends on."""
        item = state.items.get(id_)
        definition = None if item is None else item.definition
        seen = {id_: _identity(state, id_)}
        if isinstance(definition, View):
            seen.update(self._known(state, definition).seen)
        elif isinstance(definition, SourceProgress):
            seen[definition.source_id] = _identity(state, definition.source_id)
        return seen

    def is_temporal(self, state: CatalogState, id_: GlobalId) -> bool:
        """Returns whether a view's contents change with mz_now() alone."""
        item = state.items.get(id_)
        if item is not None and isinstance(item.definition, SourceProgress):
            return True
        if item is None or not isinstance(item.definition, View | MaterializedView):
            return False
        reads = reads_of(self._defined(state, item.definition))
        if SessionName.MZ_NOW in reads.session_values:
            return True
        return any(self.is_temporal(state, below) for below in reads.collections)

    def index_key(self, state: CatalogState, index: Index) -> tuple[Scalar, ...]:
        """Returns the key's expressions over the columns of the indexed item."""
        plan = self._definition(state, index)
        assert isinstance(plan, CreateIndexPlan)
        return tuple(key.expression for key in plan.keys)

    def needing_column(self, state: CatalogState, table: GlobalId, column: int) -> tuple[GlobalId, ...]:
        """Returns the ids of the views, indexes and sinks that depend on a column: without the column in its table,
        their definitions would fail or mean something else."""
        item = state.items[table]
        assert isinstance(item.definition, Table)
        layout = item.layout.without(column)
        without = with_item(state, replace(item, definition=replace(item.definition, layout=layout)))
        return tuple(id_ for id_ in naming(state, table) if self._needs(id_, column, state, without))

    def _needs(self, id_: GlobalId, column: int, state: CatalogState, without: CatalogState) -> bool:
        definition = state.items[id_].definition
        if isinstance(definition, Sink):
            return column in definition.columns
        return not self._means_the_same(id_, state, without)

    def _means_the_same(self, id_: GlobalId, state: CatalogState, other: CatalogState) -> bool:
        definition = state.items[id_].definition
        assert isinstance(definition, View | MaterializedView | Index | FunctionDefinition)
        if isinstance(definition, FunctionDefinition) and definition.rules.runs:
            # Which of the columns its statements name is not told.
            return False
        try:
            return self._definition(state, definition) == self._definition(other, definition)
        except SqlError:
            return False

    def present_types(self, state: CatalogState, definition: View | MaterializedView | Index) -> tuple[ScalarType, ...]:
        """Returns the types that a view's columns, or an index's keys, have by what they are made of now."""
        plan = self._definition(state, definition)
        if isinstance(plan, CreateIndexPlan):
            return tuple(scalar_type(key.expression) for key in plan.keys)
        assert isinstance(plan, CreateViewPlan | CreateMaterializedViewPlan)
        return plan.query.desc.types

    def unfolded(self, relation: Relation, state: CatalogState, which: Callable[[GlobalId], bool]) -> Relation:
        """Replaces the materialized views chosen by `which` with their queries, recursively.

        Materialized views show the same to every session, whatever its time zone and style of dates.
        """

        def lookup(id_: GlobalId) -> Relation | None:
            item = state.items.get(id_)
            if item is None or not isinstance(item.definition, MaterializedView) or not which(id_):
                return self.view_relation(state, id_)
            return settled(self.maintained_relation(state, id_))

        return optimize(inline_views(relation, lookup))

    def executable(
        self, relation: Relation, state: CatalogState, reading: DataReading | None = None, *, answered: bool = False
    ) -> Relation:
        """Returns the relation of a statement with views unfolded and rewrites done; raises SqlError where constants
        fail in it. `answered`: all its rows are a client's, and none is stored."""
        if are_plain_rows(relation):
            return relation
        unfolded = inline_views(relation, partial(self.view_relation, state), reading)
        return optimize_statement(unfolded, answered=answered)

    def _defined(self, state: CatalogState, definition: View | MaterializedView) -> Relation:
        plan = self._definition(state, definition)
        assert isinstance(plan, CreateViewPlan | CreateMaterializedViewPlan)
        return widened(with_stored_decimals(relation_of_query(plan.query), definition.desc), state)

    def policy_condition(self, state: CatalogState, condition: PolicyCondition) -> Scalar:
        """Returns the condition of a policy with bound names over a row of the policy's table."""
        plan = self._definition(state, condition)
        assert isinstance(plan, SelectPlan) and isinstance(plan.query.relation, Map)
        return plan.query.relation.scalars[0]

    def needs(
        self, state: CatalogState, definition: View | MaterializedView | FunctionDefinition | PolicyCondition
    ) -> tuple[Need, ...]:
        """Returns the needs of a view's query, which the view's owner must be allowed, of a function's, which its
        caller must be allowed, or of the subqueries of a policy, which the reader of the table must be allowed."""
        if isinstance(definition, FunctionDefinition) and definition.rules.runs:
            # Its statements are asked about when they run.
            return ()
        return self._planned(state, definition).needs

    def _definition(self, state: CatalogState, definition: _Bound) -> Plan:
        return self._planned(state, definition).plan

    def _planned(self, state: CatalogState, definition: _Bound) -> PlannedStatement:
        """Returns the plan of a definition's SQL, with names resolved as when it was written."""
        return self._known(state, definition).planned

    def _known(self, state: CatalogState, definition: _Bound) -> _Defined:
        known = self._definitions.get(definition, ())
        for each in known:
            if _hold_in(state, each.seen):
                return each
        named = definition.bound if isinstance(definition, PolicyCondition) else definition
        catalog = BoundCatalogView(state, named)
        context = definition_context(catalog, named)
        if isinstance(definition, PolicyCondition):
            written = named.written
            table = catalog.resolve_item((written.schema, written.name), (), written.database)
            assert table is not None, "it is among the references"
            planned = policy_condition(context, definition.sql, table)
        elif isinstance(definition, FunctionDefinition):
            planned = planned_function(context, definition.rules, definition.written.name)
        else:
            (statement,) = parse(definition.create_sql)
            planned = plan_statement(statement, context)
        if len(self._definitions) > len(state.items) + _GONE_MAX:
            present = {item.definition for item in state.items.values()}
            # A list first: long texts are planned in threads, which may add to it meanwhile.
            self._definitions = {key: value for key, value in list(self._definitions.items()) if key in present}
            self._maintained = {key: value for key, value in list(self._maintained.items()) if key in present}
        seen = tuple((id_, _identity(state, id_)) for id_ in catalog.seen)
        defined = _Defined(planned, seen)
        self._definitions[definition] = (defined, *known[: _STATES_MAX - 1])
        return defined


_Identity = tuple[Item | Role | None, ...]
_Seen = tuple[tuple[GlobalId, _Identity], ...]


@dataclass(frozen=True, slots=True)
class _Defined:
    """The plan of a definition, valid while all items it names are as `seen`."""

    planned: PlannedStatement
    seen: _Seen


@dataclass(frozen=True, slots=True)
class _Unfolded:
    """The maintained relation of a view, valid while all that it was made of is as `seen`."""

    relation: Relation
    seen: _Seen


def _hold_in(state: CatalogState, seen: _Seen) -> bool:
    return all(_identity(state, id_) == identity for id_, identity in seen)


def _identity(state: CatalogState, id_: GlobalId) -> _Identity:
    """Returns everything that a plan may take from an item, including its keys."""
    item = state.items.get(id_)
    if item is not None and isinstance(item.definition, FunctionDefinition) and item.definition.rules.definer:
        # The body of a SECURITY DEFINER function names the owner.
        return (item, state.roles.get(item.owner))
    return (item, *state.keys_of(id_))


def progress_relation(source: GlobalId, desc: RelationDesc, gauge: Gauge) -> Relation:
    """Returns the relation of a source's progress: the time, and the bound of each partition then."""
    told = (gauge.partition, gauge.progress)
    read_at = Map(
        Get(GlobalId.remapping(source), RelationDesc(told)), (SessionValue(SessionName.MZ_NOW),), desc.names[:1]
    )
    return Project(read_at, (len(told), *(told.index(column) for column in gauge.shown)))


def sink_progress_relation(sink: GlobalId, desc: RelationDesc) -> Relation:
    """Returns the relation of a sink's progress: the last transaction in the recovery log."""
    reading = find_cast(TEXT, MZ_TIMESTAMP)
    assert reading is not None, "any type is read from text"
    of_frontier = Call("eq_text_text", (Column(0, TEXT), Literal(FRONTIER, TEXT)), BOOL)
    told = Filter(Get(sink, LOG_DESC), (of_frontier,))
    frontier = Call(reading.function.key, (Column(1, TEXT),), MZ_TIMESTAMP)
    return Project(Map(told, (frontier,), desc.names), (LOG_DESC.arity,))


def widened(relation: Relation, state: CatalogState) -> Relation:
    """Reads materialized views whole that have more columns by now than the relation knows: errors lie in their shards
    behind the last of all columns."""

    def change(get: Get) -> Relation:
        item = state.items.get(get.id)
        if item is None or not isinstance(item.definition, MaterializedView) or item.desc.arity == get.desc.arity:
            return get
        return Project(replace(get, desc=item.desc), tuple(range(get.desc.arity)))

    return rewrite_gets(relation, change)


def relation_of_query(query: Query) -> Relation:
    """Returns a query as a relation of exactly its columns; an order without a limit is dropped."""
    finishing, relation = query.finishing, query.relation
    if finishing.limit is not None or finishing.offset is not None:
        relation = TopK(relation, (), finishing.order, finishing.limit, finishing.offset)
    return Project(relation, finishing.project)
