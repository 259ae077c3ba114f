"""The range and multirange types, their subtypes, and which belong together; polymorphic types stand for them."""

from __future__ import annotations

from dataclasses import replace

from model.types.scalar_type import DATE, INT4, INT8, NUMERIC, TIMESTAMP, TIMESTAMPTZ, ScalarType, TypeName

_FAMILIES = (
    (INT4, TypeName.INT4RANGE, TypeName.INT4MULTIRANGE),
    (INT8, TypeName.INT8RANGE, TypeName.INT8MULTIRANGE),
    (NUMERIC, TypeName.NUMRANGE, TypeName.NUMMULTIRANGE),
    (DATE, TypeName.DATERANGE, TypeName.DATEMULTIRANGE),
    (TIMESTAMP, TypeName.TSRANGE, TypeName.TSMULTIRANGE),
    (TIMESTAMPTZ, TypeName.TSTZRANGE, TypeName.TSTZMULTIRANGE),
)
RANGES = {ScalarType(range_): subtype for subtype, range_, _ in _FAMILIES}
"""PostgreSQL's range types, with the types of their bounds. Those of users tell theirs themselves."""
MULTIRANGES = {ScalarType(multirange): ScalarType(range_) for _, range_, multirange in _FAMILIES}
"""The multirange types, with the types of their ranges."""
RANGE_NAMES = frozenset((TypeName.RANGE, *(type_.name for type_ in RANGES)))
MULTIRANGE_NAMES = frozenset((TypeName.MULTIRANGE, *(type_.name for type_ in MULTIRANGES)))
_ANYRANGE, _ANYMULTIRANGE = ScalarType(TypeName.ANYRANGE), ScalarType(TypeName.ANYMULTIRANGE)
_RANGE_OF = {subtype.name: type_ for type_, subtype in RANGES.items()}
_MULTIRANGE_OF = {range_.name: type_ for type_, range_ in MULTIRANGES.items()} | {TypeName.ANYRANGE: _ANYMULTIRANGE}
_RANGE_IN = MULTIRANGES | {_ANYMULTIRANGE: _ANYRANGE}
_SUBTYPE_OF = RANGES | {_ANYRANGE: ScalarType(TypeName.ANYELEMENT)}


def ranged(type_: ScalarType) -> bool:
    """Tells whether a type is a range or a multirange."""
    return type_.name in RANGE_NAMES or type_.name in MULTIRANGE_NAMES


def range_of(subtype: ScalarType) -> ScalarType | None:
    """Returns PostgreSQL's own type of ranges of a type; None when there is none."""
    return _RANGE_OF.get(subtype.name)


def multirange_of(range_: ScalarType) -> ScalarType:
    """Returns the type of multiranges of a range type."""
    if range_.range is not None:
        return replace(range_.plain(), name=TypeName.MULTIRANGE)
    return _MULTIRANGE_OF[range_.name]


def range_in(type_: ScalarType) -> ScalarType:
    """Returns the range type itself, or that of a multirange type."""
    if type_.range is not None:
        return replace(type_.base(), name=TypeName.RANGE)
    return _RANGE_IN.get(type_.base(), type_.base())


def subtype_of(type_: ScalarType) -> ScalarType:
    """Returns the type of the bounds of a range or multirange type."""
    return _SUBTYPE_OF[range_in(type_)] if type_.range is None else type_.range.subtype
