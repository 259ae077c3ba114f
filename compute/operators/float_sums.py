"""Sums of floats as if computed exactly and rounded once: they do not depend on the order or partitioning of rows.

A double is cut into five limbs of 32 bits (weights 2^32, 1, 2^-32, 2^-64, 2^-96), which 64-bit integers sum exactly.
Numbers with bits outside, and what is not finite, are collected as they are; they are rare. The answer is the sum of
the limbs' sums and of those, by Shewchuk's algorithm (partial sums that do not overlap, which loses nothing),
rounded half to even: what Python's math.fsum computes.
"""

from __future__ import annotations

from dataclasses import dataclass

from compute.scalars.failure import Failure, failing_when
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql, when
from compute.scalars.value import Value, derived
from model.scalar_type import BOOL, FLOAT8, INT8

_UP, _DOWN = "4294967296D", "2.3283064365386963E-10D"
_WEIGHTS = ("4294967296D", "1D", "2.3283064365386963E-10D", "5.421010862427522E-20D", "1.262177448353619E-29D")
_BOUND = "4.611686018427388E18D"
_EMPTY = "CAST(array() AS ARRAY<DOUBLE>)"


@dataclass(frozen=True, slots=True)
class CutFloat:
    """Five int8 limbs, which are 0 where `rare` is the number itself; `rare` is NULL elsewhere."""

    limbs: tuple[Value, ...]
    rare: Value


def cut_float(layers: Layers, value: Value) -> CutFloat:
    """Every product is with a power of two and every difference of neighbours: all are exact."""

    def step(text: str, *sources: Value) -> Value:
        return layers.once(derived(text, FLOAT8, *sources))

    x = step(f"CAST({value.sql} AS DOUBLE)", value)
    safe = step(f"CASE WHEN abs({x.sql}) < {_BOUND} THEN {x.sql} ELSE 0D END", x)
    parts: list[Value] = []
    rest = step(f"({safe.sql} * {_DOWN})", safe)
    for _ in _WEIGHTS:
        whole = step(f"CAST(floor({rest.sql}) AS BIGINT)", rest)
        parts.append(whole)
        rest = step(f"(({rest.sql} - CAST({whole.sql} AS DOUBLE)) * {_UP})", rest, whole)
    regular = step(f"(abs({x.sql}) < {_BOUND} AND {rest.sql} = 0)", x, rest)
    limbs = [derived(f"CASE WHEN {regular.sql} THEN {part.sql} ELSE 0L END", INT8, regular, part) for part in parts]
    return CutFloat(tuple(limbs), derived(f"CASE WHEN NOT {regular.sql} THEN {x.sql} END", FLOAT8, regular, x))


def joined_floats(finals: Layers, sums: tuple[Value, ...], rares: Value, present: Value) -> Value:
    """The double nearest to what the limbs' sums and the array of rare numbers add up to; NULL when `present`, how many
    numbers there are, is 0; 22003 past the range."""
    unusual = f"filter({rares.sql}, x -> isnan(x) OR abs(x) = double('Infinity'))"
    special = finals.once(derived(f"aggregate({unusual}, 0D, (a, x) -> a + x)", FLOAT8, rares))
    ordinary = f"filter({rares.sql}, x -> NOT isnan(x) AND abs(x) <> double('Infinity'))"
    terms = ", ".join(f"{term} * {weight}" for s, weight in zip(sums, _WEIGHTS, strict=True) for term in _halves(s.sql))
    total = _shewchuk(finals, f"concat(array({terms}), {ordinary})", *sums, rares)
    over = f"isnan({total.sql}) OR abs({total.sql}) = double('Infinity')"
    usual = f"({special.sql} = 0 AND NOT isnan({special.sql}))"
    text = when((f"{present.sql} = 0", "NULL"), (f"NOT {usual}", special.sql), (over, "NULL"), otherwise=total.sql)
    error = failing_when(f"{present.sql} > 0 AND {usual} AND ({over})", Failure.FLOAT_OVERFLOW)
    return derived(text, FLOAT8, total, special, present, error=error)


def _halves(limb: str) -> tuple[str, str]:
    """A 64-bit integer as two numbers that doubles hold."""
    high = f"CAST(shiftright(coalesce({limb}, 0L), 32) AS DOUBLE) * {_UP}"
    return high, f"CAST((coalesce({limb}, 0L) & 4294967295L) AS DOUBLE)"


def _shewchuk(finals: Layers, terms: str, *sources: Value) -> Value:
    """The sum of an array of finite doubles, rounded once."""
    high = "(s.x + y)"
    low = f"((s.x - ({high} - ({high} - s.x))) + (y - ({high} - s.x)))"
    kept = f"CASE WHEN {low} <> 0 THEN array_append(s.out, {low}) ELSE s.out END"
    insert = (
        f"aggregate(ps, named_struct('x', x, 'out', {_EMPTY}), "
        f"(s, y) -> named_struct('x', {high}, 'out', {kept}), s -> array_append(s.out, s.x))"
    )
    partials = finals.once(derived(f"aggregate({terms}, {_EMPTY}, (ps, x) -> {insert})", BOOL, *sources))
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
