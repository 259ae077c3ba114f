"""What a maintenance plan means, in the most obvious form: every step over the whole contents of its input at a time.

Contents are counters of rows, as equal rows are told apart by SQL: with negative counts inside segments only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from compute.maintain.plan import MaintenancePlan, Step
from compute.maintain.steps.accumulate import AccumulateStep
from compute.maintain.steps.delay import DelayStep, TimeBound
from compute.maintain.steps.group import GROUP_ROWS, GroupStep
from compute.maintain.steps.join import JoinStep
from compute.maintain.steps.parts import Keyed
from compute.maintain.steps.recompute import RecomputeStep
from compute.maintain.steps.threshold import ThresholdStep
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.order.datum_order import identity_key
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_relation
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    LocalGet,
    Map,
    Negate,
    Project,
    Reduce,
    Relation,
    Union,
)
from planner.ir.scalar import Scalar, scalar_type
from planner.ir.visit import map_relation, with_inputs

Rows = Counter[Row]
NOTHING = EvaluationContext()


@dataclass(slots=True)
class Contents:
    """Of a plan's inputs, streams and outputs at `time`."""

    inputs: Mapping[GlobalId, Iterable[Row]]
    time: int
    streams: list[Rows] = field(default_factory=list)

    def of_plan(self, plan: MaintenancePlan) -> dict[GlobalId, Rows]:
        """The outputs' contents. SqlError when an expression that is evaluated fails."""
        for step in plan.steps:
            rows = self._step(step)
            assert all(count > 0 for count in rows.values()), f"{step} makes negative rows"
            self.streams.append(rows)
        return {id_: self.segment(segment) for id_, segment in plan.outputs}

    def segment(self, segment: Relation) -> Rows:
        """What holds of its contents holds of its changes: every node is applied to added and removed rows alike."""
        match segment:
            case Constant():
                return sum((Counter({row: count}) for row, count in segment.rows), Counter())
            case Get():
                return Counter(self.inputs[segment.id])
            case LocalGet():
                return self.streams[segment.local_id]
            case Negate():
                return Counter({row: -count for row, count in self.segment(segment.input).items()})
            case Union():
                total: Rows = Counter()
                for part in segment.inputs:
                    for row, count in self.segment(part).items():
                        total[row] += count
                return consolidated(total)
            case Project() | Map() | Filter() | FlatMap():
                below = self.segment(segment.input)
                changed: Rows = Counter()
                for sign in (1, -1):
                    rows = Counter({row: sign * count for row, count in below.items() if sign * count > 0})
                    constant = constant_of(rows, relation_desc_of(segment.input))
                    for row, count in evaluated(with_inputs(segment, (constant,))).items():
                        changed[row] += sign * count
                return consolidated(changed)
            case _:
                raise AssertionError(f"{type(segment).__name__} in a segment")

    def _step(self, step: Step) -> Rows:
        match step:
            case JoinStep():
                return self._join(step)
            case AccumulateStep():
                desc = relation_desc_of(step.input.segment)
                names = tuple(f"c{at}" for at in range(len(step.types)))
                rows = constant_of(self.segment(step.input.segment), desc)
                return evaluated(Reduce(rows, step.input.key, step.aggregates, names))
            case ThresholdStep():
                return Counter({row: count for row, count in self.segment(step.input.segment).items() if count > 0})
            case GroupStep():
                return self._group(step)
            case DelayStep():
                return self._delay(step)
            case RecomputeStep():
                inputs = [constant_of(self.segment(each), relation_desc_of(each)) for each in step.inputs]
                return evaluated(_reading(step.operator, {-1 - at: rows for at, rows in enumerate(inputs)}))
            case _:
                assert_never(step)

    def _join(self, step: JoinStep) -> Rows:
        index: dict[object, list[tuple[Row, int]]] = {}
        for key, row, count in self._keyed(step.right):
            index.setdefault(key, []).append((row, count))
        pairs: Rows = Counter()
        for key, row, count in self._keyed(step.left):
            for other, times in index.get(key, ()):
                pairs[row + other] += count * times
        return pairs

    def _keyed(self, keyed: Keyed) -> list[tuple[object, Row, int]]:
        """(key, row, count) of the rows that have no NULL in the key."""
        identity = identity_key([scalar_type(scalar) for scalar in keyed.key])
        found = []
        for row, count in self.segment(keyed.segment).items():
            key = values_of(keyed.key, row, keyed.segment)
            if None not in key:
                found.append((identity(key), row, count))
        return found

    def _group(self, step: GroupStep) -> Rows:
        """Each group by itself: the operator's own groups must not reach beyond."""
        segment = step.input.segment
        identity = identity_key([scalar_type(scalar) for scalar in step.input.key])
        groups: dict[object, Rows] = {} if step.input.key else {(): Counter()}
        for row, count in self.segment(segment).items():
            groups.setdefault(identity(values_of(step.input.key, row, segment)), Counter())[row] += count
        output: Rows = Counter()
        for rows in groups.values():
            output += evaluated(_reading(step.operator, {GROUP_ROWS: constant_of(rows, relation_desc_of(segment))}))
        return output

    def _delay(self, step: DelayStep) -> Rows:
        kept: Rows = Counter()
        for row, count in self.segment(step.segment).items():
            since = [_time_of(bound, row, step.segment) for bound in step.since]
            until = [_time_of(bound, row, step.segment) for bound in step.until]
            if all(time is None or time <= self.time for time in since) and all(
                time is None or self.time < time for time in until
            ):
                kept[row] += count
        return kept


def _time_of(bound: TimeBound, row: Row, segment: Relation) -> int | None:
    """None where it bounds nothing."""
    try:
        (at,) = values_of((bound.at,), row, segment)
    except SqlError:
        return None
    assert at is None or isinstance(at, int)
    return at if at is None else at + bound.after


def consolidated(rows: Rows) -> Rows:
    return Counter({row: count for row, count in rows.items() if count})


def constant_of(rows: Rows, desc: RelationDesc) -> Constant:
    assert all(count > 0 for count in rows.values()), "an operator over negative rows"
    return Constant(tuple(rows.items()), desc)


def evaluated(relation: Relation) -> Rows:
    return Counter(evaluate_relation(relation, NOTHING))


def values_of(scalars: tuple[Scalar, ...], row: Row, segment: Relation) -> Row:
    """The scalars' values for a row of the segment."""
    names = tuple(f"v{at}" for at in range(len(scalars)))
    (found,) = evaluate_relation(Map(Constant(((row, 1),), relation_desc_of(segment)), scalars, names), NOTHING)
    return found[len(row) :]


def _reading(operator: Relation, inputs: Mapping[int, Constant]) -> Relation:
    """The operator over constants."""

    def change(node: Relation) -> Relation:
        return inputs[node.local_id] if isinstance(node, LocalGet) and node.local_id in inputs else node

    return map_relation(operator, change)
