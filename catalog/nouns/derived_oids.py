"""Oids of objects without one of their own (rules, defaults), derived from the oid of the object they belong to."""

_BIT_31 = 1 << 31
_ROW_TYPES = 1 << 30
_ROW_ARRAYS = 3 << 29
_PER_RELATION = 2048
"""More than PostgreSQL's 1600 columns."""


def derived_oid(relation_oid: int, number: int) -> int:
    """Returns the oid of a relation's part `number` (below 2048); above every oid that is given out."""
    return _BIT_31 + (relation_oid * _PER_RELATION + number) % _BIT_31


def row_type_oid(relation_oid: int) -> int:
    """Returns the oid of the type that a relation's rows have; above every oid that is given out, and below those of
    parts."""
    return _ROW_TYPES + relation_oid % (_ROW_ARRAYS - _ROW_TYPES)


def row_array_oid(relation_oid: int) -> int:
    """Returns the oid of the arrays of a relation's rows."""
    return _ROW_ARRAYS + relation_oid % (_BIT_31 - _ROW_ARRAYS)


def relation_of_rows(type_oid: int) -> int | None:
    """Returns the oid of the relation whose rows, or arrays of them, have a type with this oid."""
    if not _ROW_TYPES <= type_oid < _BIT_31:
        return None
    return type_oid - (_ROW_ARRAYS if type_oid >= _ROW_ARRAYS else _ROW_TYPES)
