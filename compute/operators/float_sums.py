"""Exact sums of floats, rounded once: independent of the order and partitioning of rows.

A double is cut into five limbs of 32 bits (weights 2^32, 1, 2^-32, 2^-64, 2^-96), which 64-bit integers sum exactly.
Rare numbers with bits outside, and non-finite numbers, are collected individually. The answer is the sum of both, by
Shewchuk's algorithm (partial sums that do not overlap, which loses nothing), rounded half to even: the result of
Python's math.fsum.
"""

from __future__ import annotations

from dataclasses import dataclass

from compute.scalars.failure import Failure, failing_when
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql, when
from compute.scalars.value import Value, derived
from model.types.scalar_type import BOOL, FLOAT8, INT8

_UP, _DOWN = "4294967296D", "2.3283064365386963E-10D"
_WEIGHTS = ("4294967296D", "1D", "2.3283064365386963E-10D", "5.421010862427522E-20D", "1.262177448353619E-29D")
_BOUND, _SMALLEST = "4.611686018427388E18D", "1.262177448353619E-29D"
_EMPTY = "CAST(array() AS ARRAY<DOUBLE>)"
_HUGE = "abs(x) >= 1.3407807929942597E154D AND abs(x) < double('Infinity')"
_ORDINARY = "abs(x) < 1.3407807929942597E154D"
"""Two to the 512th and more is summed by itself, 64 powers of two smaller: some of the numbers may add up to more than
a double holds where all of them do not."""
_SMALLER, _LARGER = "5.421010862427522E-20D", "1.8446744073709552E19D"
_ROOT = "7.458340731200207E-155D"
"""Two to the -512th: squares of what was multiplied by it are below 1 where the squares themselves are in the range."""


@dataclass(frozen=True, slots=True)
class CutFloat:
    """A float as five int8 limbs, or as `rare` with zero limbs; `rare` is NULL for floats with limbs."""

    limbs: tuple[Value, ...]
    rare: Value


def cut_float(layers: Layers, value: Value) -> CutFloat:
    """Cuts the magnitude and gives each limb the number's sign.

    Every product is with a power of two and every difference takes a whole part from a number that is not negative: all
    are exact. (The whole part of a negative number lies below it, and the difference to it may need more than 53 bits.)
    """

    def step(text: str, *sources: Value) -> Value:
        return layers.once(derived(text, FLOAT8, *sources))

    x = step(f"CAST({value.sql} AS DOUBLE)", value)
    safe = step(f"CASE WHEN abs({x.sql}) < {_BOUND} THEN abs({x.sql}) ELSE 0D END", x)
    parts: list[Value] = []
    rest = step(f"({safe.sql} * {_DOWN})", safe)
    for _ in _WEIGHTS:
        whole = step(f"CAST(floor({rest.sql}) AS BIGINT)", rest)
        parts.append(whole)
        rest = step(f"(({rest.sql} - CAST({whole.sql} AS DOUBLE)) * {_UP})", rest, whole)
    # A product with what is very small would be rounded to 0.
    other = f"abs({x.sql}) >= {_BOUND} OR {rest.sql} <> 0 OR {x.sql} <> 0 AND abs({x.sql}) < {_SMALLEST}"
    sign = step(f"CASE WHEN {other} THEN 0 WHEN {x.sql} < 0 THEN -1 ELSE 1 END", x, rest)
    limbs = [derived(f"({part.sql} * {sign.sql})", INT8, sign, part) for part in parts]
    return CutFloat(tuple(limbs), derived(f"CASE WHEN {sign.sql} = 0 THEN {x.sql} END", FLOAT8, sign, x))


@dataclass(frozen=True, slots=True)
class FloatSums:
    """A group's floats: the sums of their limbs, the array of the rare floats, and the number of floats."""

    limbs: tuple[Value, ...]
    rares: Value
    present: Value


def joined_floats(finals: Layers, sums: FloatSums) -> Value:
    """Returns the double nearest to the sum; NULL over no number, 22003 past the range."""
    special = _special(finals, sums)
    huge = f"transform({_those(sums, _HUGE)}, x -> x * {_SMALLER})"
    partials = _partials(finals, huge, sums.rares)
    terms = ", ".join(
        f"{term} * {weight}" for s, weight in zip(sums.limbs, _WEIGHTS, strict=True) for term in _halves(s.sql)
    )
    unscaled = f"transform({partials.sql}, x -> x * {_LARGER})"
    every = f"concat(array({terms}), {unscaled}, {_those(sums, _ORDINARY)})"
    total = _rounded(finals, _partials(finals, every, *sums.limbs, sums.rares, partials))
    over = f"isnan({total.sql}) OR abs({total.sql}) = double('Infinity')"
    usual = _usual(special)
    present = sums.present
    text = when((f"{present.sql} = 0", "NULL"), (f"NOT {usual}", special.sql), (over, "NULL"), otherwise=total.sql)
    error = failing_when(f"{present.sql} > 0 AND {usual} AND ({over})", Failure.FLOAT_OVERFLOW)
    return derived(text, FLOAT8, total, special, present, error=error)


