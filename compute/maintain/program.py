"""Writes all queries of a dataflow for one Spark session: for each step's inputs, and for the exports.

Steps are rendered in order: a later step reads the streams of earlier steps. Query texts are the same in every session;
Python functions and tables of constants are registered in the session on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from pyspark.sql import DataFrame, SparkSession

from compute.maintain.arranged import arranged_inputs
from compute.maintain.plan import MaintenancePlan
from compute.maintain.segments import SegmentQuery, Source, query_of, render_change, sources_of
from compute.maintain.stages.stage import TickStage
from compute.maintain.stages.write_stage import write_stage
from compute.maintain.stages.writing import Writing
from compute.operators.context import Context
from compute.operators.linear import settled
from compute.scalars.layers import Layers
from compute.scalars.numerics import physical
from compute.scalars.python_function import PythonFunctions
from model.ids.global_id import GlobalId
from model.physical.columns import arrow_type, column_name
from model.time.timestamp import Timestamp
from planner.functions.numbers.shown_scales import reads_decimals
from planner.ir.relation import Relation


@dataclass(frozen=True, slots=True)
class TickProgram:
    """All queries of a dataflow.

    `imports`: the views of imports.
    `stages`: the steps' stages, in order.
    `outputs`: the query of each export.
    `queries`: all queries by name: of inputs, of answers, and of exports by their ids.
    """

    imports: Mapping[GlobalId, str]
    stages: tuple[TickStage, ...]
    outputs: tuple[tuple[GlobalId, SegmentQuery], ...]
    queries: Mapping[str, SegmentQuery]

    def views_of(self, query: SegmentQuery) -> list[str]:
        """Returns the views that a query over imports and streams reads."""
        sources = sorted(query.reads, key=str)
        return [view for source in sources for view in self._views_of(source)]

    def _views_of(self, source: Source) -> tuple[str, ...]:
        return self.stages[source].stream.read if isinstance(source, int) else (self.imports[source],)

    def asked(self) -> Iterator[tuple[SegmentQuery, Sequence[str]]]:
        """Yields each query with the views it reads."""
        for stage in self.stages:
            for each in stage.inputs:
                if each.layout is not None:
                    yield each.query, self.views_of(each.query)
            if stage.stream.answers is not None:
                yield stage.stream.answers.query, stage.stream.made
        for _, query in self.outputs:
            yield query, self.views_of(query)

    def inputs_below(self, query: SegmentQuery) -> frozenset[str]:
        """Returns the names of all inputs whose rows may come to the query."""
        names: set[str] = set()
        for source in query.reads:
            if isinstance(source, int):
                for each in self.stages[source].inputs:
                    names |= {each.name, *self.inputs_below(each.query)}
        return frozenset(names)


def write_program(
    spark: SparkSession, plan: MaintenancePlan, imports: Iterable[GlobalId], prefix: str, as_of: Timestamp | None
) -> TickProgram:
    """Writes the queries of a tick that begins at `as_of`, where constants appear; with None, of any later tick."""
    constants = count()

    def add_view(frame: DataFrame) -> str:
        name = f"{prefix}_constant_{next(constants)}"
        frame.createOrReplaceTempView(name)
        return name

    views = {id_: f"{prefix}_{id_}" for id_ in imports}
    segments = [*(each for step in plan.steps for each in step.segments), *(each for _, each in plan.outputs)]
    # Conditions, keys of indexes and texts may hang on the decimals that tables store.
    shown = any(map(reads_decimals, segments))
    context = Context(spark, PythonFunctions(spark), views, add_view, render_change(as_of), shown=shown)
    readers = _readers(plan)
    stages: list[TickStage] = []
    for number, (step, arranged) in enumerate(zip(plan.steps, arranged_inputs(plan), strict=True)):
        shared = readers.get(number, 0) > 1
        writing = Writing(context, number, f"{prefix}_stream_{number}", arranged, shared)
        stages.append(write_stage(writing, step))
        context.locals[number] = stages[-1].stream.rows
    outputs = tuple((id_, _output(context, segment)) for id_, segment in plan.outputs)
    queries = {each.name: each.query for stage in stages for each in stage.inputs}
    answers = {f"{i}.answers": each.stream.answers for i, each in enumerate(stages)}
    queries |= {name: each.query for name, each in answers.items() if each is not None}
    return TickProgram(views, tuple(stages), outputs, queries | {str(id_): query for id_, query in outputs})


def _readers(plan: MaintenancePlan) -> Counter[int]:
    """Counts the different segments that read each stream."""
    segments = [segment for step in plan.steps for segment in step.segments]
    segments += [segment for _, segment in plan.outputs]
    different = {repr(segment): segment for segment in segments}.values()
    return Counter(source for segment in different for source in sources_of(segment) if isinstance(source, int))


def _output(context: Context, segment: Relation) -> SegmentQuery:
    """Writes a query for c0… in the forms that collections hold."""
    input_ = context.rendered(segment)
    layers = Layers()
    values = settled(layers, [physical(layers, value) for value in input_.values()])
    columns = [(column_name(i), value.sql, arrow_type(value.type)) for i, value in enumerate(values)]
    return query_of(segment, input_, layers, columns, [value.error for value in values])
