"""Row security in plans: the rows that a role reads of each table, and conditions on new rows.

    Get(t)                  Filter(Get(t), conditions of the policies)       wherever a statement or a view reads t
    INSERT, UPDATE          guards, conditions on each new row

The conditions stand beneath those of the statement, and no expression that can fail, vary or call the server is ever
moved beneath the conditions; so no error or side effect tells of hidden rows. A view's tables are read as the view's
owner, or as the role that executes the statement (security_invoker).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial

from catalog.facts.roles.row_security import binding_policies, is_secured, reader_beneath
from catalog.facts.roles.shown_acls import role_name
from catalog.lookup.planner_view import StateCatalogView
from catalog.nouns.items import FunctionDefinition, Item, View
from catalog.nouns.policies import Policy, PolicyCondition
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import BOOL, INT8
from planner.catalog_view import PlanningContext
from planner.ir.definers import with_current_user
from planner.ir.locals import greatest_local_id
from planner.ir.relation import Constant, Filter, Get, LocalGet, Map, Project, Relation, TargetGet
from planner.ir.scalar import Case, Literal, Or, Scalar
from planner.ir.visit import has_subquery, walk_relation, with_inputs
from planner.plans.changes import MergeAction, MergePlan
from planner.plans.constraints import GuardReading, RowGuard
from planner.plans.locks import LockRowsPlan
from planner.plans.queries import SelectPlan
from planner.privileges import DELETE, INSERT, SELECT, UPDATE
from planner.rules.inline_views import inline_views
from planner.statements.kept_rules import policy_condition
from server.planning.definitions import Definitions

_NUMBER = "number"


@dataclass(frozen=True, slots=True)
class RoleReading:
    """The way in which a role reads relations, for a statement that `invoker` executes.

    `bound` collects the tables whose policies the plan has come to depend on. Rows of the tables `locked` must be rows
    that the role may update, too. `definer`: within the body of a SECURITY DEFINER function, its owner, who is
    the current user of policies. `active`: the tables within whose policies a subquery stands;
    `named` collects the items that such subqueries name.
    """

    state: CatalogState
    planning: Definitions
    invoker: int
    reader: int
    bound: set[GlobalId] = field(default_factory=set)
    named: set[GlobalId] = field(default_factory=set)
    locked: frozenset[GlobalId] = frozenset()
    definer: int | None = None
    active: frozenset[GlobalId] = frozenset()

    def beneath(self, id: GlobalId) -> RoleReading:
        """Returns the reading for the relations that a view's query reads: as the view's owner, or as the invoker
        (security_invoker). The body of a SECURITY DEFINER function is read as the function's owner, who is the invoker
        within. For another item, this reading is returned."""
        item = self.state.items.get(id)
        if item is not None and isinstance(item.definition, FunctionDefinition) and item.definition.rules.definer:
            return replace(self, reader=item.owner, invoker=item.owner, locked=frozenset(), definer=item.owner)
        if item is None or not isinstance(item.definition, View):
            return self
        return replace(self, reader=reader_beneath(item, self.invoker), locked=frozenset())

    def within(self, id: GlobalId) -> RoleReading:
        """Returns the reading for subqueries in the policies of the table `id`."""
        return replace(self, locked=frozenset(), active=self.active | {id})

    def through(self, view: GlobalId | None) -> RoleReading:
        """Returns the reading of a table whose rows are changed through a view, or without one."""
        return self if view is None else self.beneath(view)

    def locking(self, plan: LockRowsPlan) -> RoleReading:
        """Returns the reading for a query with FOR UPDATE or the like, whose rows are locked."""
        return replace(self, locked=frozenset(each.table for each in plan.rows))

    def require_lockable(self, plan: LockRowsPlan) -> None:
        """Raises SqlError 0A000 for locks on rows under policies that stand beneath a view or a subquery, and where
        the plan reads a table for other purposes than the lock, too."""
        beneath = self.state.tables_under([each.relation for each in plan.whole])
        read = [node.id for node in walk_relation(plan.query.relation) if isinstance(node, Get)]
        tables = [each.table for each in plan.rows]
        for id_ in self.bound:
            if id_ in beneath or (id_ in tables and read.count(id_) != tables.count(id_)):
                raise NotSupported("FOR UPDATE or FOR SHARE of such rows under row-level security")

    def rows(self, get: Get) -> Relation:
        """Returns the rows of a collection that the role may see. Rows that are to be changed or locked must pass the
        policies for that, too."""
        rights = get.rights if isinstance(get, TargetGet) else SELECT
        if get.id in self.locked:
            rights += UPDATE
        item = self.state.items.get(get.id)
        policies = binding_policies(self.state, item, self.reader)
        if item is None or policies is None:
            return get.contents if isinstance(get, TargetGet) else Get(get.id, get.desc)
        self.bound.add(get.id)
        conditions = tuple(each for right in rights for each in self._of_rows(item, policies, right))
        held = replace(get, desc=item.desc)
        contents = held.contents if isinstance(held, TargetGet) else Get(get.id, item.desc)
        seen = Filter(contents, tuple(dict.fromkeys(conditions)))
        # A view was planned when the table had fewer columns, of which the policies may speak by now.
        width = get.desc.arity
        return seen if width == item.desc.arity else Project(seen, tuple(range(width)))

    def guards(self, target: GlobalId, command: str, reading: bool) -> tuple[RowGuard, ...]:
        """Returns the conditions of row security on rows written by INSERT or UPDATE; with `reading` the statement
        reads columns of the rows, so these must be visible, too."""
        item = self.state.items.get(target)
        policies = binding_policies(self.state, item, self.reader)
        if item is None or policies is None:
            return ()
        self.bound.add(target)
        assert command in (INSERT, UPDATE)
        guards = self._guards(item, ((each, each.of_new_rows(command)) for each in policies))
        if reading:
            guards += self._guards(item, ((each, each.of_rows(SELECT)) for each in policies))
        return guards

    def conflict_guards(self, target: GlobalId, reading: bool) -> tuple[RowGuard, ...]:
        """Returns the conditions of row security on rows that ON CONFLICT DO UPDATE is about to change."""
        return self._existing(target, (UPDATE, SELECT) if reading else (UPDATE,))

    def guarded_action(self, plan: MergePlan, action: MergeAction) -> MergeAction:
        """Returns an action of MERGE with the conditions of row security. Its rows have been seen already."""
        if not action.matched:
            return replace(action, guards=self.guards(plan.target, INSERT, reading=False))
        if action.relation is None:
            return replace(action, existing=self._existing(plan.target, (DELETE,)))
        guards = self.guards(plan.target, UPDATE, plan.reads_target)
        return replace(action, existing=self._existing(plan.target, (UPDATE,)), guards=guards)

    def _existing(self, target: GlobalId, rights: tuple[str, ...]) -> tuple[RowGuard, ...]:
        """Returns the conditions of row security on a target's rows that a statement has found and is to change."""
        item = self.state.items.get(target)
        policies = binding_policies(self.state, item, self.reader)
        if item is None or policies is None:
            return ()
        asked = [[(each, each.of_rows(right)) for each in policies] for right in rights]
        return tuple(guard for each in asked for guard in self._guards(item, each))

    def _of_rows(self, item: Item, policies: Iterable[Policy], right: str) -> list[Scalar]:
        """Returns the conditions of policies on the rows that a role may see or change; all conditions must be true."""
        asked = [(each, each.of_rows(right)) for each in policies]
        return [condition for _, condition in self._conditions(item, asked)]

    def _guards(self, item: Item, asked: Iterable[tuple[Policy, PolicyCondition | None]]) -> tuple[RowGuard, ...]:
        return tuple(
            RowGuard(policy, condition, reading=self._refused(item, condition))
            for policy, condition in self._conditions(item, asked)
        )

    def _conditions(
        self, item: Item, asked: Iterable[tuple[Policy, PolicyCondition | None]]
    ) -> list[tuple[str | None, Scalar]]:
        """Returns the conditions of policies: one of the permissive policies must let a row pass, and all restrictive
        policies, by their names, must."""
        found = [(policy, self._condition(item, condition)) for policy, condition in asked if condition is not None]
        permissive = tuple(condition for policy, condition in found if policy.permissive)
        restrictive = ((policy.name, condition) for policy, condition in found if not policy.permissive)
        allowed = permissive[0] if len(permissive) == 1 else Or(permissive) if permissive else Literal(False, BOOL)
        return [(None, allowed), *restrictive]

    def _condition(self, item: Item, written: PolicyCondition) -> Scalar:
        """Returns the condition of a policy. Raises SqlError 42P17 for subqueries that come back to the table."""
        if written.names is None:
            condition = self._plain(item, written.sql)
        else:
            condition = self.planning.policy_condition(self.state, written)
            self.named.update(each.id for each in written.names.references)
        if has_subquery(condition) and item.id in self.active:
            message = f'infinite recursion detected in policy for relation "{item.name}"'
            raise SqlError(Sqlstate.INVALID_OBJECT_DEFINITION, message)
        if self.definer is None:
            return condition
        return with_current_user(condition, role_name(self.state, self.definer))

    def _plain(self, item: Item, sql: str) -> Scalar:
        catalog = StateCatalogView(self.state)
        table = catalog.item(item.id)
        assert table is not None, "it is in the state"
        context = PlanningContext(catalog, table.name.database, (), "")
        plan = policy_condition(context, sql, table).plan
        assert isinstance(plan, SelectPlan) and isinstance(plan.query.relation, Map)
        return plan.query.relation.scalars[0]

    def _refused(self, item: Item, condition: Scalar) -> GuardReading | None:
        """Returns the reading by which a condition with subqueries refuses rows; None for a condition without."""
        if not has_subquery(condition):
            return None
        numbered = RelationDesc((*item.desc.columns, ColumnDesc(_NUMBER, INT8)))
        refused = Case(((condition, Literal(False, BOOL)),), Literal(True, BOOL), BOOL)
        rows = Filter(Constant((), numbered), (refused,))
        unfolded = inline_views(rows, partial(self.planning.view_relation, self.state), self.within(item.id))
        local_id = greatest_local_id(unfolded) + 1
        numbers = Project(with_inputs(unfolded, (LocalGet(local_id, numbered),)), (item.desc.arity,))
        return GuardReading(local_id, self.planning.executable(numbers, self.state))


def reading_as(state: CatalogState, planning: Definitions, role: int) -> RoleReading | None:
    """Returns a role's reading; None in a catalog without row security."""
    secured = any(map(is_secured, state.items.values()))
    return RoleReading(state, planning, role, role) if secured else None
