"""The common state of a dataflow's operators: the session's UDFs, names of inputs, bindings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pyspark.sql import DataFrame, SparkSession

from compute.operators.rendered import Rendered
from compute.scalars.layers import Layers
from compute.scalars.lower import Lowering
from compute.scalars.python_function import PythonFunctions
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value
from model.ids.global_id import GlobalId
from planner.ir.relation import Relation

Binding = tuple[int, Relation]


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition that ends a recursion: `relation` has `rows` rows, or as many as another relation.

    Relations read the recursion's rows as LocalGet of its id.
    `lets`: bindings around both relations, the outermost first.
    `each`: whether every row of the recursion makes one row of the relation.
    """

    relation: Relation
    rows: int | Relation
    lets: tuple[Binding, ...]
    each: bool


@dataclass(slots=True)
class Context:
    """The state that operators share while a dataflow is rendered.

    `render`: renders a relation in this context.
    `shared`: common table expressions so far, in order.
    `fallible`: inputs with a column `err`.
    `kept`: local ids of Lets that a job's tasks compute once, because Spark unfolds shared queries.
    `asked`: by a recursion's local id, conditions that end the recursion early.
    `shown`: whether somebody sees how many decimals the answer's numerics have.
    """

    spark: SparkSession
    python: PythonFunctions
    inputs: dict[GlobalId, str]
    add_view: Callable[[DataFrame], str]
    render: Callable[[Context, Relation], Rendered]
    locals: dict[int, Rendered] = field(default_factory=dict)
    shared: list[tuple[str, Sql]] = field(default_factory=list)
    fallible: frozenset[GlobalId] = frozenset()
    kept: frozenset[int] = frozenset()
    asked: dict[int, tuple[Asked, ...]] = field(default_factory=dict)
    shown: bool = False

    def lowering(self, columns: tuple[Value, ...], layers: Layers) -> Lowering:
        return Lowering(columns, layers, self.python)

    def rendered(self, relation: Relation) -> Rendered:
        return self.render(self, relation)

    def share(self, sql: Sql) -> str:
        """Names a query, for use in any later query."""
        name = f"shared_{len(self.shared)}"
        self.shared.append((name, sql))
        return name

    def complete(self, sql: Sql) -> Sql:
        """Returns a query with the definitions of all shared queries."""
        if not self.shared:
            return sql
        return Sql("WITH " + ", ".join(f"{name} AS ({text})" for name, text in self.shared) + f" {sql}")
