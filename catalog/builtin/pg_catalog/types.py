"""The facts about types that pg_attribute repeats, and pg_type itself, with this server's own types beside
PostgreSQL's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from catalog.builtin.shape import shape
from catalog.declared.snapshot import SystemSnapshot
from catalog.declared.stored import stored_desc, stored_rows, stored_table
from catalog.facts.roles.shown_acls import shown_acl
from catalog.nouns.derived_oids import derived_oid, row_array_oid
from catalog.nouns.items import Composite, Domain, Enum, Item, MultirangeDefinition, RangeDefinition
from model.types.datum import Datum, Row
from model.types.scalar_type import (
    BYTEA,
    INT2,
    INT4,
    INT8,
    MZ_TIMESTAMP,
    TEXT,
    UINT2,
    UINT4,
    UINT8,
    VECTOR,
    ScalarType,
    TypeName,
    array_of,
    declared_oid,
    type_oid,
    users_type,
)
from model.types.type_table import TYPES

_PG_CATALOG_OID = 11
_BTREE_OID = 403
_OWN = ((MZ_TIMESTAMP, INT8, "U"), (UINT2, INT2, "N"), (UINT4, INT4, "N"), (UINT8, INT8, "N"), (VECTOR, BYTEA, "U"))


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """The facts of a type that pg_type shows."""

    length: int
    by_value: bool
    align: str
    storage: str
    collation: int


_ENUM = TypeFacts(4, True, "i", "p", 0)
_ENUM_ARRAY = TypeFacts(-1, False, "i", "x", 0)
_COMPOSITE = TypeFacts(-1, False, "d", "x", 0)
"""Also of range types; PostgreSQL takes the alignment of ranges from the subtype: int or double."""
_DOORS = {"typinput": "in", "typoutput": "out", "typreceive": "recv", "typsend": "send"}


@cache
def type_rows() -> tuple[Row, ...]:
    """Returns all of pg_type."""
    return stored_table("pg_type") + _own_types()


@cache
def type_names() -> dict[int, str]:
    """Returns pg_type.typname by oid."""
    return {row[0]: row[1] for row in type_rows()}  # type: ignore[misc]


def type_facts(type_: ScalarType) -> TypeFacts:
    type_ = type_.base()
    if users_type(type_) is None:
        return _facts_by_oid()[type_oid(type_)]
    if type_.element is None:
        return _ENUM if type_.enum is not None else _COMPOSITE
    return _ENUM_ARRAY if type_.element.enum is not None else _COMPOSITE


def pg_type(snapshot: SystemSnapshot) -> Iterable[Row]:
    yield from type_rows()
    for item in users_types(snapshot):
        yield from _rows_of(item, shown_acl(snapshot.state, item.oid))
    for item in row_typed(snapshot):
        yield from _rows_of(item, None)


def pg_enum(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_enum")
    for item in users_types(snapshot):
        labels = item.definition.labels if isinstance(item.definition, Enum) else ()
        for number, (label, position) in enumerate(labels):
            yield make(oid=derived_oid(item.oid, number), enumtypid=item.oid, enumsortorder=position, enumlabel=label)


def users_types(snapshot: SystemSnapshot) -> Iterator[Item]:
    """Yields the types of the reader's database, in order of creation."""
    return (item for item in _all_items(snapshot) if item.type is not None)


def row_typed(snapshot: SystemSnapshot) -> Iterator[Item]:
    """Yields the relations of the reader's database whose rows have a type, in order of creation."""
    return (item for item in _all_items(snapshot) if item.row_type is not None)


def _all_items(snapshot: SystemSnapshot) -> Iterator[Item]:
    state = snapshot.state
    database = state.database_named(snapshot.database)
    for schema in () if database is None else state.schemas_in(database.oid):
        yield from state.items_in(schema.oid)


