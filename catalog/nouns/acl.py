"""Access control lists, PostgreSQL's `aclitem[]`: `alice=r*w/owner` says that `owner` has granted alice SELECT, which
she may grant on, and UPDATE. A grantee is a role's oid, 0 for PUBLIC."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.privileges import PUBLIC, in_order


@dataclass(frozen=True, slots=True)
class AclItem:
    """The rights on an object that a grantor has given to a grantee. `rights` and `grantable` are letters, in order;
    grantable rights are among the rights."""

    grantee: int
    grantor: int
    rights: str
    grantable: str = ""

    @property
    def letters(self) -> str:
        """`r*w`."""
        return "".join(letter + "*" * (letter in self.grantable) for letter in self.rights)


Acl = tuple[AclItem, ...]
_KEPT = re.compile(r"(\d+)=([a-zA-Z*]*)/(\d+)", re.ASCII)
_GRANTABLE = re.compile(r"(.)\*")


def acl_text(acl: Acl, role_name: Callable[[int], str]) -> tuple[str, ...]:
    """Returns the items as pg_class.relacl shows them."""
    return tuple(f"{_named(each.grantee, role_name)}={each.letters}/{_named(each.grantor, role_name)}" for each in acl)


def acl_kept(text: str) -> Acl:
    """Reads a list of rights, by the oids of roles, that a table keeps as text.

    >>> acl_kept("16400=rw*/10")
    (AclItem(grantee=16400, grantor=10, rights='rw', grantable='w'),)
    """
    found = []
    for grantee, letters, grantor in _KEPT.findall(text):
        grantable = "".join(_GRANTABLE.findall(letters))
        found.append(AclItem(int(grantee), int(grantor), letters.replace("*", ""), grantable))
    return tuple(found)


def kept_text(acl: Acl) -> str:
    """Returns what `acl_kept` reads."""
    return ",".join(f"{each.grantee}={each.letters}/{each.grantor}" for each in acl)


def _named(role: int, role_name: Callable[[int], str]) -> str:
    if role == PUBLIC:
        return ""
    name = role_name(role)
    plain = all(character.isalnum() or character == "_" for character in name)
    return name if plain else '"' + name.replace('"', '""') + '"'


def rights_of(acl: Acl, roles: frozenset[int]) -> str:
    """Returns the rights granted to PUBLIC or to any of `roles`."""
    held = (each.rights for each in acl if each.grantee == PUBLIC or each.grantee in roles)
    return in_order(frozenset("".join(held)))


def grantable_by(acl: Acl, role: int) -> str:
    """Returns the rights that `role` itself may grant to others; the rights of its groups don't count."""
    return in_order(frozenset("".join(each.grantable for each in acl if each.grantee == role)))


def granted(acl: Acl, owner: int, grantor: int, grantees: Iterable[int], rights: str, *, option: bool) -> Acl:
    """Returns the list with rights granted; raises 0LP01 where a right to grant would come from itself."""
    for grantee in grantees:
        if option:
            _refuse_circle(acl, owner, grantor, grantee, rights)
        at = _place(acl, grantee, grantor)
        old = AclItem(grantee, grantor, "") if at is None else acl[at]
        grantable = in_order(old.grantable + rights) if option else old.grantable
        acl = _put(acl, at, replace(old, rights=in_order(old.rights + rights), grantable=grantable))
    return acl


def revoked(
    acl: Acl, owner: int, grantor: int, grantees: Iterable[int], rights: str, *, option: bool, cascade: bool
) -> Acl:
    """Returns the list without rights granted by `grantor`, or with `option` without the grant option; raises 2BP01
    where dependent grants exist, unless `cascade` removes those, too."""
    for grantee in grantees:
        at = _place(acl, grantee, grantor)
        if at is None:
            continue
        old = acl[at]
        kept = old.rights if option else _less(old.rights, rights)
        acl = _put(acl, at, replace(old, rights=kept, grantable=_less(old.grantable, rights)))
        acl = _follow(acl, owner, grantee, in_order(frozenset(old.grantable) & frozenset(rights)), cascade=cascade)
    return acl


def _follow(acl: Acl, owner: int, lost_by: int, lost: str, *, cascade: bool) -> Acl:
    """Removes rights granted by a role that may grant them no longer."""
    if lost_by == owner:
        return acl
    lost = _less(lost, grantable_by(acl, lost_by))
    while lost:
        dependent = next((e for e in acl if e.grantor == lost_by and frozenset(e.rights) & frozenset(lost)), None)
        if dependent is None:
            return acl
        if not cascade:
            message = "dependent privileges exist"
            hint = "Use CASCADE to revoke them too."
            raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, message, hint=hint)
        acl = revoked(acl, owner, lost_by, (dependent.grantee,), lost, option=False, cascade=True)
    return acl


def _refuse_circle(acl: Acl, owner: int, grantor: int, grantee: int, rights: str) -> None:
    """Raises SqlError 0LP01 for a grant to a role from which the grantor has its own right to grant."""
    if grantor == owner:
        return
    without = tuple(each for each in acl if not (each.grantee == grantee and each.grantable))
    for item in (each for each in acl if each.grantee == grantee and each.grantable):
        without = _follow(without, owner, grantee, item.grantable, cascade=True)
    own = grantable_by(without, grantor)
    if _less(rights, own):
        message = "grant options cannot be granted back to your own grantor"
        raise SqlError(Sqlstate.INVALID_GRANT_OPERATION, message)


def with_new_owner(acl: Acl, old: int, new: int) -> Acl:
    """Returns the list with the new owner in the old owner's place; alike entries become one."""
    merged: Acl = ()
    for each in acl:
        grantee = new if each.grantee == old else each.grantee
        grantor = new if each.grantor == old else each.grantor
        at = _place(merged, grantee, grantor)
        before = AclItem(grantee, grantor, "") if at is None else merged[at]
        rights, grantable = in_order(before.rights + each.rights), in_order(before.grantable + each.grantable)
        merged = _put(merged, at, AclItem(grantee, grantor, rights, grantable))
    return merged


def _place(acl: Acl, grantee: int, grantor: int) -> int | None:
    return next((at for at, each in enumerate(acl) if (each.grantee, each.grantor) == (grantee, grantor)), None)


def _put(acl: Acl, at: int | None, item: AclItem) -> Acl:
    """Puts the item in its place, or removes an empty one."""
    if at is None:
        return (*acl, item) if item.rights else acl
    return (*acl[:at], *((item,) if item.rights else ()), *acl[at + 1 :])


def _less(letters: str, taken: str) -> str:
    return "".join(letter for letter in letters if letter not in taken)
