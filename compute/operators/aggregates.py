"""Aggregates in Spark: partial sums that do not depend on partitioning, then an expression over the sums.

Ordered-set aggregates read a few rows of a group that Spark sorts. Others without a lowering collect their group's
arguments for the function table's row, in a Python worker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compute.operators.float_sums import FloatSums, averaged_floats, cut_float, joined_floats
from compute.operators.group_columns import GroupColumns, exact
from compute.operators.ordered_sets import lower_ordered_set
from compute.operators.sums import SUMMED, from_halves, halves
from compute.scalars.comparisons import group_key, sortable, zero_text
from compute.scalars.failure import Failure
from compute.scalars.family import checked
from compute.scalars.layers import Layers
from compute.scalars.numerics import form_of
from compute.scalars.python_worker import AggregateWorker
from compute.scalars.spark_sql import Sql, when
from compute.scalars.value import Value, derived
from model.types.datum import Datum
from model.types.scalar_type import BOOL, FLOAT8, INT4, INT8, NUMERIC, TEXT, ScalarType, TypeName
from planner.functions.registry import AGGREGATES
from planner.functions.signature import AggregateFunction
from planner.ir.aggregate import Aggregate
from planner.ir.scalar import SessionName

_SESSION_DEFAULTS: dict[SessionName, Datum] = {SessionName.OUTPUT_STYLE: "UTC"}
Answer = Callable[[GroupColumns, Aggregate, tuple[Value, ...], str], Value]
"""The arguments are inputs; the text goes behind each partial aggregate (its FILTER)."""


def lower_aggregate(groups: GroupColumns, aggregate: Aggregate) -> Value:
    counted = None if aggregate.condition is None else groups.input(groups.lowering.lower(aggregate.condition)).sql
    condition = "" if counted is None else f" FILTER (WHERE {counted})"
    if aggregate.function in BUILT_IN:
        return lower_built_in(groups, aggregate, condition)
    arguments = tuple(groups.lowering.lower(argument) for argument in aggregate.arguments)
    placed = lower_ordered_set(groups, aggregate, arguments, counted)
    return _collected(groups, aggregate, arguments, condition) if placed is None else placed


def lower_built_in(groups: GroupColumns, aggregate: Aggregate, suffix: str) -> Value:
    """Returns an aggregate of BUILT_IN; `suffix` goes behind each partial aggregate."""
    arguments = tuple(groups.input(groups.lowering.lower(argument)) for argument in aggregate.arguments)
    summed = SUMMED.get(aggregate.function)
    if summed is not None:
        return summed(_Selected(groups, suffix, aggregate.distinct), arguments)
    return ANSWERS[aggregate.function](groups, aggregate, arguments, suffix)


def _collected(groups: GroupColumns, aggregate: Aggregate, arguments: tuple[Value, ...], condition: str) -> Value:
    row = AGGREGATES[aggregate.function]
    count = len(row.arguments)
    session = session_values(row, arguments[count:])
    values = [exact(groups, argument) for argument in arguments[:count]]
    keys = [exact(groups, groups.lowering.lower(key.expression)) for key in aggregate.order]
    fields = [f"'a{i}', {value.sql}" for i, value in enumerate(values)]
    fields += [f"'k{i}', {key.sql}" for i, key in enumerate(keys)] or ([] if fields else ["'z', 0"])
    collected = f"collect_list(named_struct({', '.join(fields)})){condition}"
    fallible = row.fallible or aggregate.type.name is TypeName.NUMERIC
    worker = AggregateWorker(
        aggregate.function,
        tuple(value.type for value in values),
        tuple(key.type for key in keys),
        tuple(key.descending for key in aggregate.order),
        tuple(key.nulls_first for key in aggregate.order),
        aggregate.distinct,
        session,
        aggregate.type,
        fallible,
    )
    return groups.python.aggregate(groups.finals, worker, groups.partial(collected, BOOL))


def session_values(row: AggregateFunction, given: tuple[Value, ...]) -> tuple[Datum, ...]:
    """Returns the session's values for an aggregate: the arguments after its own, or defaults."""
    if row.session and not given:
        return tuple(_SESSION_DEFAULTS[name] for name in row.session)
    return tuple(value.constant for value in given)


