"""INSERT … ON CONFLICT: which keys are meant, and what DO UPDATE makes of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import BOOL, INT8
from planner.catalog_view import ItemView, KeyKind
from planner.expressions.planner import ClausePlace, Expressions
from planner.interpret.parameters import in_default_style
from planner.ir.relation import Filter, LocalGet, Relation
from planner.ir.scalar import Column, Literal, Scalar
from planner.ir.unit import conjuncts
from planner.plans.constraints import ConflictUpdate, OnConflict, TableRules
from planner.privileges import UPDATE
from planner.query.from_clause import reading
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, bound
from planner.scope.environment import QueryEnvironment
from planner.scope.scope import Scope
from planner.scope.system_columns import with_system_fields
from planner.scope.uses import RelationUse
from planner.statements.changes.assignment import mapped
from planner.statements.changes.generating import with_generated
from planner.statements.changes.implied_conditions import has_parameter, implied, no_such_key
from planner.statements.changes.several_columns import SeveralColumns
from planner.statements.changes.target import ChangedTarget
from planner.statements.changes.update import new_values

_NUMBER = ColumnDesc("number", INT8, False)


def plan_conflict(
    analysis: Analysis,
    node: Any,
    named: ChangedTarget,
    use: RelationUse,
    rules: TableRules,
    environment: QueryEnvironment,
    bindings: Sequence[Binding],
) -> OnConflict | None:
    """Plans ON CONFLICT; returns None for an INSERT without the clause. Raises SqlError 42P10 for a target that matches
    no key. `use` is the use of the INSERT's target table."""
    if not node.HasField("on_conflict_clause"):
        return None
    clause = node.on_conflict_clause
    updating = clause.action == tree.ONCONFLICT_UPDATE
    if updating and not clause.HasField("infer"):
        message = "ON CONFLICT DO UPDATE requires inference specification or constraint name"
        hint = "For example, ON CONFLICT (column_name)."
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, clause.location, hint=hint)
    infers = clause.HasField("infer")
    every = OnConflict(tuple(range(len(rules.keys))), None)
    found = _keys(analysis, clause.infer, named, use, rules, environment, updating) if infers else every
    if not updating:
        return found
    return replace(found, update=_update(analysis, node, named, use, rules, environment, bindings))


def _keys(
    analysis: Analysis,
    infer: Any,
    named: ChangedTarget,
    use: RelationUse,
    rules: TableRules,
    environment: QueryEnvironment,
    updating: bool,
) -> OnConflict:
    """Returns the keys that ON CONFLICT means; columns named in ON CONFLICT count as read."""
    if infer.conname:
        return OnConflict((_named_key(analysis, infer.conname, use.item, updating),), None)
    expressions = Expressions(analysis, Scope((reading(named.namespace(None), use),)), environment, ClausePlace.INDEX)
    wanted = {_part(expressions, element.index_elem) for element in infer.index_elems}
    of_rows: Scalar = Literal(True, BOOL)
    if infer.HasField("where_clause"):
        of_rows = in_default_style(expressions.plan_boolean(infer.where_clause, "WHERE"))
    alike = [(at, key) for at, key in enumerate(rules.keys) if key.rule.unique and set(key.parts) == wanted]
    found = tuple(at for at, key in alike if key.condition is None or implied(key.condition, of_rows))
    likely = tuple(at for at, _ in alike if at not in found) if has_parameter(of_rows) else ()
    if not found and not likely:
        raise no_such_key()
    return OnConflict(found, None, likely, of_rows if likely else None)


def _named_key(analysis: Analysis, name: str, item: ItemView, updating: bool) -> int:
    for at, key in enumerate(item.keys):
        if key.name == name and key.rule.kind is not KeyKind.INDEX:
            if updating and not key.rule.unique:
                message = "ON CONFLICT DO UPDATE not supported with exclusion constraints"
                raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
            return at
    if any(check.name == name for check in item.checks):
        message = "constraint in ON CONFLICT clause has no associated index"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
    message = f'constraint "{name}" for table "{item.name.name}" does not exist'
    raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message)


def _part(expressions: Expressions, element: Any) -> Scalar:
    if element.collation or element.opclass:
        raise expressions.analysis.unsupported("a collation or an operator class in ON CONFLICT")
    if element.name:
        reference = tree.ColumnRef(fields=[tree.Node(string=tree.String(sval=element.name))], location=-1)
        return expressions.plan_known(tree.Node(column_ref=reference))
    return in_default_style(expressions.plan_known(element.expr))


def _update(
    analysis: Analysis,
    node: Any,
    named: ChangedTarget,
    use: RelationUse,
    rules: TableRules,
    environment: QueryEnvironment,
    bindings: Sequence[Binding],
) -> ConflictUpdate:
    item = named.table
    clause, arity = node.on_conflict_clause, item.desc.arity
    use.rights.add(UPDATE)
    for entry in clause.target_list:
        use.update(named.column(analysis, entry.res_target.name, entry.res_target.location, "insert into").number)
    alias = node.relation.alias.aliasname if node.relation.HasField("alias") else None
    # What was not inserted is read of the target, too: as in PostgreSQL.
    present, excluded = reading(named.namespace(alias), use), reading(named.namespace("excluded", arity), use)
    # Rows that were not inserted have no system columns.
    items = (present if named.levels else with_system_fields(present, use), excluded)
    local = analysis.next_local_id()
    met = RelationDesc((*item.desc.columns, *item.desc.columns, _NUMBER))
    rows: Relation = LocalGet(local, met)
    expressions = Expressions(analysis, Scope(items), environment, ClausePlace.UPDATE)
    several = SeveralColumns(expressions, met.arity)
    new = new_values(analysis, clause, named, expressions, several)
    if clause.HasField("where_clause"):
        condition = expressions.at(ClausePlace.WHERE).plan_boolean(clause.where_clause, "WHERE")
        rows = Filter(rows, conjuncts(condition))
    number = Column(2 * arity, INT8)
    changed = mapped(several.extended(rows), (*new, number), (*item.desc.names, _NUMBER.name))
    relation = bound(with_generated(changed, rules), bindings)
    return ConflictUpdate(local, met, relation, guards=named.checks(analysis))
