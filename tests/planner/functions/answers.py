"""The answers of every function to fixed calls, as digests: what is kept of a function under its number.

answers.tsv has a line for each function whose answers hang on its arguments alone:

    key, number, calls, answers, expressions, their answers, lowered

`calls` is a digest of arguments from the pools of `generated`, the same for ever; `expressions` of the recorded
expressions (`recorded`) in which the function has a part, and of which there are more as time goes on; `lowered` of
what becomes of the function in Spark, where that is not the function itself. Each has a dash where there is none.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from compute.protocol.plan_form import nodes_of
from compute.scalars.layers import Layers
from compute.scalars.lowerings import LOWERINGS
from compute.scalars.spark_sql import Sql
from compute.scalars.value import column
from model.errors.sql_error import SqlError
from model.types.scalar_type import ScalarType
from planner.functions.answer_numbers import answer_number
from planner.functions.registry import AGGREGATES, FUNCTIONS, TABLE_FUNCTIONS, WINDOW_FUNCTIONS
from planner.functions.rows import type_key
from planner.functions.signature import (
    AggregateFunction,
    Function,
    TableFunction,
    Volatility,
    WindowFunction,
    WindowRows,
)
from planner.interpret.context import EvaluationContext
from planner.ir.aggregate import Aggregate
from planner.ir.relation import FlatMap
from planner.ir.scalar import Call
from planner.ir.window import WindowCall
from tests.planner.empty_catalog import plan_select, run_select
from tests.planner.functions.generated import POOLS, written
from tests.planner.functions.recordings import files, read

RECORD = Path(__file__).parent / "answers.tsv"
_NONE = "-"
_CALLS = 40
_ROWS = 20
_CONCRETE = {
    "anyelement": "int4",
    "anycompatible": "int4",
    "anynonarray": "int4",
    "any": "text",
    "anyarray": "_int4",
    "anycompatiblearray": "_int4",
    "anyrange": "int4range",
    "anymultirange": "int4multirange",
    "anycompatiblelist": "int4 list",
    "anycompatiblemap": "map[text=>int4]",
}
_MORE = {
    "tid": ("(0,0)", "(0,1)", "(7,65535)", "(4294967295,3)"),
    "oidvector": ("", "1", "1 2", "2 1"),
    "xid": ("0", "7", "4294967295"),
    "uint2": ("0", "1", "7", "65535"),
    "uint4": ("0", "1", "7", "4294967295"),
    "uint8": ("0", "1", "7", "18446744073709551615"),
    "mz_timestamp": ("0", "1", "1700000000000"),
    "int4 list": ("{}", "{1,2,3}", "{NULL,1}", "{3,-1}"),
    "map[text=>int4]": ("{}", "{a=>1}", "{a=>NULL,b=>2}"),
    "int4range": ("empty", "[1,5)", "(,3]", "[3,)", "(,)", "[4,9]"),
    "int8range": ("empty", "[1,5)", "(,3]", "[3,)", "(,)"),
    "numrange": ("empty", "[1.5,5)", "(,3]", "(3,7.5]", "(,)"),
    "daterange": ("empty", "[2020-01-01,2020-03-01)", "(,2020-02-02]", "[2020-02-01,)"),
    "tsrange": ("empty", '["2020-01-01 12:00","2020-03-01")', '(,"2020-02-02"]'),
    "tstzrange": ("empty", '["2020-01-01 12:00+00","2020-03-01 00:00+02")', '(,"2020-02-02 00:00+00"]'),
    "int4multirange": ("{}", "{[1,5)}", "{[1,3),[5,9)}", "{(,)}"),
    "int8multirange": ("{}", "{[1,5)}", "{[1,3),[5,9)}"),
    "nummultirange": ("{}", "{[1,5.5)}", "{[1,3),[5,9)}"),
    "datemultirange": ("{}", "{[2020-01-01,2020-03-01)}"),
    "_int2": ("{}", "{1,2,3}", "{NULL,1}"),
    "_int8": ("{}", "{1,2,3}", "{NULL,1}"),
    "_float8": ("{}", "{1.5,nan,-0}", "{NULL,1}"),
    "_numeric": ("{}", "{1.50,2,-3}", "{NULL,1}"),
    "_jsonb": ("{}", '{"{\\"a\\": 1}",2}', "{NULL,1}"),
    "_bool": ("{}", "{t,f}", "{NULL,t}"),
    "_date": ("{}", "{2020-02-29,NULL}"),
}
_MODIFIERS = (None, -1, 4, 5, 8, 20)
_TOO_LARGE = frozenset(("repeat", "lpad", "rpad", "array_fill", "pg_sleep", "gamma", "factorial"))
"""Functions whose answer to an argument of a pool is larger than a test may hold."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What is recorded of a function."""

    key: str
    number: int
    calls: str
    called: str
    expressions: str
    answered: str
    lowered: str

    @property
    def line(self) -> str:
        """Returns the function's line in the record."""
        return "\t".join(
            (self.key, str(self.number), self.calls, self.called, self.expressions, self.answered, self.lowered)
        )

    def mended_since(self, before: Answers) -> bool:
        """Whether the function answers the same inputs otherwise than before, under the number that it had."""
        if self.number != before.number:
            return False
        other_calls = self.calls == before.calls and self.called != before.called
        other_expressions = self.expressions == before.expressions and self.answered != before.answered
        return other_calls or other_expressions or self.lowered != before.lowered


