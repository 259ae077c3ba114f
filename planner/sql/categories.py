"""Type categories and preferred types (pg_type.typcategory and typispreferred): what overload resolution prefers."""

from __future__ import annotations

from model.scalar_type import ScalarType, TypeName

_CATEGORIES: dict[TypeName, str] = {
    TypeName.BOOL: "B",
    **dict.fromkeys((TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR, TypeName.NAME), "S"),
    **dict.fromkeys(
        (
            TypeName.INT2,
            TypeName.INT4,
            TypeName.INT8,
            TypeName.FLOAT4,
            TypeName.FLOAT8,
            TypeName.NUMERIC,
            TypeName.OID,
            TypeName.REGCLASS,
            TypeName.REGTYPE,
            TypeName.REGPROC,
            TypeName.REGNAMESPACE,
            TypeName.REGROLE,
        ),
        "N",
    ),
    **dict.fromkeys((TypeName.DATE, TypeName.TIME, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ), "D"),
    TypeName.INTERVAL: "T",
    TypeName.ENUM: "E",
    TypeName.ARRAY: "A",
    TypeName.INT2VECTOR: "A",
    TypeName.OIDVECTOR: "A",
    **dict.fromkeys((TypeName.CHAR, TypeName.PG_NODE_TREE), "Z"),
    TypeName.UNKNOWN: "X",
    **dict.fromkeys(
        (
            TypeName.ANY,
            TypeName.ANYARRAY,
            TypeName.ANYELEMENT,
            TypeName.ANYNONARRAY,
            TypeName.ANYENUM,
            TypeName.ANYCOMPATIBLE,
            TypeName.ANYCOMPATIBLEARRAY,
            TypeName.RECORD,
            TypeName.VOID,
        ),
        "P",
    ),
}
_PREFERRED = frozenset(
    (TypeName.BOOL, TypeName.TEXT, TypeName.FLOAT8, TypeName.OID, TypeName.TIMESTAMPTZ, TypeName.INTERVAL)
)
_POLYMORPHIC = frozenset(
    (
        TypeName.ANYARRAY,
        TypeName.ANYELEMENT,
        TypeName.ANYNONARRAY,
        TypeName.ANYENUM,
        TypeName.ANYCOMPATIBLE,
        TypeName.ANYCOMPATIBLEARRAY,
    )
)
STRING = "S"


def category(type_: ScalarType) -> str:
    """One letter; U for types of no category."""
    return _CATEGORIES.get(type_.name, "U")


def preferred(type_: ScalarType) -> bool:
    return type_.name in _PREFERRED


def polymorphic(type_: ScalarType) -> bool:
    return type_.name in _POLYMORPHIC
