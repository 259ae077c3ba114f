"""Facts about types that pg_attribute repeats, and pg_type itself, with Headwater's own types beside PostgreSQL's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from catalog.builtin.pg_catalog.oids import derived_oid
from catalog.builtin.shape import shape
from catalog.builtin.snapshot import SystemSnapshot
from catalog.builtin.stored import stored_desc, stored_rows, stored_table
from catalog.items import Enum, Item
from model.datum import Datum, Row
from model.scalar_type import MZ_TIMESTAMP, ScalarType, array_of, enum_of, type_oid

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


_ENUM = TypeFacts(4, True, "i", "p", 0)
_ENUM_ARRAY = TypeFacts(-1, False, "i", "x", 0)
_DOORS = {"typinput": "in", "typoutput": "out", "typreceive": "recv", "typsend": "send"}


@cache
def type_rows() -> tuple[Row, ...]:
    """All of pg_type."""
    return stored_table("pg_type") + _own_types()


@cache
def type_names() -> dict[int, str]:
    """pg_type.typname by oid."""
    return {row[0]: row[1] for row in type_rows()}  # type: ignore[misc]


def type_facts(type_: ScalarType) -> TypeFacts:
    if enum_of(type_) is not None:
        return _ENUM if type_.element is None else _ENUM_ARRAY
    return _facts_by_oid()[type_oid(type_)]


def pg_type(snapshot: SystemSnapshot) -> Iterable[Row]:
    yield from type_rows()
    for item in _enums(snapshot):
        yield from _enum_rows(item)


def pg_enum(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_enum")
    for item in _enums(snapshot):
        assert isinstance(item.definition, Enum)
        for number, (label, position) in enumerate(item.definition.labels):
            yield make(oid=derived_oid(item.oid, number), enumtypid=item.oid, enumsortorder=position, enumlabel=label)


def _enums(snapshot: SystemSnapshot) -> Iterator[Item]:
    """The types of the reader's database, in order of creation."""
    state = snapshot.state
    database = state.database_named(snapshot.database)
    for schema in () if database is None else state.schemas_in(database.oid):
        yield from (item for item in state.items_in(schema.oid) if item.type is not None)


def _enum_rows(item: Item) -> tuple[Row, Row]:
    """The type and its array."""
    assert isinstance(item.definition, Enum)
    make = shape("pg_type")
    both: dict[str, Datum] = {
        "typnamespace": item.schema,
        "typowner": item.owner,
        "typisdefined": True,
        "typdelim": ",",
        "typalign": "i",
    }
    array = item.definition.array_oid
    named = {name: _function_oid(f"enum_{word}") for name, word in _DOORS.items()}
    array_named = {name: _function_oid(f"array_{word}") for name, word in _DOORS.items()}
    return (
        make(
            **both,
            **named,
            oid=item.oid,
            typname=item.name,
            typlen=_ENUM.length,
            typbyval=_ENUM.by_value,
            typtype="e",
            typcategory="E",
            typstorage=_ENUM.storage,
            typarray=array,
        ),
        make(
            **both,
            **array_named,
            oid=array,
            typname="_" + item.name,
            typlen=_ENUM_ARRAY.length,
            typbyval=_ENUM_ARRAY.by_value,
            typtype="b",
            typcategory="A",
            typstorage=_ENUM_ARRAY.storage,
            typelem=item.oid,
        ),
    )


def pg_range(snapshot: SystemSnapshot) -> Iterable[Row]:
    return stored_table("pg_range")


@cache
def _function_oid(name: str) -> int:
    """Of a function that has no overloads."""
    return next(int(str(row[0])) for row in stored_rows("pg_proc") if row[1] == name)


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
