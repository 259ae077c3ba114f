"""A pattern as a tree. Nodes are compared by identity: the same characters in two places are two nodes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntFlag

from model.patterns.characters import Characters


class Preference(IntFlag):
    """The preference for the longest or the shortest match; NONE takes the operand's."""

    NONE = 0
    LONGER = 1
    SHORTER = 2


@dataclass(frozen=True, slots=True, eq=False)
class OneOf:
    """One character of a set."""

    characters: Characters


class PlaceCondition(Enum):
    """The kinds of places in the text, between two characters."""

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
    """Matches no character, at a place of such a kind."""

    place: PlaceCondition


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Matches no character, where the body matches (or, negated, does not match) the following or the preceding
    text."""

    body: Node
    ahead: bool
    negated: bool


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Parentheses. `number` counts the capturing ones, from 1, and is None for others."""

    number: int | None
    body: Choice


@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """The text that a group has captured."""

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
    """Parts one after the other."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Any of the branches."""

    branches: tuple[InOrder, ...]


Condition = At | Look
Node = OneOf | Condition | Group | Again | Times | InOrder | Choice


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A parsed pattern. Nested `conditions` come before those that contain them."""

    body: Choice
    groups: tuple[Group, ...]
    conditions: tuple[Condition, ...]
    ignore_case: bool
    refers_back: bool
