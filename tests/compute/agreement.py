"""Expressions evaluated by Spark and by the reference interpreter, side by side, many in one job."""

from __future__ import annotations

import datetime
import decimal
import random
import uuid
from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from compute.operators.rendered import Rendered, physical_forms, scan
from compute.scalars.failure import Error, as_text
from compute.scalars.layers import Layers
from compute.scalars.lower import Lowering
from compute.scalars.numerics import physical
from compute.scalars.python_function import PythonFunctions
from compute.scalars.spark_sql import Sql
from compute.scalars.value import retyped
from model.errors.sql_error import SqlError
from model.order.datum_order import sort_key
from model.physical.columns import NUMERIC_SCALE_DEFAULT, column_from_arrow, rows_to_arrow
from model.search.query_text import parse_query
from model.search.vector_text import parse_vector
from model.text.coordinates.embeddings import parse_embedding
from model.text.floats import to_single
from model.types.datum import Datum, Interval, Row, ShapedArray, TimeTz, network_of
from model.types.geometry import held_box, held_shape
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import (
    BIT,
    BOOL,
    BOX,
    BPCHAR,
    BYTEA,
    CIDR,
    CIRCLE,
    DATE,
    FLOAT4,
    FLOAT8,
    INET,
    INT2,
    INT4,
    INT8,
    INTERVAL,
    JSONB,
    LSEG,
    MACADDR,
    MACADDR8,
    MONEY,
    NAME,
    NUMERIC,
    OID,
    POINT,
    REGCONFIG,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    TIMETZ,
    TSQUERY,
    TSVECTOR,
    UINT2,
    UINT4,
    UINT8,
    UUID,
    VARBIT,
    VARCHAR,
    VECTOR,
    ScalarType,
    TypeName,
    array_of,
    list_of,
    map_of,
    numeric,
)  # fmt: skip
from model.types.time_of_day import END_OF_DAY
from model.types.wide_time import DAY_MAX, DAY_MIN, INFINITE, MICROS_MIN, WideDate, WideMoment, day_number
from planner.functions.numbers.decimals import min_scale
from planner.interpret.context import EvaluationContext
from planner.interpret.flows import interpretation
from planner.interpret.scalars import compile_scalar
from planner.ir.scalar import Column, Scalar, scalar_type

