"""Calls of the functions of the table with values that tempt them, as they are evaluated."""

from __future__ import annotations

import datetime
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from model.types.scalar_type import ScalarType, TypeName, array_of
from planner.functions.registry import AGGREGATES, FUNCTIONS, TABLE_FUNCTIONS
from planner.functions.signature import AggregateFunction, Function, TableFunction, Volatility
from planner.ir.scalar import SessionName

Row = Function | TableFunction | AggregateFunction
Types = tuple[ScalarType, ...]
Call = Callable[[Types, tuple[Any, ...]], Any]
Pools = Mapping[TypeName, Sequence[Any]]
Session = Mapping[SessionName, Any]

_ANY = (TypeName.ANY, TypeName.ANYELEMENT, TypeName.ANYNONARRAY, TypeName.ANYCOMPATIBLE)
_ARRAYS = (TypeName.ANYARRAY, TypeName.ANYCOMPATIBLEARRAY)
_SESSION: dict[SessionName, Any] = {
    SessionName.TIME_ZONE: "UTC",
    SessionName.DATE_STYLE: "ISO, MDY",
    SessionName.NOW: datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC),
}
_LEFT_OUT = ("repeat", "lpad", "rpad", "array_fill", "with_element", "with_slice", "bits_of", "sql_json_object")
"""What makes as much as it is told to, and what only the planner knows how to call."""
_ROWS_MAX = 100


def callable_rows(time_zone: str = "UTC") -> list[tuple[Row, Call]]:
    """All functions, table functions and aggregates that can be called with values alone, and how, in a session's
    time zone."""
    session = {**_SESSION, SessionName.TIME_ZONE: time_zone}
    rows: list[tuple[Row, Call]] = []
    rows += [(row, _scalar(row, session)) for row in FUNCTIONS.values() if _pure(row) and row.name not in _LEFT_OUT]
    rows += [(row, _table(row, session)) for row in TABLE_FUNCTIONS.values() if not row.needs_system]
    rows += [(row, _aggregate(row, session)) for row in AGGREGATES.values() if row.direct is None]
    return [(row, call) for row, call in rows if set(row.session) <= set(_SESSION) and "_populate_" not in row.name]


def _pure(row: Function) -> bool:
    return not row.needs_system and row.volatility is not Volatility.VOLATILE


def _argument(
    type_: ScalarType, kind: TypeName, pools: Pools, randomness: random.Random
) -> tuple[ScalarType, Any] | None:
    """A type that stands for an argument's, and a value of it; `kind` is what polymorphic arguments are of."""
    if type_.name in _ANY:
        type_ = ScalarType(kind)
    if type_.name in _ARRAYS:
        type_ = array_of(ScalarType(kind))
    if type_.element is not None:
        found = _argument(type_.element, kind, pools, randomness)
        return None if found is None else (type_, (found[1], found[1]))
    pool = pools.get(type_.name)
    return None if pool is None else (type_, randomness.choice(pool))


def drawn_calls(
    row: Row, pools: Pools, kinds: Sequence[TypeName], count: int
) -> Iterator[tuple[Types, tuple[Any, ...]]]:
    """Types and values of some calls; none where an argument's type has no pool. `kinds` stand for any type."""
    randomness = random.Random(row.key)
    for _ in range(count if row.arguments else 1):
        kind = randomness.choice(kinds)
        found = [_argument(type_, kind, pools, randomness) for type_ in row.arguments]
        drawn = [each for each in found if each is not None]
        if len(drawn) == len(found):
            yield tuple(type_ for type_, _ in drawn), tuple(value for _, value in drawn)


def _values(
    row: Row, session: Session, types: Types, values: tuple[Any, ...] | list[tuple[Any, ...]]
) -> tuple[Any, ...]:
    given = (values,) if isinstance(values, list) else values
    return (*((types,) if row.typed else ()), *given, *(session[name] for name in row.session))


def _scalar(row: Function, session: Session) -> Call:
    return lambda types, values: row.evaluate(*_values(row, session, types, values))


def _table(row: TableFunction, session: Session) -> Call:
    return lambda types, values: list(itertools.islice(row.evaluate(*_values(row, session, types, values)), _ROWS_MAX))


def _aggregate(row: AggregateFunction, session: Session) -> Call:
    return lambda types, values: row.evaluate(*_values(row, session, types, [values, values]))
