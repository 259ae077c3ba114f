"""FOR UPDATE and its kin: which rows of which tables are locked; refused where PostgreSQL refuses."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind
from planner.ir.scalar import Column
from planner.ir.table_rows import computed, items_of_from
from planner.plans.locks import RowLocking, RowMode, WaitPolicy, WholeLocking
from planner.privileges import UPDATE
from planner.query.targets import Target
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.scope.scope import NamespaceItem, Scope, SelectState

_MODES = {
    tree.LCS_FORKEYSHARE: RowMode.KEY_SHARE,
    tree.LCS_FORSHARE: RowMode.SHARE,
    tree.LCS_FORNOKEYUPDATE: RowMode.NO_KEY_UPDATE,
    tree.LCS_FORUPDATE: RowMode.UPDATE,
}
_WAITING = {
    tree.LockWaitBlock: WaitPolicy.WAIT,
    tree.LockWaitSkip: WaitPolicy.SKIP,
    tree.LockWaitError: WaitPolicy.NOWAIT,
}


def refuse_locking(analysis: Analysis, select: Any, what: str) -> None:
    """Raises 0A000 for a locking clause on a query whose rows are no table's."""
    for clause in select.locking_clause:
        word = _MODES[clause.locking_clause.strength].words
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, f"{word} {what}")


def plan_locking(
    analysis: Analysis, select: Any, scope: Scope, state: SelectState, targets: list[Target]
) -> tuple[RowLocking | WholeLocking, ...]:
    """Plans a locking clause; columns of locked tables become hidden targets. Raises 0A000 where a SELECT's rows are
    not those of its tables; raises 42P01 for a missing table."""
    _require_plain_rows(analysis, select, state)
    locked: list[RowLocking | WholeLocking] = []
    for node in select.locking_clause:
        clause = node.locking_clause
        mode, waiting = _MODES[clause.strength], _WAITING[clause.wait_policy]
        if clause.locked_rels:
            for named in clause.locked_rels:
                item = _named(analysis, named.range_var, scope, mode)
                if item.source is None and item.subquery is None:
                    # A function, VALUES, a query of WITH or a join.
                    message = f'{mode.words} cannot be applied to "{item.alias}", whose rows are no table\'s'
                    raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, named.range_var.location)
                locked += _locked(analysis, item, mode, waiting, targets)
        else:
            for item in scope.items:
                locked += _locked(analysis, item, mode, waiting, targets)
    return tuple(locked)


def _require_plain_rows(analysis: Analysis, select: Any, state: SelectState) -> None:
    found = [
        ("DISTINCT clause", bool(select.distinct_clause)),
        ("GROUP BY clause", bool(select.group_clause)),
        ("HAVING clause", select.HasField("having_clause")),
        ("aggregate functions", bool(state.aggregates)),
        ("window functions", bool(state.windows)),
        ("set-returning functions in the target list", bool(state.table_calls)),
    ]
    for what, present in found:
        if present:
            refuse_locking(analysis, select, f"is not allowed with {what}")


def _named(analysis: Analysis, node: Any, scope: Scope, mode: RowMode) -> NamespaceItem:
    name = range_parts(node)[-1]
    found = [item for item in scope.items if item.alias == name]
    if not found:
        message = f'relation "{name}" in {mode.words} clause not found in FROM clause'
        raise analysis.error(Sqlstate.UNDEFINED_TABLE, message, node.location)
    return found[0]


def _locked(
    analysis: Analysis, item: NamespaceItem, mode: RowMode, waiting: WaitPolicy, targets: list[Target]
) -> list[RowLocking | WholeLocking]:
    """Returns the locks on one item of FROM; functions, VALUES and queries of WITH have no rows that others see."""
    source = item.source
    if item.subquery is not None:
        refused = computed(item.subquery)
        if refused is not None:
            raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, f"{mode.words} is not allowed with {refused}")
        return [WholeLocking(id_, mode, waiting) for id_ in sorted(set(items_of_from(item.subquery)))]
    if source is None or source.kind is ItemKind.SYSTEM:
        return []
    if item.present is not None:
        message = f"{mode.words} cannot be applied to the nullable side of an outer join"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    if source.kind is ItemKind.VIEW:
        _note(item)
        return [WholeLocking(source.id, mode, waiting)]
    if source.kind is not ItemKind.TABLE:
        message = f'cannot lock rows in {source.kind} "{source.name.name}"'
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
    _note(item)
    first = len(targets)
    targets.extend(Target(field.name, field.scalar, -1) for field in item.fields)
    columns = tuple(range(first, len(targets)))
    stored = dict(zip(source.visible, columns, strict=True))
    start = next((f.scalar.index - at for f, at in zip(item.fields, source.visible) if isinstance(f.scalar, Column)), 0)
    for at, column in enumerate(source.desc.columns):
        if at not in stored:
            stored[at] = len(targets)
            targets.append(Target(column.name, Column(start + at, column.type), -1))
    whole = tuple(stored[at] for at in range(source.desc.arity))
    return [RowLocking(source.id, source.name.name, columns, whole, mode, waiting)]


def _note(item: NamespaceItem) -> None:
    """Notes what is locked: as in PostgreSQL, rows that are locked for whatever purpose are some that might be
    updated."""
    for field in item.fields:
        if field.read is not None:
            field.read.use.rights.add(UPDATE)
