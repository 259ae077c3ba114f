"""Window calls in Python workers: each group is gathered into one row, answered, and spread out again."""

from __future__ import annotations

from dataclasses import dataclass, field

from compute.operators.aggregates import session_values
from compute.operators.group_columns import GroupColumns, exact
from compute.operators.rendered import ERROR_COLUMN, error_column
from compute.operators.window_frames import frame_bounds
from compute.scalars.failure import Error, first_error
from compute.scalars.layers import Layers
from compute.scalars.python_function import PythonFunctions
from compute.scalars.spark_sql import Sql, spark_type
from compute.scalars.value import Value, derived
from compute.scalars.window_worker import WindowWorker, result_of
from model.types.scalar_type import BOOL, ScalarType, TypeName
from planner.functions.registry import AGGREGATES
from planner.interpret.window_values import BoundCall
from planner.ir.relation import Window
from planner.ir.scalar import scalar_type
from planner.ir.window import WindowCall


@dataclass(slots=True)
class PythonCalls:
    """The calls so far; `inputs` are the columns of the first select that the calls read, one call after the other."""

    groups: GroupColumns
    window: Window
    python: PythonFunctions
    calls: list[BoundCall] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    inputs: list[Value] = field(default_factory=list)
    results: list[ScalarType] = field(default_factory=list)

    def answer(self, call: WindowCall) -> Value:
        """Returns the call's value, in the second select."""
        aggregate = AGGREGATES.get(call.function)
        count = len(call.arguments) if aggregate is None else len(aggregate.arguments)
        lowered = [self.groups.lowering.lower(argument) for argument in call.arguments]
        condition = () if call.condition is None else (call.condition,)
        rest = [self.groups.lowering.lower(scalar) for scalar in (*condition, *call.frame.compared)]
        parts = [exact(self.groups, value) for value in (*lowered[:count], *rest)]
        start, end = frame_bounds(call.frame)
        first = self.window.order[0] if self.window.order else None
        bound = BoundCall(
            call.function,
            tuple(value.type for value in parts[:count]),
            call.condition is not None,
            call.frame,
            start,
            end,
            None if call.frame.key is None else scalar_type(call.frame.key),
            first is not None and first.descending,
            first is not None and first.nulls_first,
            () if aggregate is None else session_values(aggregate, tuple(lowered[count:])),
        )
        self.calls.append(bound)
        self.widths.append(len(parts))
        self.inputs += parts
        self.results.append(call.type)
        return self.groups.partial(f"answer.f{len(self.calls) - 1}", call.type)

    def answered(self, text: str, partition: list[str], error: Error | None) -> tuple[str, Error]:
        """Returns the rows of `text`, which have `place` and `rank`, with their `answer`; `err` holds the rows'
        errors first."""
        grouping = f" GROUP BY {', '.join(partition)}" if partition else ""
        gathered = Sql(f"(SELECT collect_list(struct(*)) AS members FROM ({text}){grouping})")
        fields = ["'place', m.place", "'rank', m.rank"]
        fields += [f"'v{i}', m.{value.sql}" for i, value in enumerate(self.inputs)]
        members = derived(f"transform(members, m -> named_struct({', '.join(fields)}))", BOOL)
        types = tuple(value.type for value in self.inputs)
        worker = WindowWorker(tuple(self.calls), tuple(self.widths), types, tuple(self.results))
        layers = Layers()
        value = self.python.window(layers, worker, members)
        assert value.error is not None, "what runs in Python may fail"
        none = f"CAST(array() AS {spark_type(ScalarType(TypeName.LIST, member=result_of(worker.results)))})"
        answers = f"members, coalesce({value.sql}, {none}) AS answers, {value.error.sql} AS failure"
        answered = f"SELECT {answers} FROM {layers.over(gathered)}"
        zipped = f"SELECT explode(arrays_zip(members, answers)) AS item, failure FROM ({answered})"
        spread = f"SELECT item.members.*, item.answers AS answer, failure FROM ({zipped})"
        failure = first_error(error, Error(Sql("failure"), True))
        assert failure is not None
        others = "*" if error is None else f"* EXCEPT ({ERROR_COLUMN})"
        return f"SELECT {others}, {failure.sql} AS {ERROR_COLUMN} FROM ({spread})", error_column(failure)
