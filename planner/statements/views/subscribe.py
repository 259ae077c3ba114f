"""SUBSCRIBE: a relation, what is made of its changes, and from when to when."""

from __future__ import annotations

from collections.abc import Sequence

from model.errors.sqlstate import Sqlstate
from model.types.decimals_columns import told_decimals
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import BOOL, INT8, TEXT, has_own_decimals, numeric
from planner.catalog_view import ItemKind
from planner.expressions.planner import ClausePlace as Clause
from planner.expressions.planner import Expressions
from planner.functions.numbers.shown_scales import decimals_of_value
from planner.ir.aggregate import SortKey
from planner.ir.columns import own_columns
from planner.ir.properties import relation_desc_of
from planner.ir.query import AsOf
from planner.ir.reads import reads_of
from planner.ir.relation import Get, Map, Project, Relation
from planner.ir.scalar import Column
from planner.ir.unit import UNIT, projected
from planner.plans.subscribing import Debezium, Differences, Earliest, SubscribeOutput, SubscribePlan, Upsert, UpTo
from planner.privileges import SELECT
from planner.query.from_clause import resolve_table
from planner.query.query import plan_query
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.ordering import sort_directions
from planner.scope.scope import Field, NamespaceItem, Scope
from planner.statements.times import plan_time
from planner.syntax.own_statements import Place, SubscribeStatement
from planner.syntax.parse import ParsedStatement

TIMESTAMP = ColumnDesc("mz_timestamp", numeric(20), False)
"""As in Materialize, a number: every client can read it."""
_PROGRESSED = ColumnDesc("mz_progressed", BOOL, False)


def plan(analysis: Analysis, statement: ParsedStatement) -> SubscribePlan:
    return plan_subscribe(analysis, statement.node)


def plan_subscribe(analysis: Analysis, node: SubscribeStatement) -> SubscribePlan:
    relation, decimals, names = _source(analysis, node)
    columns = tuple(
        ColumnDesc(name, column.type, column.nullable)
        for name, column in zip(names, relation_desc_of(relation).columns, strict=False)
    )
    output = _output(analysis, node, columns)
    as_of: AsOf | Earliest | None = None
    if node.as_of is not None:
        as_of = AsOf(plan_time(analysis, node.as_of, "AS OF"), node.at_least)
    elif node.earliest:
        as_of = Earliest()
    up_to = None if node.up_to is None else UpTo(plan_time(analysis, node.up_to, "UP TO"))
    if node.latest:
        up_to = UpTo(None)
    lead = (TIMESTAMP, _PROGRESSED) if node.progress else (TIMESTAMP,)
    changed = _output_columns(output, columns)
    if node.progress:
        changed = _nullable(changed)
    desc = RelationDesc((*lead, *changed))
    return SubscribePlan(relation, output, node.snapshot, node.progress, as_of, up_to, desc, decimals)


def _source(
    analysis: Analysis, node: SubscribeStatement
) -> tuple[Relation, tuple[tuple[int, int], ...], Sequence[str]]:
    """Returns a relation, which columns at its end tell the decimals of which, and the names of the others."""
    if isinstance(node.source, Place):
        item = resolve_table(analysis, node.source.parts, node.source.location)
        analysis.use(item, SELECT).select_all()
        # A source progress relation's first column is the time of the read: a subscribe has its own.
        begin = 1 if item.kind is ItemKind.SOURCE_PROGRESS else 0
        return *_stored(Get(item.id, item.desc), item.visible[begin:]), item.visible_desc.names[begin:]
    query = plan_query(analysis, node.source, QueryEnvironment())
    closed = query.closed()
    below, columns = closed, tuple(range(relation_desc_of(closed).arity))
    while isinstance(below, Project):
        columns = tuple(map(below.columns.__getitem__, columns))
        below = below.input
    if isinstance(below, Get):
        return *_stored(below, columns), query.names
    types = relation_desc_of(closed).types
    shown = [at for at, type_ in enumerate(types) if has_own_decimals(type_)]
    decimals = tuple(decimals_of_value(Column(at, types[at])) for at in shown)
    relation = Map(closed, decimals, ("decimals",) * len(shown)) if shown else closed
    return relation, tuple((at, len(types) + number) for number, at in enumerate(shown)), query.names


