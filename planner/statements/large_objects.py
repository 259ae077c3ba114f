"""The number of a large object in a statement, which may be greater than an integer's."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from planner.scope.analysis import Analysis

_OIDS = 1 << 32


def large_object_oid(analysis: Analysis, node: Any) -> int:
    """Returns the oid that a statement names; raises SqlError 22003 for a number that is no oid, 22P02 for one with
    digits behind a point."""
    if node.WhichOneof("node") == "integer":
        return int(node.integer.ival) % _OIDS
    text = node.float.fval
    try:
        oid = int(text)
    except ValueError:
        message = f'invalid input syntax for type oid: "{text}"'
        raise analysis.error(Sqlstate.INVALID_TEXT_REPRESENTATION, message) from None
    if not -(1 << 31) <= oid < _OIDS:
        message = f'value "{text}" is out of range for type oid'
        raise analysis.error(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message)
    return oid % _OIDS
