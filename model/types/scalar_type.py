"""The types of SQL values: PostgreSQL's, with their OIDs and modifiers.

A ScalarType is a name, PostgreSQL's type modifier (-1 for none; `varchar(n)` and `char(n)` hold n + 4, `bit(n)` and
`vector(n)` n,
`numeric(p,s)` holds ((p << 16) | s) + 4, times hold their precision; a numeric without one whose values are all shown
with s decimals holds -2 - s, which clients never see) and, for arrays, the element's type; lists and
maps, Materialize's, have the type of their members.
Pseudo-types (ANYELEMENT and the like) appear in function signatures only; UNKNOWN only while planning.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from model.ids.global_id import GlobalId
from model.types.type_table import TYPES


class TypeName(StrEnum):
    """The types, by PostgreSQL's internal names (pg_type.typname). Facts about them are in type_table.py."""

    BOOL = "bool"
    INT2 = "int2"
    INT4 = "int4"
    INT8 = "int8"
    UINT2 = "uint2"
    UINT4 = "uint4"
    UINT8 = "uint8"
    FLOAT4 = "float4"
    FLOAT8 = "float8"
    NUMERIC = "numeric"
    MONEY = "money"
    WIDE = "wide"
    TEXT = "text"
    VARCHAR = "varchar"
    BPCHAR = "bpchar"
    NAME = "name"
    CHAR = "char"
    BYTEA = "bytea"
    BIT = "bit"
    VARBIT = "varbit"
    DATE = "date"
    TIME = "time"
    TIMETZ = "timetz"
    TIMESTAMP = "timestamp"
    TIMESTAMPTZ = "timestamptz"
    INTERVAL = "interval"
    UUID = "uuid"
    INET = "inet"
    CIDR = "cidr"
    MACADDR = "macaddr"
    MACADDR8 = "macaddr8"
    JSON = "json"
    JSONB = "jsonb"
    JSONPATH = "jsonpath"
    TSVECTOR = "tsvector"
    TSQUERY = "tsquery"
    REGCONFIG = "regconfig"
    VECTOR = "vector"
    POINT = "point"
    BOX = "box"
    LSEG = "lseg"
    CIRCLE = "circle"
    OID = "oid"
    REGCLASS = "regclass"
    REGTYPE = "regtype"
    REGPROC = "regproc"
    REGPROCEDURE = "regprocedure"
    REGOPER = "regoper"
    REGOPERATOR = "regoperator"
    REGNAMESPACE = "regnamespace"
    REGROLE = "regrole"
    XID = "xid"
    TID = "tid"
    PG_NODE_TREE = "pg_node_tree"
    ACLITEM = "aclitem"
    INT2VECTOR = "int2vector"
    OIDVECTOR = "oidvector"
    MZ_TIMESTAMP = "mz_timestamp"
    INT4RANGE = "int4range"
    INT8RANGE = "int8range"
    NUMRANGE = "numrange"
    DATERANGE = "daterange"
    TSRANGE = "tsrange"
    TSTZRANGE = "tstzrange"
    INT4MULTIRANGE = "int4multirange"
    INT8MULTIRANGE = "int8multirange"
    NUMMULTIRANGE = "nummultirange"
    DATEMULTIRANGE = "datemultirange"
    TSMULTIRANGE = "tsmultirange"
    TSTZMULTIRANGE = "tstzmultirange"
    RANGE = "range"
    MULTIRANGE = "multirange"
    ENUM = "enum"
    ARRAY = "array"
    LIST = "list"
    MAP = "map"
    RECORD = "record"
    VOID = "void"
    UNKNOWN = "unknown"
    ANY = "any"
    ANYELEMENT = "anyelement"
    ANYARRAY = "anyarray"
    ANYNONARRAY = "anynonarray"
    ANYENUM = "anyenum"
    ANYRANGE = "anyrange"
    ANYMULTIRANGE = "anymultirange"
    ANYCOMPATIBLE = "anycompatible"
    ANYCOMPATIBLEARRAY = "anycompatiblearray"
    ANYCOMPATIBLELIST = "anycompatiblelist"
    ANYCOMPATIBLEMAP = "anycompatiblemap"


