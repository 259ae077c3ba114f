"""Aggregates maintained by accumulation: the rows' contributions to a group's int8 sums, and the answers from the sums.

A row of multiplicity d contributes d times; a group's number of rows is `n`. The answers are in `sums`; this module
makes a group's sums from columns `a0…`, each the sum of one contribution.

Floats are cut into limbs; floats without limbs are kept individually beside the sums. Decimals of more than 18 digits
are cut into limbs of 9 decimal digits, five at most; nine billion limbs add up before a sum leaves 64 bits.

The greatest of small numbers (of the decimals that values show) is told by counters, 32 bits for each number below 20;
greater ones are rare, and kept as such floats are.
"""

from __future__ import annotations

import decimal
from dataclasses import dataclass

from compute.operators.float_sums import FloatSums, averaged_floats, cut_float, joined_floats
from compute.operators.linear import settled
from compute.operators.sums import SUMMED, from_halves, halves
from compute.scalars.failure import Error, Failure
from compute.scalars.family import checked
from compute.scalars.layers import Layers
from compute.scalars.lower import Lowering
from compute.scalars.numerics import form_of
from compute.scalars.spark_sql import Sql, call, decimal_type, numeric_literal, when
from compute.scalars.value import Value, column, derived
from model.types.scalar_type import BOOL, INT4, INT8, NUMERIC
from planner.ir.aggregate import Aggregate

_LIMB_DIGITS = 9
_LIMB = 10**_LIMB_DIGITS
_LONG_DIGITS = 18
_COUNTER_PAIRS = 10
"""So many int8s count how often each of the numbers from 0 on comes, two numbers an int8."""
_COUNTER_MODULUS = 2**32


@dataclass(frozen=True, slots=True)
class Rare:
    """A column `name` of floats without limbs, NULL elsewhere; the sum `count` counts them in a group.

    In the answers, the column is the array of the group's floats without limbs. `late` ones are expressions over the
    small numbers.
    """

    name: str
    sql: Sql
    count: str
    late: bool = False


class Accumulators:
    """The contributions of all aggregates of one step, over a select with `layers`; `finals` stand over the sums.

    `smalls`: columns `m0…` of numbers that are counted; mostly they are few, so rows that are alike in them can be
    added up before they are counted.
    """

    def __init__(self, lowering: Lowering, layers: Layers) -> None:
        self.finals = Layers()
        self.errors: list[Error] = []
        self.rares: list[Rare] = []
        self.smalls: list[tuple[str, Sql]] = []
        self.layers = layers
        self._lowering = lowering
        self._names: dict[Sql, str] = {}
        self._late: set[Sql] = set()

    @property
    def contributions(self) -> list[tuple[str, Sql]]:
        """Returns of `a0…` those that are expressions over the input, and the int8 that a row of multiplicity 1 adds to
        each."""
        return [(name, sql) for sql, name in self._names.items() if sql not in self._late]

    @property
    def late_contributions(self) -> list[tuple[str, Sql]]:
        """Returns of `a0…` those that are expressions over `m0…`."""
        return [(name, sql) for sql, name in self._names.items() if sql in self._late]

    def answer(self, aggregate: Aggregate) -> Value:
        """Returns the aggregate as an expression over `n` and `a0…`. Errors of its arguments are the rows', in
        `errors`."""
        assert not aggregate.distinct, "an aggregate over DISTINCT is one over the distinct rows by now"
        condition = None
        if aggregate.condition is not None:
            condition = self._input(self._lowering.lower(aggregate.condition)).sql
        arguments = tuple(self._input(self._lowering.lower(argument)) for argument in aggregate.arguments)
        return SUMMED[aggregate.function](_Accumulated(self, condition), arguments)

    def sum(self, contribution: str, *, late: bool = False) -> Value:
        """Returns the sum of a contribution; a `late` one is an expression over `m0…`."""
        sql = Sql(contribution)
        if late:
            self._late.add(sql)
        return column(self._names.setdefault(sql, f"a{len(self._names)}"), INT8)

    def rare(self, sql: Sql, *, late: bool = False) -> Value:
        """Returns the rare floats of a group. The sums of their hashes, in halves, change whenever the floats do."""
        there = f"{sql} IS NOT NULL"
        count = self.sum(when((there, "1L"), otherwise="0L"), late=late)
        for half in halves(derived(f"xxhash64({sql})", INT8)):
            self.sum(when((there, half.sql), otherwise="0L"), late=late)
        known = [rare.name for rare in self.rares if rare.sql == sql]
        name = known[0] if known else f"r{len(self.rares)}"
        if not known:
            self.rares.append(Rare(name, sql, count.sql, late))
        return column(name, BOOL)

    def small(self, sql: Sql) -> str:
        """Returns the name of a column of numbers that are counted."""
        known = [name for name, other in self.smalls if other == sql]
        if not known:
            self.smalls.append((f"m{len(self.smalls)}", sql))
        return known[0] if known else self.smalls[-1][0]

    def _input(self, value: Value) -> Value:
        (value,) = settled(self.layers, [value])
        if value.error is not None:
            self.errors.append(value.error)
        return self.layers.once(value)


