"""Plans of statements about a table's policies."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from planner.plans.objects import RoleRef


@dataclass(frozen=True, slots=True)
class NewCondition:
    """A condition over a row of the table, in which the columns stand without their table. One that is `bound` may name
    the items `depends_on`, too, with their schemas, and reads the `columns`, each by its relation and number."""

    sql: str
    bound: bool = False
    depends_on: frozenset[GlobalId] = frozenset()
    columns: frozenset[tuple[GlobalId, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class CreatePolicyPlan:
    """CREATE POLICY. `command` is "all" or the command that the policy is for."""

    target: GlobalId
    name: str
    permissive: bool
    command: str
    roles: tuple[RoleRef, ...]
    using: NewCondition | None
    check: NewCondition | None


@dataclass(frozen=True, slots=True)
class AlterPolicyPlan:
    """None leaves a part as it is."""

    target: GlobalId
    name: str
    roles: tuple[RoleRef, ...] | None
    using: NewCondition | None
    check: NewCondition | None


@dataclass(frozen=True, slots=True)
class RenamePolicyPlan:
    target: GlobalId
    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class DropPolicyPlan:
    target: GlobalId
    name: str
    if_exists: bool


PolicyPlan = CreatePolicyPlan | AlterPolicyPlan | RenamePolicyPlan | DropPolicyPlan
"""Each of the table with the id `target`."""