def recorded() -> dict[str, Answers]:
    """The record, by key."""
    found: dict[str, Answers] = {}
    for line in RECORD.read_text().splitlines() if RECORD.exists() else ():
        key, number, *digests = line.split("\t")
        found[key] = Answers(key, int(number), *digests)
    return found


def today() -> dict[str, Answers]:
    """What every function answers now, by key."""
    expressions = _expressions()
    rows: list[Row] = [*FUNCTIONS.values(), *AGGREGATES.values()]
    rows += [*TABLE_FUNCTIONS.values(), *WINDOW_FUNCTIONS.values()]
    return {row.key: _answers(row, expressions.get(row.key, [])) for row in rows if _is_pure(row)}


def differences(before: Mapping[str, Answers], now: Mapping[str, Answers]) -> dict[str, str]:
    """What is not as it was recorded, by the function's key, and what to do about it."""
    told = {key: "is not recorded" for key in now if key not in before}
    told |= {key: "is recorded, but is no function any more" for key in before if key not in now}
    for key in before.keys() & now.keys():
        if now[key].mended_since(before[key]):
            told[key] = "answers otherwise than before: raise its number in planner/functions/answer_numbers.py"
        elif now[key] != before[key]:
            told[key] = "is asked what it was not asked before, or has another number"
    return told


def write_record(answers: Mapping[str, Answers]) -> None:
    """Writes the record anew."""
    RECORD.write_text("".join(f"{answers[key].line}\n" for key in sorted(answers)))


Row = Function | AggregateFunction | TableFunction | WindowFunction


def _is_pure(row: Row) -> bool:
    if isinstance(row, Function) and row.volatility is Volatility.VOLATILE:
        return False
    asks = isinstance(row, Function | TableFunction) and row.needs_system
    of_session = not isinstance(row, WindowFunction) and bool(row.session)
    return not asks and not of_session


def _answers(row: Row, expressions: list[tuple[str, str]]) -> Answers:
    calls = [(repr(arguments), told(partial(_evaluated, row, arguments))) for arguments in _arguments(row)]
    return Answers(
        row.key,
        answer_number(row.key),
        _digest(input_ for input_, _ in calls),
        _digest(map("\t".join, calls)),
        _digest(expression for expression, _ in expressions),
        _digest(map("\t".join, expressions)),
        _digest(_lowered(row)),
    )


def _lowered(row: Row) -> Iterator[str]:
    """The SQL for the function of columns, and the projections below it."""
    lowering = LOWERINGS.get(row.key)
    if lowering is None or not isinstance(row, Function) or row.key == "field_record_int4":
        # Which field is no column's to say.
        return
    types = _types(row)
    layers = Layers()
    result = row.result(types) if callable(row.result) else row.result
    value = lowering(layers, tuple(column(f"c{at}", type_) for at, type_ in enumerate(types)), result)
    if value is not None:
        yield f"{value.sql} {value.shown} {value.error and value.error.sql}"
    yield layers.over(Sql("rows"))


def told(evaluate: Callable[[], object]) -> str:
    """The answer, or the error, as a text."""
    try:
        return repr(evaluate())
    except SqlError as error:
        return f"! {error.sqlstate.value} {error.message}"


