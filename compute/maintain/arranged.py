"""The arrangements of a plan's steps: their names, and the steps that share an arrangement.

3.1         the input at place 1 of step 3, and of later steps that read the same rows in the same way
3.0.rare    the few values of such an input that have no sums
3.kept      the last answer of a recomputation
"""

from __future__ import annotations

from dataclasses import dataclass

from compute.maintain.plan import MaintenancePlan
from compute.maintain.steps.delay import DelayStep
from compute.maintain.steps.parts import ArrangedInput


@dataclass(frozen=True, slots=True)
class Arranged:
    """One arrangement; `owner` is the first step that reads it."""

    name: str
    owner: int
    input: ArrangedInput


def arranged_inputs(plan: MaintenancePlan) -> tuple[tuple[Arranged, ...], ...]:
    """Returns the arrangements of each step, in the order of the step's inputs."""
    known: dict[str, Arranged] = {}
    return tuple(
        tuple(
            known.setdefault(each.same, Arranged(f"{number}.{place}", number, each))
            for place, each in enumerate(step.arranged)
        )
        for number, step in enumerate(plan.steps)
    )


def delayed_names(plan: MaintenancePlan) -> tuple[str, ...]:
    """Returns the arrangements whose rows wait for times: what is due is known of them without the plan's queries."""
    steps = zip(plan.steps, arranged_inputs(plan), strict=True)
    return tuple(each.name for step, arranged in steps if isinstance(step, DelayStep) for each in arranged)


def kept_name(number: int) -> str:
    """Returns the name of the arrangement that holds the last answer of recomputation `number`."""
    return f"{number}.kept"


def rares_name(name: str) -> str:
    """Returns the name of the arrangement for an input's values without sums."""
    return f"{name}.rare"
