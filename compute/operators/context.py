"""What the operators of one dataflow share: the session's UDFs, the names of inputs, what is bound."""

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
    """Of `relation` so many `rows` are enough, or as many as that relation has.

    Both read the recursion's rows as LocalGet of its id; `lets` are bound around them, the outermost first. Where
    `each`, every row of the recursion makes one of the relation.
    """

    relation: Relation
    rows: int | Relation
    lets: tuple[Binding, ...]
    each: bool


@dataclass(slots=True)
class Context:
    """`render` renders a relation in this context. `shared` are the common table expressions so far, in order;
    `fallible` the inputs that have a column `err`. `kept` are the Lets, by local id, that are computed once, by a job's
    tasks, and not wherever they are read: Spark unfolds shared queries. `asked`: of a recursion, by local id, what ends
    it before it ends itself."""

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

    def lowering(self, columns: tuple[Value, ...], layers: Layers) -> Lowering:
        return Lowering(columns, layers, self.python)

    def rendered(self, relation: Relation) -> Rendered:
        return self.render(self, relation)

    def share(self, sql: Sql) -> str:
        """Names a query for use in any later one."""
        name = f"shared_{len(self.shared)}"
        self.shared.append((name, sql))
        return name

    def complete(self, sql: Sql) -> Sql:
        """A query with the shared ones it may use."""
        if not self.shared:
            return sql
        return Sql("WITH " + ", ".join(f"{name} AS ({text})" for name, text in self.shared) + f" {sql}")
