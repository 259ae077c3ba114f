"""What a result looks like on the wire: RowDescription and ParameterDescription of model types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from model.relation_desc import RelationDesc
from model.scalar_type import TEXT as TEXT_TYPE
from model.scalar_type import ScalarType, TypeName, type_oid, type_size
from server.pgwire.encode import encode
from server.pgwire.messages import FieldDescription, ParameterDescription, RowDescription


def _shown(type_: ScalarType) -> ScalarType:
    """A literal whose type nothing decides is text to clients."""
    return TEXT_TYPE if type_.name is TypeName.UNKNOWN else type_


@lru_cache(maxsize=1024)
def row_description(desc: RelationDesc, formats: tuple[int, ...]) -> bytes:
    """The encoded message; `formats` has one code for each column."""
    fields = []
    for column, format_ in zip(desc.columns, formats, strict=True):
        type_ = _shown(column.type)
        modifier = type_.element.modifier if type_.element is not None else type_.modifier
        fields.append(FieldDescription(column.name, type_oid(type_), type_size(type_), modifier, format_))
    return encode(RowDescription(fields))


def parameter_description(types: Sequence[ScalarType]) -> ParameterDescription:
    return ParameterDescription([type_oid(_shown(type_)) for type_ in types])
