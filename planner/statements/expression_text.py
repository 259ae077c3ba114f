"""An expression that is kept as text: of a DEFAULT, a CHECK, an index."""

from __future__ import annotations

from typing import Any

import postgast
from postgast import pg_query_pb2 as tree

from planner.scope.analysis import Analysis


def expression_text(analysis: Analysis, node: Any) -> str:
    """Returns an expression's syntax tree as SQL; raises 0A000 where the tree does not say all of it."""
    place = analysis.members.place_within(node)
    if place is not None:
        feature = "a list or a map in an expression that a table, a domain or an index keeps"
        raise analysis.unsupported(feature, place, hint="A default may be a string, such as '{1,2}'.")
    select = tree.SelectStmt(
        target_list=[tree.Node(res_target=tree.ResTarget(val=node))],
        limit_option=tree.LIMIT_OPTION_DEFAULT,
        op=tree.SETOP_NONE,
    )
    parsed = tree.ParseResult(stmts=[tree.RawStmt(stmt=tree.Node(select_stmt=select))])
    text: str = postgast.deparse(parsed)
    return text.removeprefix("SELECT ")
