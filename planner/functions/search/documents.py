"""to_tsvector: a document's words with their places, by a configuration.

Stop words take a place and leave no lexeme; tokens without a dictionary take none. Of JSON, strings make a document
each, with a place left free in between, over which no phrase reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from model.json.json_text import Json, load_json
from model.search.vectors import LEXEME_BYTES_END, PLACE_END, PLACES_MAX, checked_vector, limited
from planner.functions.failures import invalid_parameter
from planner.functions.json.json_extract import json_elements, json_members
from planner.functions.search.dictionaries import check_configuration, has_dictionary, lexeme_of
from planner.functions.search.tokens import tokens_of

Words = list[tuple[str, int]]
"""Lexemes with their places, in their order."""

_FLAGS_HINT = 'Possible values are: "string", "numeric", "boolean", "key", and "all".'
_KINDS = frozenset(("string", "numeric", "boolean", "key"))
_STRINGS = frozenset(("string",))
_BLANKS = " \t\n\r"


def words_of(configuration: int, text: str, after: int = 0) -> tuple[Words, int]:
    """Returns the lexemes of a document whose places begin behind `after`, and the last place. Raises XX000 for an
    unknown configuration."""
    check_configuration(configuration)
    words: Words = []
    place = after
    for token, part in tokens_of(text):
        if not has_dictionary(token) or len(part.encode()) >= LEXEME_BYTES_END:
            continue
        place += 1
        lexeme = lexeme_of(configuration, token, part)
        if lexeme is not None:
            words.append((lexeme, limited(place)))
    return words, place


def vector_of_words(words: Iterable[tuple[str, int]]) -> bytes:
    """Returns the tsvector of words; raises 54000 for too many."""
    gathered: dict[str, list[int]] = {}
    for lexeme, place in words:
        places = gathered.setdefault(lexeme, [])
        if not places or (len(places) < PLACES_MAX - 1 and places[-1] not in (place, PLACE_END - 1)):
            places.append(place)
    return checked_vector(
        tuple((lexeme, tuple([4 * place for place in gathered[lexeme]])) for lexeme in sorted(gathered))
    )


def to_vector(configuration: int, text: str) -> bytes:
    """Returns the tsvector of a document. Raises XX000 for an unknown configuration, 54000 for too much."""
    return vector_of_words(words_of(configuration, text)[0])


def json_to_vector(configuration: int, document: str, kinds: frozenset[str] = _STRINGS) -> bytes:
    """Returns the tsvector of the parts of `kinds` in a JSON document; raises SqlError as to_vector does."""
    check_configuration(configuration)
    found: Words = []
    place = 0
    for text in _texts(document.strip(_BLANKS), kinds):
        words, place = words_of(configuration, text, place)
        if words:
            place += 1
        found += words
    return vector_of_words(found)


def filtered_json_to_vector(configuration: int, document: str, flags: str) -> bytes:
    """Returns the tsvector of the parts of a JSON document named by `flags`, a jsonb; raises 22023 for wrong flags."""
    return json_to_vector(configuration, document, _kinds(load_json(flags)))


def _kinds(flags: Json) -> frozenset[str]:
    if isinstance(flags, Mapping):
        raise invalid_parameter("wrong flag type, only arrays and scalars are allowed")
    kinds: set[str] = set()
    for flag in flags if isinstance(flags, list) else [flags]:
        if not isinstance(flag, str):
            raise invalid_parameter("flag array element is not a string", hint=_FLAGS_HINT)
        if flag.lower() == "all":
            kinds |= _KINDS
        elif flag.lower() in _KINDS:
            kinds.add(flag.lower())
        else:
            raise invalid_parameter(f'wrong flag in flag array: "{flag}"', hint=_FLAGS_HINT)
    return frozenset(kinds)


def _texts(document: str, kinds: frozenset[str]) -> Iterator[str]:
    """Yields the parts of `kinds` as written: json may have a key twice."""
    match document[0]:
        case "{":
            for key, member in json_members(document):
                if "key" in kinds:
                    yield key
                yield from _texts(member, kinds)
        case "[":
            for item in json_elements(document):
                yield from _texts(item, kinds)
        case "n":
            return
        case "t" | "f":
            if "boolean" in kinds:
                yield document
        case '"':
            value = load_json(document)
            if "string" in kinds and isinstance(value, str):
                yield value
        case _:
            if "numeric" in kinds:
                yield document


def in_configuration(make: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function taking the session's configuration last rather than first."""
    return lambda *arguments: make(arguments[-1], *arguments[:-1])
