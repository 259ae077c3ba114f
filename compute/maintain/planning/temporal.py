"""Plans conditions on mz_now() as delays: a row appears at a time, and disappears at a time.

mz_now() >= e    since e          mz_now() < e     until e
mz_now() > e     since e + 1      mz_now() <= e    until e + 1

A bound that can't be computed bounds nothing; it makes the row an error while all other bounds let the row be present.
When another bound excludes the row, the whole condition is false, whatever the failing bound would be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compute.maintain.planning.determinism import misplaced_now, reads_now
from compute.maintain.planning.segments import filtered
from compute.maintain.planning.streams import Streams
from compute.maintain.steps.delay import DelayStep, TimeBound
from model.types.scalar_type import BOOL, INT8
from planner.interpret.reach import infallible
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation
from planner.ir.scalar import Call, Scalar, SessionName, SessionValue
from planner.ir.unit import conjuncts

_NOW = SessionValue(SessionName.MZ_NOW)
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}
_COMPLEMENT = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
_COMPARISONS = {f"{word}_mz_timestamp_mz_timestamp": word for word in _MIRRORED}


@dataclass(frozen=True, slots=True)
class _Bounds:
    """A row is there while all of `since` have come and none of `until` has."""

    since: tuple[TimeBound, ...]
    until: tuple[TimeBound, ...]


def filter_rows(streams: Streams, segment: Relation, predicates: Sequence[Scalar]) -> Relation:
    """Returns the segment's rows for which all predicates are true, as time goes by. Raises 0A000 for other uses of
    mz_now()."""
    parts = conjuncts(*predicates)
    temporal = [part for part in parts if reads_now(part)]
    if not temporal:
        return filtered(segment, predicates)
    plain = [part for part in parts if not reads_now(part)]
    bounds = [_bounds(part) for part in temporal]
    since = tuple(dict.fromkeys(bound for each in bounds for bound in each.since))
    until = tuple(dict.fromkeys(bound for each in bounds for bound in each.until))
    ats = tuple(dict.fromkeys(bound.at for bound in (*since, *until)))
    asked = [part for part in plain if not infallible(part)]
    segment = filtered(segment, [part for part in plain if infallible(part)])
    # A comparison with NULL is not true, at any time.
    if len(ats) == 1 or all(map(infallible, ats)):
        segment = filtered(segment, [Call("is_not_null_any", (at,), BOOL) for at in ats])
    else:
        # An error beside NULL is one: this is NULL for NULL, as the comparison is.
        asked = [*(Call("eq_int8_int8", (at, at), BOOL) for at in ats), *asked]
    rows = streams.add(DelayStep(segment, since, until), relation_desc_of(segment).columns, streams.keys(segment))
    # What can fail is asked of rows while they are there.
    return filtered(rows, asked)


def _bounds(predicate: Scalar) -> _Bounds:
    found = _comparison(predicate)
    if found is None:
        raise misplaced_now()
    word, other = found
    at = Call("cast_mz_timestamp_int8", (other,), INT8)
    match word:
        case "ge":
            return _Bounds((TimeBound(at, False),), ())
        case "gt":
            return _Bounds((TimeBound(at, True),), ())
        case "le":
            return _Bounds((), (TimeBound(at, True),))
        case "lt":
            return _Bounds((), (TimeBound(at, False),))
        case _:
            return _Bounds((TimeBound(at, False),), (TimeBound(at, True),))


def _comparison(predicate: Scalar) -> tuple[str, Scalar] | None:
    """Returns a comparison of mz_now() with an expression free of mz_now(), turned so that mz_now() comes first."""
    if not isinstance(predicate, Call):
        return None
    if predicate.function == "not_bool":
        inner = _comparison(predicate.arguments[0])
        return (_COMPLEMENT[inner[0]], inner[1]) if inner is not None and inner[0] in _COMPLEMENT else None
    word = _COMPARISONS.get(predicate.function)
    if word is None:
        return None
    first, second = predicate.arguments
    if second == _NOW:
        word, first, second = _MIRRORED[word], second, first
    return (word, second) if first == _NOW and not reads_now(second) else None
