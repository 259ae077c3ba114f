"""Calls that run exactly once, wherever a query finds rows: `SELECT f(…) + 1`, `SELECT … FROM f(…)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from postgast import pg_query_pb2 as tree

_ALONE = (
    "where_clause",
    "having_clause",
    "group_clause",
    "distinct_clause",
    "window_clause",
    "limit_count",
    "limit_offset",
    "locking_clause",
)
_LISTS = frozenset(("group_clause", "distinct_clause", "window_clause", "locking_clause"))


def single_calls(node: Any) -> Mapping[int, str]:
    """Returns the function's name at the first byte of each call in a SELECT that runs exactly once, whatever
    the query finds."""
    if node.op != tree.SETOP_NONE:
        return {}
    if node.values_lists or node.HasField("with_clause") or node.HasField("into_clause"):
        return {}
    if not node.from_clause:
        if any(_stands(node, part) for part in _ALONE):
            return {}
        return dict(_calls(each.res_target.val for each in node.target_list))
    called = node.from_clause[0].range_function
    one = len(node.from_clause) == 1 and len(called.functions) == 1 and not called.ordinality
    if not one or (node.HasField("where_clause") and not _names_column(node.where_clause)):
        return {}
    if node.HasField("limit_count") and not node.limit_count.a_const.ival.ival > 0:
        # Of no rows PostgreSQL asks the function for none.
        return {}
    call = called.functions[0].list.items[0]
    return dict(_calls([call])) if call.WhichOneof("node") == "func_call" else {}


def _calls(nodes: Iterable[Any]) -> Iterator[tuple[int, str]]:
    """Yields the places and names of the calls in expressions that are evaluated whatever their other parts are."""
    for node in nodes:
        match node.WhichOneof("node"):
            case "func_call":
                yield node.func_call.location, str(node.func_call.funcname[-1].string.sval)
            case "type_cast":
                yield from _calls([node.type_cast.arg])
            case "null_test":
                yield from _calls([node.null_test.arg])
            case "a_expr" if node.a_expr.kind == tree.AEXPR_OP:
                yield from _calls([node.a_expr.lexpr, node.a_expr.rexpr])


def _stands(node: Any, part: str) -> bool:
    return bool(getattr(node, part)) if part in _LISTS else bool(node.HasField(part))


def _names_column(message: Any) -> bool:
    if message.DESCRIPTOR.name == "ColumnRef":
        return True
    for field, value in message.ListFields():
        if field.message_type is not None:
            if any(map(_names_column, value if field.is_repeated else (value,))):
                return True
    return False
