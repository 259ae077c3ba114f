"""Takes the condition of a join apart: conditions on each side alone, keys to be equal, and the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compute.maintain.planning.alternatives import factored
from compute.maintain.planning.determinism import reads_now
from compute.maintain.planning.keys import aligned, flagged, known
from compute.maintain.planning.unique import Keys, tell_apart
from model.types.relation_desc import RelationDesc
from planner.functions.registry import FUNCTIONS
from planner.interpret.joins import sides_of
from planner.interpret.reach import infallible
from planner.ir.columns import map_columns, own_columns, shift_columns
from planner.ir.scalar import TRUE, Call, Column, Scalar
from planner.ir.unit import conjuncts

Scalars = tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class KeyPair:
    """Two expressions that a join's condition equates. `left` of the left row is, or is the same as, `right` of the
    right row; `*_key` are that as parts of keys."""

    left: Scalar
    right: Scalar
    left_key: Scalars
    right_key: Scalars

    def swapped(self) -> KeyPair:
        return KeyPair(self.right, self.left, self.right_key, self.left_key)


@dataclass(frozen=True, slots=True)
class Condition:
    """A join's condition, taken apart.

    `on`: the whole condition, over left's columns, then right's.
    `left`: conditions on left alone, over left's columns.
    `right`: conditions on right alone, over right's columns.
    `pairs`: pairs of keys that must be equal.
    `rest`: all other conditions, over left's columns, then right's.
    """

    on: Scalars
    left: Scalars
    right: Scalars
    pairs: tuple[KeyPair, ...]
    rest: Scalars

    @property
    def left_key(self) -> Scalars:
        return tuple(part for pair in self.pairs for part in pair.left_key)

    @property
    def right_key(self) -> Scalars:
        return tuple(part for pair in self.pairs for part in pair.right_key)

    def at_most_one_right(self, keys: Keys) -> bool:
        """Returns whether a left row has at most one partner, given keys of the right side."""
        return tell_apart(keys, (pair.right for pair in self.pairs))

    def at_most_one_left(self, keys: Keys) -> bool:
        return tell_apart(keys, (pair.left for pair in self.pairs))

    def swapped(self, left_width: int, right_width: int) -> Condition:
        """Returns the same of the sides exchanged."""

        def place(column: Column) -> Scalar:
            by = right_width if column.index < left_width else -left_width
            return Column(column.index + by, column.type)

        def turned(scalars: Scalars) -> Scalars:
            return tuple(map_columns(scalar, place) for scalar in scalars)

        pairs = tuple(pair.swapped() for pair in self.pairs)
        return Condition(turned(self.on), self.right, self.left, pairs, turned(self.rest))


def condition_of(on: Sequence[Scalar], left: RelationDesc, right: RelationDesc) -> Condition:
    """Takes a condition apart. Fallible conditions judge only the pairs that pass all others."""
    width = left.arity
    left_alone: list[Scalar] = []
    right_alone: list[Scalar] = []
    pairs: list[KeyPair] = []
    rest: list[Scalar] = []
    parts = tuple(dict.fromkeys(part for each in conjuncts(*on) for part in factored(each) if part != TRUE))
    for predicate in parts:
        columns = own_columns(predicate)
        pair = _pair(predicate, left, right)
        if not infallible(predicate) or (pair is not None and reads_now(predicate)):
            rest.append(predicate)
        elif all(at < width for at in columns):
            left_alone.append(predicate)
        elif all(at >= width for at in columns):
            right_alone.append(shift_columns(predicate, -width))
        elif pair is not None:
            pairs.append(pair)
        else:
            rest.append(predicate)
    return Condition(parts, tuple(left_alone), tuple(right_alone), tuple(pairs), tuple(rest))


def _pair(predicate: Scalar, left: RelationDesc, right: RelationDesc) -> KeyPair | None:
    if not isinstance(predicate, Call) or len(predicate.arguments) != 2:
        return None
    name = FUNCTIONS[predicate.function].name
    if name not in ("=", "not_distinct"):
        return None
    sides = sides_of(predicate, left.arity)
    if sides is None:
        return None
    keys = _known_pair(*sides)
    if keys is None:
        return None
    if name == "=" or _never_null(sides[0], left) or _never_null(sides[1], right):
        return KeyPair(*sides, (keys[0],), (keys[1],))
    return KeyPair(*sides, flagged(keys[0]), flagged(keys[1]))


def _known_pair(left: Scalar, right: Scalar) -> tuple[Scalar, Scalar] | None:
    keys = known(left), known(right)
    return None if keys[0] is None or keys[1] is None else aligned(keys[0], keys[1])


def _never_null(scalar: Scalar, desc: RelationDesc) -> bool:
    return isinstance(scalar, Column) and not desc.columns[scalar.index].nullable
