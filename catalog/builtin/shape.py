"""Rows by column name: what isn't said is NULL, or the type's zero where the column is NOT NULL."""

from __future__ import annotations

from functools import cache

from catalog.declared.stored import stored_desc
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName

_TEXTS = frozenset((TypeName.TEXT, TypeName.NAME, TypeName.CHAR, TypeName.VARCHAR, TypeName.PG_NODE_TREE))
_TUPLES = frozenset((TypeName.ARRAY, TypeName.INT2VECTOR, TypeName.OIDVECTOR))


class Shape:
    """Makes rows of one relation from named values; columns not named are NULL, or zero where they can't be NULL."""

    __slots__ = ("_blank", "_index")

    def __init__(self, desc: RelationDesc) -> None:
        self._index = {name: i for i, name in enumerate(desc.names)}
        self._blank = [None if column.nullable else _zero(column.type) for column in desc.columns]

    def __call__(self, **values: Datum) -> Row:
        row = list(self._blank)
        for name, value in values.items():
            row[self._index[name]] = value
        return tuple(row)


@cache
def shape(name: str) -> Shape:
    """Returns the shape of a relation of pg_catalog or information_schema."""
    return Shape(stored_desc(name))


def _zero(type_: ScalarType) -> Datum:
    if type_.name in _TEXTS:
        return ""
    if type_.name in _TUPLES:
        return ()
    if type_.name is TypeName.BOOL:
        return False
    return 0
