"""Finds which types can be compared, for DISTINCT, GROUP BY, ORDER BY, set operations and GREATEST."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, TypeName, bare_text
from planner.functions.types.record_comparison import WITHOUT_EQUALITY, WITHOUT_ORDER
from planner.scope.analysis import Analysis


def check_equality(analysis: Analysis, type_: ScalarType, location: int = -1) -> None:
    """Raises 42883 for a type that has no equality."""
    if _of(type_) in WITHOUT_EQUALITY:
        raise _missing(analysis, "an equality operator", type_, location)


def check_order(analysis: Analysis, type_: ScalarType, location: int = -1) -> None:
    """Raises 42883 for a type whose values have no order."""
    if _of(type_) in WITHOUT_ORDER:
        hint = "Use an explicit ordering operator or modify the query."
        raise _missing(analysis, "an ordering operator", type_, location, hint)


def ordered(type_: ScalarType) -> bool:
    """Tells whether the type's values have an order."""
    return _of(type_) not in WITHOUT_ORDER


def check_comparison(analysis: Analysis, type_: ScalarType, location: int = -1) -> None:
    """Raises 42883 as GREATEST and LEAST do for a type whose values have no order."""
    if _of(type_) in WITHOUT_ORDER:
        raise _missing(analysis, "a comparison function", type_, location)


def check_elements(analysis: Analysis, array: ScalarType, *, equality: bool) -> None:
    """Raises 42883 as comparisons of arrays do for elements that have no equality, or no order if that is asked."""
    element = _of(array)
    if element in (WITHOUT_EQUALITY if equality else WITHOUT_ORDER):
        what = "an equality operator" if equality else "a comparison function"
        raise _missing(analysis, what, ScalarType(element), -1)


def _of(type_: ScalarType) -> TypeName:
    """Returns the name of the type that decides comparisons: for an array, its elements'."""
    return _of(type_.element) if type_.element is not None else type_.name


def _missing(analysis: Analysis, what: str, type_: ScalarType, location: int, hint: str | None = None) -> Exception:
    message = f"could not identify {what} for type {bare_text(type_.base())}"
    return analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, location, hint=hint)
