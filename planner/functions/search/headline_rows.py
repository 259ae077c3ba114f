"""ts_headline, of texts and of the strings in JSON, and its options: `MaxWords=10, StartSel="<<", HighlightAll=yes`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import Json, load_json, quote_json, write_jsonb
from model.search.queries import decode_query
from model.text.integers import integer_parser
from model.types.scalar_type import JSON, JSONB, TEXT, TSQUERY
from planner.functions.failures import invalid_parameter
from planner.functions.json.json_extract import json_elements, json_members
from planner.functions.search.headline import HeadlineOptions, headline
from planner.functions.search.word_rows import both_ways
from planner.functions.signature import Function

_BLANKS = " \t\n\v\f\r"
_TRUE = frozenset(("1", "on", "true", "t", "y", "yes"))
_NUMBERS = {
    "maxwords": "words_max",
    "minwords": "words_min",
    "shortword": "short_word",
    "maxfragments": "fragments_max",
}
_TEXTS = {"startsel": "start", "stopsel": "stop", "fragmentdelimiter": "delimiter"}
_parse_number = integer_parser("integer", 32)


def _options(text: str) -> HeadlineOptions:
    """Parses options. Raises 42601 for what is no list of them, 22P02 for a wrong number, 22023 for others."""
    chosen: dict[str, Any] = {}
    for name, value in list(_ListReader(text).pairs()):
        key = name.lower()
        if key in _NUMBERS:
            chosen[_NUMBERS[key]] = _parse_number(value)
        elif key in _TEXTS:
            chosen[_TEXTS[key]] = value
        elif key == "highlightall":
            chosen["highlight_all"] = value.lower() in _TRUE
        else:
            raise invalid_parameter(f'unrecognized headline parameter: "{name}"')
    options = HeadlineOptions(**chosen)
    if not options.highlight_all:
        _check(options)
    return options


def _check(options: HeadlineOptions) -> None:
    if options.words_min >= options.words_max:
        raise invalid_parameter("MinWords should be less than MaxWords")
    if options.words_min <= 0:
        raise invalid_parameter("MinWords should be positive")
    if options.short_word < 0:
        raise invalid_parameter("ShortWord should be >= 0")
    if options.fragments_max < 0:
        raise invalid_parameter("MaxFragments should be >= 0")


class _ListReader:
    """Reads `key = value` pairs, parted by commas or blanks; keys and values may be quoted."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yields names and values. Raises 42601."""
        while True:
            self._skip(_BLANKS + ",")
            if self._at == len(self._text):
                return
            key = self._quoted('"') if self._text[self._at] == '"' else self._until("=" + _BLANKS, 1)
            self._skip(_BLANKS)
            if self._text[self._at : self._at + 1] != "=":
                raise self._wrong()
            self._at += 1
            self._skip(_BLANKS)
            yield key, self._value()

    def _value(self) -> str:
        if self._at == len(self._text):
            raise self._wrong()
        if self._text.startswith("E'", self._at):
            self._at += 1
        sign = self._text[self._at]
        return self._quoted(sign) if sign in "'\"" else self._until("," + _BLANKS, 1)

    def _skip(self, letters: str) -> None:
        while self._at < len(self._text) and self._text[self._at] in letters:
            self._at += 1

    def _until(self, ends: str, least: int) -> str:
        start = self._at
        self._at += least
        while self._at < len(self._text) and self._text[self._at] not in ends:
            self._at += 1
        return self._text[start : self._at]

    def _quoted(self, sign: str) -> str:
        """Reads up to the closing quote; two quotes are one, and within single ones so are two backslashes."""
        letters: list[str] = []
        self._at += 1
        while self._at < len(self._text):
            letter = self._text[self._at]
            doubled = self._text[self._at + 1 : self._at + 2] == letter
            if letter == sign and not doubled:
                self._at += 1
                return "".join(letters)
            self._at += 2 if doubled and (letter == sign or (letter == "\\" and sign == "'")) else 1
            letters.append(letter)
        raise self._wrong()

    def _wrong(self) -> SqlError:
        return SqlError(Sqlstate.SYNTAX_ERROR, f'invalid parameter list format: "{self._text}"')


def _of_text(configuration: int, document: str, query: bytes, options: str = "") -> str:
    return headline(configuration, document, decode_query(query), _options(options))


def _of_jsonb(configuration: int, document: str, query: bytes, options: str = "") -> str:
    chosen, node = _options(options), decode_query(query)
    return write_jsonb(_mapped(load_json(document), lambda text: headline(configuration, text, node, chosen)))


def _mapped(value: Json, make: Callable[[str], str]) -> Json:
    """Returns a JSON value with other strings in the place of its own, keys aside."""
    if isinstance(value, str):
        return make(value)
    if isinstance(value, list):
        return [_mapped(item, make) for item in value]
    if isinstance(value, dict):
        return {key: _mapped(item, make) for key, item in value.items()}
    return value


def _of_json(configuration: int, document: str, query: bytes, options: str = "") -> str:
    chosen, node = _options(options), decode_query(query)
    return _rewritten(document, lambda text: headline(configuration, text, node, chosen))


def _rewritten(document: str, make: Callable[[str], str]) -> str:
    """Returns a JSON text with other strings, without blanks around its parts, and with its numbers as written."""
    text = document.strip(" \t\n\r")
    match text[0]:
        case "{":
            members = (f"{quote_json(key)}:{_rewritten(part, make)}" for key, part in json_members(text))
            return "{" + ",".join(members) + "}"
        case "[":
            return "[" + ",".join(_rewritten(part, make) for part in json_elements(text)) + "]"
        case '"':
            value = load_json(text)
            assert isinstance(value, str)
            return quote_json(make(value))
        case _:
            return text


FUNCTIONS: tuple[Function, ...] = tuple(
    row
    for type_, evaluate in ((TEXT, _of_text), (JSONB, _of_jsonb), (JSON, _of_json))
    for arguments in ((type_, TSQUERY), (type_, TSQUERY, TEXT))
    for row in both_ways("ts_headline", arguments, type_, evaluate)
)
