"""Resolves overloaded names and operators for given argument types (manual, 10.2 and 10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from model.types.range_types import multirange_of, range_in, range_of, ranged, subtype_of
from model.types.scalar_type import (
    MZ_TIMESTAMP,
    NUMERIC,
    TEXT,
    UNKNOWN,
    WIDE,
    ScalarType,
    TypeName,
    array_of,
    declared_type,
    list_of,
    map_of,
)
from planner.functions.numbers.wide import narrowed
from planner.types.categories import STRING, category, holding_both, polymorphic, preferred
from planner.types.coercion import can_coerce, vector_as_array


class Overload(Protocol):
    """A row of the function table, as far as resolution needs it."""

    @property
    def key(self) -> str: ...

    @property
    def arguments(self) -> tuple[ScalarType, ...]: ...


T = TypeVar("T", bound=Overload)


@dataclass(frozen=True, slots=True)
class Candidate(Generic[T]):
    """An overload for a number of arguments; `declared` has a type for each of them."""

    overload: T
    declared: tuple[ScalarType, ...]
    spread: bool = False


class Ambiguous(Exception):
    """More than one candidate is left, none better than the others."""


def candidates_for(overloads: Sequence[T], count: int) -> list[Candidate[T]]:
    """Returns the overloads that take `count` arguments; a variadic overload's last type is repeated."""
    found: list[Candidate[T]] = []
    for overload in overloads:
        declared = overload.arguments
        if WIDE in declared:
            # A call means numeric's, of which it becomes the twin.
            continue
        if getattr(overload, "variadic", False):
            if count >= len(declared):
                repeated = (declared[-1],) * (count - len(declared) + 1)
                found.append(Candidate(overload, declared[:-1] + repeated, True))
        elif len(declared) == count:
            found.append(Candidate(overload, declared))
    return found


def resolve(candidates: Sequence[Candidate[T]], types: Sequence[ScalarType]) -> Candidate[T] | None:
    """Returns the best candidate; None when none fits, Ambiguous when several do."""
    plain = [narrowed(type_.plain()) for type_ in types]
    exact = [c for c in candidates if list(c.declared) == plain]
    if exact:
        return exact[0]
    held = holding_both(plain)
    same = [c for c in candidates if held is not None and all(declared == held for declared in c.declared)]
    if same:
        return same[0]
    fitting = _known_to_postgres([c for c in candidates if _fits(c.declared, plain)], plain)
    if len(fitting) <= 1:
        return fitting[0] if fitting else None
    fitting = _best(fitting, lambda c: _exact_matches(c, plain))
    if len(fitting) == 1:
        return fitting[0]
    fitting = _best(fitting, lambda c: _preferred_matches(c, plain))
    if len(fitting) == 1:
        return fitting[0]
    if UNKNOWN not in plain:
        raise Ambiguous
    of_category = _by_category(fitting, plain)
    if len(of_category) == 1:
        return of_category[0]
    known = {type_ for type_ in plain if type_ != UNKNOWN}
    if len(known) == 1:
        only = next(iter(known))
        same = [c for c in of_category if _fits(c.declared, [only] * len(plain))]
        if len(same) == 1:
            return same[0]
    raise Ambiguous


def _known_to_postgres(candidates: list[Candidate[T]], types: Sequence[ScalarType]) -> list[Candidate[T]]:
    """Leaves out candidates that would take a literal without a type as a list or a map, of which PostgreSQL has none,
    unless all are such or a list or a map stands beside it: `'{"a": 1}' ? 'a'` asks jsonb."""
    if any(type_.name in (TypeName.LIST, TypeName.MAP) for type_ in types):
        return candidates
    others = [
        candidate
        for candidate in candidates
        if not any(d.name in _WITHOUT_LITERALS for d, t in zip(candidate.declared, types, strict=True) if t == UNKNOWN)
    ]
    return others or candidates


