"""All queries of a dataflow in one Spark session: what goes into each step, and what is exported.

Steps are rendered in order: a later one reads the streams of those before it. Texts are the same in every session;
what a session must know besides (its Python functions, tables of constants) is made known on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import assert_never

from pyspark.sql import DataFrame, SparkSession

from compute.arrangement.layout import Layout
from compute.maintain.arranged import arranged_inputs, kept_name, rares_name
from compute.maintain.delays import delayed
from compute.maintain.keyed import KeyedQuery, contributions, keyed_rows
from compute.maintain.plan import (
    AccumulateStep,
    DelayStep,
    GroupStep,
    JoinStep,
    Keyed,
    MaintenancePlan,
    RecomputeStep,
    Step,
    ThresholdStep,
    input_segments,
)
from compute.maintain.prefix import OrderedPrefix, prefix_of
from compute.maintain.rares import rare_layout
from compute.maintain.recompute import Recomputation, recomputation
from compute.maintain.segments import SegmentQuery, Source, arrow_form, query_of, render_change, sources_of
from compute.maintain.streams import Stream, of_answers, of_rows, of_sums, of_versions
from compute.operators.accumulable import Rare
from compute.operators.context import Context
from compute.operators.linear import settled
from compute.scalars.layers import Layers
from compute.scalars.numerics import physical
from compute.scalars.python_function import PythonFunctions
from model.global_id import GlobalId
from model.physical import arrow_type, column_name
from model.timestamp import Timestamp
from planner.ir.relation import Relation


@dataclass(frozen=True, slots=True)
class ArrangedInput:
    """A query whose rows are arranged in a layout, if the step needs them arranged. Equal ones have one name.

    `rares` are arranged by themselves, under a name of their own.
    """

    name: str
    query: SegmentQuery
    layout: Layout | None
    rares: tuple[Rare, ...] = ()

    @property
    def layouts(self) -> list[tuple[str, Layout]]:
        """What is arranged, by name."""
        if self.layout is None:
            return []
        own = [(self.name, self.layout)]
        return [*own, (self.rares_name, rare_layout(self.layout))] if self.rares else own

    @property
    def rares_name(self) -> str:
        return rares_name(self.name)


@dataclass(frozen=True, slots=True)
class StepStage:
    """What one step takes, and what it makes."""

    step: Step
    inputs: tuple[ArrangedInput, ...]
    stream: Stream
    recomputation: Recomputation | None = None
    prefix: OrderedPrefix | None = None

    @property
    def layouts(self) -> list[tuple[str, Layout]]:
        """What it arranges, by name."""
        found = [named for each in self.inputs for named in each.layouts]
        return found if self.recomputation is None else [*found, (self.recomputation.name, self.recomputation.kept)]


@dataclass(frozen=True, slots=True)
class TickProgram:
    """`queries` are all of them by name: those of inputs and of answers, and of exports by their ids. `imports` are
    the views of imports."""

    imports: Mapping[GlobalId, str]
    stages: tuple[StepStage, ...]
    outputs: tuple[tuple[GlobalId, SegmentQuery], ...]
    queries: Mapping[str, SegmentQuery]

    def views_of(self, query: SegmentQuery) -> list[str]:
        """The views that a query over imports and streams reads."""
        sources = sorted(query.reads, key=str)
        return [view for source in sources for view in self._views_of(source)]

    def _views_of(self, source: Source) -> tuple[str, ...]:
        return self.stages[source].stream.read if isinstance(source, int) else (self.imports[source],)

    def asked(self) -> Iterator[tuple[SegmentQuery, Sequence[str]]]:
        """Each query with the views that it reads."""
        for stage in self.stages:
            for each in stage.inputs:
                if each.layout is not None:
                    yield each.query, self.views_of(each.query)
            if stage.stream.answers is not None:
                yield stage.stream.answers.query, stage.stream.made
        for _, query in self.outputs:
            yield query, self.views_of(query)

    def inputs_below(self, query: SegmentQuery) -> frozenset[str]:
        """The names of all inputs whose rows may come to the query."""
        names: set[str] = set()
        for source in query.reads:
            if isinstance(source, int):
                for each in self.stages[source].inputs:
                    names |= {each.name, *self.inputs_below(each.query)}
        return frozenset(names)


class _Writer:
    """Of one plan; the names of views begin with `prefix`."""

    def __init__(self, context: Context, prefix: str, plan: MaintenancePlan) -> None:
        self._context = context
        self._prefix = prefix
        self._readers = _readers(plan)
        self._arranged = arranged_inputs(plan)

    def stage(self, step: Step, number: int) -> StepStage:
        view = f"{self._prefix}_stream_{number}"
        match step:
            case JoinStep():
                left, right = (self._rows(side, joined=True) for side in (step.left, step.right))
                stream = of_rows(view, left.rows + right.rows)
                return StepStage(step, (self._input(number, 0, left), self._input(number, 1, right)), stream)
            case AccumulateStep():
                segment, key = step.input.segment, step.input.key
                keyed, finals, answers = contributions(self._context, segment, key, step.aggregates)
                stream = of_sums(view, keyed, finals, answers)
                return StepStage(step, (self._input(number, 0, keyed),), stream)
            case ThresholdStep():
                keyed = self._rows(step.input)
                return StepStage(step, (self._input(number, 0, keyed),), of_rows(view, keyed.rows))
            case GroupStep():
                return self._grouped(step, number, view)
            case DelayStep():
                query, forms = delayed(self._context, step.segment, step.since, step.until)
                lasts = not step.since and not step.until
                layout = None if lasts else Layout((), tuple(arrow_form(form) for form in forms))
                return StepStage(step, (ArrangedInput(f"{number}.0", query, layout),), of_rows(view, forms))
            case RecomputeStep():
                return self._recomputed(step, number, view)
            case _:
                assert_never(step)

    def _grouped(self, step: GroupStep, number: int, view: str) -> StepStage:
        prefix = prefix_of(step)
        order = None if prefix is None else prefix.order
        keyed = keyed_rows(self._context, step.input.segment, step.input.key, order=order)
        shared = self._readers.get(number, 0) > 1
        stream = of_versions(self._context, view, keyed.rows, step.operator, shared=shared)
        return StepStage(step, (self._input(number, 0, keyed),), stream, prefix=prefix)

    def _recomputed(self, step: RecomputeStep, number: int, view: str) -> StepStage:
        keyed = [self._rows(Keyed(segment, ())) for segment in step.inputs]
        inputs = [self._input(number, i, each) for i, each in enumerate(keyed)]
        again = recomputation(kept_name(number), step.operator, tuple(each.rows for each in keyed))
        return StepStage(step, tuple(inputs), of_answers(view, again.forms), again)

    def _rows(self, keyed: Keyed, *, joined: bool = False) -> KeyedQuery:
        return keyed_rows(self._context, keyed.segment, keyed.key, joined=joined)

    def _input(self, number: int, place: int, keyed: KeyedQuery) -> ArrangedInput:
        return ArrangedInput(self._arranged[number][place].name, keyed.query, keyed.layout, keyed.rares)


def write_program(
    spark: SparkSession, plan: MaintenancePlan, imports: Iterable[GlobalId], prefix: str, as_of: Timestamp | None
) -> TickProgram:
    """The queries of a tick that begins at `as_of`, when constants come in; of any later one when that is None."""
    constants = count()

    def add_view(frame: DataFrame) -> str:
        name = f"{prefix}_constant_{next(constants)}"
        frame.createOrReplaceTempView(name)
        return name

    views = {id_: f"{prefix}_{id_}" for id_ in imports}
    context = Context(spark, PythonFunctions(spark), views, add_view, render_change(as_of))
    writer = _Writer(context, prefix, plan)
    stages = []
    for number, step in enumerate(plan.steps):
        stages.append(writer.stage(step, number))
        context.locals[number] = stages[-1].stream.rows
    outputs = tuple((id_, _output(context, segment)) for id_, segment in plan.outputs)
    queries = {each.name: each.query for stage in stages for each in stage.inputs}
    answers = {f"{i}.answers": each.stream.answers for i, each in enumerate(stages)}
    queries |= {name: each.query for name, each in answers.items() if each is not None}
    return TickProgram(views, tuple(stages), outputs, queries | {str(id_): query for id_, query in outputs})


def _readers(plan: MaintenancePlan) -> Counter[int]:
    """By how many different segments each stream is read."""
    segments = [segment for step in plan.steps for segment in input_segments(step)]
    segments += [segment for _, segment in plan.outputs]
    different = {repr(segment): segment for segment in segments}.values()
    return Counter(source for segment in different for source in sources_of(segment) if isinstance(source, int))


def _output(context: Context, segment: Relation) -> SegmentQuery:
    """c0… exactly as collections hold them."""
    input_ = context.rendered(segment)
    layers = Layers()
    values = settled(layers, [physical(layers, value) for value in input_.values()])
    columns = [(column_name(i), value.sql, arrow_type(value.type)) for i, value in enumerate(values)]
    return query_of(segment, input_, layers, columns, [value.error for value in values])