def _evaluated(row: Row, arguments: Any) -> object:
    match row:
        case WindowFunction():
            return row.evaluate(arguments)
        case AggregateFunction():
            types = (_types(row),) if row.typed else ()
            return row.evaluate(*types, arguments)
        case TableFunction() | Function():
            if row.strict and None in arguments:
                return None
            types = (_types(row),) if row.typed else ()
            answer = row.evaluate(*types, *arguments)
            return list(itertools.islice(answer, _ROWS)) if isinstance(row, TableFunction) else answer


def _types(row: Row) -> tuple[ScalarType, ...]:
    return tuple(_concrete(type_) for type_ in row.arguments)


@cache
def _pool(key: str) -> tuple[Any, ...]:
    """The pool's values, and NULL. Wide numerics are asked what others are."""
    if key == "wide":
        return _pool("numeric")
    if key not in POOLS and key not in _MORE:
        # An array of a type that has a pool.
        return (None, (), _pool(key[1:])[:3])
    found: list[Any] = [None]
    for text in POOLS.get(key) or _MORE[key]:
        literal = text.replace("'", "''")
        _, rows = run_select(f"SELECT '{literal}'::{written(key)}", EvaluationContext())
        found.append(rows[0][0])
    return tuple(found)


def _has_pool(key: str) -> bool:
    return key in POOLS or key in _MORE or key == "wide" or (key.startswith("_") and _has_pool(key[1:]))


@cache
def _type_of(key: str) -> ScalarType:
    return plan_select(f"SELECT NULL::{written(key)}").desc.columns[0].type


def _concrete(type_: ScalarType) -> ScalarType:
    key = type_key(type_)
    return _type_of(_CONCRETE[key]) if key in _CONCRETE else type_


def _drawn(types: Sequence[ScalarType], seed: str, number: int, *, modifier: bool = False) -> list[tuple[Any, ...]]:
    """At most so many tuples of the pools' values; none where a type has no pool."""
    keys = [_CONCRETE.get(type_key(type_), type_key(type_)) for type_ in types]
    if not all(map(_has_pool, keys)):
        return []
    pools = [_pool(key) for key in keys]
    if modifier:
        pools[1] = _MODIFIERS
    randomness = random.Random(seed)
    every = 1
    for pool in pools:
        every *= len(pool)
    if every <= number:
        return list(itertools.product(*pools))
    return [tuple(randomness.choice(pool) for pool in pools) for _ in range(number)]


def _arguments(row: Row) -> Iterator[Any]:
    """What the function is asked: arguments, groups of them for an aggregate, windows."""
    if row.name in _TOO_LARGE:
        return
    match row:
        case Function() | TableFunction():
            modifier = (
                isinstance(row, Function)
                and row.form == "modifier"
                and "whole" not in row.key
                and ("wide" not in row.key or row.key.startswith("modify"))
            )
            yield from _drawn(row.arguments, row.key, _CALLS, modifier=modifier)
        case AggregateFunction():
            rows = _drawn(row.arguments, row.key, 12)
            if row.skips_nulls:
                rows = [each for each in rows if None not in each]
            yield from ([rows[: len(rows) // share] for share in (1, 2, 4)] if rows else ())
        case WindowFunction():
            rows = _drawn(row.arguments, row.key, 6) if row.arguments else [()] * 6
            places = [(0, 2), (0, 2), (2, 3), (3, 6), (3, 6), (3, 6)][: len(rows)]
            if len(rows) == len(places):
                yield WindowRows(rows, places, [((0, end),) for _, end in places])


def _expressions() -> dict[str, list[tuple[str, str]]]:
    """The recorded expressions in which a function has a part, with PostgreSQL's answers, by the function's key."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in files():
        for recording in read(path)[1]:
            try:
                plan = plan_select(f"SELECT {recording.expression}")
            except SqlError:
                continue
            for key in sorted({key for node in nodes_of(plan) if (key := _key(node)) is not None}):
                found[key].append((recording.expression, recording.answer))
    return found


def _key(node: object) -> str | None:
    return node.function if isinstance(node, Call | Aggregate | FlatMap | WindowCall) else None


def _digest(texts: Iterable[str]) -> str:
    lines = sorted(texts)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8] if lines else _NONE