def _fits(declared: Sequence[ScalarType], types: Sequence[ScalarType]) -> bool:
    if not all(can_coerce(actual, wanted) for actual, wanted in zip(types, declared, strict=True)):
        return False
    # Much becomes an mz_timestamp beside one; two values of other types are none the more comparable for it.
    if declared.count(MZ_TIMESTAMP) > 1 and MZ_TIMESTAMP not in types:
        return False
    return (
        not any(polymorphic(wanted) for wanted in declared)
        or settle_polymorphic(declared, types) is not None
        or _undetermined(declared, types)
    )


def _undetermined(declared: Sequence[ScalarType], types: Sequence[ScalarType]) -> bool:
    """Tells whether a candidate fits though nothing says what its elements are, so that its call is 42804: only an enum
    must be known, as PostgreSQL has it."""
    settling = [at for at, wanted in enumerate(declared) if wanted.name in _ELEMENTS]
    return (
        bool(settling)
        and all(types[at] == UNKNOWN for at in settling)
        and all(declared[at].name is not TypeName.ANYENUM for at in settling)
        and _settle_compatible(declared, types) is not None
    )


def _best(candidates: list[Candidate[T]], score: object) -> list[Candidate[T]]:
    assert callable(score)
    scores = [score(candidate) for candidate in candidates]
    top = max(scores)
    return [candidate for candidate, mark in zip(candidates, scores, strict=True) if mark == top]


def _exact_matches(candidate: Candidate[T], types: Sequence[ScalarType]) -> int:
    return sum(t == d for t, d in zip(types, candidate.declared, strict=True) if t != UNKNOWN)


def _preferred_matches(candidate: Candidate[T], types: Sequence[ScalarType]) -> int:
    return sum(
        t == d or (preferred(d) and category(d) == category(t))
        for t, d in zip(types, candidate.declared, strict=True)
        if t != UNKNOWN
    )


def _by_category(candidates: list[Candidate[T]], types: Sequence[ScalarType]) -> list[Candidate[T]]:
    """Finds for each unknown argument the category that the candidates agree on, or strings when any takes them."""
    wanted: dict[int, tuple[str, bool]] = {}
    for at, type_ in enumerate(types):
        if type_ != UNKNOWN:
            continue
        slots = [candidate.declared[at] for candidate in candidates]
        categories = {category(slot) for slot in slots}
        if STRING in categories:
            chosen = STRING
        elif len(categories) == 1:
            chosen = next(iter(categories))
        else:
            return candidates
        wanted[at] = (chosen, any(preferred(slot) for slot in slots if category(slot) == chosen))

    def keeps(candidate: Candidate[T]) -> bool:
        return all(
            category(candidate.declared[at]) == chosen and (not prefers or preferred(candidate.declared[at]))
            for at, (chosen, prefers) in wanted.items()
        )

    return [candidate for candidate in candidates if keeps(candidate)] or candidates


def settle_polymorphic(declared: Sequence[ScalarType], types: Sequence[ScalarType]) -> tuple[ScalarType, ...] | None:
    """Returns the types of anyelement, anyarray and their kin in one call; None if arguments disagree."""
    element = _settle_any(declared, types)
    compatible = _settle_compatible(declared, types)
    range_ = _settle_range(declared, types, element)
    settled: list[ScalarType] = []
    for wanted, actual in zip(declared, types, strict=True):
        match wanted.name:
            case TypeName.ANYELEMENT | TypeName.ANYNONARRAY | TypeName.ANYENUM:
                chosen = element
            case TypeName.ANYARRAY:
                chosen = None if element is None else array_of(element)
            case TypeName.ANYRANGE:
                chosen = range_
            case TypeName.ANYMULTIRANGE:
                chosen = None if range_ is None else multirange_of(range_)
            case TypeName.ANYCOMPATIBLE:
                chosen = compatible
            case TypeName.ANYCOMPATIBLEARRAY:
                chosen = None if compatible is None else array_of(compatible)
            case TypeName.ANYCOMPATIBLELIST:
                chosen = None if compatible is None else list_of(compatible)
            case TypeName.ANYCOMPATIBLEMAP:
                chosen = None if compatible is None else map_of(compatible)
            case TypeName.ANY:
                chosen = TEXT if actual == UNKNOWN else actual
            case _:
                chosen = wanted
        if chosen is None:
            return None
        settled.append(chosen)
    return tuple(settled)


