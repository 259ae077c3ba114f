"""Code for Spark's Python workers: evaluates rows of the function table on datums, a batch of columns at a time.

Instances travel to workers by pickle, and so hold names and types; workers look functions up. A result is a column of
values, or a struct of `value` and `err` ("SQLSTATE message") for a fallible function, with `shown`, the number of
decimals of each value, where `tells_decimals` of its type.
"""

from __future__ import annotations

import datetime
import decimal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Any

import pyarrow as pa

from compute.scalars.comparisons import holds
from model.errors.deep_recursion import allow_deep_recursion, too_deep
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_order import jsonb_order_bytes
from model.order.datum_order import sort_key
from model.physical.columns import column_from_arrow, column_to_arrow, decimal_bounds
from model.physical.wide_times import held_beside, moment_number
from model.text.numerics import unheld, unstorable
from model.types.datum import Datum, Range, ShapedArray
from model.types.range_types import MULTIRANGE_NAMES, RANGE_NAMES, range_in, subtype_of
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import BOOL, ScalarType, TypeName, shown_scale
from model.types.wide_time import WideMoment
from planner.functions.casts.compared import FUNCTIONS as COMPARED
from planner.functions.numbers.decimals import min_scale, shown_decimals
from planner.functions.registry import AGGREGATES, FUNCTIONS, TABLE_FUNCTIONS
from planner.functions.system.waiting import Waits, waiting_by
from planner.ir.scalar import Quantifier

Types = tuple[ScalarType, ...]
_WAITS = Waits(time.sleep)
"""A worker is one statement's, of which it knows no session."""
FORMS = (
    *(TypeName.INTERVAL, TypeName.JSONB, TypeName.TSQUERY, TypeName.WIDE, TypeName.BPCHAR),
    *(TypeName.FLOAT4, TypeName.FLOAT8),
)
"""Types whose equal values may differ in form."""
_EXCEEDING = (TypeName.NUMERIC, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ)
OUT_OF_RANGE = SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value out of range")


def error_text(error: SqlError) -> str:
    return f"{error.sqlstate.value} {error.message}"


def storable(value: Datum, type_: ScalarType) -> Datum:
    """Returns a datum that the physical form holds: 22003 for a numeric, 22008 for a timestamp that it does not hold,
    alone or within another value."""
    if value is None or not _can_exceed(type_):
        return value
    if isinstance(value, Range):
        bound = subtype_of(type_)
        storable(value.lower, bound)
        storable(value.upper, bound)
        return value
    if type_.name in MULTIRANGE_NAMES and isinstance(value, tuple):
        for item in value:
            storable(item, range_in(type_))
        return value
    if type_.member is not None and isinstance(value, tuple):
        for item in value:
            held = item[1] if type_.name is TypeName.MAP and isinstance(item, tuple) else item
            storable(held, type_.member)
        return value
    if type_.element is not None and isinstance(value, tuple | ShapedArray):
        for item in value:
            storable(item, type_.element)
        return value
    if type_.name is TypeName.RECORD and isinstance(value, tuple):
        for item, (_, field) in zip(value, type_.fields, strict=True):
            storable(item, field)
        return value
    if isinstance(value, datetime.datetime | WideMoment):
        moment_number(value)
        return value
    assert isinstance(value, decimal.Decimal)
    precision, scale = decimal_bounds(type_)
    if not value.is_finite():
        raise unheld(value)
    if value and (value.adjusted() >= precision - scale or min_scale(value) > scale):
        raise unstorable()
    return value


@lru_cache(maxsize=1024)
def _can_exceed(type_: ScalarType) -> bool:
    """Tells whether a type has values that its physical form does not hold."""
    if type_.name in RANGE_NAMES or type_.name in MULTIRANGE_NAMES:
        held = range_in(type_) if type_.name in MULTIRANGE_NAMES else type_
        return _can_exceed(subtype_of(held))
    within = (type_.element, type_.member, *(field for _, field in type_.fields))
    return type_.name in _EXCEEDING or any(each is not None and _can_exceed(each) for each in within)


def jsonb_keys(texts: pa.Array) -> pa.Array:
    """Returns the keys of jsonb values, as bytes."""
    make_room()
    keys = [None if text is None else jsonb_order_bytes(text) for text in texts.to_pylist()]
    return pa.array(keys, pa.binary())


