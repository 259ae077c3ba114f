"""CREATE SINK: what it writes, and where."""

from __future__ import annotations

from connectors.systems import DESTINATIONS
from model.errors.sqlstate import Sqlstate
from model.external.sinks import SinkPolicy
from model.types.scalar_type import ScalarType, TypeName, type_text
from model.types.type_table import TYPES
from planner.catalog_view import ItemKind, ItemView
from planner.plans.sinks import CreateSinkPlan
from planner.privileges import SELECT
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.statements.cluster import new_cluster
from planner.statements.new_names import new_object_name, progress_name
from planner.statements.sinks.destinations import plan_destination
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement
from planner.syntax.sink_statements import CreateSink, SinkKey
from planner.temporary_schema import is_temporary

AGE_MS, ROWS = 100, 500_000
"""By default transactions begin so far apart at least, and have about so many rows at most."""
_AGE_MOST_MS, _ROWS_MOST, _PARALLELISM_MOST = 3_600_000, 100_000_000, 32
_KINDS = (ItemKind.TABLE, ItemKind.VIEW, ItemKind.MATERIALIZED_VIEW, ItemKind.SOURCE)
KEY_TYPES = frozenset(name for name in TypeName if TYPES[name].one_form)
"""Types whose values are equal where they are written alike: -0 is 0, and one is not written as the other."""


_SUM_TYPES = frozenset((TypeName.INT2, TypeName.INT4, TypeName.INT8, TypeName.NUMERIC))
"""Of which sums are exact, whatever their order."""


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateSinkPlan:
    node: CreateSink = statement.node
    cluster = new_cluster(analysis, node.cluster)
    name = new_object_name(analysis, node.name.parts, node.name.location)
    item = written_relation(analysis, node.source)
    columns = item.visible
    key = None if node.key is None else _key(analysis, item, node.key)
    conditions = ClauseOptions(analysis, node.conditions)
    age_ms, snapshot = conditions.interval_ms("MAX AGE"), conditions.truth("SNAPSHOT")
    if age_ms is not None and age_ms > _AGE_MOST_MS:
        raise conditions.invalid("MAX AGE")
    target = plan_destination(analysis, node, item)
    return CreateSinkPlan(
        name=name,
        if_not_exists=node.if_not_exists,
        source=item.id,
        target=target,
        columns=columns,
        key=None if key is None else tuple(columns.index(at) for at in key),
        enforced=node.key is not None and node.key.enforced,
        sums=_sums(analysis, node, item, conditions),
        progress=progress_name(analysis, node.progress, name, "sink"),
        policy=SinkPolicy(
            (DESTINATIONS[node.into].age_ms or AGE_MS) if age_ms is None else age_ms,
            conditions.number("MAX SIZE", 1, _ROWS_MOST) or ROWS,
            True if snapshot is None else snapshot,
            parallelism(conditions),
        ),
        cluster=cluster,
    )


def parallelism(options: ClauseOptions) -> int:
    """Returns into how many ranges keys are divided."""
    return options.number("PARALLELISM", 1, _PARALLELISM_MOST) or 1


def written_relation(analysis: Analysis, place: Place) -> ItemView:
    """Returns the relation that a sink is to write; raises 42809 for a kind that no sink can write."""
    item = find_relation(analysis, place.parts, place.location)
    if item.kind not in _KINDS:
        message = f'"{item.name.name}" is a {item.kind.value}, which has no sink'
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, place.location)
    if not item.visible:
        message = f'"{item.name.name}" has no columns, and nothing that a sink could write'
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, place.location)
    if item.kind is ItemKind.VIEW and is_temporary(item.name.schema):
        message = f'"{item.name.name}" is a temporary view, which has no sink'
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, place.location)
    analysis.use(item, SELECT).select_all()
    return item


def _key(analysis: Analysis, item: ItemView, key: SinkKey) -> tuple[int, ...]:
    found: list[int] = []
    for place in key.columns:
        name = ".".join(place.parts)
        at = item.column_named(place.parts[-1]) if len(place.parts) == 1 else None
        if at is None:
            raise analysis.error(Sqlstate.UNDEFINED_COLUMN, f'column "{name}" does not exist', place.location)
        if at in found:
            message = f'column "{name}" appears twice in the key of a sink'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, place.location)
        _require_key_type(analysis, item.desc.types[at], place.location)
        found.append(at)
    return tuple(found)


def _sums(analysis: Analysis, node: CreateSink, item: ItemView, conditions: ClauseOptions) -> tuple[int, ...]:
    """Returns the columns of REDUCE (column SUM, …)."""
    found: list[int] = []
    for option in conditions.options("REDUCE") or ():
        name, location = option.name.lower(), option.location
        at = item.column_named(name)
        if at is None:
            raise analysis.error(Sqlstate.UNDEFINED_COLUMN, f'column "{name}" does not exist', location)
        if option.value is None or getattr(option.value, "parts", ()) != ("sum",):
            raise analysis.unsupported("a reduction that is no SUM", location)
        if item.desc.types[at].name not in _SUM_TYPES:
            message = f"changes of type {type_text(item.desc.types[at])} can't be added up in a sink"
            raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
        found.append(item.visible.index(at))
    if found and DESTINATIONS[node.into].pushed:
        raise analysis.unsupported(f"REDUCE into {node.into}", node.name.location, hint="Nothing is loaded from there.")
    key = () if node.key is None else _key(analysis, item, node.key)
    if found and not key:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "REDUCE needs a KEY", node.name.location)
    if any(item.visible[place] in key for place in found):
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "a column of the key can't be reduced", node.name.location)
    return tuple(found)


def _require_key_type(analysis: Analysis, type_: ScalarType, location: int) -> None:
    if type_.name not in KEY_TYPES:
        detail = "Values that are equal would have to be written alike in every destination."
        message = f"type {type_text(type_)} can't be of the key of a sink"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location, detail=detail)
