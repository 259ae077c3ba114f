"""Whether an expression may give another value each time it is evaluated."""

from __future__ import annotations

from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.scalar import Call, Scalar
from planner.ir.visit import has_subquery, operands_of


def volatile(scalar: Scalar) -> bool:
    """True for a subquery too: what is in it is not looked at."""
    if isinstance(scalar, Call) and FUNCTIONS[scalar.function].volatility is Volatility.VOLATILE:
        return True
    return has_subquery(scalar) or any(map(volatile, operands_of(scalar)))
