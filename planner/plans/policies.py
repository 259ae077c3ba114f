"""Plans of statements about a table's policies."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from planner.plans.objects import RoleRef


@dataclass(frozen=True, slots=True)
class CreatePolicyPlan:
    """CREATE POLICY. `command` is "all" or the command that the policy is for; `using` and `check` are conditions, in
    which columns stand without their table."""

    target: GlobalId
    name: str
    permissive: bool
    command: str
    roles: tuple[RoleRef, ...]
    using: str | None
    check: str | None


@dataclass(frozen=True, slots=True)
class AlterPolicyPlan:
    """None leaves a part as it is."""

    target: GlobalId
    name: str
    roles: tuple[RoleRef, ...] | None
    using: str | None
    check: str | None


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
