"""What the steps of a plan arrange: under which names, and which steps share one arrangement.

3.1         the input at place 1 of step 3, and of later steps that read the same in the same way
3.0.rare    of such an input, the few values that have no sums
3.kept      what a recomputation gave last
"""

from __future__ import annotations

from dataclasses import dataclass

from compute.maintain.plan import MaintenancePlan
from compute.maintain.steps.parts import ArrangedInput


@dataclass(frozen=True, slots=True)
class Arranged:
    """`owner` is the first step that reads it."""

    name: str
    owner: int
    input: ArrangedInput


def arranged_inputs(plan: MaintenancePlan) -> tuple[tuple[Arranged, ...], ...]:
    """For each step what it arranges, in the order of its inputs."""
    known: dict[str, Arranged] = {}
    return tuple(
        tuple(
            known.setdefault(each.same, Arranged(f"{number}.{place}", number, each))
            for place, each in enumerate(step.arranged)
        )
        for number, step in enumerate(plan.steps)
    )


def kept_name(number: int) -> str:
    """What the recomputation that is step `number` gave last."""
    return f"{number}.kept"


def rares_name(name: str) -> str:
    """The values of an arrangement's input that have no sums."""
    return f"{name}.rare"
