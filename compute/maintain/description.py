"""Tells a maintenance plan in words, for EXPLAIN: the method and the arrangements of each step, and work not
incremental."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compute.maintain.arranged import Arranged, arranged_inputs, kept_name, rares_name
from compute.maintain.plan import MaintenancePlan, Step
from compute.maintain.steps.parts import ArrangedForm, Maintenance, Texts
from compute.maintain.steps.recompute import RecomputeStep
from planner.ir.relation import Relation

_OWN_INPUT = re.compile(r"^( *)Get l-([0-9]+)$")


def recomputed(plan: MaintenancePlan) -> list[str]:
    """Returns the work whose size does not depend on the change: recomputations, and groups of all rows.

    Empty for a plan that is incremental throughout.
    """
    found = [step.whole for step in plan.steps if step.whole is not None]
    return list(dict.fromkeys(found))


def describe(plan: MaintenancePlan, texts: Texts) -> tuple[str, ...]:
    """Returns the plan in lines: each step with its arrangements and the segments it reads, then each output.

    An arrangement that several steps share is written out at the first of them.
    """
    lines: list[str] = []
    for at, (step, arranged) in enumerate(zip(plan.steps, arranged_inputs(plan), strict=True)):
        lines.append(f"With l{at} = {step.title(texts)} [{step.maintenance.value}]")
        lines += _indented([*_input_lines(step, at, arranged, texts)])
    for id_, segment in plan.outputs:
        lines += [f"Return {id_} [{Maintenance.LINEAR.value}]", *_indented(_segment(segment, texts))]
    return tuple(lines)


def key_of(arranged: Arranged, texts: Texts) -> str:
    """Returns the key of an arrangement as text; empty for a single group."""
    return ", ".join(map(texts.scalar, arranged.input.keyed.key))


def arrangement_texts(plan: MaintenancePlan, texts: Texts) -> dict[str, tuple[str, str]]:
    """Describes the plan's arrangements by name: the first step that uses each, as `describe` calls the step, and
    the key."""
    found: dict[str, tuple[str, str]] = {}
    for at, (step, arranged) in enumerate(zip(plan.steps, arranged_inputs(plan), strict=True)):
        title = f"l{at} = {step.title(texts)}"
        for each in arranged:
            found.setdefault(each.name, (title, key_of(each, texts)))
            found.setdefault(rares_name(each.name), (f"{title} (rare values)", key_of(each, texts)))
        found[kept_name(at)] = (f"{title} (last answer)", "")
    return found


def _input_lines(step: Step, at: int, arranged: tuple[Arranged, ...], texts: Texts) -> Iterator[str]:
    if isinstance(step, RecomputeStep):
        yield from _segment(step.operator, texts)
    if not arranged:
        yield from (line for segment in step.segments for line in _segment(segment, texts))
    for place, each in enumerate(arranged, start=1):
        input_ = f"Input {place}: " if isinstance(step, RecomputeStep) else ""
        key = key_of(each, texts)
        by = f"by {key}" if key else "as a whole"
        sums = " as sums" if each.input.form is ArrangedForm.SUMS else ""
        orders = ", ".join(f"{texts.scalar(key.expression)}{' desc' * key.descending}" for key in each.input.orders)
        ordered = f" in order of {orders}" if orders else ""
        shared = f", shared with l{each.owner}" if each.owner != at else ""
        yield f"{input_}Arranged {by}{sums}{ordered}{shared}"
        if not shared:
            yield from _indented(_segment(each.input.keyed.segment, texts))


def _segment(relation: Relation, texts: Texts) -> list[str]:
    """Returns a segment's lines. A recomputation reads its inputs under negative numbers, which are shown as inputs."""
    return [_OWN_INPUT.sub(r"\1Get input \2", line) for line in texts.relation(relation).splitlines()]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
