"""Pieces of a statement (an expression, a type, a query …), parsed by themselves with places in the whole message."""

from __future__ import annotations

from typing import Any

import postgast

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.syntax.grammar import parse_tree

_PLACES = frozenset(("location", "name_location", "rexpr_list_start", "rexpr_list_end", "list_start", "list_end"))
_LEAST = b" "
"""What leads every piece, so that nothing of it stands at 0, which is how trees have a place that isn't there too."""


class PieceEndsError(Exception):
    """Raised when a piece ends too early: the error is in the message behind the piece."""


def select_at(source: bytes | bytearray, start: int, end: int, lead: bytes = b"", trail: bytes = b"") -> Any:
    """Returns the SelectStmt of `lead`, the message's bytes from `start` to `end`, and `trail`.

    Raises SqlError 42601 at its character; PieceEndsError."""
    before = _LEAST + lead
    text = (before + bytes(source[start:end]) + trail).decode()
    try:
        statements = parse_tree(text).stmts
    except postgast.PgQueryError as error:
        at = len(text[: error.cursorpos - 1].encode()) - len(before) + start
        if at >= end:
            raise PieceEndsError from None
        position = len(source[:at].decode()) + 1
        raise SqlError(Sqlstate.SYNTAX_ERROR, error.message, position=position) from None
    select = statements[0].stmt.select_stmt
    shift_places(select, start - len(before))
    return select


def expression_at(source: bytes, start: int, end: int) -> Any:
    """Returns the syntax tree of the expression between two bytes."""
    cast = select_at(source, start, end, b"SELECT CAST(", b" AS int)")
    return cast.target_list[0].res_target.val.type_cast.arg


def orders_at(source: bytes, start: int, end: int) -> Any:
    """Returns the syntax trees of the items of ORDER BY between two bytes, those words among them."""
    call = select_at(source, start, end, b"SELECT f(0 ", b")")
    return call.target_list[0].res_target.val.func_call.agg_order


def type_name_at(source: bytes | bytearray, start: int, end: int) -> Any:
    """Returns the TypeName between two bytes."""
    cast = select_at(source, start, end, b"SELECT CAST(0 AS ", b")")
    return cast.target_list[0].res_target.val.type_cast.type_name


def shift_places(tree: Any, by: int) -> None:
    """Moves all places in a syntax tree; the tree may be as deep as it likes."""
    left = [tree]
    while left:
        message = left.pop()
        for field, value in message.ListFields():
            if field.message_type is None:
                if field.name in _PLACES and value > 0:
                    setattr(message, field.name, value + by)
            elif field.is_repeated:
                left.extend(value)
            else:
                left.append(value)
