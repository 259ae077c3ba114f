"""The keys of a grouping set: an expression, and which of the result columns with this expression is meant.

    SELECT a AS x, a AS y … GROUP BY x, ROLLUP (y)

groups by `a` twice: where a set leaves y out, y is NULL and x is not. Other expressions with `a` mean the first key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from planner.ir.scalar import Scalar
from planner.query.grouping_sets import Key, Sets
from planner.query.targets import Target


@dataclass(frozen=True, slots=True)
class GroupKey:
    """A key of GROUP BY. `twin` counts the keys that are the same expression, in the order of their result columns."""

    scalar: Scalar
    twin: int = 0


@dataclass(frozen=True)
class GroupKeys:
    """All keys of a GROUP BY. `sets` are the grouping sets; `own` the keys that result columns have to themselves, by
    number of the column."""

    sets: tuple[tuple[GroupKey, ...], ...]
    own: dict[int, GroupKey]

    @cached_property
    def keys(self) -> tuple[GroupKey, ...]:
        """The keys of all sets, each once: sets may be thousands, so they are looked through a single time."""
        return tuple(dict.fromkeys(key for each in self.sets for key in each))

    def mapped(self, change: Callable[[Scalar], Scalar]) -> GroupKeys:
        """Returns the keys with changed expressions."""

        def changed(key: GroupKey) -> GroupKey:
            return GroupKey(change(key.scalar), key.twin)

        sets = tuple(tuple(map(changed, each)) for each in self.sets)
        return GroupKeys(sets, {at: changed(key) for at, key in self.own.items()})


def group_keys(sets: Sets, targets: Sequence[Target]) -> GroupKeys:
    """Returns the keys of GROUP BY. A key that equals a result column's expression means the first such column."""
    if len(sets) == 1:
        # No set leaves out what another has: all twins are equal.
        return GroupKeys((tuple(dict.fromkeys(GroupKey(_scalar(key, targets)) for key in sets[0])),), {})
    used: dict[Scalar, set[int]] = {}
    for key in {key for each in sets for key in each}:
        used.setdefault(_scalar(key, targets), set()).add(_column(key, targets))
    twins = {scalar: sorted(columns) for scalar, columns in used.items()}

    @cache
    def resolved(key: Key) -> GroupKey:
        scalar = _scalar(key, targets)
        return GroupKey(scalar, twins[scalar].index(_column(key, targets)))

    own = {at: GroupKey(scalar, twin) for scalar, columns in twins.items() for twin, at in enumerate(columns) if twin}
    return GroupKeys(tuple(tuple(dict.fromkeys(map(resolved, each))) for each in sets), own)


def _scalar(key: Key, targets: Sequence[Target]) -> Scalar:
    return targets[key].scalar if isinstance(key, int) else key


def _column(key: Key, targets: Sequence[Target]) -> int:
    """Returns the result column of a key; -1 for an expression that is none."""
    if isinstance(key, int):
        return key
    return next((at for at, target in enumerate(targets) if target.scalar == key), -1)
