"""A maintenance plan in words, for EXPLAIN: how each step is maintained, what it arranges, what is not incremental."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import assert_never

from compute.maintain.arranged import Arranged, ArrangedForm, arranged_inputs, kept_name, rares_name
from compute.maintain.plan import (
    AccumulateStep,
    DelayStep,
    GroupStep,
    JoinStep,
    Maintenance,
    MaintenancePlan,
    RecomputeStep,
    Step,
    ThresholdStep,
    TimeBound,
    input_segments,
)
from compute.maintain.prefix import prefix_of
from planner.functions.registry import AGGREGATES
from planner.ir.relation import Join, LetRecursive, Recursive, Reduce, Relation, TopK, Window
from planner.ir.scalar import Scalar

_OWN_INPUT = re.compile(r"^( *)Get l-([0-9]+)$")


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
            return Maintenance.GROUP if prefix_of(step) is None else Maintenance.PREFIX
        case DelayStep():
            return Maintenance.LINEAR if not step.since and not step.until else Maintenance.DELAY
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
        case GroupStep() if not step.input.key and prefix_of(step) is None:
            return f"{_operator(step.operator)} of all rows"
        case _:
            return None


def _operator(operator: Relation) -> str:
    match operator:
        case Recursive():
            return "WITH RECURSIVE"
        case LetRecursive():
            return "WITH MUTUALLY RECURSIVE"
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
    """The plan in lines: each step with what it arranges and the segments it reads, then each output.

    What several steps share is written out where it is arranged first.
    """
    lines: list[str] = []
    for at, (step, arranged) in enumerate(zip(plan.steps, arranged_inputs(plan), strict=True)):
        lines.append(f"With l{at} = {title_of(step, texts)} [{maintenance_of(step).value}]")
        lines += _indented([*_input_lines(step, at, arranged, texts)])
    for id_, segment in plan.outputs:
        lines += [f"Return {id_} [{Maintenance.LINEAR.value}]", *_indented(_segment(segment, texts))]
    return tuple(lines)


def title_of(step: Step, texts: Texts) -> str:
    """The step without what it reads."""
    match step:
        case JoinStep():
            return "Join"
        case AccumulateStep():
            names = tuple(f"c{at}" for at in range(len(step.input.key) + len(step.aggregates)))
            return texts.title(Reduce(step.input.segment, step.input.key, step.aggregates, names))
        case ThresholdStep():
            return "Threshold"
        case GroupStep():
            return texts.title(step.operator)
        case DelayStep():
            parts = [("since", "greatest", step.since), ("until", "least", step.until)]
            bounds = [f" {word} {_bound_text(which, each, texts)}" for word, which, each in parts if each]
            return f"Delay{''.join(bounds)}" if bounds else "Share"
        case RecomputeStep():
            return "Recompute"
        case _:
            assert_never(step)


def _bound_text(which: str, bounds: tuple[TimeBound, ...], texts: Texts) -> str:
    each = [f"{texts.scalar(bound.at)} + 1" if bound.after else texts.scalar(bound.at) for bound in bounds]
    return each[0] if len(each) == 1 else f"{which}({', '.join(each)})"


def key_of(arranged: Arranged, texts: Texts) -> str:
    """By what it is sorted; empty when it is one group."""
    return ", ".join(map(texts.scalar, arranged.keyed.key))


def arrangement_texts(plan: MaintenancePlan, texts: Texts) -> dict[str, tuple[str, str]]:
    """What the plan's arrangements hold, by name: the step that has it first as `describe` has it, and the key."""
    found: dict[str, tuple[str, str]] = {}
    for at, (step, arranged) in enumerate(zip(plan.steps, arranged_inputs(plan), strict=True)):
        title = f"l{at} = {title_of(step, texts)}"
        for each in arranged:
            found.setdefault(each.name, (title, key_of(each, texts)))
            found.setdefault(rares_name(each.name), (f"{title} (rare values)", key_of(each, texts)))
        found[kept_name(at)] = (f"{title} (last answer)", "")
    return found


def _input_lines(step: Step, at: int, arranged: tuple[Arranged, ...], texts: Texts) -> Iterator[str]:
    if isinstance(step, RecomputeStep):
        yield from _segment(step.operator, texts)
    if not arranged:
        yield from (line for segment in input_segments(step) for line in _segment(segment, texts))
    for place, each in enumerate(arranged, start=1):
        input_ = f"Input {place}: " if isinstance(step, RecomputeStep) else ""
        key = key_of(each, texts)
        by = f"by {key}" if key else "as a whole"
        sums = " as sums" if each.form is ArrangedForm.SUMS else ""
        orders = ", ".join(f"{texts.scalar(key.expression)}{' desc' * key.descending}" for key in each.orders)
        ordered = f" in order of {orders}" if orders else ""
        shared = f", shared with l{each.owner}" if each.owner != at else ""
        yield f"{input_}Arranged {by}{sums}{ordered}{shared}"
        if not shared:
            yield from _indented(_segment(each.keyed.segment, texts))


def _segment(relation: Relation, texts: Texts) -> list[str]:
    """A recomputation reads its inputs under negative numbers."""
    return [_OWN_INPUT.sub(r"\1Get input \2", line) for line in texts.relation(relation).splitlines()]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
