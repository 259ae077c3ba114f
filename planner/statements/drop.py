"""DROP of tables, views, materialized views, indexes, sequences, types, domains, schemas and databases."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from planner.plans.objects import DropPlan, ObjectKind
from planner.plans.plan import NoOpPlan
from planner.plans.policies import DropPolicyPlan
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.functions.function_names import ROUTINES, function_ref
from planner.statements.tables.policies import plan_drop as plan_drop_policy
from planner.syntax.parse import ParsedStatement
from planner.syntax.statement_words import object_words

_KINDS = {
    tree.OBJECT_TABLE: ObjectKind.TABLE,
    tree.OBJECT_VIEW: ObjectKind.VIEW,
    tree.OBJECT_MATVIEW: ObjectKind.MATERIALIZED_VIEW,
    tree.OBJECT_INDEX: ObjectKind.INDEX,
    tree.OBJECT_SEQUENCE: ObjectKind.SEQUENCE,
    tree.OBJECT_TYPE: ObjectKind.TYPE,
    tree.OBJECT_DOMAIN: ObjectKind.DOMAIN,
    tree.OBJECT_SCHEMA: ObjectKind.SCHEMA,
}


def plan(analysis: Analysis, statement: ParsedStatement) -> DropPlan | DropPolicyPlan | NoOpPlan:
    node = statement.node
    if node.remove_type == tree.OBJECT_POLICY:
        return plan_drop_policy(analysis, node)
    routine = ROUTINES.get(node.remove_type)
    if routine is not None:
        functions = tuple(function_ref(analysis, each, routine) for each in node.objects)
        return DropPlan(routine, (), node.missing_ok, node.behavior == tree.DROP_CASCADE, functions)
    kind = _KINDS.get(node.remove_type)
    if kind is None:
        raise analysis.unsupported(f"DROP {object_words(node.remove_type)}")
    names = tuple(_name(item) for item in node.objects)
    return DropPlan(kind, names, node.missing_ok, node.behavior == tree.DROP_CASCADE)


def _name(item: Any) -> tuple[str, ...]:
    if item.WhichOneof("node") == "list":
        return strings(item.list.items)
    if item.WhichOneof("node") == "type_name":
        return strings(item.type_name.names)
    return (item.string.sval,)


def plan_database(analysis: Analysis, statement: ParsedStatement) -> DropPlan:
    node = statement.node
    return DropPlan(ObjectKind.DATABASE, ((node.dbname,),), node.missing_ok, False)
