"""Decimals of groups: of equal keys and of summed values the most, of least and greatest values the most among equals,
and of means those of the quotients that they are.

    max(n) by k    →    max(n) by k, joined with the first row of each k in the order n DESC, decimals DESC
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from model.types.scalar_type import INT4, INT8, NUMERIC, ScalarType, has_own_decimals, shown_scale
from planner.functions.casts.table import find_cast
from planner.functions.numbers.shown_scales import decimals_of_value
from planner.functions.sameness import same
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Join, JoinKind, Let, LocalGet, Map, Project, Reduce, Relation, TopK
from planner.ir.scalar import Call, Case, Column, Literal, Scalar, scalar_type
from planner.rules.decimals.expressions import Places, decimals_read, decimals_told, shown_as, telling

Told = Callable[[Relation, frozenset[int]], Relation]
_NAME = "decimals"
SUMS = {
    "avg_numeric": ("sum_numeric", NUMERIC),
    "avg_int2": ("sum_int2", INT8),
    "avg_int4": ("sum_int4", INT8),
    "avg_int8": ("sum_int8", NUMERIC),
}
"""By the aggregate of a mean, that of the sum, and its type."""
_EXTREMES = ("min_numeric", "max_numeric")
MOST_DECIMALS = "most_decimals_int4"
"""The aggregate of decimals whose greatest number a dataflow keeps by counters beside its sums."""
OF_VALUES = frozenset(("sum_numeric", "count_any", *SUMS, *_EXTREMES))
"""Aggregates whose values hang on their arguments' values alone."""


def reduced_with_decimals(told: Told, fresh: Iterator[int], reduce: Reduce, asked: frozenset[int]) -> Relation:
    """Returns a Reduce with the decimals of the columns `asked` behind its own; `told` yields its input with those of
    columns, and `fresh` local ids."""
    keys = len(reduce.key)
    read = decimals_read(key for at, key in enumerate(reduce.key) if at not in asked)
    read |= decimals_read((key for at, key in enumerate(reduce.key) if at in asked), asked=True)
    for at, each in enumerate(reduce.aggregates):
        read |= _read_by(each, keys + at in asked)
    input_ = told(reduce.input, frozenset(read))
    arity = relation_desc_of(reduce.input).arity
    places = {at: arity + number for number, at in enumerate(sorted(read))}
    if not read and not asked:
        return replace(reduce, input=input_)
    groups = _Groups(reduce, places, input_)
    for at in range(keys):
        groups.add_key(at, at in asked)
    for at, each in enumerate(reduce.aggregates):
        groups.add(each, keys + at in asked)
    return groups.finished(fresh)


def _read_by(aggregate: Aggregate, asked: bool) -> set[int]:
    """Returns the columns whose decimals an aggregate reads."""
    around = [key.expression for key in aggregate.order]
    around += [] if aggregate.condition is None else [aggregate.condition]
    return decimals_read(around) | decimals_read(aggregate.arguments, asked or aggregate.function not in OF_VALUES)


