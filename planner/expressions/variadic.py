"""VARIADIC before the last argument of a call: an array in place of the arguments that a function repeats."""

from __future__ import annotations

from collections.abc import Sequence

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import UNKNOWN, TypeName
from planner.expressions.calls import call_function
from planner.functions.registry import functions_named
from planner.functions.rows import ANYARRAY
from planner.functions.variadic import FORM
from planner.ir.scalar import Scalar, scalar_type
from planner.scope.analysis import Analysis
from planner.types.resolution import candidates_for, resolve


def call_with_array(
    analysis: Analysis, name: str, arguments: Sequence[Scalar], locations: Sequence[int]
) -> Scalar | None:
    """Returns the call; None when no function takes these arguments so, 42804 when the last one isn't an array."""
    candidates = candidates_for(functions_named(name, FORM), len(arguments))
    types = [scalar_type(argument) for argument in arguments]
    wanted = [candidate.declared[-1] for candidate in candidates]
    if wanted and types[-1].name is not TypeName.ARRAY and (types[-1] != UNKNOWN or ANYARRAY in wanted):
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, "VARIADIC argument must be an array", locations[-1])
    candidate = resolve(candidates, types)
    return None if candidate is None else call_function(analysis, candidate, arguments, locations)