@dataclass(frozen=True, slots=True)
class EnumType:
    """An enumerated type of a user: item `id` of the catalog, shown as `name`.

    `labels` are in order. A label's datum is its position, which never changes; a label inserted between two others
    gets a position between theirs.
    """

    id: GlobalId
    oid: int
    array_oid: int
    name: str
    labels: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class NamedType:
    """A domain or a composite type that a user created: item `id` of the catalog, shown as `name`."""

    id: GlobalId
    oid: int
    array_oid: int
    name: str


@dataclass(frozen=True, slots=True)
class RangeType:
    """A range type of a user: item `id` of the catalog, shown as `name`, with the type of its bounds and the name of
    its multirange type, an item of its own."""

    id: GlobalId
    oid: int
    array_oid: int
    name: str
    subtype: ScalarType
    multirange: NamedType


@dataclass(frozen=True, slots=True)
class ScalarType:
    """An SQL type.

    `element`: of an ARRAY
    `fields`: names and types of a RECORD
    `enum`: of an ENUM
    `range`: of a RANGE, and of the MULTIRANGE of one
    `member`: of a LIST (its items) and of a MAP (its values; keys are text)
    `composite`: the name of a composite type, for a RECORD
    `domain`: makes this a domain of the type that everything else describes, its base, as whose values its values are
        stored, compared and sent
    """

    name: TypeName
    modifier: int = -1
    element: ScalarType | None = None
    fields: tuple[tuple[str, ScalarType], ...] = ()
    enum: EnumType | None = None
    composite: NamedType | None = None
    domain: NamedType | None = None
    member: ScalarType | None = None
    range: RangeType | None = None

    def plain(self) -> ScalarType:
        """Returns the type without its modifier; of a domain, its base type."""
        return self if self.modifier == -1 and self.domain is None else replace(self, modifier=-1, domain=None)

    def base(self) -> ScalarType:
        """Returns the base type of a domain; any other type itself."""
        return self if self.domain is None else replace(self, domain=None)

    def __str__(self) -> str:
        return type_text(self)


def array_of(element: ScalarType) -> ScalarType:
    return ScalarType(TypeName.ARRAY, element=element)


def list_of(item: ScalarType) -> ScalarType:
    return ScalarType(TypeName.LIST, member=item)


def map_of(value: ScalarType) -> ScalarType:
    """Returns a map from text."""
    return ScalarType(TypeName.MAP, member=value)


def without_modifiers(type_: ScalarType) -> ScalarType:
    """Returns the type without its modifier and those of its members."""
    if type_.member is None:
        return type_.plain()
    return replace(type_.plain(), member=without_modifiers(type_.member))


def users_type(type_: ScalarType) -> EnumType | NamedType | RangeType | None:
    """Returns the user's type that a type is, or whose arrays it has."""
    if type_.domain is None and type_.element is not None:
        type_ = type_.element
    return _named(type_)


def _named(type_: ScalarType) -> EnumType | NamedType | RangeType | None:
    if type_.range is not None and type_.domain is None:
        return type_.range if type_.name is TypeName.RANGE else type_.range.multirange
    return type_.domain or type_.composite or type_.enum


def holds(type_: ScalarType, id_: GlobalId) -> bool:
    """Tells whether a type is item `id_`'s domain or composite type, or made of it."""
    named = type_.domain or type_.composite
    inner = (*(field for _, field in type_.fields), type_.element, type_.member)
    return (named is not None and named.id == id_) or any(holds(each, id_) for each in inner if each is not None)


def holds_domain(type_: ScalarType) -> bool:
    """Tells whether values of the type, or parts of them, belong to a domain."""
    if type_.domain is not None:
        return True
    if type_.element is not None:
        return holds_domain(type_.element)
    return any(holds_domain(field) for _, field in type_.fields)


def without_domains(type_: ScalarType) -> ScalarType:
    """Returns the base type, or arrays of it."""
    if type_.domain is None and type_.element is not None:
        return replace(type_, element=type_.element.base())
    return type_.base()


