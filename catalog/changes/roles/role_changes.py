"""Changes of roles, memberships, owners and privileges: a part of the closed union in `catalog.changes`."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.nouns.items import Role
from catalog.nouns.memberships import Membership, MembershipKey


@dataclass(frozen=True, slots=True)
class CreateRole:
    role: Role


@dataclass(frozen=True, slots=True)
class AlterRole:
    """Changes attributes of a role, by the names of fields of Role."""

    oid: int
    attributes: tuple[tuple[str, str | int | bool | None], ...]


@dataclass(frozen=True, slots=True)
class DropRole:
    """It must own nothing, and have no privileges but by memberships."""

    oid: int


@dataclass(frozen=True, slots=True)
class GrantRole:
    """Adds or changes a membership; raises 0LP01 where the role is the member's own member."""

    membership: Membership


@dataclass(frozen=True, slots=True)
class RevokeRole:
    """Removes a membership, or an `option` alone (`admin`, `inherit`, `set`); `cascade` removes dependent ones, too."""

    key: MembershipKey
    option: str | None
    cascade: bool


@dataclass(frozen=True, slots=True)
class ChangeAcl:
    """Grants or, with `revoke`, revokes rights on the object with an oid, or on a column by number. `option`: with the
    grant option, or the grant option alone."""

    oid: int
    column: int
    grantor: int
    grantees: tuple[int, ...]
    rights: str
    revoke: bool = False
    option: bool = False
    cascade: bool = False


@dataclass(frozen=True, slots=True)
class ChangeDefaultAcl:
    """The same of what a role creates from now on: in a schema, or with 0 anywhere. `kind` is the list's."""

    role: int
    schema: int
    kind: str
    grantees: tuple[int, ...]
    rights: str
    revoke: bool = False
    option: bool = False
    cascade: bool = False


@dataclass(frozen=True, slots=True)
class ChangeOwner:
    """Gives an item, a schema or a database another owner."""

    oid: int
    owner: int


@dataclass(frozen=True, slots=True)
class DropAcls:
    """Revokes everything that a role was granted on objects of a database, and on databases."""

    role: int
    database: int


@dataclass(frozen=True, slots=True)
class SetRoleSetting:
    """Changes a setting of a database and a role (0: any). `value` None removes it; `name` None removes all."""

    database: int
    role: int
    name: str | None
    value: str | None


@dataclass(frozen=True, slots=True)
class SetSystemSetting:
    """Changes a setting of the whole server. `value` None removes it; `name` None removes all."""

    name: str | None
    value: str | None


RoleChange = (
    CreateRole
    | AlterRole
    | DropRole
    | GrantRole
    | RevokeRole
    | ChangeAcl
    | ChangeDefaultAcl
    | ChangeOwner
    | DropAcls
    | SetRoleSetting
    | SetSystemSetting
)
