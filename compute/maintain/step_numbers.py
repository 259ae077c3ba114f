"""The numbers of steps and operators: one that keeps other rows or sums for the same inputs gets a greater number.

How a relation becomes steps needs no number: the plan itself is part of a state's name
(`compute.maintain.plan_names.py`). What a step or an operator does is not told by the plan, so its number is.
`tests/compute/maintain/test_step_numbers.py` holds what steps keep against what was recorded under their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CONTENTS: Final = 1
"""The number of what all arrangements have in common: hashes of keys, physical forms of values, rows of errors. Raise
it, and every view begins anew."""

RAISED: Final[Mapping[str, int]] = {}
"""The numbers above 1, by the names of the classes of steps (`AccumulateStep`) and of the nodes of relations and
expressions (`TopK`, `Case`)."""


def step_number(class_name: str) -> int:
    """Returns the number under which a class of steps or nodes does what it does."""
    return RAISED.get(class_name, 1)
