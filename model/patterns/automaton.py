"""A tree of syntax as an automaton, run over a text forward or backward.

A nondeterministic automaton is built once; its deterministic states are made when a text first needs them, so the work
is at most the text's length times the pattern's size, and mostly the text's length alone. A place's conditions (`^`,
`\\y`, what look-around finds) are the bits of its key; a state's empty moves are followed under the key of the place.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.patterns.characters import Characters
from model.patterns.failures import COMPLEX, hopeless, invalid
from model.patterns.syntax import Again, At, Choice, Condition, Group, InOrder, Look, Node, OneOf, Times

_STATES_MAX = 40_000
_KNOWN_MAX = 50_000
_WORK_MAX = 10_000_000

GOES_ON, ACCEPTS, DEAD = 0, 1, 2


class _Moves:
    """A nondeterministic automaton: each state has at most one move over a character, and empty moves under
    conditions."""

    def __init__(self, bits: Mapping[Condition, int], backward: bool) -> None:
        self.over: list[tuple[Characters, int] | None] = []
        self.empty: list[list[tuple[int, int]]] = []
        self._bits = bits
        self._backward = backward
        self._conditions_hold = False

    def state(self) -> int:
        if len(self.over) >= _STATES_MAX:
            raise invalid(COMPLEX)
        self.over.append(None)
        self.empty.append([])
        return len(self.over) - 1

    def add(self, node: Node, start: int) -> int:
        """Adds the moves for a node from `start`; returns the state behind it."""
        match node:
            case OneOf(characters):
                end = self.state()
                self.over[start] = characters, end
                return end
            case At() | Look():
                end = self.state()
                self.empty[start].append((end, 0 if self._conditions_hold else self._bits[node]))
                return end
            case Group(_, body):
                return self.add(body, start)
            case Again(group):
                before, self._conditions_hold = self._conditions_hold, True
                end = self.add(group.body, start)
                self._conditions_hold = before
                return end
            case InOrder(parts):
                for part in reversed(parts) if self._backward else parts:
                    start = self.add(part, start)
                return start
            case Choice(branches):
                end = self.state()
                for branch in branches:
                    self._jump(self.add(branch, self._fork(start)), end)
                return end
            case Times():
                return self._times(node, start)

    def _times(self, node: Times, start: int) -> int:
        for _ in range(node.least):
            start = self.add(node.body, start)
        if node.most is None:
            loop = self._fork(start)
            self._jump(self.add(node.body, self._fork(loop)), loop)
            return self._fork(loop)
        end = self.state()
        for _ in range(node.most - node.least):
            self._jump(start, end)
            start = self.add(node.body, start)
        self._jump(start, end)
        return end

    def _jump(self, start: int, end: int) -> None:
        self.empty[start].append((end, 0))

    def _fork(self, start: int) -> int:
        """Returns a new state, reached from `start` without a character."""
        state = self.state()
        self._jump(start, state)
        return state


class State(dict[str, "State"]):
    """The set of states that the automaton may be in at a place, and its successors by character:
    `state[character]`."""

    __slots__ = ("arrival", "automaton", "mark", "members")

    def __init__(
        self, automaton: Automaton, arrival: Arrival, members: tuple[tuple[Characters, int], ...], mark: int
    ) -> None:
        super().__init__()
        self.automaton = automaton
        self.arrival = arrival
        self.members = members
        self.mark = mark

    def __missing__(self, character: str) -> State:
        found = {end for characters, end in self.members if character in characters}
        automaton = self.automaton
        automaton.work(len(self.members))
        if automaton.floating:
            found.add(0)
        state = self[character] = automaton.arrival(frozenset(found)).under(0)
        return state


class Arrival:
    """The states reached by a character, before empty moves are followed."""

    __slots__ = ("_automaton", "_states", "_under")

    def __init__(self, automaton: Automaton, states: frozenset[int]) -> None:
        self._automaton = automaton
        self._states = states
        self._under: dict[int, State] = {}

    def under(self, key: int) -> State:
        """Returns the state after the empty moves whose conditions are among the key's bits."""
        known = self._under.get(key)
        if known is None:
            known = self._under[key] = self._followed(key)
        return known

    def _followed(self, key: int) -> State:
        automaton = self._automaton
        reached = set(self._states)
        waiting = list(reached)
        while waiting:
            for end, bit in automaton.moves.empty[waiting.pop()]:
                if end not in reached and (not bit or key & bit):
                    reached.add(end)
                    waiting.append(end)
        automaton.work(len(reached))
        over = automaton.moves.over
        members = tuple(move for state in reached if (move := over[state]) is not None)
        mark = ACCEPTS if automaton.final in reached else GOES_ON if self._states else DEAD
        return State(automaton, self, members, mark)


class Automaton:
    """An automaton of a pattern's syntax tree. `floating` lets a match begin at every place. `conditional` is false
    where no key matters."""

    def __init__(self, node: Node, bits: Mapping[Condition, int], backward: bool, floating: bool) -> None:
        self.backward = backward
        self.floating = floating
        self.moves = _Moves(bits, backward)
        self.final = self.moves.add(node, self.moves.state())
        self.conditional = any(bit for ends in self.moves.empty for _, bit in ends)
        self._arrivals: dict[frozenset[int], Arrival] = {}
        self._known = 0
        self._worked = 0

    def work(self, steps: int) -> None:
        """Counts the work of making a state."""
        self._worked += steps + 1
        self._known += 1
        if self._worked > _WORK_MAX:
            self._worked = 0
            raise hopeless()
        if self._known > _KNOWN_MAX:
            self._known = 0
            self._arrivals = {}

    def arrival(self, states: frozenset[int]) -> Arrival:
        """Returns the arrival at a set of states; drops all known ones when they are too many."""
        known = self._arrivals.get(states)
        if known is None:
            known = self._arrivals[states] = Arrival(self, states)
        return known

    def start(self, key: int) -> State:
        """Returns the state before the first character."""
        self._worked = 0
        return self.arrival(frozenset((0,))).under(key)
