"""PostgreSQL's advanced regular expressions, translated to Python's. Classes and cases are ASCII's, as in collation C.

Two things differ: alternatives are tried in order (PostgreSQL takes the longest match of all), and a mixture of greedy
and non-greedy quantifiers is decided by each of them (PostgreSQL's first one decides for all).
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from model.errors import SqlError
from model.sqlstate import Sqlstate
from planner.functions.failures import invalid_parameter

_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r" \t\n\r\f\v",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "print": r" -~",
    "graph": r"!-~",
    "cntrl": r"\x00-\x1f\x7f",
    "xdigit": "0-9a-fA-F",
    "word": "a-zA-Z0-9_",
}
_CLASS_ESCAPES = {
    "d": r"0-9",
    "s": r" \t\n\r\f\v",
    "w": r"a-zA-Z0-9_",
}
_CONSTRAINTS = {
    "A": r"\A",
    "Z": r"\Z",
    "m": r"(?<![a-zA-Z0-9_])(?=[a-zA-Z0-9_])",
    "M": r"(?<=[a-zA-Z0-9_])(?![a-zA-Z0-9_])",
    "y": r"\b",
    "Y": r"\B",
}
_CHARACTERS = {"a": "\a", "b": "\b", "B": "\\", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_HEXADECIMAL = re.compile(r"x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})")
_OCTAL = re.compile(r"0[0-7]{0,2}")
_BACK_REFERENCE = re.compile(r"[1-9][0-9]*")
_BOUND = re.compile(r"\{(\d+)(,(\d*))?\}")
_EMBEDDED = re.compile(r"\(\?([a-z]+)\)")
_FLAGS = frozenset("bceimnpqstwx")
_REPETITIONS_MAX = 255
_CODE_MAX = 0x7FFFFFFE
_NO_CHARACTER = "(?!)"


def _invalid(problem: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_REGULAR_EXPRESSION, f"invalid regular expression: {problem}")


class _Options:
    """What flags say: case, how newlines count, comments, literal text."""

    def __init__(self) -> None:
        self.ignore_case = self.expanded = self.literal = False
        self.dot_stops = self.anchors_at_lines = False

    def apply(self, flags: str) -> None:
        for flag in flags:
            match flag:
                case "i":
                    self.ignore_case = True
                case "c":
                    self.ignore_case = False
                case "n" | "m":
                    self.dot_stops = self.anchors_at_lines = True
                case "p":
                    self.dot_stops, self.anchors_at_lines = True, False
                case "w":
                    self.dot_stops, self.anchors_at_lines = False, True
                case "s":
                    self.dot_stops = self.anchors_at_lines = False
                case "x":
                    self.expanded = True
                case "t":
                    self.expanded = False
                case "q":
                    self.literal = True
                case "b" | "e":
                    pass
                case _:
                    raise invalid_parameter(f'invalid regular expression option: "{flag}"')


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str, flags: str = "") -> re.Pattern[str]:
    """A pattern ready to search with; 2201B when it isn't valid, 22023 for unknown flags (`g` is one)."""
    options = _Options()
    options.apply(flags)
    body = pattern
    if body.startswith("***="):
        body, options.literal = body[4:], True
    elif body.startswith("***:"):
        body = body[4:]
    embedded = None if options.literal else _EMBEDDED.match(body)
    if embedded is not None:
        options.apply(embedded[1])
        body = body[embedded.end() :]
    translated = re.escape(body) if options.literal else _Translation(body, options).run()
    mode = re.ASCII | (re.IGNORECASE if options.ignore_case else 0)
    mode |= re.MULTILINE if options.anchors_at_lines else 0
    mode |= 0 if options.dot_stops else re.DOTALL
    try:
        return re.compile(translated, mode)
    except (re.error, OverflowError, RecursionError) as error:
        raise _invalid(_problem(str(error))) from None


def _problem(message: str) -> str:
    if "group reference" in message:
        return "invalid backreference number"
    if "range" in message:
        return "invalid character range"
    if "parenthesis" in message or "subpattern" in message:
        return "parentheses () not balanced"
    if "repeat" in message:
        return "quantifier operand invalid"
    return "invalid escape \\ sequence" if "escape" in message else "regular expression is too complex"


