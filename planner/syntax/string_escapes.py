r"""Strings with backslashes, as sessions read them that have standard_conforming_strings off.

    SELECT 'a\nb', 'it\'s'        becomes        SELECT 'a
    b' , 'it''s'

Each such string is written anew as a standard one of the same length: what an escape leaves free is blanks behind the
string. So all places of errors stay what they are, and whatever is kept of the text (a view's, a prepared statement's)
means the same under every setting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import postgast

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.syntax.grammar import parse_tree

_TOKEN = re.compile(
    r"""
      (?P<line> --[^\n\r]*)
    | (?P<block> /\*)
    | (?P<dollar> \$ (?: [A-Za-z_\x80-\U0010ffff] [A-Za-z0-9_\x80-\U0010ffff]* )? \$)
    | (?P<unicode> [uU]&')
    | (?P<escape> [eE]')
    | (?P<other> (?:[bBxX]' [^']* '|"(?:[^"]++|"")*+"))
    | (?P<word> [A-Za-z_\x80-\U0010ffff] [A-Za-z0-9_$\x80-\U0010ffff]*)
    | (?P<plain> ')
    """,
    re.VERBOSE,
)
_ESCAPED = re.compile(r"(?:[^'\\]++|''|\\.)*+'", re.DOTALL)
_STANDARD = re.compile(r"(?:[^']++|'')*+'")
_COMMENT_PART = re.compile(r"/\*|\*/")
_NEXT_PART = re.compile(r"[ \t\f\v]*(?:--[^\n\r]*)?[\n\r](?:\s|--[^\n\r]*[\n\r])*'")
"""A string goes on behind a line's end."""
_FIRST_ESCAPE = re.compile(r"(?:[^'\\]++|'')*+\\(.)", re.DOTALL)
_QUOTE_HINT = "Use '' to write quotes in strings"


@dataclass(frozen=True, slots=True)
class EscapeWarning:
    """A string with a backslash, at a character of the text, from 1."""

    message: str
    hint: str
    position: int


def strings_as_standard(text: str, *, conforming: bool, quotes_escaped: bool, warnings: list[EscapeWarning]) -> str:
    r"""Returns the text with standard strings only, unless strings are `conforming` already, and adds to `warnings`.
    Raises SqlError 22P06 for \' without `quotes_escaped`; raises 0A000 for strings with U& that are not safe, 22025 and
    22021 for escapes that make no text."""
    if (conforming and quotes_escaped) or ("\\" not in text and (conforming or "&'" not in text)):
        return text
    pieces: list[str] = []
    done = 0
    for start, end, kind, begins in _strings(text, warnings, conforming=conforming):
        if kind == "unicode" and not conforming:
            message = "unsafe use of string constant with Unicode escapes"
            detail = "String constants with Unicode escapes cannot be used when standard_conforming_strings is off."
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=detail, position=start + 1)
        part = text[start:end]
        if kind == "unicode" or "\\" not in part:
            continue
        if not quotes_escaped and (kind == "escape" or not conforming) and _escapes_quote(part):
            message, hint = r"unsafe use of \' in a string literal", rf"{_QUOTE_HINT}. \' is insecure in client-only "
            hint += "encodings."
            raise SqlError(Sqlstate.NONSTANDARD_USE_OF_ESCAPE_CHARACTER, message, hint=hint, position=start + 1)
        if kind == "plain" and not conforming:
            told = [_warning(part, start)] if begins else []
            try:
                pieces += [text[done:start], _rewritten(part, start)]
            except SqlError as error:
                # PostgreSQL refuses an escape before it tells of it.
                warnings += [] if error.position == start + part.index("\\") + 1 else told
                raise
            warnings += told
            done = end
    return "".join([*pieces, text[done:]])


def _strings(text: str, warnings: list[EscapeWarning], *, conforming: bool) -> Iterator[tuple[int, int, str, bool]]:
    """Yields the parts of strings: where they begin and end, of which kind they are, and whether a string begins."""
    at = 0
    while (found := _TOKEN.search(text, at)) is not None:
        kind, at = found.lastgroup, found.end()
        if kind == "block":
            at = _behind_comment(text, at)
        elif kind == "dollar":
            end = text.find(found.group(), at)
            at = len(text) if end < 0 else end + len(found.group())
        elif kind in ("unicode", "escape", "plain"):
            escaped = kind == "escape" or (kind == "plain" and not conforming)
            start: int | None = found.start()
            while start is not None:
                ended = (_ESCAPED if escaped else _STANDARD).match(text, at)
                if ended is None:
                    escapes = escaped and kind == "plain" and _FIRST_ESCAPE.match(text, start + 1) is not None
                    warnings += [_warning(text[start:], start)] if escapes else []
                    message = f'unterminated quoted string at or near "{text[start:]}"'
                    raise SqlError(Sqlstate.SYNTAX_ERROR, message, position=start + 1)
                yield start, ended.end(), kind, start == found.start()
                following = _NEXT_PART.match(text, ended.end())
                at = ended.end() if following is None else following.end()
                start = None if following is None else following.end() - 1


def _behind_comment(text: str, at: int) -> int:
    depth = 1
    while depth:
        found = _COMMENT_PART.search(text, at)
        if found is None:
            return len(text)
        depth += 1 if found.group() == "/*" else -1
        at = found.end()
    return at


def _escapes_quote(part: str) -> bool:
    return any(each == r"\'" for each in re.findall(r"\\.", part, re.DOTALL))


def _warning(part: str, start: int) -> EscapeWarning:
    first = _FIRST_ESCAPE.match(part, 1)
    assert first is not None, "the part has a backslash"
    behind = f"{_QUOTE_HINT}, or use the escape string syntax (E'...')."
    message, hint = {
        "'": (r"nonstandard use of \' in a string literal", behind),
        "\\": (
            r"nonstandard use of \\ in a string literal",
            r"Use the escape string syntax for backslashes, e.g., E'\\'.",
        ),
    }.get(
        first.group(1),
        (
            "nonstandard use of escape in a string literal",
            r"Use the escape string syntax for escapes, e.g., E'\r\n'.",
        ),
    )
    return EscapeWarning(message, hint, start + 1)


def _rewritten(part: str, start: int) -> str:
    """Returns a standard string for one with escapes, with blanks behind it, as long as that. The part of a string that
    goes on begins with its quote, too."""
    lead = "SELECT E"
    try:
        statements = parse_tree(lead + part).stmts
    except postgast.PgQueryError as error:
        sqlstate = Sqlstate.INVALID_ESCAPE_SEQUENCE
        if "byte sequence" in error.message:
            sqlstate = Sqlstate.CHARACTER_NOT_IN_REPERTOIRE
        position = start + max(error.cursorpos - len(lead), 1) if error.cursorpos else None
        hint = r"Unicode escapes must be \uXXXX or \UXXXXXXXX." if "Unicode escape" in error.message else None
        raise SqlError(sqlstate, error.message, hint=hint, position=position) from None
    value: str = statements[0].stmt.select_stmt.target_list[0].res_target.val.a_const.sval.sval
    return ("'" + value.replace("'", "''") + "'").ljust(len(part))
