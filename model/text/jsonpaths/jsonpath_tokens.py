"""jsonpath in text, cut into tokens."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_SPECIAL = "?%$.[]{}()|&!=<>@#,*:-+/"
_SPACES = re.compile(r"(?:[ \t\n\r\f]|/\*.*?\*/)*", re.DOTALL)
_WORD = re.compile(rf"(?:[^{re.escape(_SPECIAL)}\s\"\\]|\\.[^\"]?)+", re.DOTALL)
_NUMBER = re.compile(
    r"0[xX][0-9A-Fa-f](?:_?[0-9A-Fa-f])*|0[oO][0-7](?:_?[0-7])*|0[bB][01](?:_?[01])*"
    r"|(?:(?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?",
    re.ASCII,
)
_OPERATOR = re.compile(r"\*\*|&&|\|\||==|!=|<>|<=|>=|[?%.\[\]{}()!=<>@,*\-+/$|&#:]")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPED = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_SYNONYMS = {"<>": "!="}


class Kind(StrEnum):
    WORD = "word"
    STRING = "string"
    NUMBER = "number"
    VARIABLE = "variable"
    OPERATOR = "operator"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """A token: `text` as written; `value` the string, number, variable's name or operator that it stands for."""

    kind: Kind
    text: str
    value: str | Decimal


def syntax_error(near: str) -> SqlError:
    """Returns SqlError 42601 for a text that is no path."""
    where = f'at or near "{near}" of' if near else "at end of"
    return SqlError(Sqlstate.SYNTAX_ERROR, f"syntax error {where} jsonpath input")


def tokens(text: str) -> list[Token]:
    """Returns all tokens, and an END; raises 42601 for a text that is no token."""
    found: list[Token] = []
    position = _after_spaces(text, 0)
    while position < len(text):
        token = _token(text, position)
        found.append(token)
        position = _after_spaces(text, position + len(token.text))
    return [*found, Token(Kind.END, "", "")]


def _after_spaces(text: str, position: int) -> int:
    match = _SPACES.match(text, position)
    assert match is not None
    return match.end()


def _token(text: str, position: int) -> Token:
    character = text[position]
    if character == '"':
        return _quoted(text, position, Kind.STRING, position)
    if character == "$" and position + 1 < len(text):
        if text[position + 1] == '"':
            return _quoted(text, position + 1, Kind.VARIABLE, position)
        word = _WORD.match(text, position + 1)
        if word is not None:
            return Token(Kind.VARIABLE, text[position : word.end()], _unescaped(word[0]))
    number = _NUMBER.match(text, position)
    if number is not None:
        return _number(text, number)
    operator = _OPERATOR.match(text, position)
    if operator is not None:
        return Token(Kind.OPERATOR, operator[0], _SYNONYMS.get(operator[0], operator[0]))
    word = _WORD.match(text, position)
    if word is None:
        raise syntax_error(text[position:])
    return Token(Kind.WORD, word[0], _unescaped(word[0]))


def _quoted(text: str, opening: int, kind: Kind, start: int) -> Token:
    match = _QUOTED.match(text, opening)
    if match is None:
        raise SqlError(Sqlstate.SYNTAX_ERROR, "unterminated quoted string at end of jsonpath input")
    return Token(kind, text[start : match.end()], _unescaped(match[1]))


def _number(text: str, match: re.Match[str]) -> Token:
    junk = _WORD.match(text, match.end())
    if junk is not None:
        message = f'trailing junk after numeric literal at or near "{match[0]}{junk[0][0]}" of jsonpath input'
        raise SqlError(Sqlstate.SYNTAX_ERROR, message)
    digits = match[0].replace("_", "")
    try:
        value = Decimal(int(digits, 0)) if digits[:2].lower() in ("0x", "0o", "0b") else Decimal(digits)
    except InvalidOperation:
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value overflows numeric format") from None
    return Token(Kind.NUMBER, match[0], value)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    decoded = _ESCAPED.sub(_character, text)
    try:
        # Pairs of surrogates are one character.
        return decoded.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise SqlError(
            Sqlstate.INVALID_TEXT_REPRESENTATION,
            "invalid input syntax for type jsonpath",
            detail="Unicode low surrogate must follow a high surrogate.",
        ) from None


def _character(match: re.Match[str]) -> str:
    """Returns the character of an escape, which may be half of a surrogate pair; raises 22P05 or 42601 for one that
    is no character."""
    hexadecimal = match[1] or match[2] or match[3]
    if hexadecimal is None:
        return _CONTROLS.get(match[4], match[4])
    code = int(hexadecimal, 16)
    if code == 0:
        detail = "\\u0000 cannot be converted to text."
        raise SqlError(Sqlstate.UNTRANSLATABLE_CHARACTER, "unsupported Unicode escape sequence", detail=detail)
    if code > sys.maxunicode:
        raise SqlError(Sqlstate.SYNTAX_ERROR, "invalid Unicode code point")
    return chr(code)
