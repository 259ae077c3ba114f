"""The lowering of every function without a built-in expression: an Arrow UDF that evaluates the function table's row.

A UDF is registered in a Spark session once for each function and types; SQL text then calls the UDF by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.functions import arrow_udf

from compute.scalars.comparisons import JSONB_KEY
from compute.scalars.distance_worker import DistanceWorker
from compute.scalars.failure import Error
from compute.scalars.layers import Layers
from compute.scalars.literals import literal_value
from compute.scalars.long_expressions import ProgramWorker, program_of
from compute.scalars.lowerings import LOWERINGS
from compute.scalars.members import MemberWorker
from compute.scalars.numerics import to_decimal, written
from compute.scalars.python_worker import (
    AggregateWorker,
    PlacedWorker,
    QuantifiedWorker,
    ScalarWorker,
    TableWorker,
    error_text,
    jsonb_keys,
    quantified_evaluator,
    scalar_evaluator,
    table_result,
    tells_decimals,
)
from compute.scalars.spark_sql import Sql, call, literal, spark_type, string_literal
from compute.scalars.value import Value, column, derived, level_of
from compute.scalars.window_worker import WindowWorker, result_of
from model.errors.sql_error import NotSupported, SqlError
from model.physical.arrays import ITEMS
from model.types.datum import Datum
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import BOOL, INT4, ScalarType, TypeName
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.functions.types.distances import distance_name
from planner.ir.scalar import Call, QuantifiedArray, Quantifier, Scalar, scalar_type

_OfOneQuery = ProgramWorker | MemberWorker
_Told = ScalarWorker | ProgramWorker
"""What reads the decimals of its arguments, and so can tell those of its result."""
_OfRows = ScalarWorker | DistanceWorker | QuantifiedWorker | TableWorker
_Worker = _OfOneQuery | _OfRows | AggregateWorker | PlacedWorker | WindowWorker


_PREFIX = "python_"


def may_call_python(text: Sql) -> bool:
    """Returns whether a query calls a UDF, or contains a text that looks like a call."""
    return _PREFIX in text


@dataclass(frozen=True, slots=True)
class _Names:
    """The process's names of UDFs: a function has one name in every session."""

    numbers: count[int]
    known: dict[_Worker, str]


_NAMES = _Names(count(), {})
_REGISTERED: WeakKeyDictionary[SparkSession, set[str]] = WeakKeyDictionary()


