"""Helpers for the tables of casts: how rows are written, and the text form of any type, in and out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from model.types.scalar_type import ScalarType
from planner.functions.rows import Options, key_of
from planner.functions.signature import Cast, CastContext, Function

IMPLICIT, ASSIGNMENT, EXPLICIT = CastContext.IMPLICIT, CastContext.ASSIGNMENT, CastContext.EXPLICIT


def cast(
    source: ScalarType,
    target: ScalarType,
    context: CastContext,
    evaluate: Callable[..., Any],
    **options: Unpack[Options],
) -> Cast:
    """Returns a row of the cast table; its function's key is `cast_<source>_<target>`."""
    function = Function(key_of("cast", (source, target)), "cast", (source,), target, evaluate, form="cast", **options)
    return Cast(source, target, context, function)


def unchanged(value: Any) -> Any:
    """Returns the datum, which is the same in both types."""
    return value
