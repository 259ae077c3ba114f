"""The schemas that every database has and nobody owns but the system."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SystemSchema:
    oid: int
    name: str


SYSTEM_SCHEMAS = (
    SystemSchema(11, "pg_catalog"),
    SystemSchema(12404, "information_schema"),
    SystemSchema(16610, "mz_catalog"),
    SystemSchema(16611, "mz_internal"),
)
_BY_NAME = {schema.name: schema for schema in SYSTEM_SCHEMAS}


def system_schema_named(name: str) -> SystemSchema | None:
    return _BY_NAME.get(name)


def reserved(name: str) -> bool:
    """Tells whether a name has a prefix reserved for the system."""
    return name.startswith(("pg_", "mz_"))
