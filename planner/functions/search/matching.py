"""Whether a query holds in a document, and where.

A phrase needs places: `a <-> b` holds where `b` stands one place behind an `a`. What is known of a part of a phrase is
an Occurrence: at which places it ends, or at which it does not (`negated`), and how many places before its end it
begins. Of lexemes without places nothing is known: the answer is MAYBE, which within a query counts as no.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from model.search.queries import Lexeme, Negation, QueryNode, QueryOperator, decode_query, left_spine
from model.search.vectors import Vector, decode_vector, place_of, weight_of


class Presence(Enum):
    NO = "no"
    MAYBE = "maybe"
    YES = "yes"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The places at which a part of a phrase ends, in order; `negated`: all others. `width` places lie between its
    first word and its last."""

    answer: Presence
    places: tuple[int, ...] = ()
    negated: bool = False
    width: int = 0


_NO, _MAYBE = Occurrence(Presence.NO), Occurrence(Presence.MAYBE)
Look = Callable[[Lexeme, bool], Occurrence]
"""Looks a lexeme up, with places on request."""


def matches(vector: bytes, query: bytes) -> bool:
    """Tells whether a tsvector matches a tsquery."""
    node = decode_query(query)
    return node is not None and holds_in(node, looking_in(decode_vector(vector)))


def holds_in(node: QueryNode, look: Look) -> bool:
    """Tells whether a query holds, where `look` finds its lexemes."""
    node, pairs = left_spine(node, QueryOperator.PHRASE)
    match node:
        case Lexeme():
            holds = look(node, False).answer is not Presence.NO
        case Negation(operand=operand):
            holds = not holds_in(operand, look)
        case _:
            holds = found_in(node, look).answer is Presence.YES
    for pair in pairs:
        if holds is (pair.operator is QueryOperator.AND):
            holds = holds_in(pair.right, look)
    return holds


def looking_in(vector: Vector) -> Look:
    """Returns the function to look lexemes up in a tsvector."""
    words = [lexeme for lexeme, _ in vector]

    def look(lexeme: Lexeme, placed: bool) -> Occurrence:
        answers = [_of_entry(vector[at][1], lexeme.weights, placed) for at in entries_of(lexeme, words)]
        if not lexeme.prefix or len(answers) < 2:
            return answers[0] if answers else _NO
        if not placed:
            return max(answers, key=lambda found: found.answer is Presence.YES)
        if any(found.answer is Presence.MAYBE for found in answers):
            return _MAYBE
        places = sorted({place for found in answers for place in found.places})
        return Occurrence(Presence.YES, tuple(places)) if places else _NO

    return look


def entries_of(lexeme: Lexeme, words: Sequence[str]) -> range:
    """Returns the places of a lexeme among the words of a tsvector, which are in order; several for a prefix."""
    first = last = bisect_left(words, lexeme.word)
    while last < len(words) and (words[last].startswith(lexeme.word) if lexeme.prefix else words[last] == lexeme.word):
        last += 1
    return range(first, last)


def _of_entry(positions: tuple[int, ...], weights: int, placed: bool) -> Occurrence:
    if not positions:
        return _MAYBE if placed else Occurrence(Presence.YES)
    places = tuple([place_of(each) for each in positions if not weights or weights >> weight_of(each) & 1])
    return Occurrence(Presence.YES, places) if places else _NO


def found_in(node: QueryNode, look: Look) -> Occurrence:
    """Returns where a part of a phrase is found."""
    node, pairs = left_spine(node)
    if isinstance(node, Negation):
        found = _not_found(found_in(node.operand, look))
    else:
        assert isinstance(node, Lexeme), "pairs stand on the spine"
        found = look(node, True)
    for pair in pairs:
        if pair.operator is QueryOperator.OR:
            found = _either(found, found_in(pair.right, look))
        elif found.answer is Presence.NO:
            found = _NO
        else:
            distance = pair.distance if pair.operator is QueryOperator.PHRASE else None
            found = _both(found, found_in(pair.right, look), distance)
    return found


def _not_found(found: Occurrence) -> Occurrence:
    """Returns where something is not."""
    if found.answer is Presence.MAYBE:
        return found
    if found.answer is Presence.NO:
        return Occurrence(Presence.YES, (), True, found.width)
    if not found.places:
        return _NO
    return Occurrence(Presence.YES, found.places, not found.negated, found.width)


def _both(left: Occurrence, right: Occurrence, distance: int | None) -> Occurrence:
    """Returns where both are found; with a distance, the right one that far behind the left one."""
    if right.answer is Presence.NO:
        return _NO
    if Presence.MAYBE in (left.answer, right.answer):
        return _MAYBE
    if distance is not None:
        width, shifts = distance + left.width + right.width, (distance + right.width, 0)
    else:
        width = max(left.width, right.width)
        shifts = width - left.width, width - right.width
    lefts, rights = _shifted(left, shifts[0]), _shifted(right, shifts[1])
    if left.negated and right.negated:
        return Occurrence(Presence.YES, _positive(lefts | rights), True, width)
    if left.negated:
        return _where(rights - lefts, width)
    if right.negated:
        return _where(lefts - rights, width)
    return _where(lefts & rights, width)


def _either(left: Occurrence, right: Occurrence) -> Occurrence:
    if left.answer is right.answer is Presence.NO:
        return _NO
    if Presence.MAYBE in (left.answer, right.answer):
        return _MAYBE
    left_width = 0 if left.answer is Presence.NO else left.width
    right_width = 0 if right.answer is Presence.NO else right.width
    width = max(left_width, right_width)
    lefts, rights = _shifted(left, width - left_width), _shifted(right, width - right_width)
    if left.negated and right.negated:
        return Occurrence(Presence.YES, _positive(lefts & rights), True, width)
    if left.negated:
        return Occurrence(Presence.YES, _positive(lefts - rights), True, width)
    if right.negated:
        return Occurrence(Presence.YES, _positive(rights - lefts), True, width)
    return _where(lefts | rights, width)


def _shifted(found: Occurrence, by: int) -> frozenset[int]:
    return frozenset(place + by for place in found.places)


def _positive(places: frozenset[int]) -> tuple[int, ...]:
    return tuple(sorted(place for place in places if place > 0))


def _where(places: frozenset[int], width: int) -> Occurrence:
    kept = _positive(places)
    return Occurrence(Presence.YES, kept, False, width) if kept else _NO