def _rows_of(item: Item, acl: tuple[str, ...] | None) -> tuple[Row, Row]:
    """Returns the rows of a user's type and of its array type."""
    array, own = _own_facts(item)
    type_ = item.value_type
    assert type_ is not None, f"{item.name} is no type"
    facts, oid = type_facts(type_), declared_oid(type_)
    align = "d" if facts.align == "d" else "i"
    make = shape("pg_type")
    both: dict[str, Datum] = {
        "typnamespace": item.schema,
        "typowner": item.owner,
        "typisdefined": True,
        "typdelim": ",",
    }
    return (
        make(
            **both,
            oid=oid,
            typname=item.name,
            typlen=facts.length,
            typbyval=facts.by_value,
            typalign=facts.align,
            typstorage=facts.storage,
            typarray=array,
            typcollation=facts.collation,
            typacl=acl,
            **{"typtypmod": -1, **own},
        ),
        make(
            **both,
            **_doors("array"),
            oid=array,
            typname="_" + item.name,
            typlen=-1,
            typtype="b",
            typcategory="A",
            typalign=align,
            typstorage="x",
            typelem=oid,
            typtypmod=-1,
            typcollation=facts.collation,
        ),
    )


def _own_facts(item: Item) -> tuple[int, dict[str, Datum]]:
    """Returns the array type's oid, and the columns of pg_type special to the kind of type."""
    match item.definition:
        case Enum(array_oid, _):
            return array_oid, {"typtype": "e", "typcategory": "E", **_doors("enum")}
        case Composite(array_oid, relation_oid, _):
            return array_oid, {"typtype": "c", "typcategory": "C", "typrelid": relation_oid, **_doors("record")}
        case RangeDefinition(array_oid):
            return array_oid, {"typtype": "r", "typcategory": "R", **_doors("range"), **_analyzed("range")}
        case MultirangeDefinition(array_oid):
            return array_oid, {"typtype": "m", "typcategory": "R", **_doors("multirange"), **_analyzed("multirange")}
        case Domain(array_oid, rules):
            return array_oid, {
                **_inherited(rules.base.base()),
                "typtype": "d",
                "typinput": _function_oid("domain_in"),
                "typreceive": _function_oid("domain_recv"),
                "typbasetype": declared_oid(rules.base),
                "typtypmod": rules.base.modifier,
                "typnotnull": not rules.nullable,
                "typdefault": rules.default,
                "typndims": 1 if rules.base.element is not None else 0,
            }
        case _:
            array = row_array_oid(item.oid)
            return array, {"typtype": "c", "typcategory": "C", "typrelid": item.oid, **_doors("record")}


def _inherited(base: ScalarType) -> dict[str, Datum]:
    """Returns the columns that a domain inherits from its base type."""
    inherited = ("typcategory", "typoutput", "typsend")
    named = base.enum or base.composite
    if named is not None:
        kind, category = ("enum", "E") if base.enum is not None else ("record", "C")
        return {"typcategory": category, **{name: door for name, door in _doors(kind).items() if name in inherited}}
    like = array_of(TEXT) if base.element is not None else base
    row = dict(zip(stored_desc("pg_type").names, _row_by_oid(type_oid(like)), strict=True))
    return {name: row[name] for name in inherited}


def _doors(kind: str) -> dict[str, Datum]:
    """Returns the functions through which values of a kind of type come and go."""
    return {name: _function_oid(f"{kind}_{word}") for name, word in _DOORS.items()}


@cache
def _row_by_oid(oid: int) -> Row:
    return next(row for row in type_rows() if row[0] == oid)


def _analyzed(kind: str) -> dict[str, Datum]:
    """Returns the function that gathers statistics of a kind of ranges."""
    return {"typanalyze": _function_oid(f"{kind}_typanalyze")}