D = decimal.Decimal
UTC = datetime.UTC
POOLS: dict[ScalarType, list[Any]] = {
    BOOL: [True, False],
    INT2: [0, 1, -1, 2, 3, 7, 100, 32767, -32768],
    INT4: [0, 1, -1, 2, 3, 10, -7, 46341, 2147483647, -2147483648],
    INT8: [0, 1, -1, 2, 3, 1000, 4294967296, 3037000500, 9223372036854775807, -9223372036854775808],
    UINT2: [0, 1, 7, 65535],
    UINT4: [0, 1, 7, 4294967295],
    UINT8: [0, 1, 7, 4294967296, 18446744073709551615],
    FLOAT4: [0.0, -0.0, 1.0, -1.5, 2.5, 3.5, to_single(1e30), to_single(1e-40), float("nan"), float("inf"),
             float("-inf")],
    FLOAT8: [0.0, -0.0, 1.0, -1.5, 2.5, 0.1, 1e300, -1e300, 1e-300, 5e-324, 2147483647.5, 9.3e18, 123456.789,
             float("nan"), float("inf"), float("-inf")],
    NUMERIC: [D(0), D(1), D("-1"), D("1.5"), D("-2.5"), D("0.000000000000000001"), D("99999999999999999999"),
              D("12345678901234567890.123456789012345678"), D("3.333333333333333333"), D("2147483647.5"), D("-0.5"),
              D("1000000007"), D("0.1")],
    numeric(10, 2): [D("0.00"), D("1.50"), D("-99999999.99"), D("12345678.90"), D("0.01")],
    TEXT: ["", "a", "abc", "Hello World", " pad ", "é😀x", "it's", "12", "-7", "1.5", "a,b,c", "%_\\", "true",
           "ABCabc"],
    VARCHAR: ["", "abc", "xyz "],
    BPCHAR: ["", "xy", "xy "],
    NAME: ["", "abc", "pg_class"],
    BYTEA: [b"", b"\x00\xff", b"abc"],
    BIT: ["101", "0", "11110000111", "001", "1010"],
    VARBIT: ["", "101", "0", "11110000111"],
    DATE: [datetime.date(1, 1, 1), datetime.date(9999, 12, 31), datetime.date(2024, 2, 29), datetime.date(1970, 1, 1),
           datetime.date(2023, 1, 31), datetime.date(1582, 10, 4), WideDate(INFINITE), WideDate(-INFINITE),
           WideDate(DAY_MIN), WideDate(DAY_MAX), WideDate(day_number(0, 2, 29)), WideDate(day_number(12024, 12, 31))],
    TIME: [datetime.time(0, 0), datetime.time(23, 59, 59, 999999), datetime.time(12, 34, 56), END_OF_DAY],
    TIMETZ: [TimeTz(0, 0), TimeTz(3600000000, 3600), TimeTz(-57599000000, -57599), TimeTz(143999000000, 57599)],
    TIMESTAMP: [datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999),
                datetime.datetime(2024, 2, 29, 12, 30, 15, 123456),
                datetime.datetime(1969, 12, 31, 23, 59, 59, 500000), WideMoment(INFINITE), WideMoment(-INFINITE),
                WideMoment(MICROS_MIN), WideMoment(day_number(-99, 3, 1) * 86_400_000_000 + 1),
                WideMoment(day_number(290_000, 12, 31) * 86_400_000_000 - 1)],
    TIMESTAMPTZ: [datetime.datetime(1, 1, 2, tzinfo=UTC), datetime.datetime(9999, 12, 30, 23, 59, tzinfo=UTC),
                  datetime.datetime(2024, 3, 31, 1, 30, 15, 5000, tzinfo=UTC), WideMoment(INFINITE),
                  WideMoment(-INFINITE), WideMoment(MICROS_MIN),
                  WideMoment(day_number(20_000, 1, 1) * 86_400_000_000 + 5)],
    INTERVAL: [Interval(0, 0, 0), Interval(1, 0, 0), Interval(0, 30, 0), Interval(0, 0, 2592000000000),
               Interval(-13, 5, -1), Interval(2147483647, 2147483647, 9223372036854775807), Interval(0, -1, 3600000000),
               Interval(-2147483648, 0, 0), Interval(120000, 0, 0)],
    UUID: [uuid.UUID(int=0), uuid.UUID("12345678-1234-5678-9abc-def012345678"), uuid.UUID(int=2**128 - 1)],
    INET: [network_of(4, 0xC0A80105, 32), network_of(4, 0xC0A80105, 24), network_of(4, 0, 0), network_of(6, 1, 128),
           network_of(4, 0xC0A80005, 24), network_of(6, 1 << 127, 1), network_of(4, 0xFFFFFFFF, 32)],
    CIDR: [network_of(4, 0x0A000000, 8), network_of(4, 0x0A000000, 16), network_of(6, 1 << 127, 1)],
    MACADDR: [bytes(6), b"\x08\x00\x2b\x01\x02\xff", b"\xff" * 6],
    MACADDR8: [bytes(8), b"\x08\x00\x2b\xff\xfe\x01\x02\x03", b"\xff" * 8],
    VECTOR: [*map(parse_embedding, ("[1,2,3]", "[0,-0.5,1e9]", "[1,2]", "[3]", "[-1,2,3]"))],
    POINT: [held_shape(1.0, 2.0), held_shape(-0.0, float("nan")), held_shape(0.0, 0.0)],
    BOX: [held_box(2.0, 2.0, 0.0, 0.0), held_box(1.0, 5.0, 3.0, 1.0)],
    LSEG: [held_shape(0.0, 0.0, 3.0, 4.0), held_shape(1.0, 1.0, 1.0, 1.0)],
    CIRCLE: [held_shape(0.0, 0.0, 1.0), held_shape(3.0, 4.0, 0.0)],
    MONEY: [0, 1, -150, 123456789, -(2**63), 2**63 - 1],
    TSVECTOR: [*map(parse_vector, ("", "a", "a:1", "a:1 b:2A,5 c", "a:2", "cat:3 fat:2", "é:1B"))],
    TSQUERY: [*map(parse_query, ("", "a", "a:*", "a:A", "a & b", "b & a", "!a", "a <-> b", "a <2> b", "fat & cat:B"))],
    REGCONFIG: [3748, 12361],
    JSONB: ['{"a": 1}', "[]", "[1, 2]", '"x"', "null", "1.5"],
    OID: [0, 1, 26, 4294967295, 2147483648],
    array_of(INT4): [
        (),
        (1,),
        (1, 2, 3),
        (None, 2),
        (3, None),
        ShapedArray((1, 2, None, 4), ((1, 2), (1, 2))),
        ShapedArray((1, 2, 3), ((0, 3),)),
    ],
    array_of(TEXT): [(), ("a",), ("a", None, "b"), ShapedArray(("a", "b"), ((-1, 2), (2, 1)))],
    list_of(INT4): [(), (1,), (1, 2, 3), (None, 2), (3, None)],
    list_of(TEXT): [(), ("a",), ("a", None, "b")],
    map_of(INT4): [(), (("a", 1),), (("a", 1), ("b", None)), (("a", None),)],
}  # fmt: skip
COPIES = 3