_RANGED = frozenset((TypeName.ANYRANGE, TypeName.ANYMULTIRANGE))
_ELEMENTS = _RANGED | {TypeName.ANYELEMENT, TypeName.ANYNONARRAY, TypeName.ANYENUM, TypeName.ANYARRAY}


def _settle_range(
    declared: Sequence[ScalarType], types: Sequence[ScalarType], element: ScalarType | None
) -> ScalarType | None:
    """Returns the range type that anyrange is in a call, and that anymultirange is made of: the arguments', or
    PostgreSQL's own of the element; None where arguments disagree."""
    known = {
        range_in(declared_type(actual).plain())
        for wanted, actual in zip(declared, types, strict=True)
        if wanted.name in _RANGED and ranged(actual)
    }
    if known:
        return next(iter(known)) if len(known) == 1 else None
    return None if element is None else range_of(element)


def _settle_any(declared: Sequence[ScalarType], types: Sequence[ScalarType]) -> ScalarType | None:
    """Settles all anyelement, anyarray and anyrange of a call on one element type; an enum is none unless it is
    known."""
    found: ScalarType | None = None
    asked = False
    for wanted, actual in zip(declared, types, strict=True):
        if wanted.name not in _ELEMENTS:
            continue
        asked = True
        if actual == UNKNOWN:
            continue
        element: ScalarType | None = declared_type(actual).plain()
        if wanted.name is TypeName.ANYARRAY:
            array = vector_as_array(actual)
            element = None if array is None else array.element
            if element is None:
                return None
            element = element.plain()
        elif wanted.name in _RANGED:
            element = subtype_of(actual) if ranged(actual) else None
            if element is None:
                return None
        if found is not None and {found, element} == {NUMERIC, WIDE}:
            element = WIDE
        elif found is not None and found != element:
            return None
        found = element
    if found is not None or not asked:
        return found
    return None if any(wanted.name is TypeName.ANYENUM for wanted in declared) else TEXT


_WITHOUT_LITERALS = frozenset((TypeName.ANYCOMPATIBLELIST, TypeName.ANYCOMPATIBLEMAP))
_COMPATIBLE = frozenset(
    (
        TypeName.ANYCOMPATIBLE,
        TypeName.ANYCOMPATIBLEARRAY,
        TypeName.ANYCOMPATIBLELIST,
        TypeName.ANYCOMPATIBLEMAP,
    )
)


def _settle_compatible(declared: Sequence[ScalarType], types: Sequence[ScalarType]) -> ScalarType | None:
    """Settles all anycompatible and anycompatiblearray of a call on the common type of the elements; so those of lists
    and maps, of their members."""
    found: ScalarType | None = None
    for wanted, actual in zip(declared, types, strict=True):
        if wanted.name not in _COMPATIBLE or actual == UNKNOWN:
            continue
        element: ScalarType | None = actual.plain()
        if wanted.name is TypeName.ANYCOMPATIBLEARRAY:
            array = vector_as_array(actual)
            element = None if array is None or array.element is None else array.element.plain()
        elif wanted.name is not TypeName.ANYCOMPATIBLE:
            element = None if actual.member is None else actual.member.plain()
        if element is None:
            return None
        if found is None or found == element:
            found = element
        elif {found, element} == {NUMERIC, WIDE}:
            found = WIDE
        elif category(found) != category(element):
            return None
        elif not preferred(found) and can_coerce(found, element) and not can_coerce(element, found):
            found = element
    return found or TEXT