def pg_range(snapshot: SystemSnapshot) -> Iterable[Row]:
    yield from stored_table("pg_range")
    make = shape("pg_range")
    for item in users_types(snapshot):
        if isinstance(item.definition, RangeDefinition):
            subtype, options = item.definition.subtype, item.definition.options
            yield make(
                rngtypid=item.oid,
                rngsubtype=declared_oid(subtype),
                rngmultitypid=item.definition.multirange.oid,
                rngcollation=_collation(options.collation, subtype),
                rngsubopc=_operator_class(options.operator_class, subtype.base()),
                rngcanonical=0,
                rngsubdiff=0 if options.distance is None else _function_oid(options.distance),
            )


def _collation(name: str | None, subtype: ScalarType) -> int:
    """Returns the oid of a range type's collation, by default the subtype's."""
    if name is None:
        return type_facts(subtype).collation
    return next(int(str(row[0])) for row in stored_rows("pg_collation") if row[1] == name)


def _operator_class(name: str | None, type_: ScalarType) -> int:
    """Returns the oid of an operator class of B-trees, by default of the first class of the type; 0 for none."""
    wanted = TYPES[type_.name].classes.partition(" ")[0] if name is None else name
    at = {column: index for index, column in enumerate(stored_desc("pg_opclass").names)}
    return next(
        (
            int(str(row[at["oid"]]))
            for row in stored_rows("pg_opclass")
            if (row[at["opcmethod"]], row[at["opcname"]]) == (_BTREE_OID, wanted)
        ),
        0,
    )


@cache
def _function_oid(name: str) -> int:
    """Returns the oid of a function without overloads."""
    return next(int(str(row[0])) for row in stored_rows("pg_proc") if row[1] == name)


@cache
def _facts_by_oid() -> dict[int, TypeFacts]:
    index = {name: i for i, name in enumerate(stored_desc("pg_type").names)}
    columns = [index[name] for name in ("typlen", "typbyval", "typalign", "typstorage", "typcollation")]
    return {row[0]: TypeFacts(*(row[i] for i in columns)) for row in type_rows()}  # type: ignore[misc,arg-type]


def _own_types() -> tuple[Row, ...]:
    """Returns the rows of this server's own types: mz_timestamp and the unsigned integers (stored as PostgreSQL's
    integers are), their arrays, list and map."""
    numbers = tuple(row for own, like, category in _OWN for row in _like(own, type_oid(like), category))
    return numbers + tuple(_like_arrays(ScalarType(name)) for name in (TypeName.LIST, TypeName.MAP))


def _like_arrays(own: ScalarType) -> Row:
    """Returns the one row for all lists, or for all maps, which are stored like arrays but are not arrays."""
    names = stored_desc("pg_type").names
    arrays = next(row for row in stored_table("pg_type") if row[0] == type_oid(array_of(TEXT)))
    none: dict[str, Datum] = {"typelem": 0, "typsubscript": 0, "typcategory": "U", "typcollation": 0}
    changed = {**none, "oid": type_oid(own), "typname": own.name.value}
    return shape("pg_type")(**{**dict(zip(names, arrays, strict=True)), **changed})


def _like(own: ScalarType, like: int, category: str) -> tuple[Row, Row]:
    """Returns the rows of a type and of its array type, copied from another type's except for the names."""
    index = {name: i for i, name in enumerate(stored_desc("pg_type").names)}
    one = next(row for row in stored_table("pg_type") if row[0] == like)
    many = next(row for row in stored_table("pg_type") if row[0] == one[index["typarray"]])
    oid, array, name = type_oid(own), type_oid(array_of(own)), own.name.value
    changed: dict[str, Datum] = {"oid": oid, "typname": name, "typarray": array, "typcategory": category}
    array_changed: dict[str, Datum] = {"oid": array, "typname": f"_{name}", "typelem": oid}
    names = stored_desc("pg_type").names
    make = shape("pg_type")
    return (
        make(**{**dict(zip(names, one, strict=True)), **changed}),
        make(**{**dict(zip(names, many, strict=True)), **array_changed}),
    )
