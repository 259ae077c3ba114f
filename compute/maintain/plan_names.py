"""How a computation is carried out, as a part of its state's name.

A plan of maintenance says which steps there are and what they read; the numbers of its functions, operators and steps
say what those answer and keep. Where plan and numbers are equal, whatever else has changed in the code, the state of
earlier code is gone on with; where a function or a step was mended, and its number raised, exactly the states that it
has a part in are made anew.
"""

from __future__ import annotations

from compute.maintain.plan import MaintenancePlan
from compute.maintain.step_numbers import step_number
from compute.protocol.plan_form import form_of, nodes_of
from planner.functions.answer_numbers import answer_number
from planner.ir.aggregate import Aggregate
from planner.ir.relation import FlatMap
from planner.ir.scalar import Call, QuantifiedArray
from planner.ir.window import WindowCall


def name_of(plan: MaintenancePlan) -> str:
    """Returns a name that is equal where equal plans keep equal arrangements. Outputs are told by their places, since
    several exports of one computation share a state."""
    segments = tuple(segment for _, segment in plan.outputs)
    return form_of((plan.steps, segments, tuple(sorted(raised_numbers(plan).items()))))


def raised_numbers(plan: MaintenancePlan) -> dict[str, int]:
    """Returns the numbers above 1 of the functions, operators and steps that have a part in the plan, by name."""
    numbers: dict[str, int] = {}
    for node in nodes_of(plan):
        class_name = type(node).__name__
        numbers[class_name] = step_number(class_name)
        match node:
            case Call(function=key) | Aggregate(function=key) | FlatMap(function=key) | WindowCall(function=key):
                numbers[key] = answer_number(key)
            case QuantifiedArray(comparison=key):
                numbers[key] = answer_number(key)
            case _:
                pass
    return {name: number for name, number in numbers.items() if number > 1}
