"""Lists and maps in text, in Materialize's form: `{1,NULL,"a b"}`, `{{1},{2,3}}`, `{a=>1,"b c"=>NULL}`.

Members with braces of their own (lists, maps, arrays) are not quoted; all others are quoted where they could be
misread.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES
from model.types.datum import Datum
from model.types.maps import Map, map_from

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_PLAIN = re.compile(r'(?:[^{}",\\]|\\.)+', re.DOTALL)
_KEY = re.compile(r'(?:[^{}",\\=]|=(?!>)|\\.)+', re.DOTALL)
_BRACED_PIECE = re.compile(r'[^{}"\\]+|\\.|"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL)
_UNESCAPE = re.compile(r"\\(.)", re.DOTALL)
_TRAILING_SPACES = re.compile(r"(?<!\\)[ \t\n\v\f\r]+\Z")
_LIST_QUOTES = re.compile(r'[{}",\\ \t\n\v\f\r]|\A[nN][uU][lL][lL]\Z|\A\Z')
_MAP_QUOTES = re.compile(r'[{}",=>\\ \t\n\v\f\r]|\A[nN][uU][lL][lL]\Z|\A\Z')
_ESCAPED = re.compile(r'(["\\])')

Parse = Callable[[str], Datum]
Format = Callable[[Datum], str]


class _Reader:
    """Reads the text of a list or a map. `what` is the type's name in errors; `braced` says whether members may begin
    with a brace."""

    def __init__(self, text: str, what: str, braced: bool) -> None:
        self.text, self.what, self.braced = text, what, braced
        self.at = 0

    def fail(self, detail: str) -> SqlError:
        """Returns SqlError 22P02 for a text that is not written as a list."""
        message = f'invalid input syntax for type {self.what}: {detail}: "{self.text}"'
        return SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, message)

    def take(self, token: str) -> bool:
        """Takes the token, behind any spaces, if it is next."""
        while self.at < len(self.text) and self.text[self.at] in SPACES:
            self.at += 1
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def expect(self, token: str) -> None:
        if not self.take(token):
            raise self.fail(f"expected '{token}', found {self.found()}")

    def found(self) -> str:
        return f"'{self.text[self.at]}'" if self.at < len(self.text) else "the end"

    def end(self) -> None:
        self.take("")
        if self.at < len(self.text):
            raise self.fail(f"unexpected {self.found()} after the closing brace")

    def member(self) -> str | None:
        """Returns the text of a member, without its quotes; None for NULL."""
        if self.take("{"):
            self.at -= 1
            if self.braced:
                return self._braces()
            raise self.fail("'{' at the beginning of a member that has no members itself; put it in quotes")
        text = self.word(_PLAIN)
        quoted = self.text[self.at - 1] == '"'
        return None if not quoted and text.lower() == "null" else text

    def word(self, plain: re.Pattern[str]) -> str:
        """Returns a quoted text, or a plain one without the spaces around it."""
        self.take("")
        match = _QUOTED.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            return _UNESCAPE.sub(r"\1", match[1])
        match = plain.match(self.text, self.at)
        if match is None:
            raise self.fail(f"expected a value, found {self.found()}")
        self.at = match.end()
        return _UNESCAPE.sub(r"\1", _TRAILING_SPACES.sub("", match[0]))

    def _braces(self) -> str:
        """Returns the text from an opening brace to its closing one."""
        start, depth = self.at, 0
        while True:
            match = _BRACED_PIECE.match(self.text, self.at)
            if match is None:
                raise self.fail("a brace or a quote is not closed")
            depth += (match[0] == "{") - (match[0] == "}")
            self.at = match.end()
            if depth == 0:
                return self.text[start : self.at]


def list_parser(parse_item: Parse, braced: bool) -> Callable[[str], tuple[Datum, ...]]:
    """Returns the parser of lists, which raises 22P02 for a wrong text; `braced`: items have braces themselves."""

    def parse(text: str) -> tuple[Datum, ...]:
        reader = _Reader(text, "list", braced)
        reader.expect("{")
        items: list[Datum] = []
        while not reader.take("}"):
            if items:
                reader.expect(",")
            item = reader.member()
            items.append(None if item is None else parse_item(item))
        reader.end()
        return tuple(items)

    return parse


def map_parser(parse_value: Parse, braced: bool) -> Callable[[str], Map]:
    """Returns the parser of maps, which raises 22P02 for a wrong text; `braced`: values have braces themselves."""

    def parse(text: str) -> Map:
        reader = _Reader(text, "map", braced)
        reader.expect("{")
        pairs: list[tuple[str, Datum]] = []
        while not reader.take("}"):
            if pairs:
                reader.expect(",")
            key = reader.word(_KEY)
            reader.expect("=>")
            value = reader.member()
            pairs.append((key, None if value is None else parse_value(value)))
        reader.end()
        return map_from(pairs)

    return parse


def _writer(format_member: Format, braced: bool, needs_quotes: re.Pattern[str]) -> Format:
    def write(value: Datum) -> str:
        if value is None:
            return "NULL"
        text = format_member(value)
        return text if braced else _quoted(text, needs_quotes)

    return write


def _quoted(text: str, needs_quotes: re.Pattern[str]) -> str:
    return '"' + _ESCAPED.sub(r"\\\1", text) + '"' if needs_quotes.search(text) else text


def list_formatter(format_item: Format, braced: bool) -> Callable[[tuple[Datum, ...]], str]:
    write = _writer(format_item, braced, _LIST_QUOTES)
    return lambda value: "{" + ",".join(map(write, value)) + "}"


def map_formatter(format_value: Format, braced: bool) -> Callable[[Map], str]:
    write = _writer(format_value, braced, _MAP_QUOTES)
    return lambda value: "{" + ",".join(f"{_quoted(key, _MAP_QUOTES)}=>{write(held)}" for key, held in value) + "}"
