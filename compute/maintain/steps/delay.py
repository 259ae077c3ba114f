"""Emits an update in the tick that covers its time, unless retracted before; until then the update is kept.

Filters on mz_now() are maintained by delays: a row is asserted at the time its condition becomes true and retracted at
the time it becomes false, without a change of any input. Updates are arranged by time; the due updates are a range.

Comparisons of mz_now() with a row's values become this step; without bounds the step shares rows among several readers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from compute.maintain.steps.parts import ArrangedForm, ArrangedInput, Keyed, Maintenance, Texts
from model.types.scalar_type import ScalarType
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class TimeBound:
    """The time that `at` (int8 over a segment's columns) gives, or with `after` the next time.

    A bound that is NULL or fails bounds nothing: readers of the rows evaluate it again while the rows are present.
    """

    at: Scalar
    after: bool

    def text(self, texts: Texts) -> str:
        return f"{texts.scalar(self.at)} + 1" if self.after else texts.scalar(self.at)


@dataclass(frozen=True, slots=True)
class DelayStep:
    """The segment's rows from the latest time of `since` until before the earliest of `until`.

    An update at t is emitted at the later of t and since, and retracted at the later of t and until; it is dropped when
    the two are equal. Without bounds the stream is the segment itself, made once for all readers.
    """

    segment: Relation
    since: tuple[TimeBound, ...] = ()
    until: tuple[TimeBound, ...] = ()

    operators: ClassVar[tuple[Relation, ...]] = ()
    whole: ClassVar = None

    @property
    def bounded(self) -> bool:
        return bool(self.since or self.until)

    @property
    def maintenance(self) -> Maintenance:
        return Maintenance.DELAY if self.bounded else Maintenance.LINEAR

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return relation_desc_of(self.segment).types

    @property
    def segments(self) -> tuple[Relation, ...]:
        return (self.segment,)

    @property
    def arranged(self) -> tuple[ArrangedInput, ...]:
        if not self.bounded:
            return ()
        return (ArrangedInput(f"delayed {self!r}", ArrangedForm.ROWS, Keyed(self.segment, ())),)

    def title(self, texts: Texts) -> str:
        parts = [("since", "greatest", self.since), ("until", "least", self.until)]
        bounds = [f" {word} {_of_all(which, each, texts)}" for word, which, each in parts if each]
        return f"Delay{''.join(bounds)}" if bounds else "Share"


def _of_all(which: str, bounds: tuple[TimeBound, ...], texts: Texts) -> str:
    each = [bound.text(texts) for bound in bounds]
    return each[0] if len(each) == 1 else f"{which}({', '.join(each)})"
