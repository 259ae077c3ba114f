"""ASC, DESC, NULLS FIRST and LAST, USING < and >."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.scope.analysis import Analysis
from planner.scope.names import strings

_ASCENDING, _DESCENDING = ("<", "~<~"), (">", "~>~")


def sort_directions(analysis: Analysis, sort: Any) -> tuple[bool, bool]:
    """Returns (descending, nulls first) of a SortBy; NULLs are the greatest values unless told."""
    descending = sort.sortby_dir == tree.SORTBY_DESC
    if sort.sortby_dir == tree.SORTBY_USING:
        symbol = strings(sort.use_op)[-1]
        if symbol not in (*_ASCENDING, *_DESCENDING):
            message = f"operator {symbol} is not a valid ordering operator"
            hint = 'Ordering operators must be "<" or ">" members of btree operator families.'
            raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, sort.location, hint=hint)
        descending = symbol in _DESCENDING
    if sort.sortby_nulls == tree.SORTBY_NULLS_DEFAULT:
        return descending, descending
    return descending, sort.sortby_nulls == tree.SORTBY_NULLS_FIRST
