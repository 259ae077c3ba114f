"""Privileges that are granted: has_column_privilege and its kin; access control lists taken apart and put together.

aclitem       `alice=r*w/owner`, kept as text
aclexplode    an array of aclitems to rows: grantor, grantee, privilege
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, CHAR, INT2, NAME, OID, TEXT, ScalarType, TypeName, array_of
from planner.functions.rows import function, key_of
from planner.functions.signature import Function, TableFunction, Volatility
from planner.functions.system.lookup import SystemLookup
from planner.privileges import LETTERS, NAMES, PUBLIC, WORDS, in_order

ACLITEM = ScalarType(TypeName.ACLITEM)
_ITEM = re.compile(r'("(?:[^"]|"")*"|[^=]*)=([a-zA-Z*]*)(?:/(.*))?', re.DOTALL)
_DEFAULTS = {
    "c": ("", ""),
    "r": ("", "arwdDxt"),
    "s": ("", "rwU"),
    "d": ("Tc", "CTc"),
    "f": ("X", "X"),
    "l": ("U", "U"),
    "L": ("", "rw"),
    "n": ("", "UC"),
    "p": ("", "sA"),
    "t": ("", "C"),
    "F": ("", "U"),
    "S": ("", "U"),
    "T": ("U", "U"),
}
"""By acldefault()'s letters of kinds of objects: what PUBLIC has from the beginning, and what the owner has."""


def _taken_apart(item: str) -> tuple[str, str, str]:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f'missing "=" sign: "{item}"')
    return _plain(match[1]), match[2], _plain(match[3] or "")


def _plain(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _written(system: SystemLookup, role: int) -> str:
    if role == PUBLIC:
        return ""
    name = system.names.role_name(role) or str(role)
    plain = all(character.isalnum() or character == "_" for character in name)
    return name if plain else '"' + name.replace('"', '""') + '"'


def _exploded(system: SystemLookup, items: tuple[str | None, ...]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for item in items:
        if item is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "ACL arrays must not contain null values")
        grantee, letters, grantor = _taken_apart(item)
        to, by = _oid(system, grantee), _oid(system, grantor)
        for at, letter in enumerate(letters):
            if letter != "*":
                rows.append((by, to, NAMES[letter], letters[at + 1 : at + 2] == "*"))
    return rows


def _exploded_ids(system: SystemLookup, items: tuple[str | None, ...]) -> list[tuple[Any, ...]]:
    """Returns an exploded list with ids as mz_roles has them; everybody is `p`, as in Materialize."""
    return [(_id(by), _id(to), *rest) for by, to, *rest in _exploded(system, items)]


def _id(role: int) -> str:
    return "p" if role == PUBLIC else str(role)


def _oid(system: SystemLookup, name: str) -> int:
    if not name:
        return PUBLIC
    return int(name) if name.isdigit() else system.names.role_named(name)


def _default(system: SystemLookup, kind: str, owner: int) -> tuple[str, ...]:
    if kind not in _DEFAULTS:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"unrecognized object type abbreviation: {kind}")
    public, own = _DEFAULTS[kind]
    name = _written(system, owner)
    items = ((f"={public}/{name}",) if public else ()) + ((f"{name}={own}/{name}",) if own else ())
    return items


def _made(system: SystemLookup, grantee: int, grantor: int, privileges: str, grantable: bool) -> str:
    letters = ""
    for word in privileges.split(","):
        letter = WORDS.get(" ".join(word.lower().split()))
        if letter is None:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'unrecognized privilege type: "{word.strip()}"')
        letters += letter
    marked = "".join(letter + "*" * grantable for letter in in_order(letters))
    return f"{_written(system, grantee)}={marked}/{_written(system, grantor)}"


def _contains(system: SystemLookup, items: tuple[str | None, ...], item: str) -> bool:
    """Tells whether a list has an entry of the same grantee and grantor with all that the other has."""
    wanted = _taken_apart(item)
    for each in items:
        found = _taken_apart(each or "=")
        if (found[0], found[2]) == (wanted[0], wanted[2]) and set(_pairs(wanted[1])) <= set(_pairs(found[1])):
            return True
    return False