class PythonFunctions:
    """The UDFs of one Spark session. With `passing`, UDFs of long expressions and lists, which hardly come twice,
    are forgotten once their query has been analyzed."""

    def __init__(self, spark: SparkSession, passing: bool = False) -> None:
        self._spark = spark
        self._passing = passing
        self._passed: dict[_Worker, str] = {}
        self._registered = _REGISTERED.setdefault(spark, set())
        if JSONB_KEY not in self._registered:
            self._register(JSONB_KEY, jsonb_keys, "BINARY", False)

    def function(self, layers: Layers, scalar: Call, arguments: tuple[Value, ...]) -> Value:
        row = FUNCTIONS[scalar.function]
        types = tuple(argument.type for argument in arguments)
        constant = row.volatility is not Volatility.VOLATILE and all(_known(argument) for argument in arguments)
        if row.needs_system:
            raise NotSupported(f"{row.name} of a collection's rows")
        if constant:
            evaluate = scalar_evaluator(scalar.function, types)
            return _folded(lambda: evaluate(*(argument.constant for argument in arguments)), scalar.type)
        fallible = row.fallible or scalar.type.name is TypeName.NUMERIC
        distance = distance_name(scalar.function)
        if distance is not None:
            return self._applied(layers, DistanceWorker(distance), scalar.type, arguments, fallible)
        worker = ScalarWorker(scalar.function, types, scalar.type, fallible)
        volatile = row.volatility is Volatility.VOLATILE
        return self._applied(layers, worker, scalar.type, arguments, fallible, volatile)

    def program(self, layers: Layers, scalar: Scalar, columns: tuple[Value, ...]) -> Value:
        """Returns a long expression over columns."""
        program = program_of(scalar)
        arguments = tuple(columns[index] for index in program.columns)
        worker = ProgramWorker(program, tuple(argument.type for argument in arguments), scalar_type(scalar))
        return self._applied(layers, worker, worker.result, arguments, True, program.volatile)

    def forget(self) -> None:
        """Drops the UDFs of a single query."""
        for name in self._passed.values():
            self._spark.sql(f"DROP TEMPORARY FUNCTION IF EXISTS {name}")
            self._registered.discard(name)
        self._passed.clear()

    def quantified(self, layers: Layers, scalar: QuantifiedArray, left: Value, array: Value) -> Value:
        """Lowers ANY and ALL: Spark's `exists` and `forall` are three-valued too, where the comparison is built in."""
        element = array.type.element
        assert element is not None
        left = layers.once(left)
        lowering = LOWERINGS.get(scalar.comparison)
        compared = None
        if lowering is not None:
            item = column("x", element)
            compared = lowering(
                Layers(inline=True), (Value(left.sql, left.type, left.decimal, simple=True), item), BOOL
            )
        if compared is not None and compared.error is None:
            function = "exists" if scalar.quantifier is Quantifier.ANY else "forall"
            return derived(call(function, f"{array.sql}.{ITEMS}", f"x -> {compared.sql}"), BOOL, left, array)
        types = (left.type, array.type)
        if _known(left) and _known(array):
            evaluate = quantified_evaluator(scalar.comparison, scalar.quantifier, types)
            return _folded(lambda: evaluate(left.constant, array.constant), BOOL)
        fallible = FUNCTIONS[scalar.comparison].fallible
        worker = QuantifiedWorker(scalar.comparison, scalar.quantifier, types, BOOL, fallible)
        return self._applied(layers, worker, BOOL, (left, array), fallible)

    def member(self, layers: Layers, left: Value, items: tuple[Datum, ...]) -> Value:
        """Returns whether the value is among many constants."""
        return self._applied(layers, MemberWorker(items, left.type), BOOL, (left,), False)

    def aggregate(self, layers: Layers, worker: AggregateWorker, groups: Value) -> Value:
        """Calls an aggregate's worker; `groups` is the list of structs for it."""
        return self._applied(layers, worker, worker.result, (groups,), worker.fallible)

    def placed(self, layers: Layers, worker: PlacedWorker, parts: tuple[Value, ...]) -> Value:
        """Calls the worker of an ordered-set aggregate over what it reads of each group."""
        return self._applied(layers, worker, worker.result, parts, True)

    def table(self, layers: Layers, key: str, arguments: tuple[Value, ...], desc: RelationDesc) -> Value:
        """Returns the rows of a table function, as an array of structs f0, f1 …"""
        worker = TableWorker(key, tuple(argument.type for argument in arguments), desc)
        rows = ScalarType(TypeName.LIST, member=table_result(desc))
        return self._applied(layers, worker, rows, arguments, True)

    def window(self, layers: Layers, worker: WindowWorker, groups: Value) -> Value:
        """Returns the answers for the rows of each group, as an array of structs f0, f1 …"""
        rows = ScalarType(TypeName.LIST, member=result_of(worker.results))
        return self._applied(layers, worker, rows, (groups,), True)

    def _applied(
        self,
        layers: Layers,
        worker: _Worker,
        type_: ScalarType,
        arguments: tuple[Value, ...],
        fallible: bool,
        volatile: bool = False,
    ) -> Value:
        # A function without arguments is called for as many rows as the batch has: a column that it ignores says so.
        told = isinstance(worker, _Told | TableWorker)
        tells = isinstance(worker, _Told) and tells_decimals(type_)
        exact = [_told(layers, argument) if told else _physical(layers, argument) for argument in arguments]
        exact = exact or [Value(Sql("0"), INT4)]
        decimals = ", shown: INT" if tells else ""
        result = f"STRUCT<value: {spark_type(type_)}, err: STRING{decimals}>" if fallible else spark_type(type_)
        text = call(self._registered_name(worker, result, volatile), *(argument.sql for argument in exact))
        if not fallible:
            return derived(text, type_, *exact)
        plain = [Value(a.sql, a.type, a.decimal, None, a.level, a.simple) for a in exact]
        pair = layers.once(derived(text, BOOL, *plain))
        error = Error(Sql(f"{pair.sql}.err"), True)
        shown = Sql(f"{pair.sql}.shown") if tells else None
        return derived(f"{pair.sql}.value", type_, pair, *exact, error=error, shown=shown)

    def _registered_name(self, worker: _Worker, result: str, volatile: bool) -> str:
        known = self._passed if self._passing and isinstance(worker, _OfOneQuery) else _NAMES.known
        name = known.get(worker)
        if name is None:
            name = f"{_PREFIX}{next(_NAMES.numbers)}"
            known[worker] = name
        if name not in self._registered:

            def evaluate(*columns: pa.Array) -> pa.Array:
                return worker(*columns)

            self._register(name, evaluate, result, volatile)
        return name

    def _register(self, name: str, evaluate: Callable[..., pa.Array], result: str, volatile: bool) -> None:
        make: Any = arrow_udf
        udf = make(evaluate, result)
        self._spark.udf.register(name, udf.asNondeterministic() if volatile else udf)
        self._registered.add(name)


def _known(value: Value) -> bool:
    """Returns whether the value is a literal, including NULL."""
    return value.constant is not None or (value.simple and value.sql.startswith("CAST(NULL"))


def _folded(evaluate: Callable[[], Any], type_: ScalarType) -> Value:
    try:
        return literal_value(evaluate(), type_)
    except SqlError as failure:
        error = Error(string_literal(error_text(failure)), True)
        return Value(literal(None, type_), type_, None, error, simple=True)


def _told(layers: Layers, value: Value) -> Value:
    """Returns an argument as collections hold it; a numeric whose decimals are known as text, which tells them."""
    held = _physical(layers, value)
    if value.shown is None:
        return held
    decimals = layers.once(Value(value.shown, INT4, level=value.level, simple=value.shown.isidentifier()))
    return written(layers, replace(held, level=level_of(held, decimals)), decimals.sql)


def _physical(layers: Layers, value: Value) -> Value:
    return to_decimal(layers, value, value.type) if value.type.name is TypeName.NUMERIC else value