def nameless(type_: ScalarType) -> ScalarType:
    """Returns a type with the same stored values and without users' types, for dropped columns."""
    type_ = type_.base()
    if type_.enum is not None:
        return FLOAT8
    if type_.range is not None:
        return replace(nameless_range(nameless(type_.range.subtype)), name=type_.name)
    return replace(
        type_,
        element=None if type_.element is None else nameless(type_.element),
        member=None if type_.member is None else nameless(type_.member),
        fields=tuple((name, nameless(field)) for name, field in type_.fields),
        composite=None,
    )


def nameless_range(subtype: ScalarType) -> ScalarType:
    """Returns the type of ranges between values of a type that no user named."""
    nobody = NamedType(GlobalId.user(0), 0, 0, "multirange")
    return ScalarType(TypeName.RANGE, range=RangeType(nobody.id, 0, 0, "range", subtype, nobody))


def users_array_oid(type_: ScalarType) -> int:
    """Returns pg_type.oid of the arrays of a user's type."""
    named = users_type(type_)
    assert named is not None
    return named.array_oid


def varchar(length: int) -> ScalarType:
    return ScalarType(TypeName.VARCHAR, length + 4)


def bpchar(length: int) -> ScalarType:
    return ScalarType(TypeName.BPCHAR, length + 4)


def numeric(precision: int, scale: int = 0) -> ScalarType:
    return ScalarType(TypeName.NUMERIC, ((precision << 16) | (scale & 0x7FF)) + 4)


def length_limit(type_: ScalarType) -> int | None:
    """Returns n of varchar(n) and char(n), in characters."""
    return type_.modifier - 4 if type_.modifier >= 4 else None


def precision_and_scale(type_: ScalarType) -> tuple[int, int] | None:
    """Returns (p, s) of numeric(p, s); the scale is kept in 11 bits, signed."""
    if type_.modifier < 4:
        return None
    packed = type_.modifier - 4
    return packed >> 16, ((packed & 0x7FF) ^ 0x400) - 0x400


def shown_numeric(scale: int) -> ScalarType:
    """Returns the type of numerics without a modifier that are all shown with `scale` decimals: 2 for `1.50`. Of more
    decimals than _SHOWN_MAX a type tells nothing."""
    return ScalarType(TypeName.NUMERIC, _SHOWN - scale) if scale <= _SHOWN_MAX else NUMERIC


def shown_scale(type_: ScalarType) -> int | None:
    """Returns the number of decimals with which a numeric's values are shown; None where each has its own."""
    if type_.modifier <= _SHOWN:
        return _SHOWN - type_.modifier
    bounds = precision_and_scale(type_)
    return None if bounds is None else max(bounds[1], 0)


def has_own_decimals(type_: ScalarType) -> bool:
    """Tells whether each value of a numeric type has a number of decimals of its own."""
    return type_.name is TypeName.NUMERIC and type_.modifier == -1


def type_within(type_: ScalarType) -> ScalarType:
    """Returns the type of a value's kind within arrays and records, where numerics without a modifier are wide: each
    carries its decimals."""
    unbounded = type_.name is TypeName.NUMERIC and type_.domain is None and type_.modifier < 0
    return WIDE if unbounded else type_


def declared_modifier(type_: ScalarType) -> int:
    """Returns the modifier of a type, or of an array's elements, as PostgreSQL knows it."""
    return max((type_.element or type_).modifier, -1)


def declared_type(type_: ScalarType) -> ScalarType:
    """Returns the type as a column can be declared: it tells nothing of how values, or numerics in them, are shown."""
    if type_.element is not None:
        element = declared_type(type_.element)
        return type_ if element is type_.element else replace(type_, element=element)
    if type_.member is not None:
        member = declared_type(type_.member)
        return type_ if member is type_.member else replace(type_, member=member)
    if type_.fields:
        fields = tuple((name, declared_type(field)) for name, field in type_.fields)
        return type_ if fields == type_.fields else replace(type_, fields=fields)
    return replace(type_, modifier=-1) if type_.modifier <= _SHOWN else type_


