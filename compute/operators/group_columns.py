"""The columns of the selects that Reduce and Window are made of, and rows in the order that WITHIN GROUP gives them."""

from __future__ import annotations

from dataclasses import dataclass

from compute.scalars.failure import Error
from compute.scalars.layers import Layers
from compute.scalars.lower import Lowering
from compute.scalars.numerics import decimals_of, hangs_on_values, to_decimal
from compute.scalars.python_function import PythonFunctions
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value, column
from model.types.scalar_type import ScalarType, TypeName


@dataclass(frozen=True, slots=True)
class RowOrder:
    """An order of the rows of each group for which `counted` is true. Rows tie where `by` is equal; `direction` is its
    words behind ORDER BY, and `ties` are items that tell rows apart which tie."""

    counted: str
    by: str
    direction: str
    ties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlaceColumns:
    """The columns of a RowOrder: a row's place from 1, the place of the first row that ties with it, that of the last,
    and the number of rows that count."""

    place: str
    first: str
    last: str
    count: str


class GroupColumns:
    """The columns that the three selects of a Reduce pass on: `x0…` are the inputs of aggregates, `p0…` partial
    results."""

    def __init__(
        self, lowering: Lowering, layers: Layers, python: PythonFunctions, with_decimals: bool = False
    ) -> None:
        self.with_decimals = with_decimals
        self.lowering = lowering
        self.layers = layers
        self.python = python
        self.finals = Layers()
        self.input_errors: list[Error] = []
        self._inputs: dict[Sql, str] = {}
        self._origins: dict[Sql, Value] = {}
        self._partials: dict[str, str] = {}
        self._orders: dict[RowOrder, PlaceColumns] = {}

    @property
    def inputs(self) -> list[tuple[str, Sql]]:
        return [(name, sql) for sql, name in self._inputs.items()]

    @property
    def partials(self) -> list[tuple[str, str]]:
        return [(name, sql) for sql, name in self._partials.items()]

    def input(self, value: Value) -> Value:
        """Adds the argument of an aggregate to the columns of the grouped select, and returns the column. An error of
        the argument becomes an error of the row. With `with_decimals`, a numeric gets a second column, which holds the
        number of decimals that each value shows."""
        if value.error is not None:
            value = self.layers.once(value)
            assert value.error is not None
            self.input_errors.append(value.error)
        # Keeps the layers below it: the select stands over all of them.
        name = self._inputs.setdefault(value.sql, f"x{len(self._inputs)}")
        self._origins[Sql(name)] = value
        told = decimals_of(value) if self.with_decimals and hangs_on_values(value) else None
        shown = None if told is None else Sql(self._inputs.setdefault(told, f"x{len(self._inputs)}"))
        return column(name, value.type, value.decimal, shown=shown)

    def origin(self, value: Value) -> Value:
        """Returns an input's expression, below the select that names it."""
        return self._origins[value.sql]

    def partial(self, text: str, type_: ScalarType, decimal: tuple[int, int] | None = None) -> Value:
        """Adds an aggregate over inputs (`text`, in SQL) to the columns of the answers' select, and returns the
        column."""
        name = self._partials.setdefault(text, f"p{len(self._partials)}")
        return column(name, type_, decimal)

    def places(self, order: RowOrder) -> PlaceColumns:
        """Returns the columns that tell where each row of the grouped select stands in the order."""
        number = len(self._orders)
        return self._orders.setdefault(
            order, PlaceColumns(*(f"{name}{number}" for name in ("place", "first", "last", "n")))
        )

    def placed(self, inputs: str, partition: list[str]) -> str:
        """Returns the select of the inputs with the columns of all orders; `partition` tells groups apart.

        Spark sorts the rows, on disk where they are many, and then holds none of them.
        """
        if not self._orders:
            return inputs
        # A column that is a value as it is would be held twice.
        named = {
            order: order.by if order.by in self._inputs.values() else f"o{i}" for i, order in enumerate(self._orders)
        }
        computed = [f", {order.by} AS {name}" for order, name in named.items() if order.by != name]
        windows: list[str] = []
        for order, places in self._orders.items():
            group = f"PARTITION BY {', '.join([*partition, order.counted])} ORDER BY {named[order]} {order.direction}"
            total = ", ".join([group, *order.ties])
            windows += [
                f"row_number() OVER ({total}) AS {places.place}",
                f"rank() OVER ({group}) AS {places.first}",
                f"count(1) OVER ({group}) AS {places.last}",
                f"count(1) OVER ({total} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS {places.count}",
            ]
        return f"SELECT *, {', '.join(windows)} FROM (SELECT *{''.join(computed)} FROM ({inputs}))"


def exact(groups: GroupColumns, value: Value) -> Value:
    """Returns an input in its physical form."""
    if value.type.name is TypeName.NUMERIC:
        value = to_decimal(groups.layers, value, value.type)
    return groups.input(value)
