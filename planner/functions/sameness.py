"""IS NOT DISTINCT FROM for two values of one type."""

from __future__ import annotations

from model.types.range_types import MULTIRANGE_NAMES, RANGE_NAMES
from model.types.scalar_type import BOOL, ScalarType, TypeName
from planner.ir.scalar import Call, Scalar

_COMPARED_AS = {
    TypeName.VARCHAR: "text",
    TypeName.JSON: "text",
    TypeName.UNKNOWN: "text",
    TypeName.INT2VECTOR: "oidvector",
    TypeName.XID: "oid",
    TypeName.REGCLASS: "oid",
    TypeName.REGTYPE: "oid",
    TypeName.REGPROC: "oid",
    TypeName.REGPROCEDURE: "oid",
    TypeName.REGOPER: "oid",
    TypeName.REGOPERATOR: "oid",
    TypeName.REGNAMESPACE: "oid",
    TypeName.REGROLE: "oid",
    TypeName.REGCONFIG: "oid",
    TypeName.ARRAY: "anyarray",
    TypeName.LIST: "anycompatiblelist",
    TypeName.MAP: "anycompatiblemap",
    **dict.fromkeys((TypeName.POINT, TypeName.BOX, TypeName.LSEG, TypeName.CIRCLE), "bytea"),
    TypeName.CIDR: "inet",
    TypeName.ENUM: "anyenum",
    **dict.fromkeys(RANGE_NAMES, "anyrange"),
    **dict.fromkeys(MULTIRANGE_NAMES, "anymultirange"),
}


def same(left: Scalar, right: Scalar, type_: ScalarType) -> Scalar:
    """Returns a condition for two values of one type to be the same, with NULL the same as NULL."""
    word = _COMPARED_AS.get(type_.name, type_.name.value)
    return Call(f"not_distinct_{word}_{word}", (left, right), BOOL)
