"""Describes results and parameters on the wire: RowDescription and ParameterDescription."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from model.types.scalar_type import TEXT as TEXT_TYPE
from model.types.scalar_type import ScalarType, TypeName, declared_modifier, declared_oid, type_oid, type_size
from server.pgwire.backend import ResultDescription
from server.pgwire.encode import encode
from server.pgwire.messages import FieldDescription, ParameterDescription, RowDescription


def _shown(type_: ScalarType) -> ScalarType:
    """Returns the type that clients see; text for a literal of unknown type."""
    return TEXT_TYPE if type_.name is TypeName.UNKNOWN else type_


@lru_cache(maxsize=1024)
def row_description(rows: ResultDescription, formats: tuple[int, ...]) -> bytes:
    """Encodes a RowDescription; `formats` has one code per column."""
    return encode(RowDescription(field_descriptions(rows, formats)))


def field_descriptions(rows: ResultDescription, formats: Sequence[int]) -> list[FieldDescription]:
    """Returns the columns' descriptions; `formats` has one code per column."""
    fields = []
    origins = rows.origins or (None,) * rows.desc.arity
    for column, origin, format_ in zip(rows.desc.columns, origins, formats, strict=True):
        type_ = _shown(column.type)
        table, number = origin or (0, 0)
        size = type_size(type_)
        modifier = declared_modifier(type_)
        fields.append(FieldDescription(column.name, type_oid(type_), size, modifier, format_, table, number))
    return fields


def parameter_description(types: Sequence[ScalarType]) -> ParameterDescription:
    return ParameterDescription([declared_oid(_shown(type_)) for type_ in types])
