"""Pieces of a statement (an expression, a type, a query …), parsed by themselves with places in the whole message."""

from __future__ import annotations

from typing import Any

import postgast

from model.errors import SqlError
from model.sqlstate import Sqlstate
from planner.syntax.grammar import parse_tree


def select_at(sql: str, start: int, end: int, lead: bytes = b"", trail: bytes = b"") -> Any:
    """The SelectStmt of `lead`, the bytes from `start` to `end`, and `trail`; there is room for `lead` before `start`.

    SqlError 42601 at its character."""
    assert start >= len(lead), "what leads a piece takes the place of the words before it"
    data = b" " * (start - len(lead)) + lead + sql.encode()[start:end] + trail
    try:
        statements = parse_tree(data.decode()).stmts
    except postgast.PgQueryError as error:
        shift = len(sql.encode()[:start].decode()) - start
        position = min(error.cursorpos + shift, len(sql) + 1)
        raise SqlError(Sqlstate.SYNTAX_ERROR, error.message, position=position) from None
    return statements[0].stmt.select_stmt


def expression_at(sql: str, start: int, end: int) -> Any:
    """The syntax tree of the expression between two bytes."""
    return select_at(sql, start, end, b"SELECT (", b")").target_list[0].res_target.val


_CAST = b"SELECT CAST(0 AS "
TYPE_ROOM = len(_CAST)
"""The least byte at which a type may begin."""


def type_name_at(sql: str, start: int, end: int) -> Any:
    """The TypeName between two bytes."""
    cast = select_at(sql, start, end, _CAST, b")")
    return cast.target_list[0].res_target.val.type_cast.type_name
