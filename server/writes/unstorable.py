"""Numerics that a table's columns don't hold, and the columns, which then become wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from catalog.nouns.items import Table
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.physical.columns import column_to_arrow
from model.text.numerics import is_unstorable, unstorable
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import has_own_decimals
from planner.ir.relation import Project, Relation
from planner.plans.changes import InsertPlan, MergePlan, ModifyingPlan, UpdatePlan
from planner.plans.plan import Plan

Unfitting = Mapping[GlobalId, frozenset[int]]
"""By table, the positions of columns without a modifier that a value does not fit."""


class Unstorable(SqlError):
    """SqlError 22003 for a numeric that does not fit `columns`."""

    def __init__(self, columns: Unfitting) -> None:
        error = unstorable()
        super().__init__(error.sqlstate, error.message, detail=error.detail, hint=error.hint)
        self.columns = columns


def unstorable_rows(rows: Sequence[Row], desc: RelationDesc, table: GlobalId) -> SqlError:
    """Returns SqlError 22003 for rows of which some don't fit their columns."""
    found = frozenset(
        at for at, type_ in enumerate(desc.types) if has_own_decimals(type_) and not _fits(rows, desc, at)
    )
    return Unstorable({table: found}) if found else unstorable()


def require_storable(rows: Sequence[Row], desc: RelationDesc, table: GlobalId) -> None:
    """Raises SqlError 22003 before the first of several parts is written, if a row of any part does not fit."""
    error = unstorable_rows(rows, desc, table)
    if isinstance(error, Unstorable):
        raise error


def _fits(rows: Sequence[Row], desc: RelationDesc, at: int) -> bool:
    try:
        column_to_arrow([row[at] for row in rows], desc.types[at])
    except (SqlError, pa.ArrowInvalid, ArithmeticError):
        return False
    return True


def unfitting_columns(error: SqlError, plan: Plan, state: CatalogState) -> Unfitting:
    """Returns the columns that a failed statement's values may not fit: the columns that the error names; where Spark's
    error names no column, all to which the statement gives values."""
    if isinstance(error, Unstorable):
        return error.columns
    if not is_unstorable(error):
        return {}
    parts = plan.changes if isinstance(plan, ModifyingPlan) else (plan,)
    found: dict[GlobalId, frozenset[int]] = {}
    for part in parts:
        if isinstance(part, InsertPlan | UpdatePlan | MergePlan) and part.target in state.items:
            columns = _given_columns(part, state)
            if columns:
                found[part.target] = found.get(part.target, frozenset()) | columns
    return found


def _given_columns(plan: InsertPlan | UpdatePlan | MergePlan, state: CatalogState) -> frozenset[int]:
    item = state.items[plan.target]
    if not isinstance(item.definition, Table):
        return frozenset()
    narrow = frozenset(at for _, at, column in item.numbered_columns if has_own_decimals(column.type))
    kept = _kept_columns(plan.selection, item.desc.arity) if isinstance(plan, UpdatePlan) else frozenset()
    return narrow - kept


def _kept_columns(selection: Relation, arity: int) -> frozenset[int]:
    """Returns the columns that an UPDATE leaves as they are, as far as its last projection tells."""
    columns = selection.columns if isinstance(selection, Project) else ()
    return frozenset(at for at, old in enumerate(columns[:arity]) if columns[arity + at] == old)
