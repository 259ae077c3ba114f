"""Oids of objects without one of their own (rules, defaults), derived from the oid of the object they belong to."""

_BIT_31 = 1 << 31
_PER_RELATION = 2048
"""More than PostgreSQL's 1600 columns."""


def derived_oid(relation_oid: int, number: int) -> int:
    """Returns the oid of a relation's part `number` (below 2048); above every oid that is given out."""
    return _BIT_31 + (relation_oid * _PER_RELATION + number) % _BIT_31
