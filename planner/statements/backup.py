"""BACKUP TO a place."""

from __future__ import annotations

from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8, MZ_TIMESTAMP, TEXT
from planner.plans.copying import BackupPlan
from planner.scope.analysis import Analysis
from planner.syntax.own_statements import BackupStatement
from planner.syntax.parse import ParsedStatement

_RESULT = relation_desc(
    ("backup", TEXT, False),
    ("timestamp", MZ_TIMESTAMP, False),
    ("parts", INT8, False),
    ("bytes", INT8, False),
    ("parts_copied", INT8, False),
    ("bytes_copied", INT8, False),
)


def plan(analysis: Analysis, statement: ParsedStatement) -> BackupPlan:
    node: BackupStatement = statement.node
    return BackupPlan(node.place, _RESULT)
