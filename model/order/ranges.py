"""Ranges as sets: a range lies between two cuts of the line, and all operations on ranges compare cuts.

Ranges of integers and dates are stored as [a,b), so that equal sets are equal ranges. `type_` is always the range's
type, or the type of its multirange.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.cuts import FIRST, LAST, CutKey, lower_key, range_key, upper_key
from model.order.datum_order import sort_key
from model.types.datum import EMPTY_RANGE, Datum, Range
from model.types.range_types import subtype_of
from model.types.scalar_type import ScalarType, TypeName
from model.types.wide_time import date_at, day_of, infinite

Multirange = tuple[Range, ...]
_INT_LIMITS = {TypeName.INT4: (2**31, "integer"), TypeName.INT8: (2**63, "bigint")}


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut of the line, with the value of its bound."""

    key: CutKey
    value: Datum


def lower_cut(range_: Range, type_: ScalarType) -> Cut:
    """Returns the begin of a range that is not empty."""
    return Cut(lower_key(range_, sort_key(subtype_of(type_))), range_.lower)


def upper_cut(range_: Range, type_: ScalarType) -> Cut:
    """Returns the end of a range that is not empty."""
    return Cut(upper_key(range_, sort_key(subtype_of(type_))), range_.upper)


def between(low: Cut, high: Cut) -> Range:
    """Returns the range between two cuts; empty when nothing lies between them."""
    if low.key >= high.key:
        return EMPTY_RANGE
    return Range(low.value, high.value, low.key != FIRST and not low.key[2], high.key != LAST and bool(high.key[2]))


def make_range(
    type_: ScalarType, lower: Datum, upper: Datum, lower_included: bool = True, upper_included: bool = False
) -> Range:
    """Returns the canonical range; raises 22000 when the bounds stand the wrong way, 22003 and 22008 when there is no
    next value."""
    subtype = subtype_of(type_)
    lower_included, upper_included = lower_included and lower is not None, upper_included and upper is not None
    if lower is not None and upper is not None:
        key = sort_key(subtype)
        if key(lower) > key(upper):
            message = "range lower bound must be less than or equal to range upper bound"
            raise SqlError(Sqlstate.DATA_EXCEPTION, message)
        if key(lower) == key(upper) and not (lower_included and upper_included):
            return EMPTY_RANGE
    if discrete(subtype):
        if lower is not None and not lower_included and not infinite(lower):
            lower, lower_included = _next(subtype, lower), True
        if upper_included and not infinite(upper):
            upper, upper_included = _next(subtype, upper), False
    made = Range(lower, upper, lower_included, upper_included)
    return between(lower_cut(made, type_), upper_cut(made, type_))


def discrete(subtype: ScalarType) -> bool:
    """Tells whether each value of a type has a next one."""
    return subtype.name is TypeName.DATE or subtype.name in _INT_LIMITS


def _next(subtype: ScalarType, value: Any) -> Datum:
    if subtype.name is TypeName.DATE:
        try:
            return date_at(day_of(value) + 1)
        except OverflowError:
            raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "date out of range") from None
    limit, word = _INT_LIMITS[subtype.name]
    if value + 1 == limit:
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, f"{word} out of range")
    return int(value) + 1


def intersection(type_: ScalarType, left: Range, right: Range) -> Range:
    if left.empty or right.empty:
        return EMPTY_RANGE
    low = max(lower_cut(left, type_), lower_cut(right, type_), key=_by_key)
    return between(low, min(upper_cut(left, type_), upper_cut(right, type_), key=_by_key))


def span(type_: ScalarType, ranges: Iterable[Range]) -> Range:
    """Returns the smallest range that contains all of these."""
    filled = [range_ for range_ in ranges if not range_.empty]
    if not filled:
        return EMPTY_RANGE
    low = min((lower_cut(range_, type_) for range_ in filled), key=_by_key)
    return between(low, max((upper_cut(range_, type_) for range_ in filled), key=_by_key))


def difference(type_: ScalarType, left: Range, right: Range) -> Multirange:
    """Returns the parts of `left` that are not in `right`: up to two ranges."""
    if left.empty or right.empty:
        return () if left.empty else (left,)
    low, high = lower_cut(left, type_), upper_cut(left, type_)
    before = between(low, min(high, lower_cut(right, type_), key=_by_key))
    after = between(max(low, upper_cut(right, type_), key=_by_key), high)
    return tuple(piece for piece in (before, after) if not piece.empty)


def multirange(type_: ScalarType, ranges: Iterable[Range]) -> Multirange:
    """Returns the ranges as one set: sorted, with overlapping and adjacent ones merged."""
    filled = sorted((r for r in ranges if not r.empty), key=range_key(sort_key(subtype_of(type_))))
    merged: list[Range] = []
    for range_ in filled:
        if merged and lower_cut(range_, type_).key <= upper_cut(merged[-1], type_).key:
            merged[-1] = span(type_, (merged[-1], range_))
        else:
            merged.append(range_)
    return tuple(merged)


def common_part(type_: ScalarType, left: Multirange, right: Multirange) -> Multirange:
    """Returns the intersection of two multiranges, in one pass along both."""
    parts: list[Range] = []
    i = j = 0
    while i < len(left) and j < len(right):
        part = intersection(type_, left[i], right[j])
        if not part.empty:
            parts.append(part)
        if upper_cut(left[i], type_).key <= upper_cut(right[j], type_).key:
            i += 1
        else:
            j += 1
    return tuple(parts)


def remainder(type_: ScalarType, left: Multirange, right: Multirange) -> Multirange:
    """Returns the parts of one multirange that are not in another, in one pass along both."""
    kept: list[Range] = []
    first = 0
    for range_ in left:
        rest: Multirange = (range_,)
        while first < len(right) and upper_cut(right[first], type_).key <= lower_cut(range_, type_).key:
            first += 1
        for other in right[first:]:
            if not rest or lower_cut(other, type_).key >= upper_cut(rest[-1], type_).key:
                break
            rest = (*rest[:-1], *difference(type_, rest[-1], other))
        kept += rest
    return tuple(kept)


def _by_key(cut: Cut) -> tuple[Any, ...]:
    return cut.key
