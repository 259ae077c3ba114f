"""Plans of statements about roles, memberships, owners and privileges."""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.plans.objects import FunctionRef, ObjectKind, RoleRef

RoleAttribute = tuple[str, str | int | bool | None]
"""The name of an attribute of catalog.items.Role, and its value."""


@dataclass(frozen=True, slots=True)
class RoleOptions:
    """The options of CREATE or ALTER ROLE. `attributes` are those that the statement sets; `password` is as written,
    None without PASSWORD, and "" for PASSWORD NULL."""

    attributes: tuple[RoleAttribute, ...] = ()
    password: str | None = field(default=None, repr=False)
    in_roles: tuple[RoleRef, ...] = ()
    members: tuple[RoleRef, ...] = ()
    admins: tuple[RoleRef, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateRolePlan:
    name: str
    options: RoleOptions


@dataclass(frozen=True, slots=True)
class AlterRolePlan:
    """ALTER ROLE or ALTER GROUP. `remove`: ALTER GROUP … DROP USER."""

    role: RoleRef
    options: RoleOptions
    remove: bool = False


@dataclass(frozen=True, slots=True)
class RenameRolePlan:
    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class DropRolePlan:
    roles: tuple[RoleRef, ...]
    if_exists: bool


@dataclass(frozen=True, slots=True)
class RoleSettingPlan:
    """ALTER ROLE … SET, ALTER DATABASE … SET; None is any role, or any database. `name` None resets all, `value` None
    this one."""

    role: RoleRef | None
    database: str | None
    name: str | None
    value: str | None


@dataclass(frozen=True, slots=True)
class SystemSettingPlan:
    """ALTER SYSTEM SET and RESET. `name` None resets all, `value` None this one."""

    name: str | None
    value: str | None


@dataclass(frozen=True, slots=True)
class GrantRolePlan:
    """GRANT or REVOKE of roles. `options` holds those of admin, inherit and set that the statement names."""

    roles: tuple[str, ...]
    members: tuple[RoleRef, ...]
    grant: bool
    options: tuple[tuple[str, bool], ...]
    grantor: RoleRef | None
    cascade: bool


@dataclass(frozen=True, slots=True)
class PrivilegeWord:
    """A privilege as it is written; without columns it is one on all of the object."""

    word: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Granting:
    """The privileges of a GRANT (`grant`) or REVOKE, and the grantees. `privileges` None is ALL; `all_columns` is ALL
    (columns). `option`: WITH GRANT OPTION, or GRANT OPTION FOR."""

    privileges: tuple[PrivilegeWord, ...] | None
    grantees: tuple[RoleRef, ...]
    grant: bool
    option: bool
    cascade: bool
    all_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GrantPlan:
    """GRANT or REVOKE on objects. `kind` is the kind of object that the statement names: table, sequence, schema,
    database, type, domain, connection or secret; functions are named by their arguments, too. With `in_schemas`, the
    names are those of schemas, and all objects of the kind in the schemas are meant."""

    kind: str
    names: tuple[tuple[str, ...], ...]
    in_schemas: bool
    granting: Granting
    grantor: RoleRef | None = None
    functions: tuple[FunctionRef, ...] = ()


@dataclass(frozen=True, slots=True)
class DefaultPrivilegesPlan:
    """ALTER DEFAULT PRIVILEGES. Empty `roles` mean the current role, empty `schemas` every schema."""

    roles: tuple[RoleRef, ...]
    schemas: tuple[str, ...]
    kind: str
    granting: Granting


@dataclass(frozen=True, slots=True)
class OwnerPlan:
    kind: ObjectKind
    name: tuple[str, ...]
    owner: RoleRef
    if_exists: bool = False
    function: FunctionRef | None = None


@dataclass(frozen=True, slots=True)
class ReassignOwnedPlan:
    roles: tuple[RoleRef, ...]
    owner: RoleRef


@dataclass(frozen=True, slots=True)
class DropOwnedPlan:
    roles: tuple[RoleRef, ...]
    cascade: bool


@dataclass(frozen=True, slots=True)
class SetRolePlan:
    """SET ROLE, or where `session`, SET SESSION AUTHORIZATION; `name` None goes back. `reset`: by RESET."""

    name: str | None
    session: bool
    local: bool
    reset: bool = False


RolePlan = (
    CreateRolePlan
    | AlterRolePlan
    | RenameRolePlan
    | DropRolePlan
    | RoleSettingPlan
    | SystemSettingPlan
    | GrantRolePlan
    | GrantPlan
    | DefaultPrivilegesPlan
    | OwnerPlan
    | ReassignOwnedPlan
    | DropOwnedPlan
)
