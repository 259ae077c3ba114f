"""Names SQL operators for messages about recomputation over all rows."""

from __future__ import annotations

from planner.functions.registry import AGGREGATES
from planner.ir.relation import Join, LetRecursive, Recursive, Reduce, Relation, TopK, Window


def operator_name(operator: Relation) -> str:
    """Returns the user's name for an operator: "WITH RECURSIVE", "ORDER BY with LIMIT", the names of aggregates."""
    match operator:
        case Recursive():
            return "WITH RECURSIVE"
        case LetRecursive():
            return "WITH MUTUALLY RECURSIVE"
        case Join():
            return f"{operator.kind.value} join on values that can't be keys"
        case TopK():
            return "ORDER BY with LIMIT" if operator.order else "LIMIT"
        case Reduce():
            names = dict.fromkeys(AGGREGATES[each.function].name for each in operator.aggregates)
            return ", ".join(names) or "DISTINCT"
        case Window():
            return "window functions"
        case _:
            return type(operator).__name__
