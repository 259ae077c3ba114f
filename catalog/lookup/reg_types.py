"""Types by name and by oid, as regtype reads and writes them: those that exist here and PostgreSQL's others."""

from __future__ import annotations

from functools import cache

from catalog.builtin.pg_catalog.types import type_names
from catalog.nouns.names import quote
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.names import type_named
from model.types.scalar_type import array_of, type_from_oid, type_oid, type_text


def type_name(oid: int) -> str | None:
    """Returns the name that format_type prints for `oid` without a modifier; None when there is no such type."""
    known = type_from_oid(oid)
    if known is not None:
        return type_text(known)
    name = type_names().get(oid)
    if name is None:
        return None
    plain = name.removeprefix("_") if name[1:] in _oids_by_name() else name
    return quote(plain) if plain == name else f"{quote(plain)}[]"


def type_oid_named(text: str) -> int:
    """Returns the oid of a type by name; raises 42704 when there is none."""
    oid = system_type_oid(text)
    if oid is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'type "{text}" does not exist')
    return oid


def system_type_oid(text: str) -> int | None:
    """Returns the oid of a type by name; None when there is none."""
    body = " ".join((text if '"' in text else text.lower()).split()).removeprefix("pg_catalog.")
    base, array = (body[:-2].strip(), True) if body.endswith("[]") else (body, False)
    base = base.partition("(")[0].strip().strip('"') if "(" in base else base
    known = type_named(base)
    if known is not None:
        return type_oid(array_of(known) if array else known)
    return _oids_by_name().get(("_" if array else "") + base.strip('"'))


@cache
def _oids_by_name() -> dict[str, int]:
    return {name: oid for oid, name in type_names().items()}
