"""A maintenance plan in words, for EXPLAIN: how each step is maintained, what it arranges, what is not incremental."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import assert_never

from compute.maintain.plan import (
    AccumulateStep,
    DelayStep,
    GroupStep,
    JoinStep,
    Keyed,
    Maintenance,
    MaintenancePlan,
    RecomputeStep,
    Step,
    ThresholdStep,
)
from planner.functions.registry import AGGREGATES
from planner.ir.relation import Join, Recursive, Reduce, Relation, TopK, Window
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class Texts:
    """How relations and expressions are written: `explain`, given names, and `explain_scalar` of planner/explain.py."""

    relation: Callable[[Relation], str]
    scalar: Callable[[Scalar], str]

    def title(self, relation: Relation) -> str:
        """The node without its inputs."""
        return self.relation(relation).partition("\n")[0]


def maintenance_of(step: Step) -> Maintenance:
    match step:
        case JoinStep():
            return Maintenance.JOIN
        case AccumulateStep() | ThresholdStep():
            return Maintenance.ACCUMULABLE
        case GroupStep():
            return Maintenance.GROUP
        case DelayStep():
            return Maintenance.LINEAR if step.since is None and step.until is None else Maintenance.DELAY
        case RecomputeStep():
            return Maintenance.RECOMPUTE
        case _:
            assert_never(step)


def recomputed(plan: MaintenancePlan) -> list[str]:
    """What a change makes the plan do that does not grow with the change: recomputations, and groups of all rows.

    Empty for a plan that is incremental throughout.
    """
    found = [text for step in plan.steps if (text := _whole(step)) is not None]
    return list(dict.fromkeys(found))


def _whole(step: Step) -> str | None:
    match step:
        case RecomputeStep():
            return _operator(step.operator)
        case GroupStep() if not step.input.key:
            return f"{_operator(step.operator)} of all rows"
        case _:
            return None


def _operator(operator: Relation) -> str:
    match operator:
        case Recursive():
            return "WITH RECURSIVE"
        case Join():
            return f"{operator.kind.value} join on values that can't be keys"
        case TopK():
            return "ORDER BY with LIMIT" if operator.order else "LIMIT"
        case Reduce():
            return (
                ", ".join(dict.fromkeys(AGGREGATES[each.function].name for each in operator.aggregates)) or "DISTINCT"
            )
        case Window():
            return "window functions"
        case _:
            return type(operator).__name__


def describe(plan: MaintenancePlan, texts: Texts) -> tuple[str, ...]:
    """The plan in lines: each step with what it arranges and the segments it reads, then each output."""
    lines: list[str] = []
    for at, step in enumerate(plan.steps):
        title, *rest = _step_lines(step, texts)
        lines += [f"With l{at} = {title} [{maintenance_of(step).value}]", *_indented(rest)]
    for id_, segment in plan.outputs:
        lines += [f"Return {id_}", *_indented(texts.relation(segment).splitlines())]
    return tuple(lines)


def _step_lines(step: Step, texts: Texts) -> Iterator[str]:
    match step:
        case JoinStep():
            yield "Join"
            yield from _keyed(step.left, texts)
            yield from _keyed(step.right, texts)
        case AccumulateStep():
            names = tuple(f"c{at}" for at in range(len(step.input.key) + len(step.aggregates)))
            yield texts.title(Reduce(step.input.segment, step.input.key, step.aggregates, names))
            yield from _keyed(step.input, texts)
        case ThresholdStep():
            yield "Threshold"
            yield from _keyed(step.input, texts)
        case GroupStep():
            yield texts.title(step.operator)
            yield from _keyed(step.input, texts)
        case DelayStep():
            since = "" if step.since is None else f" since {texts.scalar(step.since)}"
            until = "" if step.until is None else f" until {texts.scalar(step.until)}"
            yield f"Delay{since}{until}" if since or until else "Share"
            yield from texts.relation(step.segment).splitlines()
        case RecomputeStep():
            yield "Recompute"
            yield from texts.relation(step.operator).splitlines()
            for at, segment in enumerate(step.inputs, start=1):
                yield f"Input l-{at}"
                yield from _indented(texts.relation(segment).splitlines())
        case _:
            assert_never(step)


def _keyed(keyed: Keyed, texts: Texts) -> Iterator[str]:
    yield f"Arranged by {', '.join(map(texts.scalar, keyed.key)) or 'nothing'}"
    yield from _indented(texts.relation(keyed.segment).splitlines())


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
