"""A compiled pattern: its tree, the parts that decide preferences, and automata, built on demand."""

from __future__ import annotations

from functools import lru_cache

from model.patterns.automaton import Automaton
from model.patterns.characters import one_of
from model.patterns.failures import COMPLEX, invalid
from model.patterns.pattern_options import Syntax, read_options
from model.patterns.pattern_reader import read_pattern
from model.patterns.structure import PatternPart, structure
from model.patterns.syntax import At, Choice, Condition, InOrder, Node, OneOf, PlaceCondition, Preference, Times, Tree

_KEPT = 256


class Program:
    """A compiled pattern. `dense`: conditions can hold at places inside the text, not at its ends alone. `literal`: the
    pattern is just `prefix`, the text with which every match begins."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.part: PatternPart = structure(tree.body)
        self.groups = len(tree.groups)
        self.shortest = self.part.traits.preference is Preference.SHORTER
        self.bits: dict[Condition, int] = {condition: 1 << index for index, condition in enumerate(tree.conditions)}
        self.dense = any(not _at_ends(condition) for condition in self.bits)
        self.start_key, self.end_key = (
            sum(bit for condition, bit in self.bits.items() if isinstance(condition, At) and condition.place is place)
            for place in (PlaceCondition.TEXT_START, PlaceCondition.TEXT_END)
        )
        self.prefix, self.literal = _prefix(tree)
        self.anchored = all(_anchored(branch) for branch in tree.body.branches)
        self._automata: dict[tuple[Node, bool, bool], Automaton] = {}

    def automaton(self, node: Node, backward: bool = False, floating: bool = False) -> Automaton:
        """Returns the automaton of a part's language, or of a condition's body."""
        key = node, backward, floating
        known = self._automata.get(key)
        if known is None:
            known = self._automata[key] = Automaton(node, self.bits, backward, floating)
        return known


def _at_ends(condition: Condition) -> bool:
    return isinstance(condition, At) and condition.place in (PlaceCondition.TEXT_START, PlaceCondition.TEXT_END)


def _anchored(branch: InOrder) -> bool:
    """Tells whether a branch can match only at the text's start."""
    first = branch.parts[0] if branch.parts else None
    return isinstance(first, At) and first.place is PlaceCondition.TEXT_START


def _prefix(tree: Tree) -> tuple[str, bool]:
    characters: list[str] = []
    if len(tree.body.branches) != 1:
        return "", False
    parts = tree.body.branches[0].parts
    for part in parts:
        if not isinstance(part, Times) or not isinstance(part.body, OneOf) or part.least != 1 or part.most != 1:
            break
        character = part.body.characters.only
        if character is None:
            break
        characters.append(character)
    return "".join(characters), len(characters) == len(parts) > 0


@lru_cache(maxsize=_KEPT)
def program(pattern: str, flags: str = "") -> Program:
    """Compiles a pattern; raises 2201B when it isn't valid or too large, 22023 for unknown flags (such as `g`)."""
    options, position = read_options(pattern, flags)
    try:
        if options.syntax is Syntax.LITERAL and not options.ignore_case:
            return Program(_literal(pattern[position:]))
        made = Program(read_pattern(pattern, position, options))
        made.automaton(made.part.language, floating=True)
        return made
    except RecursionError:
        raise invalid(COMPLEX) from None


def _literal(text: str) -> Tree:
    parts = tuple(Times(OneOf(one_of(character)), 1, 1, Preference.NONE) for character in text)
    return Tree(Choice((InOrder(parts),)), (), (), False, False)
