"""Scalar expressions to Spark SQL, one arm a node (source: PostgreSQL's rules of evaluation, semantics.md).

Guards: what a false AND, a true OR, an untaken CASE branch or a later COALESCE operand would have raised is no error.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from compute.scalars.failure import Error, as_text, first_error
from compute.scalars.layers import Layers
from compute.scalars.literals import literal_value
from compute.scalars.long_expressions import is_long
from compute.scalars.lowerings import LOWERINGS
from compute.scalars.members import members_of
from compute.scalars.numerics import common_decimal, form_of, of_case, of_coalesce, to_decimal, with_decimals
from compute.scalars.python_function import PythonFunctions
from compute.scalars.spark_sql import NULL, Sql, array_of, call, spark_type, when
from compute.scalars.value import Value, derived, level_of
from model.types.scalar_type import BOOL, ScalarType, TypeName, shown_scale
from planner.ir.placeholder import Placeholder
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Case,
    Coalesce,
    Column,
    Exists,
    Literal,
    Or,
    OuterColumn,
    Parameter,
    QuantifiedArray,
    RowOf,
    Scalar,
    SessionValue,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
)


class Lowering:
    """Lowers the expressions of one select over an input with `columns`; common subexpressions go to `layers`."""

    def __init__(self, columns: tuple[Value, ...], layers: Layers, python: PythonFunctions) -> None:
        self._columns = columns
        self._layers = layers
        self._python = python

    def lower(self, scalar: Scalar) -> Value:
        """Lowers an expression. AssertionError for nodes that decorrelation and binding remove."""
        if is_long(scalar):
            return self._python.program(self._layers, scalar, self._columns)
        return self._lower(scalar)

    def _lower(self, scalar: Scalar) -> Value:
        match scalar:
            case Column(index, type_):
                return _shown_as(self._columns[index], type_)
            case Literal(value, type_):
                return literal_value(value, type_)
            case Call():
                return self._call(scalar)
            case And(operands):
                return self._logical([self._lower(operand) for operand in operands], "AND", "FALSE")
            case Or(operands):
                return self._logical([self._lower(operand) for operand in operands], "OR", "TRUE")
            case Case():
                return self._case(scalar)
            case Coalesce():
                return self._coalesce(scalar)
            case ArrayOf(elements, type_):
                return self._array(elements, type_)
            case RowOf(fields, type_):
                return self._row(fields, type_)
            case QuantifiedArray():
                items = members_of(scalar)
                if items is not None:
                    return self._python.member(self._layers, self._lower(scalar.left), items)
                return self._python.quantified(
                    self._layers, scalar, self._lower(scalar.left), self._lower(scalar.array)
                )
            case OuterColumn() | Exists() | SubqueryValue() | SubqueryArray() | SubqueryCompare():
                raise AssertionError(f"{type(scalar).__name__} in a plan for Spark: decorrelation removes it")
            case Placeholder():
                raise AssertionError(f"{scalar} in a plan for Spark")
            case Parameter() | SessionValue():
                raise AssertionError(f"{type(scalar).__name__} in a plan for Spark: binding replaces it")
            case _:
                assert_never(scalar)

    def _call(self, scalar: Call) -> Value:
        arguments = tuple(self._lower(argument) for argument in scalar.arguments)
        lowering = LOWERINGS.get(scalar.function)
        if lowering is not None:
            value = lowering(self._layers, arguments, scalar.type)
            if value is not None:
                return with_decimals(scalar.function, _shown_as(value, scalar.type), arguments)
        return self._python.function(self._layers, scalar, arguments)

    def _logical(self, operands: list[Value], word: str, winner: str) -> Value:
        if all(operand.error is None for operand in operands):
            text = f" {word} ".join(operand.sql for operand in operands)
            return derived(f"({text})", BOOL, *operands)
        operands = list(self._layers.once_all(*operands))
        text = Sql("(" + f" {word} ".join(map(_where_right, operands)) + ")")
        plain = derived(text, BOOL, *operands)
        assert plain.error is not None
        guarded = replace(plain.error, sql=when((f"{text} IS NOT {winner}", plain.error.sql)))
        # An operand that failed is NULL: the value is right where another decides, and NULL elsewhere.
        return Value(text, BOOL, None, guarded, plain.level)

    def _case(self, scalar: Case) -> Value:
        conditions = [self._lower(condition) for condition, _ in scalar.branches]
        results = [self._lower(result) for _, result in scalar.branches] + [self._lower(scalar.otherwise)]
        conditions = list(self._layers.once_all(*conditions))
        shown = of_case(conditions, results) if _shows_its_own(scalar.type) else None
        results, decimal = unified(results, scalar.type)
        sources = [*conditions, *results]
        value = when(*((c.sql, r.sql) for c, r in zip(conditions, results)), otherwise=results[-1].sql)
        error = _case_error(conditions, results)
        sql = _typed_null(value, results, scalar.type)
        return Value(sql, scalar.type, decimal, error, level_of(*sources), shown=shown)

    def _coalesce(self, scalar: Coalesce) -> Value:
        operands = [self._lower(operand) for operand in scalar.operands]
        shown = None
        if _shows_its_own(scalar.type):
            operands = list(self._layers.once_all(*operands))
            shown = of_coalesce(operands)
        operands, decimal = unified(operands, scalar.type)
        if all(operand.error is None for operand in operands[1:]):
            value = call("coalesce", *(operand.sql for operand in operands))
            first = operands[0]
            if first.error is None:
                return Value(value, scalar.type, decimal, None, level_of(*operands), shown=shown)
        operands = list(self._layers.once_all(*operands))
        is_text = _merged(operands).is_text
        values, errors = [], []
        for operand in operands:
            if operand.error is not None:
                values.append((f"{operand.error.sql} IS NOT NULL", NULL))
                failed = as_text(operand.error) if is_text else operand.error
                errors.append((f"{operand.error.sql} IS NOT NULL", failed.sql))
            values.append((f"{operand.sql} IS NOT NULL", operand.sql))
            errors.append((f"{operand.sql} IS NOT NULL", NULL))
        sql = when(*values, otherwise=f"CAST(NULL AS {operands[0].spark_type})")
        error = replace(_merged(operands), sql=when(*errors))
        return Value(sql, scalar.type, decimal, error, level_of(*operands), shown=shown)

    def _array(self, elements: tuple[Scalar, ...], type_: ScalarType) -> Value:
        values = [self._lower(element) for element in elements]
        assert type_.element is not None
        values = [exact_form(self._layers, value, type_.element) for value in values]
        return derived(array_of((value.sql for value in values), type_), type_, *values)

    def _row(self, fields: tuple[Scalar, ...], type_: ScalarType) -> Value:
        values = [
            exact_form(self._layers, self._lower(scalar), field)
            for scalar, (_, field) in zip(fields, type_.fields, strict=True)
        ]
        text = ", ".join(f"'f{i}', {value.sql}" for i, value in enumerate(values))
        return derived(f"named_struct({text})", type_, *values)


def _shown_as(value: Value, type_: ScalarType) -> Value:
    """Returns a numeric with its type as planned, which tells how many decimals are shown; the decimal that Spark
    computes keeps its form."""
    if type_ == value.type or type_.name is not TypeName.NUMERIC or value.type.name is not TypeName.NUMERIC:
        return value
    return replace(value, type=type_, decimal=form_of(value))


def _shows_its_own(type_: ScalarType) -> bool:
    """Tells whether each value of a numeric type may be shown with decimals of its own."""
    return type_.name is TypeName.NUMERIC and shown_scale(type_) is None


def exact_form(layers: Layers, value: Value, type_: ScalarType) -> Value:
    """Returns `value` in the physical form of `type_`; raises 22003 for a numeric that does not fit."""
    if type_.name is not TypeName.NUMERIC or value.type.name is not TypeName.NUMERIC:
        return value
    return to_decimal(layers, value, type_)


def unified(values: list[Value], type_: ScalarType) -> tuple[list[Value], tuple[int, int] | None]:
    """Converts numerics of several forms to a form that holds them all."""
    if type_.name is not TypeName.NUMERIC:
        return values, None
    return common_decimal(values)


def _where_right(operand: Value) -> Sql:
    """Returns NULL where the operand failed: functions that are not strict (IS DISTINCT FROM) would return a value."""
    return operand.sql if operand.error is None else when((f"{operand.error.sql} IS NULL", operand.sql))


def _typed_null(sql: Sql, results: list[Value], type_: ScalarType) -> Sql:
    if all(result.sql == NULL for result in results):
        return Sql(f"CAST({sql} AS {spark_type(type_)})")
    return sql


def _case_error(conditions: list[Value], results: list[Value]) -> Error | None:
    errors = [value.error for value in (*conditions, *results) if value.error is not None]
    if not errors:
        return None
    merged = _merged([*conditions, *results])
    is_text = merged.is_text

    def text_of(error: Error | None) -> str:
        if error is None:
            return NULL
        return as_text(error).sql if is_text else error.sql

    arms: list[tuple[str, str]] = []
    for condition, result in zip(conditions, results):
        if condition.error is not None:
            arms.append((f"{condition.error.sql} IS NOT NULL", text_of(condition.error)))
        arms.append((condition.sql, text_of(result.error)))
    return replace(merged, sql=when(*arms, otherwise=text_of(results[-1].error)))


def _merged(values: list[Value]) -> Error:
    """Returns an error of the kind that covers the errors of all values."""
    merged = first_error(*(value.error for value in values))
    assert merged is not None
    return merged
