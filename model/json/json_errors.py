"""Why a text isn't JSON, in PostgreSQL's words: read again, slowly, up to the first token out of place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[0-9A-Za-z_\u0080-\U0010ffff]+")
_NUMBER_RUN = re.compile(r"-?(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?(?:[eE][+-]?[0-9]*)?[0-9A-Za-z_\u0080-\U0010ffff]*")
_SPACE = re.compile(r"[ \t\n\r]*")
_LINE_START = re.compile(r"\r\n|\r|\n")
_CONTEXT_LENGTH = 50
_EXPECTED = {
    "value": "JSON value",
    "end": "end of input",
    "first element": "JSON value",
    "after element": '"," or "]"',
    "first key": 'string or "}"',
    "key": "string",
    "colon": '":"',
    "after value": '"," or "}"',
}


@dataclass(frozen=True, slots=True)
class _Token:
    """A token. `kind` is the punctuation itself, or string, scalar, end."""

    kind: str
    start: int
    end: int


class _Refused(Exception):
    def __init__(self, detail: str, end: int, at_end: bool = False) -> None:
        super().__init__(detail)
        self.detail = detail
        self.end = end
        self.at_end = at_end


def explain(text: str) -> SqlError:
    """Returns the error for a text that the fast parser has refused."""
    try:
        _read(text)
    except _Refused as refused:
        context = json_context(text, refused.end, at_end=refused.at_end)
        return _error(refused.detail, context)
    return _error(None, None)


def _error(detail: str | None, context: str | None) -> SqlError:
    return SqlError(
        Sqlstate.INVALID_TEXT_REPRESENTATION,
        "invalid input syntax for type json",
        detail=detail,
        context=context,
    )


def json_context(text: str, end: int, *, at_end: bool = False) -> str:
    """Returns the line up to the mistake, which ends at `end`."""
    breaks = [m.end() for m in _LINE_START.finditer(text, 0, end)]
    line_start = breaks[-1] if breaks else 0
    # A character is a byte at least.
    start = max(line_start, end - _CONTEXT_LENGTH)
    while len(text[start:end].encode()) >= _CONTEXT_LENGTH:
        start += 1
    if start - line_start <= 3:
        start = line_start
    before = "..." if start > line_start else ""
    more = not at_end and end < len(text) and text[end] not in "\n\r"
    return f"JSON data, line {len(breaks) + 1}: {before}{text[start:end]}{'...' if more else ''}"


def _read(text: str) -> None:
    """Parses with a pushdown automaton, whose `stack` holds what follows the value being read."""
    state, stack, position = "value", ["end"], 0
    while True:
        token = _next(text, position)
        position = token.end
        match state, token.kind:
            case "end", "end":
                return
            case (("value" | "first element"), "{"):
                stack.append("after value")
                state = "first key"
            case (("value" | "first element"), "["):
                stack.append("after element")
                state = "first element"
            case (("value" | "first element"), ("string" | "scalar")):
                state = stack[-1]
            case (("first element" | "after element"), "]"):
                stack.pop()
                state = stack[-1]
            case (("first key" | "after value"), "}"):
                stack.pop()
                state = stack[-1]
            case ("after element", ","):
                state = "value"
            case ("after value", ","):
                state = "key"
            case (("first key" | "key"), "string"):
                state = "colon"
            case "colon", ":":
                state = "value"
            case _, "end":
                raise _Refused("The input string ended unexpectedly.", len(text), at_end=True)
            case _:
                found = text[token.start : token.end]
                raise _Refused(f'Expected {_EXPECTED[state]}, but found "{found}".', token.end)


def _next(text: str, position: int) -> _Token:
    space = _SPACE.match(text, position)
    start = space.end() if space is not None else position
    if start >= len(text):
        return _Token("end", start, start)
    character = text[start]
    if character in "{}[],:":
        return _Token(character, start, start + 1)
    if character == '"':
        return _Token("string", start, _string_end(text, start))
    if character == "-" or (character.isdigit() and character.isascii()):
        return _number(text, start)
    word = _WORD.match(text, start)
    if word is None:
        raise _Refused(f'Token "{character}" is invalid.', start + 1)
    if word[0] not in ("true", "false", "null"):
        raise _Refused(f'Token "{word[0]}" is invalid.', word.end())
    return _Token("scalar", start, word.end())


def _number(text: str, start: int) -> _Token:
    number = _NUMBER.match(text, start)
    run = _NUMBER_RUN.match(text, start)
    assert run is not None
    if number is not None and number.end() >= run.end():
        return _Token("scalar", start, number.end())
    raise _Refused(f'Token "{run[0]}" is invalid.', run.end())


def _string_end(text: str, start: int) -> int:
    position = start + 1
    while position < len(text):
        character = text[position]
        if character == '"':
            return position + 1
        if character < " ":
            raise _Refused(f"Character with value 0x{ord(character):02x} must be escaped.", position)
        if character == "\\":
            position = _escape_end(text, position)
        else:
            position += 1
    raise _Refused(f'Token "{text[start:]}" is invalid.', len(text), at_end=True)


def _escape_end(text: str, position: int) -> int:
    kind = text[position + 1 : position + 2]
    if kind == "u":
        for place in range(position + 2, position + 6):
            if place >= len(text):
                return place
            if text[place] not in "0123456789abcdefABCDEF":
                raise _Refused('"\\u" must be followed by four hexadecimal digits.', place + 1)
        return position + 6
    if kind == "" or kind not in '"\\/bfnrt':
        raise _Refused(f'Escape sequence "\\{kind}" is invalid.', position + 2)
    return position + 2