@dataclass(slots=True)
class _Groups:
    """A Reduce under way. `aggregates`: those that are computed; `outputs`: each column of the result over the groups'
    columns; `decimals`: of those that are asked for; `extremes`: the least and greatest values whose decimals are asked
    for, with the positions of both among `outputs` and `decimals`."""

    reduce: Reduce
    places: Places
    input: Relation
    aggregates: list[Aggregate] = field(default_factory=list)
    outputs: list[Scalar] = field(default_factory=list)
    decimals: list[Scalar] = field(default_factory=list)
    extremes: list[tuple[int, int, Aggregate]] = field(default_factory=list)

    @property
    def keys(self) -> int:
        return len(self.reduce.key)

    def add_key(self, at: int, asked: bool) -> None:
        key = self.reduce.key[at]
        self.outputs.append(Column(at, scalar_type(key)))
        if asked:
            self.decimals.append(self._computed(Aggregate(MOST_DECIMALS, (decimals_told(key, self.places),), INT4)))

    def add(self, aggregate: Aggregate, asked: bool) -> None:
        of_values = aggregate.function in OF_VALUES
        condition = None if aggregate.condition is None else telling(aggregate.condition, self.places)
        own = replace(
            aggregate,
            arguments=tuple(telling(each, self.places, asked=not of_values) for each in aggregate.arguments),
            condition=condition,
            order=tuple(replace(key, expression=telling(key.expression, self.places)) for key in aggregate.order),
        )
        if not asked:
            self.outputs.append(self._computed(own))
        elif aggregate.function in SUMS:
            mean = self._mean(aggregate, own)
            self.outputs.append(mean)
            self.decimals.append(decimals_of_value(mean))
        elif aggregate.function == "sum_numeric":
            self.outputs.append(self._computed(own))
            self.decimals.append(self._most(aggregate, condition))
        elif aggregate.function in _EXTREMES and has_own_decimals(scalar_type(aggregate.arguments[0])):
            self.extremes.append((len(self.outputs), len(self.decimals), replace(aggregate, condition=condition)))
            self.outputs.append(Literal(None, aggregate.type))
            self.decimals.append(Literal(None, INT4))
        else:
            value = self._computed(own)
            self.outputs.append(value)
            self.decimals.append(decimals_of_value(value))

    def finished(self, fresh: Iterator[int]) -> Relation:
        names = (*self.reduce.names[: self.keys], *(_NAME for _ in self.aggregates))
        key = tuple(telling(each, self.places) for each in self.reduce.key)
        if not self.extremes:
            return self._answered(Reduce(self.input, key, tuple(self.aggregates), names))
        shared = next(fresh)
        rows = LocalGet(shared, relation_desc_of(self.input))
        # Without a key there is a group without rows, too.
        kept = Reduce(rows, key, tuple(self.aggregates), names)
        groups: Relation | None = kept if self.aggregates or not key else None
        for output, decimals, each in self.extremes:
            width = 0 if groups is None else relation_desc_of(groups).arity
            first = self._first_row(rows, key, each)
            on = tuple(
                same(Column(i, type_), Column(width + i, type_), type_) for i, type_ in enumerate(map(scalar_type, key))
            )
            groups = first if groups is None else Join(JoinKind.LEFT, groups, first, on)
            self.outputs[output] = Column(width + self.keys, scalar_type(self.outputs[output]))
            self.decimals[decimals] = Column(width + self.keys + 1, INT4)
        assert groups is not None, "there is a least or greatest value"
        return Let(shared, self.input, self._answered(groups))

    def _answered(self, groups: Relation) -> Relation:
        """Computes the result's columns from those of the groups."""
        scalars = [*self.outputs, *self.decimals]
        width = relation_desc_of(groups).arity
        computed = [scalar for scalar in scalars if not isinstance(scalar, Column)]
        behind = iter(range(width, width + len(computed)))
        columns = tuple(scalar.index if isinstance(scalar, Column) else next(behind) for scalar in scalars)
        names = (*self.reduce.names, *(_NAME for _ in self.decimals))
        of_computed = tuple(name for name, scalar in zip(names, scalars, strict=True) if not isinstance(scalar, Column))
        return Project(Map(groups, tuple(computed), of_computed) if computed else groups, columns)

    def _computed(self, aggregate: Aggregate) -> Column:
        """Returns the column of an aggregate, which is computed once."""
        # By their texts: 1.0 and 1.00 are equal, and yet not the same.
        known = [repr(each) for each in self.aggregates]
        if repr(aggregate) not in known:
            known.append(repr(aggregate))
            self.aggregates.append(aggregate)
        return Column(self.keys + known.index(repr(aggregate)), aggregate.type)

    def _most(self, aggregate: Aggregate, condition: Scalar | None) -> Scalar:
        """Returns the most decimals of the values that an aggregate takes; all have those that their type tells."""
        (value,) = aggregate.arguments
        scale = shown_scale(scalar_type(value))
        if scale is not None:
            return Literal(scale, INT4)
        return self._computed(Aggregate(MOST_DECIMALS, (decimals_told(value, self.places),), INT4, condition=condition))

    def _mean(self, aggregate: Aggregate, own: Aggregate) -> Scalar:
        function, type_ = SUMS[aggregate.function]
        total = self._computed(replace(own, function=function, type=type_))
        number = self._computed(replace(own, function="count_any", type=INT8))
        most = self._most(aggregate, own.condition) if aggregate.function == "avg_numeric" else None
        return mean_of(total, number, most, aggregate.type)

    def _first_row(self, rows: Relation, key: Sequence[Scalar], aggregate: Aggregate) -> Relation:
        """Returns of each group the row with the value that is asked for, and its decimals."""
        (value,) = aggregate.arguments
        told = decimals_told(value, self.places)
        value = telling(value, self.places)
        if aggregate.condition is not None:
            value = Case(((aggregate.condition, value),), Literal(None, NUMERIC), NUMERIC)
        width = relation_desc_of(rows).arity
        computed = Map(rows, (*key, value, told), (*self.reduce.names[: self.keys], _NAME, _NAME))
        chosen = Project(computed, tuple(range(width, width + self.keys + 2)))
        descending = aggregate.function.startswith("max_")
        order = (
            SortKey(Column(self.keys, scalar_type(value)), descending, False),
            SortKey(Column(self.keys + 1, INT4), True, False),
        )
        return TopK(chosen, tuple(range(self.keys)), order, Literal(1, INT8), None)


def mean_of(total: Scalar, number: Scalar, decimals: Scalar | None, type_: ScalarType) -> Scalar:
    """Returns a mean as the quotient that it is: its digits hang on the decimals of the sum."""
    if decimals is not None:
        total = shown_as(total, decimals)
    return Call("divide_numeric_numeric", (_as_numeric(total), _as_numeric(number)), type_)


def _as_numeric(scalar: Scalar) -> Scalar:
    type_ = scalar_type(scalar)
    if type_ == NUMERIC or type_.name is NUMERIC.name:
        return scalar
    cast = find_cast(type_, NUMERIC)
    assert cast is not None, "any integer is a numeric"
    return Call(cast.function.key, (scalar,), NUMERIC)
