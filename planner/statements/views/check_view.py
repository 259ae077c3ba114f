"""CHECK VIEW, and ALTER MATERIALIZED VIEW … REPAIR: compare what is maintained with what its definition gives. The
former is written TABLE v when it comes here."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT8
from planner.catalog_view import ItemKind
from planner.plans.objects import ObjectKind
from planner.plans.views import CheckPlan, RepairViewPlan
from planner.query.from_clause import resolve_table
from planner.scope.analysis import Analysis
from planner.statements.named_object import named_object
from planner.statements.select import plan_as_of
from planner.syntax.own_statements import RepairViewStatement
from planner.syntax.parse import ParsedStatement

DIFF_NAME = "mz_diff"


def plan(analysis: Analysis, statement: ParsedStatement) -> CheckPlan:
    """Plans CHECK VIEW: rows that are maintained and should not be have a positive `mz_diff`, rows that are missing a
    negative one."""
    assert statement.extension.checked is not None
    kind = ObjectKind(statement.extension.checked)
    item, desc = named_object(analysis, statement, kind)
    return CheckPlan(kind, item.id, plan_as_of(analysis, statement), _differences(desc))


def plan_repair(analysis: Analysis, statement: ParsedStatement) -> RepairViewPlan:
    node: RepairViewStatement = statement.node
    item = resolve_table(analysis, node.view.parts, node.view.location)
    if item.kind is not ItemKind.MATERIALIZED_VIEW:
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name.name}" is not a materialized view')
    return RepairViewPlan(CheckPlan(ObjectKind.MATERIALIZED_VIEW, item.id, None, _differences(item.visible_desc)))


def _differences(desc: RelationDesc) -> RelationDesc:
    return RelationDesc((ColumnDesc(DIFF_NAME, INT8, False), *desc.columns))
