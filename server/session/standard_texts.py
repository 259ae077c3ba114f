"""A client's texts as the grammar reads them, by what the session's variables say of backslashes in strings."""

from __future__ import annotations

from model.errors.sql_error import Severity
from model.errors.sqlstate import Sqlstate
from planner.syntax.string_escapes import EscapeWarning, strings_as_standard
from server.session.asking import SessionAsker
from server.session.interruption import Interruption

_CLIENTS_ONLY = frozenset(("BIG5", "GB18030", "GBK", "JOHAB", "SHIFT_JIS_2004", "SJIS", "UHC"))
"""Encodings in which a byte of a character may be a backslash's."""


async def standard_text(sql: str, asker: SessionAsker, interruption: Interruption) -> str:
    """Returns a text with standard strings only, as long as the text; tells the client of strings with backslashes
    that are none. Raises SqlError 22P06 where backslash_quote forbids an escaped quote."""
    conforming = asker.setting("standard_conforming_strings") == "on"
    quotes = asker.setting("backslash_quote")
    escaped = quotes == "on" or (quotes == "safe_encoding" and asker.setting("client_encoding") not in _CLIENTS_ONLY)
    if conforming and escaped:
        return sql
    warnings: list[EscapeWarning] = []
    try:
        return await interruption.apart(
            sql, strings_as_standard, sql, conforming=conforming, quotes_escaped=escaped, warnings=warnings
        )
    finally:
        for each in warnings if asker.setting("escape_string_warning") == "on" else ():
            nonstandard = Sqlstate.NONSTANDARD_USE_OF_ESCAPE_CHARACTER
            asker.notice(Severity.WARNING, nonstandard, each.message, hint=each.hint, position=each.position)
