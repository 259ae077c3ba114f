"""MERGE: one read of the source's rows beside the target's, and an action for each of them.

MERGE INTO t USING s ON c …    selection    s LEFT JOIN t ON c, and which WHEN clause holds
WHEN MATCHED THEN UPDATE       action       new rows from the rows of the selection where it holds
"""

from __future__ import annotations

from itertools import count
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import BOOL, INT4
from planner.catalog_view import ItemKind, ItemView
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Join, JoinKind, LocalGet, Map, Project, Relation, TargetGet
from planner.ir.scalar import TRUE, Call, Case, Column, Literal, Scalar
from planner.ir.unit import conjuncts
from planner.plans.changes import MergeAction, MergePlan
from planner.plans.constraints import TableRules
from planner.privileges import DELETE, INSERT, SELECT, UPDATE
from planner.query.common_tables import bind_common_tables
from planner.query.from_clause import plan_item, plan_stored_rows, resolve_table
from planner.query.from_items import FromItem
from planner.query.query import draft_query
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, bound
from planner.scope.environment import QueryEnvironment
from planner.scope.names import range_parts
from planner.scope.scope import NamespaceItem, Scope
from planner.scope.uses import RelationUse
from planner.statements.changes.assignment import default_scalar, mapped, target_table
from planner.statements.changes.generating import with_generated
from planner.statements.changes.insert_targets import insert_targets
from planner.statements.changes.inserted_row import InsertedRows
from planner.statements.changes.several_columns import SeveralColumns
from planner.statements.changes.target import table_target
from planner.statements.changes.update import asked_of_target, new_values
from planner.statements.kept_rules import rules_of_change
from planner.syntax.merge_words import newer_words
from planner.syntax.parse import ParsedStatement

_IS_THERE = "is_not_null_any"
_UNSUPPORTED = {
    ItemKind.VIEW: "views",
    ItemKind.MATERIALIZED_VIEW: "materialized views",
    ItemKind.SEQUENCE: "sequences",
}


def plan(analysis: Analysis, statement: ParsedStatement) -> MergePlan:
    """Plans a MERGE with the clauses of PostgreSQL 16. Raises SqlError 42601 for clauses of later versions."""
    node = statement.node
    newer = newer_words(statement.source, node.relation.location)
    if newer is not None:
        message = f'syntax error at or near "{newer.text}"'
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, newer.location)
    if node.HasField("with_clause") and node.with_clause.recursive:
        message = "WITH RECURSIVE is not supported for MERGE statement"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message)
    _check_reachable(analysis, node)
    environment, bindings = QueryEnvironment(top=True), list[Binding]()
    if node.HasField("with_clause"):
        environment, bindings = bind_common_tables(analysis, node.with_clause, environment, draft_query)
    environment = environment.inner()
    item = _target(analysis, node.relation)
    target = plan_stored_rows(analysis, node.relation)
    use = analysis.uses[-1]
    # Of its columns only those are read that the statement names.
    use.rights = set()
    if item.secured:
        target = FromItem(TargetGet(item.id, item.desc, SELECT), target.items)
    source = plan_item(analysis, node.source_relation, environment)
    _check_names(analysis, target.items, source.items)
    return _Merge(analysis, node, environment, bindings, use, target, source).plan()


def _check_reachable(analysis: Analysis, node: Any) -> None:
    """Raises 42601 for a WHEN clause behind one without a condition, of the same kind."""
    ended: set[int] = set()
    for entry in node.merge_when_clauses:
        clause = entry.merge_when_clause
        if clause.match_kind in ended:
            message = "unreachable WHEN clause specified after unconditional WHEN clause"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message)
        if not clause.HasField("condition"):
            ended.add(clause.match_kind)


def _target(analysis: Analysis, node: Any) -> ItemView:
    """Returns the table that MERGE changes; raises 0A000 for views and sequences, other errors as of an INSERT."""
    item = resolve_table(analysis, range_parts(node), node.location)
    kind = _UNSUPPORTED.get(item.kind)
    if kind is None:
        return target_table(analysis, node, "merge into")
    message = f'cannot execute MERGE on relation "{item.name.name}"'
    detail = f"This operation is not supported for {kind}."
    raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=detail)


def _check_names(analysis: Analysis, target: tuple[NamespaceItem, ...], source: tuple[NamespaceItem, ...]) -> None:
    """Raises 42712 when the source has the target's name."""
    name = target[0].alias
    if any(item.alias == name for item in source if item.relation_visible):
        message = f'name "{name}" specified more than once'
        detail = "The name is used both as MERGE target table and data source."
        raise analysis.error(Sqlstate.DUPLICATE_ALIAS, message, detail=detail)