@cache
def make_room() -> None:
    """Makes room in each worker once: its values are as deep as those of the processes that took them in."""
    allow_deep_recursion()


def _columns(columns: tuple[pa.Array, ...], types: Types) -> Iterator[tuple[Datum, ...]]:
    """Yields rows of datums; without types, an empty row for each row of the columns."""
    if not types:
        return iter([()] * len(columns[0]))
    return zip(*(column_from_arrow(column, type_) for column, type_ in zip(columns, types)))


def _evaluated(
    rows: Iterator[tuple[Datum, ...]],
    evaluate: Callable[..., Datum],
    type_: ScalarType,
    fallible: bool,
    tells: bool = False,
) -> pa.Array:
    make_room()
    values: list[Datum] = []
    errors: list[str | None] = []
    for row in rows:
        try:
            value, error = storable(evaluate(*row), type_), None
        except (SqlError, ArithmeticError, RecursionError) as failure:
            if not fallible:
                raise
            value, error = None, error_text(told_of(failure))
        values.append(value)
        errors.append(error)
    if not fallible:
        return column_to_arrow(values, type_)
    fields = {"value": _column(values, errors, type_), "err": pa.array(errors, pa.string())}
    if tells:
        shown = [shown_decimals(value) if isinstance(value, decimal.Decimal) else None for value in values]
        fields["shown"] = pa.array(shown, pa.int32())
    return pa.StructArray.from_arrays(list(fields.values()), names=list(fields))


def tells_decimals(type_: ScalarType) -> bool:
    """Tells whether the results of a function that reads decimals say with how many they are shown."""
    return type_.name is TypeName.NUMERIC and shown_scale(type_) is None


def told_of(failure: SqlError | ArithmeticError | RecursionError) -> SqlError:
    """Returns a row's failure as an SqlError."""
    if isinstance(failure, RecursionError):
        return too_deep()
    return failure if isinstance(failure, SqlError) else OUT_OF_RANGE


def evaluated_columns(
    columns: tuple[pa.Array, ...], types: Types, evaluate: Callable[..., Datum], result: ScalarType
) -> pa.Array:
    """Returns the results of `evaluate` for each row, with errors, and decimals where the type does not tell them."""
    with waiting_by(_WAITS):
        return _evaluated(_columns(columns, types), evaluate, result, True, tells_decimals(result))


def evaluated_flags(columns: tuple[pa.Array, ...], types: Types, evaluate: Callable[..., bool | None]) -> pa.Array:
    """Returns the results of `evaluate`, which never fails, for each row."""
    return _evaluated(_columns(columns, types), evaluate, BOOL, False)


def _column(values: list[Datum], errors: list[str | None], type_: ScalarType) -> pa.Array:
    """Returns the values as a column; values outside the physical type become errors."""
    try:
        return column_to_arrow(values, type_)
    except (pa.ArrowInvalid, OverflowError, SqlError):
        pass
    for index, value in enumerate(values):
        try:
            column_to_arrow([value], type_)
        except (pa.ArrowInvalid, OverflowError, SqlError) as failure:
            told = failure if isinstance(failure, SqlError) else OUT_OF_RANGE
            values[index], errors[index] = None, error_text(told)
    return column_to_arrow(values, type_)


def scalar_evaluator(key: str, types: Types) -> Callable[..., Datum]:
    """Returns a function of the table on datums of `types` (session values included), NULL where it is strict."""
    row = FUNCTIONS[key]
    evaluate: Callable[..., Datum] = row.evaluate
    if row.needs_system:
        raise NotSupported(f"{row.name} of a collection's rows")
    if row.typed:
        own = types[: len(types) - len(row.session)] if row.session else types
        typed = evaluate
        evaluate = lambda *datums: typed(own, *datums)  # noqa: E731
    if row in COMPARED:
        exact = evaluate
        evaluate = lambda *datums: held_beside(exact(*datums))  # noqa: E731
    if not row.strict:
        return evaluate
    inner = evaluate
    return lambda *datums: None if None in datums else inner(*datums)