class _Accumulated:
    """A group's sums over the rows for which `condition` is true."""

    def __init__(self, accumulators: Accumulators, condition: Sql | None) -> None:
        self._accumulators = accumulators
        self._condition = condition

    @property
    def finals(self) -> Layers:
        return self._accumulators.finals

    def rows(self) -> Value:
        if self._condition is None:
            return column("n", INT8)
        return self._accumulators.sum(when((self._condition, "1L"), otherwise="0L"))

    def present(self, value: Value) -> Value:
        return self._accumulators.sum(when((self._counts(value), "1L"), otherwise="0L"))

    def total(self, value: Value) -> Value:
        there, total = self.present(value), self._total(value)
        return derived(when((f"{there.sql} > 0", total.sql)), INT8, there, total)

    def wide_total(self, value: Value) -> Value:
        upper, lower = halves(value)
        return from_halves(self.total(upper), self.total(lower))

    def decimal_total(self, value: Value) -> Value:
        precision, scale = form_of(value)
        form = (min(precision + 10, 38), scale)
        if precision <= _LONG_DIGITS:
            unscaled = derived(f"CAST(({value.sql} * {10**scale}BD) AS BIGINT)", INT8, value)
            total = _scaled(self.wide_total(unscaled), scale)
            return derived(f"CAST({total.sql} AS {decimal_type(form)})", NUMERIC, total, decimal=form)
        there = self.present(value)
        unscaled = _from_limbs(self.finals, [self._total(limb) for limb in _limbs(value, precision)])
        text = f"try_cast({_scaled(unscaled, scale).sql} AS {decimal_type(form)})"
        present = Value(Sql(f"nullif({there.sql}, 0L)"), INT8)
        total = derived(when((f"{there.sql} > 0", text)), NUMERIC, unscaled, there)
        return checked(
            self.finals, total.sql, NUMERIC, Failure.NUMERIC_OVERFLOW, present, decimal=form, over=(unscaled,)
        )

    def most(self, value: Value) -> Value:
        number = self._accumulators.small(when((self._counts(value), value.sql)))
        great = f"{number} >= {2 * _COUNTER_PAIRS}"
        greats = self._accumulators.rare(when((great, f"CAST({number} AS DOUBLE)")), late=True)
        known = [(f"size({greats.sql}) > 0", f"CAST(array_max({greats.sql}) AS INT)")]
        counters = []
        for low in reversed(range(0, 2 * _COUNTER_PAIRS, 2)):
            one, other = (f"{number} = {low}", "1L"), (f"{number} = {low + 1}", f"{_COUNTER_MODULUS}L")
            pair = self._accumulators.sum(when(one, other, otherwise="0L"), late=True)
            counters.append(pair)
            known.append((f"shiftrightunsigned({pair.sql}, 32) > 0", f"{low + 1}"))
            known.append((f"({pair.sql} & {_COUNTER_MODULUS - 1}L) > 0", f"{low}"))
        return derived(when(*known), INT4, greats, *counters)

    def float_total(self, value: Value) -> Value:
        return joined_floats(self.finals, self._float_sums(value))

    def float_average(self, value: Value) -> Value:
        return averaged_floats(self.finals, self._float_sums(value))

    def _float_sums(self, value: Value) -> FloatSums:
        cut = cut_float(self._accumulators.layers, value)
        rare = self._accumulators.layers.once(cut.rare).sql
        if self._condition is not None:
            rare = when((self._condition, rare))
        limbs = tuple(self._total(limb) for limb in cut.limbs)
        return FloatSums(limbs, self._accumulators.rare(rare), self.present(value))

    def _total(self, value: Value) -> Value:
        return self._accumulators.sum(when((self._counts(value), f"CAST({value.sql} AS BIGINT)"), otherwise="0L"))

    def _counts(self, value: Value) -> str:
        there = f"{value.sql} IS NOT NULL"
        return there if self._condition is None else f"{self._condition} AND {there}"