class _Translation:
    """A walk over the pattern that writes Python's form of it."""

    def __init__(self, pattern: str, options: _Options) -> None:
        self.pattern = pattern
        self.options = options
        self.position = 0
        self.output: list[str] = []
        self.depth = 0
        self.operand = False

    def run(self) -> str:
        while self.position < len(self.pattern):
            self._step(self.pattern[self.position])
        if self.depth:
            raise _invalid("parentheses () not balanced")
        return "".join(self.output)

    def _emit(self, text: str, width: int = 1, operand: bool = True) -> None:
        self.output.append(text)
        self.position += width
        self.operand = operand

    def _step(self, character: str) -> None:
        match character:
            case "\\":
                self._escape()
            case "[":
                self._bracket()
            case "(":
                self._open()
            case ")":
                if not self.depth:
                    raise _invalid("parentheses () not balanced")
                self.depth -= 1
                self._emit(")")
            case "*" | "+" | "?":
                self._quantifier(character, 1)
            case "{" if self.pattern[self.position + 1 : self.position + 2].isdigit():
                self._bound()
            case "|":
                self._emit("|", operand=False)
            case "^":
                self._emit("^", operand=False)
            case "$":
                self._emit("$" if self.options.anchors_at_lines else r"\Z")
            case ".":
                self._emit(".")
            case _ if self.options.expanded and character in " \t\n\r\f\v":
                self.position += 1
            case "#" if self.options.expanded:
                end = self.pattern.find("\n", self.position)
                self.position = len(self.pattern) if end < 0 else end + 1
            case _:
                self._emit(re.escape(character))

    def _open(self) -> None:
        following = self.pattern[self.position + 1 : self.position + 4]
        if following.startswith("?#"):
            end = self.pattern.find(")", self.position)
            if end < 0:
                raise _invalid("parentheses () not balanced")
            self.position = end + 1
            return
        self.depth += 1
        for opening in ("?:", "?=", "?!", "?<=", "?<!"):
            if following.startswith(opening):
                self._emit("(" + opening, 1 + len(opening), operand=False)
                return
        if following.startswith("?"):
            raise _invalid("quantifier operand invalid")
        self._emit("(", operand=False)

    def _quantifier(self, text: str, width: int) -> None:
        if not self.operand:
            raise _invalid("quantifier operand invalid")
        lazy = self.pattern[self.position + width : self.position + width + 1] == "?"
        self._emit(text + ("?" if lazy else ""), width + lazy, operand=False)

    def _bound(self) -> None:
        match = _BOUND.match(self.pattern, self.position)
        if match is None:
            raise _invalid("braces {} not balanced" if "}" not in self.pattern else "invalid repetition count(s)")
        low, high = int(match[1]), int(match[3]) if match[3] else None
        if max(low, high or 0) > _REPETITIONS_MAX or (high is not None and high < low):
            raise _invalid("invalid repetition count(s)")
        self._quantifier(match[0], len(match[0]))

    def _escape(self) -> None:
        rest = self.pattern[self.position + 1 :]
        if not rest:
            raise _invalid("invalid escape \\ sequence")
        letter = rest[0]
        if letter.lower() in _CLASS_ESCAPES:
            self._emit(f"[{'^' if letter.isupper() else ''}{_CLASS_ESCAPES[letter.lower()]}]", 2)
        elif letter in _CONSTRAINTS:
            self._emit(_CONSTRAINTS[letter], 2, operand=False)
        elif (reference := _BACK_REFERENCE.match(rest)) is not None:
            self._emit(f"(?:\\{reference[0]})", 1 + len(reference[0]))
        else:
            character, width = self._character(rest)
            self._emit(_NO_CHARACTER if character is None else re.escape(character), 1 + width)

    def _character(self, rest: str) -> tuple[str | None, int]:
        """The character that an escape stands for, None past the last one there is, and the length of the escape
        without its backslash."""
        letter = rest[0]
        if letter in _CHARACTERS:
            return _CHARACTERS[letter], 1
        coded = _HEXADECIMAL.match(rest)
        if coded is not None:
            code = int(coded[1] or coded[2] or coded[3], 16)
            if code > _CODE_MAX:
                raise _invalid("invalid escape \\ sequence")
            return chr(code) if code <= sys.maxunicode else None, len(coded[0])
        octal = _OCTAL.match(rest)
        if octal is not None:
            return chr(int(octal[0], 8)), len(octal[0])
        if letter == "c" and len(rest) > 1:
            return chr(ord(rest[1]) & 0x1F), 2
        if letter.isascii() and letter.isalnum():
            raise _invalid("invalid escape \\ sequence")
        return letter, 1

    def _bracket(self) -> None:
        if self.pattern.startswith(("[[:<:]]", "[[:>:]]"), self.position):
            constraint = "m" if self.pattern[self.position + 3] == "<" else "M"
            self._emit(_CONSTRAINTS[constraint], 7, operand=False)
            return
        position = self.position + 1
        negated = self.pattern.startswith("^", position)
        position += negated
        pieces: list[str] = []
        first = True
        while first or not self.pattern.startswith("]", position):
            first = False
            if position >= len(self.pattern):
                raise _invalid("brackets [] not balanced")
            piece, position = self._bracket_item(position)
            pieces.append(piece)
        if negated and self.options.dot_stops:
            pieces.append(r"\n")
        self.output.append(f"[{'^' if negated else ''}{''.join(pieces)}]")
        self.position, self.operand = position + 1, True

    def _bracket_item(self, position: int) -> tuple[str, int]:
        for mark in (":", "=", "."):
            if self.pattern.startswith("[" + mark, position):
                end = self.pattern.find(mark + "]", position + 2)
                if end < 0:
                    raise _invalid("brackets [] not balanced")
                name = self.pattern[position + 2 : end]
                if mark == ":":
                    if name not in _CLASSES:
                        raise _invalid("invalid character class")
                    return _CLASSES[name], end + 2
                if len(name) != 1:
                    raise _invalid("invalid collating element")
                return re.escape(name), end + 2
        character = self.pattern[position]
        if character == "\\":
            rest = self.pattern[position + 1 :]
            if rest[:1] in _CLASS_ESCAPES:
                return _CLASS_ESCAPES[rest[0]], position + 2
            if not rest:
                raise _invalid("invalid escape \\ sequence")
            escaped, width = self._character(rest)
            # A bracket that is empty but for such a code can't be written; the last code point is no character.
            return re.escape(escaped or chr(sys.maxunicode)), position + 1 + width
        if character == "-":
            following = self.pattern[position + 1 : position + 2]
            edge = self.pattern[position - 1] in "[^" or following == "]"
            return (r"\-" if edge else "-"), position + 1
        return re.escape(character), position + 1
