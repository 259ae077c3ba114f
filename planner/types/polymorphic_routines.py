"""Users' functions of polymorphic types: each call settles anyelement, anyarray and their kin by its arguments.

CREATE FUNCTION first_of(VARIADIC items anyarray) RETURNS anyelement RETURN items[1]

first_of(1, 2)        items is int[], the result an int
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from model.errors.sql_error import SqlError
from model.types.range_types import range_of
from model.types.scalar_type import (
    BOOL,
    DATE,
    INT4,
    JSONB,
    NUMERIC,
    TEXT,
    TIMESTAMPTZ,
    UNKNOWN,
    UUID,
    ScalarType,
    TypeName,
    array_of,
    type_within,
)
from planner.function_rules import FunctionRules
from planner.types.categories import polymorphic
from planner.types.resolution import settle_polymorphic

T = TypeVar("T")

_SAMPLES = (INT4, TEXT, NUMERIC, JSONB, DATE, TIMESTAMPTZ, BOOL, UUID)
_ARRAYS = (TypeName.ANYARRAY, TypeName.ANYCOMPATIBLEARRAY)
_RANGES = (TypeName.ANYRANGE, TypeName.ANYMULTIRANGE)
_COMPATIBLE = "anycompatible"
_NAMED = (
    TypeName.ANYELEMENT,
    TypeName.ANYARRAY,
    TypeName.ANYNONARRAY,
    TypeName.ANYENUM,
    TypeName.ANYRANGE,
    TypeName.ANYCOMPATIBLE,
    TypeName.ANYCOMPATIBLEARRAY,
)


def polymorphic_named(parts: Sequence[str]) -> ScalarType | None:
    """Returns the polymorphic type of a name, which parameters of functions alone may have; None for another name."""
    *schema, name = parts
    found = next((each for each in _NAMED if each == name), None)
    return None if found is None or schema not in ([], ["pg_catalog"]) else ScalarType(found)


def is_polymorphic(rules: FunctionRules) -> bool:
    """Tells whether the types of a function are those of each call."""
    return any(map(polymorphic, rules.types))


def settled_rules(
    rules: FunctionRules, declared: Sequence[ScalarType], types: Sequence[ScalarType]
) -> FunctionRules | None:
    """Returns the function in a call in which arguments of `types` stand for `declared`; None where these don't say
    what its types are."""
    own = [each.type for each in rules.parameters]
    wanted = (*declared, *own, rules.result, *(type_ for _, type_ in rules.columns))
    settled = settle_polymorphic(wanted, (*types, *(UNKNOWN,) * (len(wanted) - len(types))))
    if settled is None:
        return None
    first, behind = len(declared), len(declared) + len(own)
    parameters = zip(rules.parameters, settled[first:behind], strict=True)
    columns = zip(rules.columns, settled[behind + 1 :], strict=True)
    return replace(
        rules,
        parameters=tuple(replace(each, type=type_) for each, type_ in parameters),
        result=_made(settled[behind]),
        columns=tuple((name, _made(type_)) for (name, _), type_ in columns),
    )


def _made(type_: ScalarType) -> ScalarType:
    """Returns the type of what a body makes: arrays of numerics hold wide ones."""
    return type_ if type_.element is None else array_of(type_within(type_.element))


def sample_rules(rules: FunctionRules) -> Iterator[FunctionRules]:
    """Yields the function as calls with usual types have it; itself if it is not polymorphic."""
    if not is_polymorphic(rules):
        yield rules
        return
    for element in _SAMPLES:
        types = [_sample(wanted, element) for wanted in rules.types]
        known = [type_ for type_ in types if type_ is not None]
        settled = settled_rules(rules, rules.types, known) if len(known) == len(types) else None
        if settled is not None:
            yield settled


def planned_by_samples(rules: FunctionRules, plan: Callable[[FunctionRules], T]) -> T:
    """Returns the plan of a function's body for the first of usual types for which it has a meaning. Raises the first
    SqlError where it has none for any."""
    failure: SqlError | None = None
    for sample in sample_rules(rules):
        try:
            return plan(sample)
        except SqlError as error:
            failure = failure or error
    assert failure is not None, "there are samples of all types"
    raise failure


def _sample(wanted: ScalarType, element: ScalarType) -> ScalarType | None:
    """Returns a type for a parameter where the elements are of this type; None where there is none."""
    if not polymorphic(wanted):
        return wanted
    if wanted.name in _ARRAYS:
        return array_of(type_within(element))
    return range_of(element) if wanted.name in _RANGES else element


def undetermined(result: ScalarType, inputs: Sequence[ScalarType]) -> str | None:
    """Returns PostgreSQL's detail on a polymorphic result that no parameter determines; None where one does."""
    if not polymorphic(result):
        return None
    alike = result.name.startswith(_COMPATIBLE)
    ranged = result.name in _RANGES
    if any(
        polymorphic(each) and each.name.startswith(_COMPATIBLE) == alike and (not ranged or each.name in _RANGES)
        for each in inputs
    ):
        return None
    if alike:
        kinds = (
            "anycompatible, anycompatiblearray, anycompatiblenonarray, anycompatiblerange, or anycompatiblemultirange"
        )
    elif ranged:
        kinds = "anyrange or anymultirange"
    else:
        kinds = "anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange"
    return f"A result of type {result} requires at least one input of type {kinds}."