def _limbs(value: Value, precision: int) -> list[Value]:
    """Returns the digits of a decimal, without its point, nine at a time from the right; each limb has the value's
    sign."""
    count = -(-precision // _LIMB_DIGITS)
    text = f"replace(replace(CAST({value.sql} AS STRING), '.', ''), '-', '')"
    padded = f"lpad({text}, {count * _LIMB_DIGITS}, '0')"
    limbs = []
    for place in range(count):
        start = (count - 1 - place) * _LIMB_DIGITS + 1
        digits = f"CAST(substr({padded}, {start}, {_LIMB_DIGITS}) AS BIGINT)"
        limbs.append(derived(f"CASE WHEN {value.sql} < 0 THEN (- {digits}) ELSE {digits} END", INT8, value))
    return limbs


def _from_limbs(finals: Layers, sums: list[Value]) -> Value:
    """Returns the sum of at least three limbs as a decimal (38, 0); NULL when it does not fit.

    Carried over from limb to limb, all but the last are between 0 and 10**9; the last has the sign.
    """
    parts: list[Value] = []
    carry = "0L"
    for limb in sums[:-1]:
        whole = finals.once(derived(f"({limb.sql} + {carry})", INT8, limb, *parts))
        part = finals.once(derived(f"pmod({whole.sql}, {_LIMB}L)", INT8, whole))
        parts.append(part)
        carry = f"(({whole.sql} - {part.sql}) div {_LIMB}L)"
    last = derived(f"({sums[-1].sql} + {carry})", INT8, sums[-1], *parts)
    *lower, upper = parts
    first = f"(CAST({last.sql} AS DECIMAL(19,0)) * {_LIMB}BD + CAST({upper.sql} AS DECIMAL(19,0)))"
    rest = " + ".join(f"CAST({part.sql} AS DECIMAL(10,0)) * {_LIMB**i}BD" for i, part in enumerate(lower))
    text = call("try_add", call("try_multiply", first, f"{_LIMB ** len(lower)}BD"), f"({rest})")
    return finals.once(derived(f"try_cast({text} AS DECIMAL(38,0))", NUMERIC, last, *parts, decimal=(38, 0)))


def _scaled(unscaled: Value, scale: int) -> Value:
    """Returns the decimal with these digits, the last `scale` of them behind the point."""
    if scale == 0:
        return unscaled
    unit = numeric_literal(decimal.Decimal(1).scaleb(-scale), (scale, scale))
    return derived(f"({unscaled.sql} * {unit})", NUMERIC, unscaled, decimal=(38, scale))