def table(seed: int, size: int) -> tuple[RelationDesc, list[Row]]:
    """Three columns of each type, drawn from the pools; a tenth of the cells is NULL."""
    dice = random.Random(seed)
    types = [type_ for type_ in POOLS for _ in range(COPIES)]
    desc = relation_desc(*((f"x{i}", type_) for i, type_ in enumerate(types)))
    rows = [tuple(None if dice.random() < 0.1 else dice.choice(POOLS[type_]) for type_ in types) for _ in range(size)]
    return desc, rows


def column_of(type_: ScalarType, copy: int = 0) -> Column:
    return Column(list(POOLS).index(type_) * COPIES + copy, type_)


Outcome = tuple[Any, str | None]
"""A comparable form of the value, and the error as "SQLSTATE message"."""


def by_spark(
    spark: SparkSession, desc: RelationDesc, frame: DataFrame, scalars: Sequence[Scalar]
) -> list[list[Outcome]]:
    """For each expression its outcomes, row by row, from one job."""
    frame.createOrReplaceTempView("agreement")
    forms = physical_forms(desc)
    source = Rendered(scan("agreement", forms), forms)
    layers = Layers()
    lowering = Lowering(source.values(), layers, PythonFunctions(spark))
    items = []
    for i, scalar in enumerate(scalars):
        value = lowering.lower(scalar)
        value = physical(layers, retyped(value, scalar_type(scalar)))
        error = as_text(value.error) if value.error is not None else Error(Sql("CAST(NULL AS STRING)"), True)
        items.append(f"{value.sql} AS v{i}, {error.sql} AS e{i}")
    result = spark.sql(f"SELECT {', '.join(items)} FROM {layers.over(source.source)}").toArrow()
    answers = []
    for i, scalar in enumerate(scalars):
        values = column_from_arrow(result.column(2 * i), scalar_type(scalar))
        errors = result.column(2 * i + 1).to_pylist()
        answers.append([_outcome(v, e, scalar_type(scalar)) for v, e in zip(values, errors, strict=True)])
    return answers


def by_interpreter(rows: Sequence[Row], scalars: Sequence[Scalar]) -> list[list[Outcome]]:
    execution = interpretation(EvaluationContext())
    answers = []
    for scalar in scalars:
        evaluate = compile_scalar(scalar, execution)
        outcomes = []
        for row in rows:
            try:
                outcomes.append(_outcome(evaluate(row, ()), None, scalar_type(scalar)))
            except SqlError as error:
                outcomes.append((None, f"{error.sqlstate.value} {error.message}"))
        answers.append(outcomes)
    return answers


def _outcome(value: Datum, error: str | None, type_: ScalarType) -> Outcome:
    if error is not None:
        return None, error
    if value is None:
        return None, None
    key = sort_key(type_)(value)
    if type_.name is TypeName.INTERVAL:
        assert isinstance(value, Interval)
        return (value.months, value.days, value.microseconds), None
    return key, None


_REFUSED = ("22003", "0A000")


def _unstorable(outcome: Outcome) -> bool:
    """A numeric that the interpreter holds and a column does not: Spark says 22003, and 0A000 where it is none of the
    finite ones."""
    value = outcome[0]
    if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], D)):
        return False
    if not value[1].is_finite():
        return True
    return abs(value[1]) >= D(10) ** 20 or min_scale(value[1]) > NUMERIC_SCALE_DEFAULT


def disagreements(
    spark: SparkSession, seed: int, size: int, scalars: Sequence[Scalar]
) -> list[tuple[Scalar, Row, Outcome, Outcome]]:
    desc, rows = table(seed, size)
    frame = spark.createDataFrame(rows_to_arrow(rows, desc))
    found = []
    ours, reference = by_spark(spark, desc, frame, scalars), by_interpreter(rows, scalars)
    for scalar, mine, wanted in zip(scalars, ours, reference, strict=True):
        for row, a, b in zip(rows, mine, wanted, strict=True):
            if a != b and not (_unstorable(b) and a[1] is not None and a[1].startswith(_REFUSED)):
                found.append((scalar, row, a, b))
    return found
