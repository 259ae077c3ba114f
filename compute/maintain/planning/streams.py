"""Collects the steps of a plan: equal steps become one, and each stream's keys are remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from compute.maintain.plan import Step
from compute.maintain.planning.segments import size_of
from compute.maintain.planning.unique import NO_KEYS, Keys, keys_of
from compute.maintain.steps.delay import DelayStep
from model.types.relation_desc import ColumnDesc, RelationDesc
from planner.ir.properties import relation_desc_of
from planner.ir.relation import LocalGet, Relation

_REPEATED_MAX = 8
"""Segments of more nodes are made once for all who read them."""


@dataclass(slots=True)
class Streams:
    """Steps are told apart by their texts: 1.0 and 1.00 are equal, and yet not the same."""

    steps: list[Step] = field(default_factory=list)
    _keys: list[Keys] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)

    def add(self, step: Step, columns: Sequence[ColumnDesc], keys: Keys = NO_KEYS) -> LocalGet:
        """Returns the stream of a step, with the names of `columns`; `keys` hold of its rows."""
        types = step.types
        assert [column.type for column in columns] == list(types), f"{types} are not {columns}"
        text = repr(step)
        at = self._known.get(text)
        if at is None:
            at = self._known[text] = len(self.steps)
            self.steps.append(step)
            self._keys.append(keys)
        return LocalGet(at, RelationDesc(tuple(columns)))

    def keys(self, segment: Relation) -> Keys:
        return keys_of(segment, lambda stream: self._keys[stream])

    def shared(self, segment: Relation) -> Relation:
        """Returns the segment for several readers: a small segment as such, a large segment as a stream."""
        if size_of(segment) <= _REPEATED_MAX:
            return segment
        return self.add(DelayStep(segment), relation_desc_of(segment).columns, self.keys(segment))
