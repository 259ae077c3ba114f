"""The schema of a session's temporary relations, and its place in the search path.

The schema is called pg_temp_<n>; its session calls it pg_temp too. Planner and catalog take a search path in two parts:
the name of the session's temporary schema, once there is one, then the path as set:

    SET search_path = public            ("public",)             ("pg_temp_7", "public")
    SET search_path = public, pg_temp   ("public", "pg_temp")   ("pg_temp_7", "public", "pg_temp")

Sessions without temporary relations therefore have equal paths, and share plans. `pg_temp` in the path is the place at
which temporary relations are searched; without `pg_temp`, temporary relations are searched first.
"""

from __future__ import annotations

import functools
import re

ALIAS = "pg_temp"
_OWN_NAME = re.compile(r"pg_temp_[0-9]+")

_NAME = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^\s,"]+))\s*(,|$)')


def temporary_schema_name(number: int) -> str:
    """Returns the own name of a temporary schema."""
    return f"{ALIAS}_{number}"


def is_temporary(schema: str) -> bool:
    """Tells whether a name is that of a session's temporary schema; other schemas can't have such names."""
    return schema.startswith(ALIAS) and _OWN_NAME.fullmatch(schema) is not None


def search_path_of(named: tuple[str, ...], own: str, exists: bool) -> tuple[str, ...]:
    """Returns the path of a session that has named these schemas; other sessions' temporary schemas are never
    searched."""
    usable = tuple(ALIAS if name == own else name for name in named if name == own or not is_temporary(name))
    return (own, *usable) if exists else usable


def own_schema(search_path: tuple[str, ...]) -> str | None:
    """Returns the session's temporary schema, when it has one."""
    return search_path[0] if search_path and is_temporary(search_path[0]) else None


def named_schemas(search_path: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the path as it was set."""
    return search_path if own_schema(search_path) is None else search_path[1:]


def own_name(schema: str, search_path: tuple[str, ...]) -> str:
    """Returns `schema` by its own name; pg_temp is nothing's while the session has no temporary schema."""
    own = own_schema(search_path)
    return own if schema == ALIAS and own is not None else schema


@functools.lru_cache(maxsize=256)
def split_identifiers(text: str) -> tuple[str, ...] | None:
    """Splits a list of names like search_path: apart by commas, folded unless quoted; returns None for another text."""
    names = []
    position = 0
    while position < len(text):
        match = _NAME.match(text, position)
        if match is None:
            return None
        names.append(match[1].replace('""', '"') if match[1] is not None else match[2].lower())
        position = match.end()
    return tuple(names)
