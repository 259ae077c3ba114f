"""A pattern as a tree. Nodes are compared by identity: the same characters in two places are two nodes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntFlag

from model.patterns.characters import Characters


class Preference(IntFlag):
    """Whether the longest or the shortest match is preferred; a quantifier without a say takes its operand's."""

    NONE = 0
    LONGER = 1
    SHORTER = 2


@dataclass(frozen=True, slots=True, eq=False)
class OneOf:
    """One character of a set."""

    characters: Characters


class PlaceCondition(Enum):
    """What can be true of a place in the text, between two characters."""

    TEXT_START = "text start"
    TEXT_END = "text end"
    LINE_START = "line start"
    LINE_END = "line end"
    WORD_START = "word start"
    WORD_END = "word end"
    WORD_EDGE = "word edge"
    WORD_INSIDE = "not a word's edge"


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """No character, where the place is such a one."""

    place: PlaceCondition


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """No character, where the body matches (or doesn't, if negated) what follows or what precedes."""

    body: Node
    ahead: bool
    negated: bool


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Parentheses; `number` counts those that capture, from 1, and is None for others."""

    number: int | None
    body: Choice


@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """What the group with this number captured."""

    group: Group


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """The body, from `least` to `most` times (None: any number)."""

    body: Node
    least: int
    most: int | None
    preference: Preference


@dataclass(frozen=True, slots=True, eq=False)
class InOrder:
    """One part after another."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Any of the branches."""

    branches: tuple[InOrder, ...]


Condition = At | Look
Node = OneOf | Condition | Group | Again | Times | InOrder | Choice


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A pattern that was read. `conditions` come in an order in which those inside of others come first."""

    body: Choice
    groups: tuple[Group, ...]
    conditions: tuple[Condition, ...]
    ignore_case: bool
    refers_back: bool
