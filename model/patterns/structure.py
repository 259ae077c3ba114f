"""The tree that decides which match is preferred, and where its groups are.

PostgreSQL's rule: a branch that mixes long and short preferences, captures or refers back is cut into parts, from left
to right; each part takes the longest (or shortest) match that lets the rest match at all. A branch without these is one
part, a regular language that automata decide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from model.patterns.syntax import Again, Choice, Group, InOrder, Node, OneOf, Preference, Times


class PatternShape(Enum):
    """The kind of a part."""

    PLAIN = "a regular language"
    REFERENCE = "what a group captured, some times"
    SEQUENCE = "one part, then another"
    CHOICE = "the first part that fits"
    ITERATION = "a part several times"
    WRAPPED = "a group that is another's whole content"


@dataclass(frozen=True, slots=True)
class Traits:
    """Traits of a part or of its contents, and its own preference."""

    preference: Preference = Preference.NONE
    mixed: bool = False
    captures: bool = False
    refers: bool = False

    @property
    def messy(self) -> bool:
        """Tells whether more than the ends of the whole match must be found."""
        return self.mixed or self.captures or self.refers

    def union(self, other: Traits) -> Traits:
        """Returns the traits of two parts together; the first one's preference counts, if it has one."""
        clash = self.preference | other.preference == Preference.LONGER | Preference.SHORTER
        return Traits(
            self.preference or other.preference,
            self.mixed or other.mixed or clash,
            self.captures or other.captures,
            self.refers or other.refers,
        )


@dataclass(frozen=True, slots=True, eq=False)
class PatternPart:
    """A part of a pattern.

    `language`: what it can match, where a reference matches anything that its group can
    `children`: two for a sequence
    `group`: its own number as a group; `numbers`: those of all groups in it
    `times`: the least and greatest count of an iteration or a reference
    """

    shape: PatternShape
    language: Node
    traits: Traits = Traits()
    children: tuple[PatternPart, ...] = ()
    group: int | None = None
    numbers: tuple[int, ...] = ()
    times: tuple[int, int | None] = (1, 1)
    referred: int = 0


def structure(choice: Choice) -> PatternPart:
    """Returns the parts of a pattern, or of a group's content."""
    branches = tuple(_branch(branch.parts) for branch in choice.branches)
    if len(branches) == 1:
        return branches[0]
    traits = Traits(Preference.LONGER)
    for branch in branches:
        traits = traits.union(branch.traits)
    if not traits.messy:
        return PatternPart(PatternShape.PLAIN, choice, traits)
    return PatternPart(PatternShape.CHOICE, choice, traits, branches, numbers=_numbers(branches))


def _numbers(parts: tuple[PatternPart, ...]) -> tuple[int, ...]:
    return tuple(number for part in parts for number in part.numbers)


def _branch(nodes: tuple[Node, ...]) -> PatternPart:
    """Builds the part of a branch: plain nodes are one part while their preferences agree; any other node begins a
    part, with the rest as another."""
    cuts: list[tuple[PatternPart, PatternPart | None, Traits]] = []
    plain: list[Node] = []
    traits = Traits()
    for node in nodes:
        if not isinstance(node, Times):
            plain.append(node)
            continue
        if node.most == 0:
            plain.append(InOrder())
            continue
        atom = _atom(node.body)
        wished = Traits(node.preference)
        together = traits.union(wished).union(atom.traits)
        if atom.group is None and not together.messy:
            plain.append(node)
            traits = together
            continue
        head = PatternPart(PatternShape.PLAIN, InOrder(tuple(plain)), traits) if plain else None
        cuts.append((_quantified(atom, node), head, wished.union(atom.traits)))
        plain, traits = [], Traits()
    last = PatternPart(PatternShape.PLAIN, InOrder(tuple(plain)), traits) if plain or not cuts else None
    for quantified, head, cut in reversed(cuts):
        last = _joined(head, quantified, cut, last)
    assert last is not None
    return last


def _joined(head: PatternPart | None, part: PatternPart, traits: Traits, rest: PatternPart | None) -> PatternPart:
    """Joins `head`, `part` and `rest` in order; `traits` are those of the part with its quantifier."""
    if rest is None:
        return part if head is None else _sequence(head, part, head.traits.union(part.traits))
    tail_traits = traits.union(rest.traits)
    if head is None:
        return _sequence(part, rest, tail_traits)
    both = part.traits.union(rest.traits)
    if part.shape is rest.shape is PatternShape.PLAIN and not both.messy:
        tail = PatternPart(PatternShape.PLAIN, InOrder((part.language, rest.language)), both)
    else:
        tail = _sequence(part, rest, tail_traits)
    return _sequence(head, tail, head.traits.union(tail_traits))


def _sequence(first: PatternPart, second: PatternPart, traits: Traits) -> PatternPart:
    children = (first, second)
    language = InOrder((first.language, second.language))
    return PatternPart(PatternShape.SEQUENCE, language, traits, children, numbers=_numbers(children))


def _atom(node: Node) -> PatternPart:
    match node:
        case Group(number, body):
            part = structure(body)
            if number is None:
                return part
            traits = replace(part.traits, captures=True)
            if part.group is None:
                return replace(part, traits=traits, group=number, numbers=(number, *part.numbers))
            return PatternPart(PatternShape.WRAPPED, part.language, traits, (part,), number, (number, *part.numbers))
        case Again(group):
            assert group.number is not None
            return PatternPart(PatternShape.REFERENCE, node, Traits(refers=True), referred=group.number)
        case _:
            assert isinstance(node, OneOf)
            return PatternPart(PatternShape.PLAIN, node)


def _quantified(atom: PatternPart, node: Times) -> PatternPart:
    """Returns the atom as often as the quantifier says; only the last of several matches is captured."""
    least, most = node.least, node.most
    traits = Traits(node.preference).union(atom.traits)
    own = atom.traits
    if isinstance(node.body, Again):
        return replace(atom, language=node, traits=traits, times=(least, most))
    agrees = node.preference in (Preference.NONE, own.preference) and not own.mixed
    if least == most == 1 and (agrees or node.preference is Preference.NONE or not (own.preference or own.mixed)):
        return atom
    if not (own.captures or own.refers):
        return PatternPart(PatternShape.PLAIN, node, traits)
    if least > 0 and not own.refers:
        before = Times(node.body, least - 1, None if most is None else most - 1, Preference.NONE)
        first = PatternPart(PatternShape.PLAIN, before, Traits(traits.preference))
        return _sequence(first, atom, traits)
    return PatternPart(PatternShape.ITERATION, node, traits, (atom,), numbers=atom.numbers, times=(least, most))
