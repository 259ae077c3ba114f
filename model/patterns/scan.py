"""Runs a pattern on one text: finds its matches, and the ends and begins of parts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise

from model.patterns.automaton import ACCEPTS, DEAD, Automaton
from model.patterns.characters import WORD
from model.patterns.failures import hopeless
from model.patterns.program import Program
from model.patterns.syntax import Condition, Look, Node, PlaceCondition

_STEPS_MIN = 10_000_000
_STEPS_PER_CHARACTER = 100
_STARTS_TRIED_MAX = 16
_STARTS_STEPS_MAX = 2048
_PIECE = 4096


class Scan:
    """One text with all that is known about it, so that finding all matches takes only a few passes.

    Every character passed is a step; raises 2201B beyond the steps that the text's length allows.
    """

    def __init__(self, program: Program, text: str) -> None:
        self.program = program
        self.text = text
        self._steps_left = _STEPS_MIN + _STEPS_PER_CHARACTER * len(text)
        self._keys: list[int] = []
        self._starts: list[int] | None = None
        if program.dense:
            self._keys = [0] * (len(text) + 1)
            for condition, bit in program.bits.items():
                for place in self._places(condition):
                    self._keys[place] |= bit

    def first_end(self, start: int) -> tuple[int, int] | None:
        """Returns, of the matches that begin at `start` or later, the end of the one that ends first, with a place
        before which none of them begins."""
        program, text = self.program, self.text
        if program.prefix:
            start = text.find(program.prefix, start)
            if start < 0 or program.literal:
                return None if start < 0 else (start, start + len(program.prefix))
        if program.anchored and start:
            return None
        automaton = program.automaton(program.part.language, floating=not program.anchored)
        opened, ends = self._run(automaton, start, len(text), first=True)
        return (opened, ends[0]) if ends else None

    def first_start(self, opened: int, close: int) -> int:
        """Returns the begin of the first match, which is one of these places.

        A few places are tried; then one pass from the text's end finds the begins of all matches.
        """
        if opened == close:
            return opened
        whole = self.program.part.language
        if self._starts is None:
            allowed = self._steps_left - _STARTS_STEPS_MAX
            automaton = self.program.automaton(whole)
            for start in range(opened, min(close, opened + _STARTS_TRIED_MAX)):
                stop = min(start + _STARTS_STEPS_MAX, len(self.text))
                if self._run(automaton, start, stop, first=True)[1]:
                    return start
                if self._steps_left < allowed:
                    break
            ending = self.program.automaton(whole, backward=True, floating=True)
            self._starts = self._run(ending, len(self.text), 0)[1][::-1]
        return self._starts[bisect_left(self._starts, opened)]

    def ends(self, node: Node, begin: int, limit: int) -> list[int]:
        """Returns the possible ends of the node's matches that begin at `begin`, up to `limit`, in order."""
        return self._run(self.program.automaton(node), begin, limit)[1]

    def begins(self, node: Node, end: int, limit: int) -> list[int]:
        """Returns the possible begins of the node's matches that end at `end`, down to `limit`, in reverse order."""
        return self._run(self.program.automaton(node, backward=True), end, limit)[1]

    def spend(self, steps: int) -> None:
        """Counts steps; raises 2201B when none are left."""
        self._steps_left -= steps
        if self._steps_left < 0:
            raise hopeless()

    def _key(self, place: int) -> int:
        if self._keys:
            return self._keys[place]
        start = self.program.start_key if place == 0 else 0
        return start | self.program.end_key if place == len(self.text) else start

    def _run(self, automaton: Automaton, start: int, stop: int, first: bool = False) -> tuple[int, list[int]]:
        """Returns the places from `start` to `stop` at which the automaton accepts, or only the first; and the last
        place seen, or `start`, at which no match in progress existed."""
        idle = automaton.start(0)
        state = automaton.start(self._key(start))
        accepted = [start] if state.mark == ACCEPTS else []
        if first and accepted:
            return start, accepted
        place = opened = start
        step = -1 if automaton.backward else 1
        keys = self._keys if automaton.conditional else []
        try:
            for piece in self._pieces(start, stop):
                for character in piece:
                    place += step
                    state = state[character]
                    if keys and keys[place]:
                        state = state.arrival.under(keys[place])
                    if state.mark:
                        if state.mark == DEAD:
                            return opened, accepted
                        accepted.append(place)
                        if first:
                            return opened, accepted
                    elif state is idle:
                        opened = place
        finally:
            self.spend(abs(place - start) + 1)
        if automaton.conditional and not keys and start != stop and state.mark != ACCEPTS:
            if state.arrival.under(self._key(place)).mark == ACCEPTS:
                accepted.append(place)
        return opened, accepted

    def _pieces(self, start: int, stop: int) -> Iterator[str]:
        if start <= stop:
            for position in range(start, stop, _PIECE):
                yield self.text[position : min(position + _PIECE, stop)]
        else:
            for position in range(start, stop, -_PIECE):
                yield self.text[max(position - _PIECE, stop) : position][::-1]

    def _places(self, condition: Condition) -> Iterable[int]:
        """Returns the places where a condition holds."""
        text = self.text
        if isinstance(condition, Look):
            automaton = self.program.automaton(condition.body, backward=condition.ahead, floating=True)
            start, stop = (len(text), 0) if condition.ahead else (0, len(text))
            held = self._run(automaton, start, stop)[1]
            return set(range(len(text) + 1)).difference(held) if condition.negated else held
        match condition.place:
            case PlaceCondition.TEXT_START:
                return (0,)
            case PlaceCondition.TEXT_END:
                return (len(text),)
            case PlaceCondition.LINE_START:
                return [0, *(place for place, character in enumerate(text, 1) if character == "\n")]
            case PlaceCondition.LINE_END:
                return [*(place for place, character in enumerate(text) if character == "\n"), len(text)]
            case _:
                word = [False, *(character in WORD for character in text), False]
                wanted = _WORD_PLACES[condition.place]
                return [place for place, around in enumerate(pairwise(word)) if around in wanted]


_STARTS, _ENDS = (False, True), (True, False)
_WORD_PLACES = {
    PlaceCondition.WORD_START: {_STARTS},
    PlaceCondition.WORD_END: {_ENDS},
    PlaceCondition.WORD_EDGE: {_STARTS, _ENDS},
    PlaceCondition.WORD_INSIDE: {(False, False), (True, True)},
}
