"""Functions, operators and casts: those of PostgreSQL's that exist here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from catalog.builtin.pg_catalog.functions import users_procedures
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.declared.stored import stored_desc, stored_rows, stored_table
from model.types.datum import Datum, Row
from model.types.scalar_type import type_from_oid
from planner.functions.registry import AGGREGATES, ALIASES, FUNCTIONS, TABLE_FUNCTIONS, operators_named

_REFERRING = {
    "pg_type": ("typinput", "typoutput", "typreceive", "typsend", "typmodin", "typmodout"),
    "pg_operator": ("oprcode", "oprrest", "oprjoin"),
    "pg_am": ("amhandler",),
}


def pg_proc(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists functions. The file is parsed at each read: it is large, and rarely read."""
    known = _known_names()
    referred = _referred_oids()
    yield from (row for row in stored_rows("pg_proc") if row[1] in known or row[0] in referred)
    yield from users_procedures(snapshot)


def pg_operator(snapshot: SystemSnapshot) -> Iterable[Row]:
    return [row for row in stored_table("pg_operator") if operators_named(str(row[1]))]


def pg_cast(snapshot: SystemSnapshot) -> Iterable[Row]:
    return [row for row in stored_table("pg_cast") if _known_type(row[1]) and _known_type(row[2])]


def pg_am(snapshot: SystemSnapshot) -> Iterable[Row]:
    return stored_table("pg_am")


def pg_collation(snapshot: SystemSnapshot) -> Iterable[Row]:
    return stored_table("pg_collation")


def pg_language(snapshot: SystemSnapshot) -> Iterable[Row]:
    return stored_table("pg_language")


def pg_opclass(snapshot: SystemSnapshot) -> Iterable[Row]:
    return stored_table("pg_opclass")


def pg_opfamily(snapshot: SystemSnapshot) -> Iterable[Row]:
    return stored_table("pg_opfamily")


def text_search_rows(relation: str) -> Rows:
    """Returns the function that lists a relation of text search: PostgreSQL's rows of what exists here."""
    return lambda snapshot: stored_table(relation)


@cache
def function_names() -> Mapping[int, str]:
    """Returns pg_proc.proname by oid."""
    return {int(str(row[0])): str(row[1]) for row in stored_rows("pg_proc")}


@cache
def function_oids() -> Mapping[str, tuple[int, ...]]:
    """Returns pg_proc.oid of the overloads of each name."""
    oids: dict[str, tuple[int, ...]] = {}
    for oid, name in function_names().items():
        oids[name] = (*oids.get(name, ()), oid)
    return oids


@cache
def _known_names() -> frozenset[str]:
    functions = {row.name for row in (*FUNCTIONS.values(), *ALIASES) if row.form == "function"}
    aggregates = {row.name for row in AGGREGATES.values()}
    return frozenset(functions | aggregates | {row.name for row in TABLE_FUNCTIONS.values()})


@cache
def _referred_oids() -> frozenset[Datum]:
    oids: set[Datum] = set()
    for relation, columns in _REFERRING.items():
        names = stored_desc(relation).names
        positions = [names.index(column) for column in columns]
        oids.update(row[position] for row in stored_table(relation) for position in positions)
    return frozenset(oids)


def _known_type(oid: Datum) -> bool:
    return isinstance(oid, int) and type_from_oid(oid) is not None