def _stored(get: Get, columns: tuple[int, ...]) -> tuple[Relation, tuple[tuple[int, int], ...]]:
    """Returns some columns of a collection, and behind these the ones that tell decimals, as they are stored: changes
    of such a relation are read from storage."""
    places = dict(told_decimals(get.desc.columns))
    told = [number for number, at in enumerate(columns) if at in places]
    relation = projected(get, (*columns, *(places[columns[number]] for number in told)))
    return relation, tuple((number, len(columns) + at) for at, number in enumerate(told))


def _output(analysis: Analysis, node: SubscribeStatement, columns: Sequence[ColumnDesc]) -> SubscribeOutput:
    if node.envelope is None:
        return Differences(_order(analysis, node, columns))
    keys: list[int] = []
    for place in node.keys:
        key = _key(analysis, place, columns)
        if key in keys:
            message = f'column "{columns[key].name}" appears twice in KEY'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, place.location)
        keys.append(key)
    return Upsert(tuple(keys)) if node.envelope == "upsert" else Debezium(tuple(keys))


def _key(analysis: Analysis, place: Place, columns: Sequence[ColumnDesc]) -> int:
    name = ".".join(place.parts)
    found = [at for at, column in enumerate(columns) if (column.name,) == place.parts]
    if not found:
        raise analysis.error(Sqlstate.UNDEFINED_COLUMN, f'column "{name}" does not exist', place.location)
    if len(found) > 1:
        raise analysis.error(Sqlstate.AMBIGUOUS_COLUMN, f'column reference "{name}" is ambiguous', place.location)
    return found[0]


def _order(analysis: Analysis, node: SubscribeStatement, columns: Sequence[ColumnDesc]) -> tuple[SortKey, ...]:
    """Plans the order: keys over mz_diff and the columns. They are evaluated where no collection can be read."""
    fields = [Field("mz_diff", Column(0, INT8))]
    fields += [Field(column.name, Column(at, column.type)) for at, column in enumerate(columns, start=1)]
    scope = Scope((NamespaceItem(None, tuple(fields)),))
    expressions = Expressions(analysis, scope, QueryEnvironment(), Clause.ORDER_BY)
    keys = []
    for item in node.order:
        expression = expressions.plan_known(item.node)
        if reads_of(Map(UNIT, (expression,), ("key",))).collections:
            raise analysis.unsupported("a subquery in WITHIN TIMESTAMP ORDER BY")
        if not own_columns(expression):
            message = "WITHIN TIMESTAMP ORDER BY must name a column"
            raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message)
        keys.append(SortKey(expression, *sort_directions(analysis, item)))
    return tuple(keys)


def _output_columns(output: SubscribeOutput, columns: tuple[ColumnDesc, ...]) -> tuple[ColumnDesc, ...]:
    if isinstance(output, Differences):
        return (ColumnDesc("mz_diff", INT8, False), *columns)
    keys = tuple(columns[at] for at in output.keys)
    values = _nullable(tuple(column for at, column in enumerate(columns) if at not in output.keys))
    state = ColumnDesc("mz_state", TEXT, False)
    if isinstance(output, Upsert):
        return (state, *keys, *values)
    before, after = (
        tuple(ColumnDesc(f"{word}_{column.name}", column.type, True) for column in values)
        for word in ("before", "after")
    )
    return (state, *keys, *before, *after)


def _nullable(columns: Sequence[ColumnDesc]) -> tuple[ColumnDesc, ...]:
    return tuple(ColumnDesc(column.name, column.type, True) for column in columns)