@dataclass(frozen=True)
class ScalarWorker:
    key: str
    types: Types
    result: ScalarType
    fallible: bool

    @cached_property
    def _evaluate(self) -> Callable[..., Datum]:
        return scalar_evaluator(self.key, self.types)

    def __call__(self, *columns: pa.Array) -> pa.Array:
        if self.fallible:
            return evaluated_columns(columns, self.types, self._evaluate, self.result)
        with waiting_by(_WAITS):
            return _evaluated(_columns(columns, self.types), self._evaluate, self.result, False)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}


def quantified_evaluator(key: str, quantifier: Quantifier, types: Types) -> Callable[..., Datum]:
    """Returns an evaluator of `left op ANY|ALL (array)`, three-valued."""
    element = types[1].element
    assert element is not None
    compare = scalar_evaluator(key, (types[0], element))
    decisive = quantifier is Quantifier.ANY

    def evaluate(left: Datum, array: Datum) -> Datum:
        if array is None:
            return None
        assert isinstance(array, tuple | ShapedArray)
        answers = [compare(left, item) for item in array]
        if decisive in answers:
            return decisive
        return None if None in answers else not decisive

    return evaluate


@dataclass(frozen=True)
class QuantifiedWorker:
    key: str
    quantifier: Quantifier
    types: Types
    result: ScalarType
    fallible: bool

    @cached_property
    def _evaluate(self) -> Callable[..., Datum]:
        return quantified_evaluator(self.key, self.quantifier, self.types)

    def __call__(self, *columns: pa.Array) -> pa.Array:
        return _evaluated(_columns(columns, self.types), self._evaluate, self.result, self.fallible)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}


class _Reversed:
    """A key that sorts in reverse."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __lt__(self, other: _Reversed) -> bool:
        return bool(other.key < self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Reversed) and bool(self.key == other.key)


def order_key(types: Types, descending: tuple[bool, ...], nulls_first: tuple[bool, ...]) -> Callable[[Any], Any]:
    """Returns a key function for rows of `types`."""
    keys = [sort_key(type_) for type_ in types]

    def key(row: Any) -> Any:
        parts: list[Any] = []
        for value, make, down, first in zip(row, keys, descending, nulls_first):
            if value is None:
                parts.append((0 if first else 2, 0))
            else:
                parts.append((1, _Reversed(make(value)) if down else make(value)))
        return parts

    return key


@dataclass(frozen=True)
class AggregateWorker:
    """Evaluates an aggregate. Groups arrive as lists of structs: the arguments `a0…`, then the keys `k0…` of the
    order."""

    key: str
    types: Types
    order: Types
    descending: tuple[bool, ...]
    nulls_first: tuple[bool, ...]
    distinct: bool
    session: tuple[Datum, ...]
    result: ScalarType
    fallible: bool

    @cached_property
    def _evaluate(self) -> Callable[[list[tuple[Datum, ...]]], Datum]:
        row = AGGREGATES[self.key]
        ascending, last = (False,) * len(self.types), (False,) * len(self.types)
        by_value = order_key(self.types, ascending, last)
        by_order = order_key(self.order, self.descending, self.nulls_first)
        arity = len(self.types)
        alike = any(holds(type_, name) for type_ in self.types for name in FORMS)

        def evaluate(group: list[tuple[Datum, ...]]) -> Datum:
            if row.skips_nulls:
                group = [item for item in group if None not in item[:arity]]
            # Equal values may differ (0 and -0, a month and 30 days): their texts make the order total.
            group.sort(key=lambda item: (by_order(item[arity:]), by_value(item[:arity]), repr(item) if alike else ""))
            rows = [item[:arity] for item in group]
            if self.distinct:
                rows = _without_repeats(rows, by_value)
            arguments: list[Any] = [rows, *self.session]
            result: Datum = row.evaluate(self.types, *arguments) if row.typed else row.evaluate(*arguments)
            return result

        return evaluate

    def __call__(self, groups: pa.Array) -> pa.Array:
        return _evaluated(self._groups(groups), self._evaluate, self.result, self.fallible)  # type: ignore[arg-type]

    def _groups(self, groups: pa.ListArray) -> Iterator[tuple[list[tuple[Datum, ...]]]]:
        offsets = groups.offsets.to_pylist()
        first = offsets[0]
        items = groups.flatten()
        columns = [column_from_arrow(items.field(i), t) for i, t in enumerate((*self.types, *self.order))]
        rows: list[tuple[Datum, ...]] = list(zip(*columns)) if columns else [()] * len(items)
        for start, end in pairwise(offsets):
            yield (rows[start - first : end - first],)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}


class _SomeRows:
    """A group's rows, `count` in all, as an ordered-set aggregate reads them: pairs of the direct argument and a value.
    Only some values are here; `values` holds them by the rows' places, from 0."""

    __slots__ = ("_count", "_direct", "_values")

    def __init__(self, direct: Datum, count: int, values: dict[int, Datum]) -> None:
        self._direct = direct
        self._count = count
        self._values = values

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: int, /) -> tuple[Datum, ...]:
        return self._direct, self._values[place]


