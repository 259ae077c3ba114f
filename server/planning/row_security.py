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

from catalog.facts.roles.row_security import binding_policies, is_secured, reader_beneath
from catalog.lookup.planner_view import StateCatalogView
from catalog.nouns.items import Item, View
from catalog.nouns.policies import Policy
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.types.scalar_type import BOOL
from planner.catalog_view import PlanningContext
from planner.ir.relation import Filter, Get, Project, Relation, TargetGet
from planner.ir.scalar import Literal, Or, Scalar
from planner.plans.constraints import RowGuard
from planner.privileges import INSERT, SELECT, UPDATE
from planner.statements.kept_rules import policy_condition


@dataclass(frozen=True, slots=True)
class RoleReading:
    """A role reads relations, for a statement that `invoker` executes. `bound` collects the tables whose policies the
    plan has come to depend on."""

    state: CatalogState
    invoker: int
    reader: int
    bound: set[GlobalId] = field(default_factory=set)

    def beneath(self, id: GlobalId) -> RoleReading:
        """Returns the reading of what lies in a view."""
        item = self.state.items.get(id)
        if item is None or not isinstance(item.definition, View):
            return self
        return replace(self, reader=reader_beneath(item, self.invoker))

    def rows(self, get: Get) -> Relation:
        """Returns the rows of a collection that the role may see. Rows that are to be changed or locked must pass the
        policies for that, too."""
        rights = get.rights if isinstance(get, TargetGet) else SELECT
        item = self.state.items.get(get.id)
        policies = binding_policies(self.state, item, self.reader)
        if item is None or policies is None:
            return Get(get.id, get.desc)
        self.bound.add(get.id)
        conditions = tuple(each for right in rights for each in self._of_rows(item, policies, right))
        seen = Filter(Get(get.id, item.desc), tuple(dict.fromkeys(conditions)))
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

    def _of_rows(self, item: Item, policies: Iterable[Policy], right: str) -> list[Scalar]:
        """Returns conditions, all of which must be true."""
        asked = [(each, each.of_rows(right)) for each in policies]
        return [guard.condition for guard in self._guards(item, asked)]

    def _guards(self, item: Item, asked: Iterable[tuple[Policy, str | None]]) -> tuple[RowGuard, ...]:
        """One permissive policy must let a row pass, and every restrictive one."""
        found = [(policy, self._condition(item, sql)) for policy, sql in asked if sql is not None]
        permissive = tuple(condition for policy, condition in found if policy.permissive)
        restrictive = (RowGuard(policy.name, condition) for policy, condition in found if not policy.permissive)
        allowed = permissive[0] if len(permissive) == 1 else Or(permissive) if permissive else Literal(False, BOOL)
        return (RowGuard(None, allowed), *restrictive)

    def _condition(self, item: Item, sql: str) -> Scalar:
        catalog = StateCatalogView(self.state)
        table = catalog.item(item.id)
        assert table is not None, "it is in the state"
        return policy_condition(PlanningContext(catalog, table.name.database, (), ""), sql, table)


def reading_as(state: CatalogState, role: int) -> RoleReading | None:
    """Returns a role's reading; None in a catalog without row security."""
    return RoleReading(state, role, role) if any(map(is_secured, state.items.values())) else None
