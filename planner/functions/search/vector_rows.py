"""The functions and operators of tsvector: weights, parts, concatenation, lexemes."""

from __future__ import annotations

from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.search.vector_text import weight_letter
from model.search.vectors import (
    PLACE_END,
    PLACES_MAX,
    Entry,
    checked_vector,
    decode_vector,
    encode_vector,
    limited,
    place_of,
    weight_of,
)
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, CHAR, INT2, INT4, TEXT, TSQUERY, TSVECTOR, array_of
from planner.functions.failures import invalid_parameter
from planner.functions.rows import function, key_of, operator
from planner.functions.search.matching import matches
from planner.functions.signature import Function, TableFunction

_WEIGHTS = {"a": 3, "A": 3, "b": 2, "B": 2, "c": 1, "C": 1, "d": 0, "D": 0}


def _strip(vector: bytes) -> bytes:
    return encode_vector([(lexeme, ()) for lexeme, _ in decode_vector(vector)])


def _weighed(entry: Entry, weight: int) -> Entry:
    return entry[0], tuple([place_of(each) << 2 | weight for each in entry[1]])


def _set_weight(vector: bytes, letter: str) -> bytes:
    weight = _WEIGHTS.get(letter)
    if weight is None:
        code = ord(letter) if letter else 0
        raise _unknown_weight(str(code - 256 if code > 127 else code))
    return encode_vector([_weighed(entry, weight) for entry in decode_vector(vector)])


def _set_weight_of(vector: bytes, letter: str, lexemes: Any) -> bytes:
    weight = _WEIGHTS.get(letter)
    if weight is None:
        raise _unknown_weight(letter)
    chosen = frozenset(lexemes)
    return encode_vector([_weighed(entry, weight) if entry[0] in chosen else entry for entry in decode_vector(vector)])


def _unknown_weight(written: str) -> SqlError:
    return SqlError(Sqlstate.INTERNAL_ERROR, f"unrecognized weight: {written}")


def _filtered(vector: bytes, letters: Any) -> bytes:
    """Returns the lexemes with places of some weights."""
    weights: set[int] = set()
    for letter in letters:
        if letter is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "weight array may not contain nulls")
        if letter not in _WEIGHTS:
            raise invalid_parameter(f'unrecognized weight: "{letter}"')
        weights.add(_WEIGHTS[letter])
    kept = [
        (lexeme, tuple([each for each in positions if weight_of(each) in weights]))
        for lexeme, positions in decode_vector(vector)
    ]
    return encode_vector([entry for entry in kept if entry[1]])


def _without(vector: bytes, lexeme: str) -> bytes:
    return encode_vector([entry for entry in decode_vector(vector) if entry[0] != lexeme])


def _without_all(vector: bytes, lexemes: Any) -> bytes:
    gone = frozenset(lexemes)
    return encode_vector([entry for entry in decode_vector(vector) if entry[0] not in gone])


def _from_array(lexemes: Any) -> bytes:
    for lexeme in lexemes:
        if lexeme is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "lexeme array may not contain nulls")
        if lexeme == "":
            message = "lexeme array may not contain empty strings"
            raise SqlError(Sqlstate.ZERO_LENGTH_CHARACTER_STRING, message)
    return encode_vector([(lexeme, ()) for lexeme in sorted(frozenset(lexemes))])


def _concatenated(left: bytes, right: bytes) -> bytes:
    """Returns both, the right places behind the left places; raises 54000 for too much."""
    entries = dict(decode_vector(left))
    last = max((place_of(each) for positions in entries.values() for each in positions), default=0)
    for lexeme, positions in decode_vector(right):
        entries[lexeme] = _appended(entries.get(lexeme, ()), positions, last)
    return checked_vector(tuple((lexeme, entries[lexeme]) for lexeme in sorted(entries)))


def _appended(before: tuple[int, ...], positions: tuple[int, ...], shift: int) -> tuple[int, ...]:
    joined = list(before)
    for each in positions:
        if len(joined) >= PLACES_MAX or (joined and place_of(joined[-1]) == PLACE_END - 1):
            break
        joined.append(limited(place_of(each) + shift) << 2 | weight_of(each))
    return tuple(joined)


def _rows(vector: bytes) -> list[tuple[Any, ...]]:
    return [
        (lexeme, tuple(map(place_of, positions)) or None, tuple(map(weight_letter, positions)) or None)
        for lexeme, positions in decode_vector(vector)
    ]


def compared(left: bytes, right: bytes) -> int:
    """Returns -1, 0 or 1 as the first of two is less, equal or greater."""
    return (left > right) - (left < right)


_ONE, _TWO, _LEXEMES = (TSVECTOR,), (TSVECTOR, TSVECTOR), array_of(TEXT)
_DESC = relation_desc(("lexeme", TEXT), ("positions", array_of(INT2)), ("weights", array_of(TEXT)))

FUNCTIONS: tuple[Function, ...] = (
    function("strip", _ONE, TSVECTOR, _strip),
    function("length", _ONE, INT4, lambda vector: len(decode_vector(vector))),
    function("setweight", (TSVECTOR, CHAR), TSVECTOR, _set_weight, fallible=True),
    function("setweight", (TSVECTOR, CHAR, _LEXEMES), TSVECTOR, _set_weight_of, fallible=True),
    function("ts_filter", (TSVECTOR, array_of(CHAR)), TSVECTOR, _filtered, fallible=True),
    function("ts_delete", (TSVECTOR, TEXT), TSVECTOR, _without),
    function("ts_delete", (TSVECTOR, _LEXEMES), TSVECTOR, _without_all),
    function(
        "tsvector_to_array", _ONE, _LEXEMES, lambda vector: tuple([lexeme for lexeme, _ in decode_vector(vector)])
    ),
    function("array_to_tsvector", (_LEXEMES,), TSVECTOR, _from_array, fallible=True),
    function("tsvector_cmp", _TWO, INT4, compared),
    operator("||", "concat", _TWO, TSVECTOR, _concatenated, fallible=True),
    operator("@@", "match", (TSVECTOR, TSQUERY), BOOL, matches),
    operator("@@", "match", (TSQUERY, TSVECTOR), BOOL, lambda query, vector: matches(vector, query)),
    operator("@@@", "match_as_before", (TSVECTOR, TSQUERY), BOOL, matches),
    operator("@@@", "match_as_before", (TSQUERY, TSVECTOR), BOOL, lambda query, vector: matches(vector, query)),
)

TABLE_FUNCTIONS: tuple[TableFunction, ...] = (
    TableFunction(key_of("unnest", _ONE), "unnest", _ONE, lambda types: _DESC, _rows),
)