@dataclass(frozen=True, slots=True)
class PlacedWorker:
    """Evaluates an ordered-set aggregate from the rows that it reads. Groups arrive as a direct argument, the number of
    rows, and a list of structs: a row's place from 0, and its value. `types`: of the argument and the value."""

    key: str
    types: tuple[ScalarType, ScalarType]
    result: ScalarType

    def __call__(self, direct: pa.Array, counts: pa.Array, read: pa.ListArray) -> pa.Array:
        evaluate = AGGREGATES[self.key].evaluate
        return _evaluated(self._rows(direct, counts, read), evaluate, self.result, True)  # type: ignore[arg-type]

    def _rows(self, direct: pa.Array, counts: pa.Array, read: pa.ListArray) -> Iterator[tuple[_SomeRows]]:
        offsets = read.offsets.to_pylist()
        first = offsets[0]
        items = read.flatten()
        places, values = items.field(0).to_pylist(), list(column_from_arrow(items.field(1), self.types[1]))
        spans = ((start - first, end - first) for start, end in pairwise(offsets))
        given = column_from_arrow(direct, self.types[0])
        for fraction, count, (start, end) in zip(given, counts.to_pylist(), spans):
            yield (_SomeRows(fraction, count, dict(zip(places[start:end], values[start:end]))),)


def _without_repeats(rows: list[tuple[Datum, ...]], key: Callable[[Any], Any]) -> list[tuple[Datum, ...]]:
    kept: list[tuple[Datum, ...]] = []
    seen: list[Any] = []
    for row in sorted(rows, key=key):
        if not seen or seen[-1] != key(row):
            seen.append(key(row))
            kept.append(row)
    wanted = {id(row) for row in kept}
    return [row for row in rows if id(row) in wanted]


def table_result(desc: RelationDesc) -> ScalarType:
    """Returns a row of a table function, as a record."""
    return ScalarType(TypeName.RECORD, fields=tuple((c.name, c.type) for c in desc.columns))


@dataclass(frozen=True)
class TableWorker:
    """Yields, for each row, the list of the table function's rows as structs, or an error."""

    key: str
    types: Types
    desc: RelationDesc

    @cached_property
    def _evaluate(self) -> Callable[..., Iterable[tuple[Datum, ...]]]:
        row = TABLE_FUNCTIONS[self.key]
        if row.needs_system:
            raise NotSupported(f"{row.name} of a collection's rows")

        def evaluate(*datums: Datum) -> Iterable[tuple[Datum, ...]]:
            if row.strict and None in datums:
                return ()
            own = self.types[: len(self.types) - len(row.session)]
            return row.evaluate(own, *datums) if row.typed else row.evaluate(*datums)

        return evaluate

    def __call__(self, *columns: pa.Array) -> pa.Array:
        make_room()
        record = table_result(self.desc)
        values: list[Any] = []
        errors: list[str | None] = []
        for datums in _columns(columns, self.types):
            try:
                rows = [
                    tuple(storable(value, type_) for value, type_ in zip(row, self.desc.types, strict=True))
                    for row in self._evaluate(*datums)
                ]
                values.append(rows)
                errors.append(None)
            except (SqlError, RecursionError) as failure:
                values.append(None)
                errors.append(error_text(told_of(failure)))
        column = column_to_arrow(values, ScalarType(TypeName.LIST, member=record))
        return pa.StructArray.from_arrays([column, pa.array(errors, pa.string())], names=["value", "err"])

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}
