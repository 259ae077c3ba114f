"""Memberships of roles. A membership lets the member have the role's privileges (`inherit`), set the role (`set`), and
grant the role on (`admin`), through any number of memberships.

The owner of a database is a member of pg_database_owner in the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from catalog.nouns.items import PUBLIC_OWNER_OID

MembershipKey = tuple[int, int, int]
"""The role, its member, and who granted it."""


@dataclass(frozen=True, slots=True)
class Membership:
    """The membership of one role in another. `oid` is that of the row in pg_auth_members; the other numbers are roles'
    oids."""

    oid: int
    role: int
    member: int
    grantor: int
    admin: bool = False
    inherit: bool = True
    set: bool = True

    @property
    def key(self) -> MembershipKey:
        return self.role, self.member, self.grantor


@dataclass(frozen=True, slots=True)
class Memberships:
    """All memberships; closures are computed once."""

    by_key: Mapping[MembershipKey, Membership] = field(default_factory=dict)
    _by_member: dict[int, tuple[Membership, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _reached: dict[tuple[int, str], frozenset[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for each in self.by_key.values():
            self._by_member[each.member] = (*self._by_member.get(each.member, ()), each)

    def __iter__(self) -> Iterator[Membership]:
        return iter(self.by_key.values())

    def with_one(self, membership: Membership) -> Memberships:
        """Adds a membership, or replaces the one of the same key."""
        return Memberships({**self.by_key, membership.key: membership})

    def without(self, keys: Iterable[MembershipKey]) -> Memberships:
        gone = set(keys)
        return Memberships({key: each for key, each in self.by_key.items() if key not in gone})

    def privileges_of(self, member: int, database_owner: int | None) -> frozenset[int]:
        """Returns the roles whose privileges a member has, the member among the roles."""
        return self._closure(member, "inherit", database_owner)

    def member_of(self, member: int, database_owner: int | None) -> frozenset[int]:
        """Returns all roles of a member, the member among the roles."""
        return self._closure(member, "", database_owner)

    def settable(self, member: int) -> frozenset[int]:
        """Returns the roles for SET ROLE, the member among the roles."""
        return self._closure(member, "set", None)

    def administers(self, member: int, role: int) -> bool:
        """Returns whether a member may grant the role on."""
        held = self.member_of(member, None)
        return any(each.admin and each.role == role and each.member in held for each in self)

    def best_admin(self, member: int, role: int) -> int | None:
        """Returns the member, or a role whose privileges the member has, as the grantor of `role`."""
        held = self.privileges_of(member, None)
        admins = [each.member for each in self if each.admin and each.role == role and each.member in held]
        return member if member in admins else min(admins, default=None)

    def _closure(self, member: int, option: str, database_owner: int | None) -> frozenset[int]:
        found = self._reached.get((member, option))
        if found is None:
            reached, waiting = {member}, [member]
            while waiting:
                for each in self._by_member.get(waiting.pop(), ()):
                    if each.role not in reached and (not option or getattr(each, option)):
                        reached.add(each.role)
                        waiting.append(each.role)
            found = self._reached[member, option] = frozenset(reached)
        if database_owner is not None and database_owner in found:
            return found | {PUBLIC_OWNER_OID}
        return found