def averaged_floats(finals: Layers, sums: FloatSums) -> Value:
    """Returns the sum divided by the count. Like PostgreSQL, which keeps the sum of squared deviations beside the sum,
    raises 22003 when that sum is out of range, even if the average is not.

    Only rare numbers can be so large; the others count as 0 in the sum of squares.
    """
    total = joined_floats(finals, sums)
    count = f"CAST(nullif({sums.present.sql}, 0L) AS DOUBLE)"
    average = finals.once(derived(f"({total.sql} / {count})", FLOAT8, total, sums.present))
    mean = f"coalesce({average.sql}, 0D) * {_ROOT}"
    finite = f"array_sort(filter({sums.rares.sql}, x -> NOT isnan(x) AND abs(x) <> double('Infinity')))"
    start = f"(coalesce({count}, 0D) - size({finite})) * ({mean}) * ({mean})"
    squares = f"aggregate({finite}, {start}, (a, x) -> a + (x * {_ROOT} - {mean}) * (x * {_ROOT} - {mean}))"
    spread = finals.once(
        derived(
            f"CASE WHEN size({sums.rares.sql}) > 0 THEN {squares} ELSE 0D END",
            FLOAT8,
            average,
            sums.rares,
            sums.present,
        )
    )
    error = failing_when(f"{_usual(_special(finals, sums))} AND {spread.sql} >= 1", Failure.FLOAT_OVERFLOW)
    return derived(average.sql, FLOAT8, average, spread, error=error)


def _special(finals: Layers, sums: FloatSums) -> Value:
    """Returns the sum of the non-finite floats; 0 without any."""
    unusual = f"filter({sums.rares.sql}, x -> isnan(x) OR abs(x) = double('Infinity'))"
    return finals.once(derived(f"aggregate({unusual}, 0D, (a, x) -> a + x)", FLOAT8, sums.rares))


def _usual(special: Value) -> str:
    return f"({special.sql} = 0 AND NOT isnan({special.sql}))"


def _those(sums: FloatSums, condition: str) -> str:
    return f"filter({sums.rares.sql}, x -> {condition})"


def _halves(limb: str) -> tuple[str, str]:
    """Returns a 64-bit integer as two numbers that doubles hold exactly."""
    high = f"CAST(shiftright(coalesce({limb}, 0L), 32) AS DOUBLE) * {_UP}"
    return high, f"CAST((coalesce({limb}, 0L) & 4294967295L) AS DOUBLE)"


def _partials(finals: Layers, terms: str, *sources: Value) -> Value:
    """Returns numbers that do not overlap, with the same sum as an array of finite doubles, the smallest first."""
    high = "(s.x + y)"
    low = f"((s.x - ({high} - ({high} - s.x))) + (y - ({high} - s.x)))"
    kept = f"CASE WHEN {low} <> 0 THEN array_append(s.out, {low}) ELSE s.out END"
    insert = (
        f"aggregate(ps, named_struct('x', x, 'out', {_EMPTY}), "
        f"(s, y) -> named_struct('x', {high}, 'out', {kept}), s -> array_append(s.out, s.x))"
    )
    return finals.once(derived(f"aggregate({terms}, {_EMPTY}, (ps, x) -> {insert})", BOOL, *sources))


def _rounded(finals: Layers, partials: Value) -> Value:
    """Returns the double nearest to the sum of non-overlapping numbers."""
    rest = "(y - ((s.hi + y) - s.hi))"
    rounded = (
        f"CASE WHEN s.place = 0 THEN named_struct('hi', s.hi + y, 'lo', {rest}, 'after', 0D, "
        f"'place', CASE WHEN {rest} <> 0 THEN 1 ELSE 0 END) "
        "WHEN s.place = 1 THEN named_struct('hi', s.hi, 'lo', s.lo, 'after', y, 'place', 2) ELSE s END"
    )
    start = "named_struct('hi', 0D, 'lo', 0D, 'after', 0D, 'place', 0)"
    top = finals.once(derived(f"aggregate(reverse({partials.sql}), {start}, (s, y) -> {rounded})", BOOL, partials))
    # Half to even: the remainder is exactly half a unit, and what follows it says which way.
    half = f"sign({top.sql}.lo) = sign({top.sql}.after) AND {top.sql}.after <> 0"
    up = f"({top.sql}.hi + {top.sql}.lo * 2D)"
    exact = f"{up} - {top.sql}.hi = {top.sql}.lo * 2D"
    text = when((f"{half} AND {exact}", up), otherwise=f"{top.sql}.hi")
    return finals.once(derived(Sql(text), FLOAT8, top))
