"""EXPLAIN PHYSICAL PLAN of a query: the index that answers it, or the sources of its inputs."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.nouns.items import MaterializedView, cluster_of
from catalog.nouns.names import quote
from model.ids.global_id import GlobalId
from planner.explain import PlanLine, explain_scalar, plan_lines
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.plans.queries import SelectPlan
from server.planning.access import AmongArray, Equal, IndexAccess, IsNull, KeyPart, UsedIndex
from server.planning.statement_plans import Planned
from server.reads.index_reading import IndexReader
from server.statements.explaining.explain_timestamp import item_name
from server.transactions.execution import Execution


def physical_lines(plan: SelectPlan, planned: Planned, execution: Execution) -> list[PlanLine]:
    """Explains how the query would run now."""

    def name(id_: GlobalId) -> str:
        return item_name(id_, execution)

    access, arranged = planned.access, planned.arranged
    reader = IndexReader(execution.environment, execution)
    if access is not None and reader.usable_for(access):
        return index_lines(access, execution)
    if arranged is not None and reader.usable_together(arranged):
        lines = arranged_lines(arranged.query, arranged.indexes, execution)
        return lines + _place_lines(arranged.reads, execution)
    lines = [*plan_lines(plan.query, name)]
    lines += _place_lines(reads_of(plan.query.relation).collections, execution)
    passed_over = [] if access is None else [access.index]
    passed_over += [] if arranged is None else arranged.indexes
    for index in dict.fromkeys(passed_over):
        lines.append(PlanLine(0, f"{name(index.item)}: not used, since it does not show yet what the query is to see"))
    return lines + _elsewhere_lines(planned.reads.named, execution)


def _elsewhere_lines(named: Iterable[GlobalId], execution: Execution) -> list[PlanLine]:
    """Tells of the indexes of other clusters on what the query names."""
    state, cluster, lines = execution.newest_catalog, execution.cluster.oid, []
    for id_ in sorted(named):
        for item in state.indexes_on(id_):
            oid = cluster_of(item.definition)
            if oid is not None and oid != cluster:
                where = quote(state.clusters[oid].name)
                lines.append(
                    PlanLine(0, f"{item_name(item.id, execution)}: not used, since it is in the cluster {where}")
                )
    return lines


def _place_lines(ids: Iterable[GlobalId], execution: Execution) -> list[PlanLine]:
    return [PlanLine(0, f"{item_name(id_, execution)}: {_place(id_, execution)}") for id_ in sorted(ids)]


def arranged_lines(query: Query, indexes: Iterable[UsedIndex], execution: Execution) -> list[PlanLine]:
    """Explains a query over indexes of views."""

    def name(id_: GlobalId) -> str:
        return item_name(id_, execution)

    by = {name(index.on): name(index.item) for index in indexes}
    return [
        PlanLine(line.depth, "ReadIndex", f"{line.detail} by {by[line.detail]}")
        if line.kind == "Read" and line.detail in by
        else line
        for line in plan_lines(query, name)
    ]


def index_lines(access: IndexAccess, execution: Execution) -> list[PlanLine]:
    """Explains a query that an index answers."""

    def name(id_: GlobalId) -> str:
        return item_name(id_, execution)

    parts = access.keys
    scan = "Index scan" if access.nearest is None else "Index neighbours"
    how = scan if parts is None else "Index lookup" if access.whole_keys else "Index prefix lookup"
    lines = [PlanLine(0, how, f"of {name(access.index.on)} by {name(access.index.item)}")]
    for number, part in enumerate(parts or (), start=1):
        lines.append(PlanLine(1, f"key {number}:", " or ".join(_values(part))))
    if access.nearest is not None:
        key = access.nearest.key
        lines.append(PlanLine(1, "nearest by:", explain_scalar(key.expression) + (" desc" if key.descending else "")))
    if access.direct is None:
        lines.append(PlanLine(0, "Then"))
        lines += [line.beneath(1) for line in plan_lines(access.query, name)]
    return lines


def _values(part: KeyPart) -> list[str]:
    texts = []
    for value in part:
        match value:
            case Equal(scalar):
                texts.append(f"= {explain_scalar(scalar)}")
            case AmongArray(array):
                texts.append(f"= any {explain_scalar(array)}")
            case IsNull():
                texts.append("is null")
    return texts


def _place(id_: GlobalId, execution: Execution) -> str:
    item = execution.catalog.items.get(id_)
    if item is None:
        return "evaluated by the environment"
    if not isinstance(item.definition, MaterializedView):
        return "shard"
    return (
        "shard" if execution.environment.collections.stored(id_) else "computed from its inputs until it is maintained"
    )