class _Selected:
    """Spark's sums over the rows of one aggregate; `condition` goes behind each partial aggregate."""

    def __init__(self, groups: GroupColumns, condition: str, distinct: bool) -> None:
        self._groups = groups
        self._condition = condition
        self._distinct = distinct

    @property
    def finals(self) -> Layers:
        return self._groups.finals

    def rows(self) -> Value:
        return self._sum("count(1)", INT8)

    def present(self, value: Value) -> Value:
        stand_in = group_key(value.sql, value.type) if self._distinct else None
        return self._sum(f"count({self._each}{value.sql if stand_in is None else stand_in})", INT8)

    def total(self, value: Value) -> Value:
        return self._sum(f"sum({self._each}{value.sql})", INT8)

    def wide_total(self, value: Value) -> Value:
        if self._distinct:
            return self._sum(f"sum(DISTINCT CAST({value.sql} AS DECIMAL(19,0)))", NUMERIC, (29, 0))
        upper, lower = halves(value)
        return from_halves(self.total(upper), self.total(lower))

    def decimal_total(self, value: Value) -> Value:
        total = self._decimal_total(value)
        return total if value.shown is None else replace(total, shown=self._sum(f"max({value.shown})", INT4).sql)

    def _decimal_total(self, value: Value) -> Value:
        precision, scale = form_of(value)
        if precision + 10 <= 38:
            return self._sum(f"sum({self._each}{value.sql})", NUMERIC, (precision + 10, scale))
        total = self._sum(f"try_sum({self._each}{value.sql})", NUMERIC, (38, scale))
        present = self._sum(f"count({value.sql})", INT8)
        # `checked` asks whether its operand is there; the count stands for it.
        there = Value(Sql(f"nullif({present.sql}, 0L)"), INT8)
        return checked(self.finals, total.sql, NUMERIC, Failure.NUMERIC_OVERFLOW, there, decimal=(38, scale))

    def most(self, value: Value) -> Value:
        return self._sum(f"max({value.sql})", INT4)

    def float_total(self, value: Value) -> Value:
        if self._distinct:
            return self._of_distinct_floats("sum_float8", value)
        return joined_floats(self.finals, self._float_sums(value))

    def float_average(self, value: Value) -> Value:
        if self._distinct:
            return self._of_distinct_floats("avg_float8", value)
        return averaged_floats(self.finals, self._float_sums(value))

    def _of_distinct_floats(self, function: str, value: Value) -> Value:
        """Aggregates distinct floats: Python tells distinct values apart."""
        collected = self._sum(f"collect_list(named_struct('a0', CAST({value.sql} AS DOUBLE)))", BOOL)
        worker = AggregateWorker(function, (FLOAT8,), (), (), (), True, (), FLOAT8, True)
        return self._groups.python.aggregate(self.finals, worker, collected)

    def _float_sums(self, value: Value) -> FloatSums:
        groups = self._groups
        cut = cut_float(groups.layers, groups.origin(value))
        limbs = tuple(self.total(groups.input(limb)) for limb in cut.limbs)
        rares = self._sum(f"collect_list({groups.input(cut.rare).sql})", BOOL)
        return FloatSums(limbs, rares, self.present(value))

    @property
    def _each(self) -> str:
        return "DISTINCT " if self._distinct else ""

    def _sum(self, text: str, type_: ScalarType, decimal: tuple[int, int] | None = None) -> Value:
        return self._groups.partial(text + self._condition, type_, decimal)


def _extreme(function: str) -> Answer:
    sign = "-" if function == "min" else ""

    def answer(groups: GroupColumns, aggregate: Aggregate, arguments: tuple[Value, ...], condition: str) -> Value:
        (value,) = arguments
        if value.type.name in (TypeName.INTERVAL, TypeName.WIDE, TypeName.BPCHAR):
            ranked = f"named_struct('rank', {sortable(value.sql, value.type)}, 'value', {value.sql})"
            whole = f"CASE WHEN {value.sql} IS NOT NULL THEN {ranked} END"
            found = groups.partial(f"{function}({whole}){condition}", value.type)
            return derived(f"{found.sql}.value", value.type, found)
        found = groups.partial(f"{function}({value.sql}){condition}", value.type, value.decimal)
        if value.shown is not None:
            # Of equal values the one with the most decimals.
            ranked = f"named_struct('value', {value.sql}, 'decimals', {sign}{value.shown})"
            whole = f"CASE WHEN {value.sql} IS NOT NULL THEN {ranked} END"
            told = groups.partial(f"{function}({whole}){condition}", INT4)
            return replace(found, shown=Sql(f"({sign}{told.sql}.decimals)"))
        if value.type.name not in (TypeName.FLOAT4, TypeName.FLOAT8):
            return found
        # Of a group's zeros, which are equal, the same one whatever the order of its rows.
        zero = groups.partial(f"{function}({zero_text(value.sql)}){condition}", TEXT)
        chosen = f"CAST({zero.sql} AS {value.spark_type})"
        return derived(when((f"{found.sql} = 0", chosen), otherwise=found.sql), value.type, found, zero)

    return answer


def _native(function: str) -> Answer:
    def answer(groups: GroupColumns, aggregate: Aggregate, arguments: tuple[Value, ...], condition: str) -> Value:
        each = "DISTINCT " if aggregate.distinct else ""
        return groups.partial(f"{function}({each}{arguments[0].sql}){condition}", arguments[0].type)

    return answer


_COMPARED = (
    "int2", "int4", "int8", "uint2", "uint4", "uint8",
    "float4", "float8", "numeric", "wide", "text", "bpchar", "date", "time", "timetz", "timestamp",
    "timestamptz", "interval", "inet", "oid", "money", "mz_timestamp",
)  # fmt: skip

ANSWERS: dict[str, Answer] = {
    **{f"min_{name}": _extreme("min") for name in _COMPARED},
    **{f"max_{name}": _extreme("max") for name in _COMPARED},
    **{
        f"bit_{word}_{name}": _native(f"bit_{word}")
        for word in ("and", "or", "xor")
        for name in ("int2", "int4", "int8")
    },
}

BUILT_IN = frozenset(SUMMED) | frozenset(ANSWERS)
"""The function keys of aggregates that Spark computes itself."""