class _Merge:
    """One MERGE. A row of its selection begins with the target's columns, and the source's follow."""

    def __init__(
        self,
        analysis: Analysis,
        node: Any,
        environment: QueryEnvironment,
        bindings: list[Binding],
        use: RelationUse,
        target: FromItem,
        source: FromItem,
    ) -> None:
        self._analysis = analysis
        self._node = node
        self._environment = environment
        self._bindings = bindings
        self._use = use
        self._target = target
        self._source = source
        self._item = use.item
        self._named = table_target(use.item)
        behind = tuple(item.shifted(target.arity) for item in source.items)
        self._unmatched = Scope(behind)
        self._matched = Scope((*target.items, *behind))

    def plan(self) -> MergePlan:
        """Returns the plan of the whole statement."""
        joined = self._joined()
        clauses = [entry.merge_when_clause for entry in self._node.merge_when_clauses]
        asked = [(clause, self._condition(clause)) for clause in clauses]
        acting = [clause for clause in clauses if _acts(clause)]
        if len(acting) < len(clauses):
            # As PostgreSQL has it: DO NOTHING needs to see rows of the target.
            self._use.rights.add(SELECT)
        present = self._target.arity + self._source.arity
        numbered = Map(joined, (self._number(asked, Column(present, TRUE.type)),), ("action",))
        selected = Filter(numbered, (Call(_IS_THERE, (Column(present + 1, INT4),), BOOL),))
        selection: Relation = Project(selected, (*range(present), present + 1))
        rows, rules = relation_desc_of(selection), rules_of_change(self._analysis, self._item)
        actions = tuple(self._action(clause, rows, rules) for clause in acting)
        reads_target = SELECT in self._use.rights
        selection = asked_of_target(bound(selection, self._bindings), self._item, SELECT if reads_target else "")
        return MergePlan(self._item.id, selection, actions, rules, reads_target)

    def _joined(self) -> Relation:
        """Returns the rows of target and source side by side, and whether there is a target's: NULL for a source's row
        that has no match."""
        target, source = self._target, self._source
        before = (*source.items, *(item.shifted(source.arity) for item in target.items))
        expressions = Expressions(self._analysis, Scope(before), self._environment, ClausePlace.JOIN_ON)
        on = conjuncts(expressions.plan_boolean(self._node.join_condition, "JOIN/ON"))
        marked = Map(target.relation, (TRUE,), ("present",))
        inserts = any(_is_unmatched(entry.merge_when_clause) for entry in self._node.merge_when_clauses)
        joined = Join(JoinKind.LEFT if inserts else JoinKind.INNER, source.relation, marked, on)
        width = source.arity
        return Project(joined, (*range(width, width + target.arity), *range(width), width + target.arity))

    def _expressions(self, clause: Any, place: ClausePlace) -> Expressions:
        scope = self._unmatched if _is_unmatched(clause) else self._matched
        return Expressions(self._analysis, scope, self._environment, place)

    def _condition(self, clause: Any) -> Scalar:
        if not clause.HasField("condition"):
            return TRUE
        return self._expressions(clause, ClausePlace.MERGE_WHEN).plan_boolean(clause.condition, "WHEN")

    def _number(self, asked: list[tuple[Any, Scalar]], present: Column) -> Scalar:
        """Returns the place, among the actions, of the action for a row; NULL where nothing is to be done."""
        nothing, places = Literal(None, INT4), count()
        branches: dict[bool, list[tuple[Scalar, Scalar]]] = {True: [], False: []}
        for clause, condition in asked:
            place = Literal(next(places), INT4) if _acts(clause) else nothing
            branches[_is_unmatched(clause)].append((condition, place))
        matched, unmatched = (
            Case(tuple(branches[side]), nothing, INT4) if branches[side] else nothing for side in (False, True)
        )
        return Case(((present, matched),), unmatched, INT4)

    def _action(self, clause: Any, rows: RelationDesc, rules: TableRules) -> MergeAction:
        local = self._analysis.next_local_id()
        met = LocalGet(local, rows)
        relation: Relation | None = None
        match clause.command_type:
            case tree.CMD_UPDATE:
                relation = self._updated(clause, met)
            case tree.CMD_INSERT:
                relation = self._inserted(clause, met)
            case _:
                self._use.rights.add(DELETE)
        if relation is not None:
            relation = bound(with_generated(relation, rules), self._bindings)
        return MergeAction(local, relation, not _is_unmatched(clause))

    def _updated(self, clause: Any, met: LocalGet) -> Relation:
        item, use = self._item, self._use
        use.rights.add(UPDATE)
        expressions = self._expressions(clause, ClausePlace.UPDATE)
        several = SeveralColumns(expressions, met.desc.arity)
        new = new_values(self._analysis, clause, self._named, expressions, several)
        for entry in clause.target_list:
            changed = entry.res_target
            use.update(self._named.column(self._analysis, changed.name, changed.location, "merge into").number)
        return mapped(several.extended(met), new, item.desc.names)

    def _inserted(self, clause: Any, met: LocalGet) -> Relation:
        item, use = self._item, self._use
        use.rights.add(INSERT)
        if not clause.values:
            defaults = tuple(default_scalar(self._analysis, item, at) for at in range(item.desc.arity))
            return mapped(met, defaults, item.desc.names)
        targets = insert_targets(self._analysis, self._named, clause.target_list)
        use.insert(target.number for target in targets)
        expressions = self._expressions(clause, ClausePlace.VALUES)
        made = InsertedRows(expressions, clause, clause.target_list, self._named, targets)
        return mapped(met, tuple(made.row(clause.values)), item.desc.names)


def _acts(clause: Any) -> bool:
    return bool(clause.command_type != tree.CMD_NOTHING)


def _is_unmatched(clause: Any) -> bool:
    return bool(clause.match_kind == tree.MERGE_WHEN_NOT_MATCHED_BY_TARGET)
