"""How well a document matches a query: ts_rank counts occurrences, ts_rank_cd how close the words stand together.

Numbers are rounded to single precision where PostgreSQL's are, so that ranks are the same to their last digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.search.queries import Lexeme, QueryNode, QueryOperator, QueryPair, decode_query, lexemes_of
from model.search.vectors import PLACE_END, Vector, decode_vector, place_of, weight_of
from model.text.floats import to_single
from model.types.arrays import dimensions_of
from model.types.scalar_type import FLOAT4, INT4, TSQUERY, TSVECTOR, array_of
from planner.functions.failures import invalid_parameter
from planner.functions.rows import function
from planner.functions.search.matching import Look, Occurrence, Presence, entries_of, holds_in
from planner.functions.signature import Function

Weights = Sequence[float]
"""Of D, C, B and A."""

_DEFAULT: Weights = tuple(map(to_single, (0.1, 0.2, 0.4, 1.0)))
_LOG_LENGTH, _LENGTH, _EXTENTS, _UNIQUE, _LOG_UNIQUE, _OF_ONE = 1, 2, 4, 8, 16, 32
"""The bits of the normalization, each a divisor of the rank."""
_SUM_OF_SQUARES = 1.64493406685
_FAR = 100
_LEAST = to_single(1e-20)
_UNPLACED = (4 * (PLACE_END - 1),)


def weights_of(array: Any) -> Weights:
    """Returns four weights, with the defaults for negative ones. Raises 2202E for an array of another shape, 22004 for
    NULLs, 22023 for a weight above 1."""
    if len(dimensions_of(array)) != 1:
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "array of weight must be one-dimensional")
    values = list(array)
    if len(values) < len(_DEFAULT):
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "array of weight is too short")
    if None in values:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "array of weight must not contain nulls")
    weights = [value if value >= 0 else default for value, default in zip(values, _DEFAULT)]
    if any(weight > 1.0 for weight in weights):
        raise invalid_parameter("weight out of range")
    return weights


def _rank(weights: Weights, vector: bytes, query: bytes, normalization: int = 0) -> float:
    """Returns ts_rank."""
    entries, node = decode_vector(vector), decode_query(query)
    if not entries or node is None:
        return 0.0
    together = isinstance(node, QueryPair) and node.operator in (QueryOperator.AND, QueryOperator.PHRASE)
    rank = _rank_of_all(weights, entries, node) if together else _rank_of_any(weights, entries, node)
    rank = _LEAST if rank < 0 else rank
    length, count = _length(entries), len(entries)
    if normalization & _LOG_LENGTH:
        rank = to_single(rank / (math.log(length + 1) / math.log(2.0)))
    if normalization & _LENGTH:
        rank = to_single(rank / length)
    if normalization & _UNIQUE:
        rank = to_single(rank / count)
    if normalization & _LOG_UNIQUE:
        rank = to_single(rank / (math.log(count + 1) / math.log(2.0)))
    return to_single(rank / to_single(rank + 1)) if normalization & _OF_ONE else rank


def _length(entries: Vector) -> int:
    return sum(len(positions) or 1 for _, positions in entries)


def _asked(node: QueryNode) -> list[Lexeme]:
    """Returns the lexemes of a query in order, each word once."""
    found: dict[str, Lexeme] = {}
    for lexeme in lexemes_of(node):
        found.setdefault(lexeme.word, lexeme)
    return [found[word] for word in sorted(found)]


def _rank_of_any(weights: Weights, entries: Vector, node: QueryNode) -> float:
    words = [lexeme for lexeme, _ in entries]
    asked = _asked(node)
    rank = 0.0
    for lexeme in asked:
        for at in entries_of(lexeme, words):
            total, best, best_at = 0.0, -1.0, 0
            for number, position in enumerate(entries[at][1] or (0,)):
                weight = weights[weight_of(position)]
                total = to_single(total + to_single(weight / ((number + 1) * (number + 1))))
                if weight > best:
                    best, best_at = weight, number
            own = to_single(best / ((best_at + 1) * (best_at + 1)))
            rank = to_single(rank + to_single(to_single(best + total) - own) / _SUM_OF_SQUARES)
    return to_single(rank / len(asked))


def _rank_of_all(weights: Weights, entries: Vector, node: QueryNode) -> float:
    """Returns a rank by the distances between all occurrences of different lexemes; negative without any."""
    words = [lexeme for lexeme, _ in entries]
    asked = _asked(node)
    if len(asked) < 2:
        return _rank_of_any(weights, entries, node)
    before: list[tuple[int, ...]] = []
    rank = -1.0
    for lexeme in asked:
        found: tuple[int, ...] = ()
        for at in entries_of(lexeme, words):
            found = entries[at][1] or _UNPLACED
            for other in before:
                rank = _nearer(weights, found, other, rank)
        if found:
            before.append(found)
    return rank


def _nearer(weights: Weights, left: tuple[int, ...], right: tuple[int, ...], rank: float) -> float:
    for one in left:
        for two in right:
            distance = abs(place_of(one) - place_of(two))
            if not distance and left is not _UNPLACED and right is not _UNPLACED:
                continue
            product = to_single(weights[weight_of(one)] * weights[weight_of(two)])
            near = to_single(math.sqrt(to_single(product * _nearness(distance or PLACE_END))))
            rank = near if rank < 0 else to_single(1.0 - (1.0 - rank) * (1.0 - near))
    return rank


def _nearness(distance: int) -> float:
    if distance > _FAR:
        return to_single(1e-30)
    return to_single(1.0 / (1.005 + 0.05 * math.exp(to_single(distance) / 1.5 - 2)))


Occurring = tuple[int, int, frozenset[Lexeme]]
"""A place and weight where an entry of a tsvector stands, the entry, and the lexemes of a query that ask for it."""


def _rank_by_covers(weights: Weights, vector: bytes, query: bytes, normalization: int = 0) -> float:
    """Returns ts_rank_cd: the sum over the shortest matching parts of the document."""
    entries, node = decode_vector(vector), decode_query(query)
    occurring = [] if node is None else _occurring(entries, node)
    if node is None or not occurring:
        return 0.0
    inverse = [1.0 / weight if weight else math.inf for weight in weights]
    rank, distances, last_middle, covers = 0.0, 0.0, 0.0, 0
    for first, last in _covers(occurring, node):
        total = sum(inverse[weight_of(position)] for position, _, _ in occurring[first : last + 1])
        begin, end = place_of(occurring[first][0]), place_of(occurring[last][0])
        noise = (end - begin) - (last - first)
        rank += (last - first + 1) / total / (1 + (noise if noise >= 0 else (last - first) // 2))
        middle = (begin + end) / 2.0
        if covers and middle > last_middle:
            distances += 1.0 / (middle - last_middle)
        last_middle = middle
        covers += 1
    length, count = _length(entries), len(entries)
    if normalization & _LOG_LENGTH:
        rank /= math.log(length + 1)
    if normalization & _LENGTH:
        rank /= length
    if normalization & _EXTENTS and covers and distances > 0:
        rank /= covers / distances
    if normalization & _UNIQUE:
        rank /= count
    if normalization & _LOG_UNIQUE:
        rank /= math.log(count + 1) / math.log(2.0)
    return to_single(rank / (rank + 1) if normalization & _OF_ONE else rank)


def _occurring(entries: Vector, node: QueryNode) -> list[Occurring]:
    words = [lexeme for lexeme, _ in entries]
    asked: dict[tuple[int, int], set[Lexeme]] = {}
    for lexeme in lexemes_of(node):
        for at in entries_of(lexeme, words):
            for position in entries[at][1]:
                if not lexeme.weights or lexeme.weights >> weight_of(position) & 1:
                    asked.setdefault((position, at), set()).add(lexeme)
    return [(position, at, frozenset(asked[position, at])) for position, at in sorted(asked)]


def _covers(occurring: list[Occurring], node: QueryNode) -> Iterator[tuple[int, int]]:
    """Yields the first and the last occurrence of each shortest matching part."""
    start = 0
    while start < len(occurring):
        last = _first_match(occurring, node, range(start, len(occurring)))
        if last is None:
            return
        first = _first_match(occurring, node, range(last, start - 1, -1))
        if first is None:
            start += 1
        else:
            yield first, last
            start = first + 1


def _first_match(occurring: list[Occurring], node: QueryNode, order: range) -> int | None:
    """Returns the first occurrence in an order with which the query holds."""
    seen: dict[Lexeme, list[int]] = {}
    look = _looking_in(seen)
    for at in order:
        position, _, lexemes = occurring[at]
        for lexeme in lexemes:
            places = seen.setdefault(lexeme, [])
            if not places or places[-1] != place_of(position):
                places.append(place_of(position))
        if holds_in(node, look):
            return at
    return None


def _looking_in(seen: dict[Lexeme, list[int]]) -> Look:
    def look(lexeme: Lexeme, placed: bool) -> Occurrence:
        places = seen.get(lexeme)
        return Occurrence(Presence.NO) if places is None else Occurrence(Presence.YES, tuple(sorted(places)))

    return look


def _functions() -> list[Function]:
    rows = []
    for name, rank in (("ts_rank", _rank), ("ts_rank_cd", _rank_by_covers)):
        plain = (TSVECTOR, TSQUERY)
        for arguments in (plain, (*plain, INT4)):
            weighed = (array_of(FLOAT4), *arguments)
            rows += [
                function(name, weighed, FLOAT4, _with_weights(rank), fallible=True),
                function(name, arguments, FLOAT4, _with_defaults(rank)),
            ]
    return rows


def _with_weights(rank: Any) -> Any:
    return lambda array, *arguments: rank(weights_of(array), *arguments)


def _with_defaults(rank: Any) -> Any:
    return lambda *arguments: rank(_DEFAULT, *arguments)


FUNCTIONS: tuple[Function, ...] = tuple(_functions())