def same_when_declared(left: ScalarType, right: ScalarType) -> bool:
    """Tells whether two types differ at most in their modifiers and in how numerics within them are shown."""
    return left == right or declared_type(left).plain() == declared_type(right).plain()


_SHOWN = -2
_SHOWN_MAX = 1000

BOOL = ScalarType(TypeName.BOOL)
INT2 = ScalarType(TypeName.INT2)
INT4 = ScalarType(TypeName.INT4)
INT8 = ScalarType(TypeName.INT8)
UINT2 = ScalarType(TypeName.UINT2)
UINT4 = ScalarType(TypeName.UINT4)
UINT8 = ScalarType(TypeName.UINT8)
FLOAT4 = ScalarType(TypeName.FLOAT4)
FLOAT8 = ScalarType(TypeName.FLOAT8)
NUMERIC = ScalarType(TypeName.NUMERIC)
MONEY = ScalarType(TypeName.MONEY)
WIDE = ScalarType(TypeName.WIDE)
"""Numerics of any precision, which collections hold as bytes; to users it is numeric."""
TEXT = ScalarType(TypeName.TEXT)
VARCHAR = ScalarType(TypeName.VARCHAR)
BPCHAR = ScalarType(TypeName.BPCHAR)
NAME = ScalarType(TypeName.NAME)
CHAR = ScalarType(TypeName.CHAR)
BYTEA = ScalarType(TypeName.BYTEA)
BIT = ScalarType(TypeName.BIT)
VARBIT = ScalarType(TypeName.VARBIT)
DATE = ScalarType(TypeName.DATE)
TIME = ScalarType(TypeName.TIME)
TIMETZ = ScalarType(TypeName.TIMETZ)
TIMESTAMP = ScalarType(TypeName.TIMESTAMP)
TIMESTAMPTZ = ScalarType(TypeName.TIMESTAMPTZ)
INTERVAL = ScalarType(TypeName.INTERVAL)
UUID = ScalarType(TypeName.UUID)
INET = ScalarType(TypeName.INET)
CIDR = ScalarType(TypeName.CIDR)
MACADDR = ScalarType(TypeName.MACADDR)
MACADDR8 = ScalarType(TypeName.MACADDR8)
JSON = ScalarType(TypeName.JSON)
JSONB = ScalarType(TypeName.JSONB)
JSONPATH = ScalarType(TypeName.JSONPATH)
TSVECTOR = ScalarType(TypeName.TSVECTOR)
TSQUERY = ScalarType(TypeName.TSQUERY)
REGCONFIG = ScalarType(TypeName.REGCONFIG)
VECTOR = ScalarType(TypeName.VECTOR)
POINT = ScalarType(TypeName.POINT)
BOX = ScalarType(TypeName.BOX)
LSEG = ScalarType(TypeName.LSEG)
CIRCLE = ScalarType(TypeName.CIRCLE)
OID = ScalarType(TypeName.OID)
REGCLASS = ScalarType(TypeName.REGCLASS)
REGTYPE = ScalarType(TypeName.REGTYPE)
REGPROC = ScalarType(TypeName.REGPROC)
REGPROCEDURE = ScalarType(TypeName.REGPROCEDURE)
REGOPER = ScalarType(TypeName.REGOPER)
REGOPERATOR = ScalarType(TypeName.REGOPERATOR)
REGNAMESPACE = ScalarType(TypeName.REGNAMESPACE)
REGROLE = ScalarType(TypeName.REGROLE)
XID = ScalarType(TypeName.XID)
TID = ScalarType(TypeName.TID)
INT4RANGE = ScalarType(TypeName.INT4RANGE)
INT8RANGE = ScalarType(TypeName.INT8RANGE)
NUMRANGE = ScalarType(TypeName.NUMRANGE)
DATERANGE = ScalarType(TypeName.DATERANGE)
TSRANGE = ScalarType(TypeName.TSRANGE)
TSTZRANGE = ScalarType(TypeName.TSTZRANGE)
INT2VECTOR = ScalarType(TypeName.INT2VECTOR)
OIDVECTOR = ScalarType(TypeName.OIDVECTOR)
MZ_TIMESTAMP = ScalarType(TypeName.MZ_TIMESTAMP)
UNKNOWN = ScalarType(TypeName.UNKNOWN)
VOID = ScalarType(TypeName.VOID)
RECORD = ScalarType(TypeName.RECORD)

