"""CHECK VIEW: compares what is maintained with what its definition gives; written TABLE v when it comes here."""

from __future__ import annotations

from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT8
from planner.plans.objects import ObjectKind
from planner.plans.views import CheckPlan
from planner.scope.analysis import Analysis
from planner.statements.named_object import named_object
from planner.statements.select import plan_as_of
from planner.syntax.parse import ParsedStatement

DIFF_NAME = "mz_diff"


def plan(analysis: Analysis, statement: ParsedStatement) -> CheckPlan:
    """Rows that are maintained and should not be have a positive `mz_diff`, rows that are missing a negative one."""
    assert statement.extension.checked is not None
    kind = ObjectKind(statement.extension.checked)
    item, desc = named_object(analysis, statement, kind)
    columns = (ColumnDesc(DIFF_NAME, INT8, False), *desc.columns)
    return CheckPlan(kind, item.id, plan_as_of(analysis, statement), RelationDesc(columns))
