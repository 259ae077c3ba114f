"""Facts about types that pg_attribute repeats, and pg_type itself, with Headwater's own types beside PostgreSQL's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from catalog.builtin.shape import shape
from catalog.builtin.snapshot import SystemSnapshot
from catalog.builtin.stored import stored_desc, stored_table
from model.datum import Datum, Row
from model.scalar_type import MZ_TIMESTAMP, ScalarType, array_of, type_oid

_PG_CATALOG_OID = 11
_INT8_OID = 20


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """In pg_type's terms."""

    length: int
    by_value: bool
    align: str
    storage: str
    collation: int


@cache
def type_rows() -> tuple[Row, ...]:
    """All of pg_type."""
    return stored_table("pg_type") + _own_types()


@cache
def type_names() -> dict[int, str]:
    """pg_type.typname by oid."""
    return {row[0]: row[1] for row in type_rows()}  # type: ignore[misc]


def type_facts(type_: ScalarType) -> TypeFacts:
    return _facts_by_oid()[type_oid(type_)]


def pg_type(snapshot: SystemSnapshot) -> Iterable[Row]:
    return type_rows()


def pg_range(snapshot: SystemSnapshot) -> Iterable[Row]:
    return stored_table("pg_range")


@cache
def _facts_by_oid() -> dict[int, TypeFacts]:
    index = {name: i for i, name in enumerate(stored_desc("pg_type").names)}
    columns = [index[name] for name in ("typlen", "typbyval", "typalign", "typstorage", "typcollation")]
    return {row[0]: TypeFacts(*(row[i] for i in columns)) for row in type_rows()}  # type: ignore[misc,arg-type]


def _own_types() -> tuple[Row, ...]:
    """mz_timestamp, which lies as int8 does, and its array."""
    index = {name: i for i, name in enumerate(stored_desc("pg_type").names)}
    int8 = next(row for row in stored_table("pg_type") if row[0] == _INT8_OID)
    int8_array = next(row for row in stored_table("pg_type") if row[0] == int8[index["typarray"]])
    own, array = type_oid(MZ_TIMESTAMP), type_oid(array_of(MZ_TIMESTAMP))
    changed: dict[str, Datum] = {"oid": own, "typname": "mz_timestamp", "typarray": array, "typcategory": "U"}
    array_changed: dict[str, Datum] = {"oid": array, "typname": "_mz_timestamp", "typelem": own}
    names = stored_desc("pg_type").names
    make = shape("pg_type")
    return (
        make(**{**dict(zip(names, int8, strict=True)), **changed}),
        make(**{**dict(zip(names, int8_array, strict=True)), **array_changed}),
    )