REGISTERED = frozenset(
    (
        TypeName.REGCLASS,
        TypeName.REGTYPE,
        TypeName.REGPROC,
        TypeName.REGPROCEDURE,
        TypeName.REGOPER,
        TypeName.REGOPERATOR,
        TypeName.REGNAMESPACE,
        TypeName.REGROLE,
    )
)
"""The types of oids that read and print as the names of objects."""

_MEMBERED = (TypeName.LIST, TypeName.MAP)
_BY_OID = {oid: ScalarType(name) for name in TypeName if (oid := TYPES[name].oid) and name not in _MEMBERED} | {
    array_oid: array_of(ScalarType(name)) for name in TypeName if (array_oid := TYPES[name].array_oid)
}


def type_oid(type_: ScalarType) -> int:
    """Returns pg_type.oid, of a domain's base type."""
    if type_.name is TypeName.WIDE:
        return TYPES[TypeName.NUMERIC].oid
    if type_.element is not None and type_.element.name is TypeName.WIDE:
        return TYPES[TypeName.NUMERIC].array_oid
    if type_.name is TypeName.ARRAY:
        assert type_.element is not None
        named = _named(type_.element)
        return TYPES[type_.element.name].array_oid if named is None else named.array_oid
    named = _named(type_.base())
    return TYPES[type_.name].oid if named is None else named.oid


def declared_oid(type_: ScalarType) -> int:
    """Returns pg_type.oid of a type as declared: a domain's own, where clients are told that of its base."""
    return type_oid(type_) if type_.domain is None else type_.domain.oid


def type_from_oid(oid: int) -> ScalarType | None:
    """Returns the type with an oid of PostgreSQL's, without modifier; None for others, and for lists and maps."""
    return _BY_OID.get(oid)


def type_size(type_: ScalarType) -> int:
    """Returns pg_type.typlen: bytes, -1 for variable length."""
    return TYPES[type_.name].size


def bare_text(type_: ScalarType) -> str:
    """Returns the type's name as in PostgreSQL's messages: without modifiers, also of elements; a domain's own name."""
    if type_.domain is None and type_.element is not None:
        return bare_text(type_.element) + "[]"
    return type_text(type_ if type_.domain is not None else without_modifiers(type_))


def type_text(type_: ScalarType) -> str:
    """Returns the type as PostgreSQL's format_type prints it."""
    named = type_.domain or type_.composite
    if named is not None:
        return named.name
    if type_.range is not None:
        return type_.range.name if type_.name is TypeName.RANGE else type_.range.multirange.name
    title = TYPES[type_.name].title or type_.name.value
    match type_.name:
        case TypeName.ARRAY:
            assert type_.element is not None
            return type_text(type_.element) + "[]"
        case TypeName.LIST if type_.member is not None:
            return f"{type_text(type_.member)} list"
        case TypeName.MAP if type_.member is not None:
            return f"map[text=>{type_text(type_.member)}]"
        case TypeName.ENUM:
            return "enum" if type_.enum is None else type_.enum.name
        case TypeName.VARCHAR | TypeName.BPCHAR:
            limit = length_limit(type_)
            return title + (f"({limit})" if limit is not None else "")
        case TypeName.BIT | TypeName.VARBIT | TypeName.VECTOR:
            return title if type_.modifier < 0 else f"{title}({type_.modifier})"
        case TypeName.NUMERIC | TypeName.WIDE:
            bounds = precision_and_scale(type_)
            return "numeric" if bounds is None else f"numeric({bounds[0]},{bounds[1]})"
        case TypeName.TIME | TypeName.TIMETZ | TypeName.TIMESTAMP | TypeName.TIMESTAMPTZ if type_.modifier >= 0:
            first, _, rest = title.partition(" ")
            return f"{first}({type_.modifier}) {rest}"
        case _:
            return title
