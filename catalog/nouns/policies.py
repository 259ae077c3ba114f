"""Row security of a table: a switch, who is bound, and the policies."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.nouns.reference import BoundNames
from planner.privileges import DELETE, INSERT, SELECT, UPDATE

ALL_COMMANDS = "*"
COMMAND_LETTERS = {"all": ALL_COMMANDS, "select": SELECT, "insert": INSERT, "update": UPDATE, "delete": DELETE}
"""What pg_policy.polcmd has for each command that a policy can be for."""


@dataclass(frozen=True, slots=True)
class PolicyCondition:
    """A condition of a policy as SQL, in bare names of the table's columns. A condition with `names` may name other
    items, too, and keeps the names of the time of writing."""

    sql: str
    names: BoundNames | None = None

    @property
    def bound(self) -> BoundNames:
        """Returns the names; the condition must have names."""
        assert self.names is not None, "it names columns alone"
        return self.names


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy.

    `permissive`: one such policy must let a row pass, while all others must
    `command`: the letter of a command, or ALL_COMMANDS
    `roles`: oids, 0 for PUBLIC
    `using`, `check`: conditions, or None
    """

    oid: int
    name: str
    permissive: bool
    command: str
    roles: tuple[int, ...]
    using: PolicyCondition | None
    check: PolicyCondition | None

    @property
    def conditions(self) -> tuple[PolicyCondition, ...]:
        """Returns the policy's conditions, two at most."""
        return tuple(each for each in (self.using, self.check) if each is not None)

    def of_rows(self, command: str) -> PolicyCondition | None:
        """Returns the condition on existing rows, for a command; None for a policy without."""
        return self.using if self.command in (ALL_COMMANDS, command) else None

    def of_new_rows(self, command: str) -> PolicyCondition | None:
        """Returns the condition on rows written by a command."""
        if self.command not in (ALL_COMMANDS, command):
            return None
        return self.using if self.check is None else self.check


@dataclass(frozen=True, slots=True)
class RowSecurity:
    """The row security of a table. `forced`: the table's owner is bound, too. `policies` are by name, and have no
    effect unless `enabled`."""

    enabled: bool = False
    forced: bool = False
    policies: tuple[Policy, ...] = ()

    def named(self, name: str) -> Policy | None:
        return next((policy for policy in self.policies if policy.name == name), None)


NO_ROW_SECURITY = RowSecurity()