def _pairs(letters: str) -> list[str]:
    """Returns each right, and each right to grant one, with a star."""
    marked = [letters[at] + "*" for at in range(len(letters) - 1) if letters[at + 1] == "*"]
    return [letter for letter in letters if letter in LETTERS] + marked


def _asking(name: str, arguments: tuple[ScalarType, ...], result: ScalarType, evaluate: Callable[..., Any]) -> Function:
    return function(name, arguments, result, evaluate, volatility=Volatility.STABLE, needs_system=True, fallible=True)


def _of_columns(*, any_column: bool) -> list[Function]:
    """Lists has_column_privilege and has_any_column_privilege: users, relations and columns by name, oid or number."""
    name = "has_any_column_privilege" if any_column else "has_column_privilege"
    columns: tuple[tuple[ScalarType, ...], ...] = ((),) if any_column else ((TEXT,), (INT2,))

    def of_current(system: SystemLookup, item: str | int, *rest: Any) -> bool | None:
        *column, privilege = rest
        return system.privileges.has_column_privilege(None, item, column[0] if column else None, privilege)

    def of_user(system: SystemLookup, user: str | int, item: str | int, *rest: Any) -> bool | None:
        *column, privilege = rest
        return system.privileges.has_column_privilege(user, item, column[0] if column else None, privilege)

    return [
        *(_asking(name, (item, *column, TEXT), BOOL, of_current) for item in (TEXT, OID) for column in columns),
        *(
            _asking(name, (user, item, *column, TEXT), BOOL, of_user)
            for user in (NAME, OID)
            for item in (TEXT, OID)
            for column in columns
        ),
    ]


FUNCTIONS: tuple[Function, ...] = (
    *_of_columns(any_column=False),
    *_of_columns(any_column=True),
    _asking("acldefault", (CHAR, OID), array_of(ACLITEM), _default),
    _asking("makeaclitem", (OID, OID, TEXT, BOOL), ACLITEM, _made),
    _asking("aclcontains", (array_of(ACLITEM), ACLITEM), BOOL, _contains),
    _asking(
        "has_system_privilege",
        (TEXT,),
        BOOL,
        lambda system, privilege: system.privileges.has_system_privilege(None, privilege),
    ),
    *(
        _asking(
            "has_system_privilege",
            (user, TEXT),
            BOOL,
            lambda system, *asked: system.privileges.has_system_privilege(*asked),
        )
        for user in (NAME, OID)
    ),
    _asking(
        "has_parameter_privilege",
        (TEXT, TEXT),
        BOOL,
        lambda system, *asked: system.privileges.has_parameter_privilege(None, *asked),
    ),
    *(
        _asking(
            "has_parameter_privilege",
            (user, TEXT, TEXT),
            BOOL,
            lambda system, *asked: system.privileges.has_parameter_privilege(*asked),
        )
        for user in (NAME, OID)
    ),
    _asking("mz_is_superuser", (), BOOL, lambda system: system.privileges.is_superuser()),
)

_EXPLODED_IDS = relation_desc(("grantor", TEXT), ("grantee", TEXT), ("privilege_type", TEXT), ("is_grantable", BOOL))
_EXPLODED = relation_desc(("grantor", OID), ("grantee", OID), ("privilege_type", TEXT), ("is_grantable", BOOL))


def _always(desc: RelationDesc) -> Callable[[tuple[ScalarType, ...]], RelationDesc]:
    return lambda types: desc


TABLE_FUNCTIONS: tuple[TableFunction, ...] = tuple(
    TableFunction(
        key_of(name, (array_of(ACLITEM),)),
        name,
        (array_of(ACLITEM),),
        _always(desc),
        exploded,
        fallible=True,
        needs_system=True,
    )
    for name, desc, exploded in (("aclexplode", _EXPLODED, _exploded), ("mz_aclexplode", _EXPLODED_IDS, _exploded_ids))
)
