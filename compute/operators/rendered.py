"""The result of an operator: a Spark SQL query, and the meaning of its columns.

Columns are `c0`, `c1` …, then `err` if a row may be an error (its other columns then mean nothing, and the row must
reach the statement's end), then carried columns, passed on unchanged. A relation without columns has `z`.

    carried            a row is
    (nothing)          a row of a multiset, as often as it occurs
    diff               a row with a signed multiplicity
    time, diff         an update: a row with a signed multiplicity, from the time on
    t, u               a row of one version of its group, which begins at t and ends at u
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compute.scalars.failure import Error
from compute.scalars.layers import Layers
from compute.scalars.numerics import decimals_of, hangs_on_values
from compute.scalars.spark_sql import Sql, conjunction, decimal_type, spark_type
from compute.scalars.value import Value, column
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name, decimal_bounds
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName

ERROR_COLUMN = "err"
TIMED = (TIME_COLUMN, DIFF_COLUMN)
VERSIONED = ("t", "u")


@dataclass(frozen=True, slots=True)
class Form:
    """A column's type, and for a numeric the (precision, scale) of Spark's decimal."""

    type: ScalarType
    decimal: tuple[int, int] | None = None

    @property
    def spark_type(self) -> str:
        return decimal_type(self.decimal) if self.decimal is not None else spark_type(self.type)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered query. `error` is None without a column `err`, else an Error that names the column. `carried` ends
    with `diff`, if present. `projections` are those that the query ends in, through which Spark moves conditions.
    `shown` are the columns of numerics beside which a column, `s0` for `c0`, tells how many decimals are shown."""

    sql: Sql
    forms: tuple[Form, ...]
    error: Error | None = None
    carried: tuple[str, ...] = ()
    projections: int = 0
    shown: frozenset[int] = frozenset()

    @property
    def signed(self) -> bool:
        """Returns whether rows have multiplicities of either sign."""
        return DIFF_COLUMN in self.carried

    @property
    def arity(self) -> int:
        return len(self.forms)

    @property
    def source(self) -> Sql:
        """Returns the query as an item of FROM."""
        return Sql(f"({self.sql})")

    def values(self, prefix: str = "", first: int = 0) -> tuple[Value, ...]:
        """Returns the columns as values; `prefix` qualifies them."""
        return tuple(
            column(f"{prefix}{column_name(first + i)}", form.type, form.decimal, shown=self._decimals(i, prefix, first))
            for i, form in enumerate(self.forms)
        )

    @property
    def companions(self) -> str:
        """Returns the columns that tell decimals, each after a comma."""
        return "".join(f", {decimals_name(i)}" for i in sorted(self.shown))

    def _decimals(self, at: int, prefix: str, first: int) -> Sql | None:
        return Sql(f"{prefix}{decimals_name(first + at)}") if at in self.shown else None


def decimals_name(index: int) -> str:
    """Returns the name of the column that tells the decimals of a column."""
    return f"s{index}"


def physical_form(type_: ScalarType) -> Form:
    return Form(type_, decimal_bounds(type_) if type_.name is TypeName.NUMERIC else None)


def physical_forms(desc: RelationDesc) -> tuple[Form, ...]:
    """Returns the forms that collections hold."""
    return tuple(physical_form(type_) for type_ in desc.types)


def scan(
    view: str, forms: tuple[Form, ...], carried: tuple[str, ...] = (), error: Error | None = None, decimals: str = ""
) -> Sql:
    """Selects a view's rows, and the columns that `decimals` names, each after a comma. A timestamp without a zone in
    Arrow may have come to Spark as a timestamp with a zone, and is cast."""
    columns = [
        f"CAST({column_name(i)} AS TIMESTAMP_NTZ)" if form.type.name is TypeName.TIMESTAMP else column_name(i)
        for i, form in enumerate(forms)
    ]
    return Sql(f"SELECT {select_list(columns, error, carried)}{decimals} FROM {view}")


def error_column(error: Error) -> Error:
    """Returns the column `err` that holds `error`."""
    return replace(error, sql=Sql(ERROR_COLUMN))


def select_list(columns: list[str], error: Error | None, carried: tuple[str, ...] = ()) -> str:
    """Returns the columns by position, then `err` and the carried columns."""
    parts = [_aliased(sql, column_name(i)) for i, sql in enumerate(columns)] or ["0 AS z"]
    if error is not None:
        parts.append(_aliased(error.sql, ERROR_COLUMN))
    return ", ".join([*parts, *carried])


def _aliased(sql: str, name: str) -> str:
    return sql if sql == name else f"{sql} AS {name}"


def select(
    input_: Rendered,
    layers: Layers,
    values: list[Value],
    error: Error | None,
    where: list[Sql] | None = None,
    source: Sql | None = None,
    with_shown: bool = False,
) -> Rendered:
    """Writes SELECT of `values` and `error` over the input with its layers; `with_shown` with columns that tell
    decimals."""
    columns = select_list([value.sql for value in values], error, input_.carried)
    projections = layers.count + input_.projections
    told = {i: decimals_of(value) for i, value in enumerate(values) if with_shown and hangs_on_values(value)}
    columns += "".join(f", {_aliased(str(sql), decimals_name(i))}" for i, sql in told.items())
    if where:
        below, condition = layers.filtered(source or input_.source, conjunction(where), input_.projections)
        projections = 0 if layers.deep(input_.projections) else projections
        text = Sql(f"SELECT {columns} FROM {below} WHERE {condition}")
    else:
        text = Sql(f"SELECT {columns} FROM {layers.over(source or input_.source)}")
    forms = tuple(Form(value.type, value.decimal) for value in values)
    shown_error = error_column(error) if error is not None else None
    return Rendered(text, forms, shown_error, input_.carried, projections, frozenset(told))
