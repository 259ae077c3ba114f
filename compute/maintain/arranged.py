"""What the steps of a plan arrange: under which names, by which keys, and which steps share one arrangement.

3.1         the input at place 1 of step 3, and of later steps that read the same in the same way
3.0.rare    of such an input, the few values that have no sums
3.kept      what a recomputation gave last
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from compute.maintain.plan import (
    AccumulateStep,
    DelayStep,
    GroupStep,
    JoinStep,
    Keyed,
    MaintenancePlan,
    RecomputeStep,
    Step,
    ThresholdStep,
)
from compute.maintain.prefix import prefix_of
from planner.ir.aggregate import SortKey


class ArrangedForm(StrEnum):
    """What an arrangement has of each row; those that are joined leave out rows with a NULL in their key."""

    ROWS = "rows"
    JOINED = "joined rows"
    SUMS = "sums"


@dataclass(frozen=True, slots=True)
class Arranged:
    """`orders`: in which the rows of a key lie, when they do; the first counts most. `owner` is the first step that
    reads it."""

    name: str
    owner: int
    form: ArrangedForm
    keyed: Keyed
    orders: tuple[SortKey, ...] = ()


def arranged_inputs(plan: MaintenancePlan) -> tuple[tuple[Arranged, ...], ...]:
    """For each step what it arranges, in the order of its inputs.

    They are told apart by their texts: 1.0 and 1.00 are equal, and yet not the same.
    """
    known: dict[str, Arranged] = {}

    def named(
        number: int, place: int, text: str, form: ArrangedForm, keyed: Keyed, orders: tuple[SortKey, ...]
    ) -> Arranged:
        return known.setdefault(text, Arranged(f"{number}.{place}", number, form, keyed, orders))

    return tuple(
        tuple(named(number, place, *each) for place, each in enumerate(_inputs(step)))
        for number, step in enumerate(plan.steps)
    )


def kept_name(number: int) -> str:
    """What the recomputation that is step `number` gave last."""
    return f"{number}.kept"


def rares_name(name: str) -> str:
    """The values of an arrangement's input that have no sums."""
    return f"{name}.rare"


def _inputs(step: Step) -> Iterator[tuple[str, ArrangedForm, Keyed, tuple[SortKey, ...]]]:
    """With each input, what tells it apart from others."""
    match step:
        case JoinStep(left, right):
            for side in (left, right):
                yield f"join {side!r}", ArrangedForm.JOINED, side, ()
        case AccumulateStep(input):
            yield f"sums {step!r}", ArrangedForm.SUMS, input, ()
        case ThresholdStep(input):
            yield f"rows in order of () {input!r}", ArrangedForm.ROWS, input, ()
        case GroupStep(input):
            prefix = prefix_of(step)
            orders = () if prefix is None else (prefix.order,)
            yield f"rows in order of {orders!r} {input!r}", ArrangedForm.ROWS, input, orders
        case DelayStep(segment):
            if step.since or step.until:
                yield f"delayed {step!r}", ArrangedForm.ROWS, Keyed(segment, ()), ()
        case RecomputeStep(inputs):
            for segment in inputs:
                yield f"rows in order of () {Keyed(segment, ())!r}", ArrangedForm.ROWS, Keyed(segment, ()), ()
        case _:
            assert_never(step)
