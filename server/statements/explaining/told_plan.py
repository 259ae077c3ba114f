"""A plan as EXPLAIN tells it: nodes in order, as lines of text or as PostgreSQL's JSON.

    [{"Plan": {"Node Type": "Filter", "Detail": "…", "Plans": [{"Node Type": "Read", …}]}, "Execution Time": 1.25}]

Neither form is written by recursion: plans may be deeper than Python's stack.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from model.types.datum import Row
from planner.explain import PlanLine
from planner.plans.explaining import AnalyzePlan, ExplainFormat, ExplainPlan
from server.pgwire.backend import Rows
from server.statements.results import rows_result

Fact = str | int | float
ROWS, STARTUP_MS, TOTAL_MS = "Actual Rows", "Actual Startup Time", "Actual Total Time"
_LOOPS = "Actual Loops"
_INDENTED_LEVELS_MAX = 40
"""Beyond it, the blanks of a deep plan would be most of its text."""


@dataclass(frozen=True, slots=True)
class PlanNode:
    """A line of a plan, with facts by PostgreSQL's names; times in milliseconds."""

    line: PlanLine
    facts: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToldPlan:
    """The nodes of a plan, parents first, and a summary of the whole."""

    nodes: Sequence[PlanNode]
    summary: Mapping[str, Fact] = field(default_factory=dict)

    def text_rows(self) -> list[Row]:
        """Returns a row for each line of text."""
        lines = [line for node in self.nodes for line in _text_lines(node)]
        lines += [f"{name}: {_text(name, fact)}" for name, fact in self.summary.items()]
        return [(line,) for line in lines]

    def json_rows(self) -> list[Row]:
        """Returns one row with the JSON."""
        return [("".join(_json_parts(self)),)]


def text_lines(lines: Iterable[str]) -> Iterator[PlanLine]:
    """Yields plain lines of text, indented by two blanks a level."""
    for line in lines:
        depth = (len(line) - len(line.lstrip(" "))) // 2
        yield PlanLine(depth, line[2 * depth :])


def told_rows(plan: ExplainPlan | AnalyzePlan, told: ToldPlan) -> Rows:
    """Returns the result of an EXPLAIN, in its format."""
    rows = told.json_rows() if plan.format is ExplainFormat.JSON else told.text_rows()
    return rows_result(plan.desc, rows, "EXPLAIN")


def _text_lines(node: PlanNode) -> Iterator[str]:
    first, *more = str(node.line).splitlines() or [""]
    facts = dict(node.facts)
    actual: list[str] = []
    if STARTUP_MS in facts:
        actual.append(f"time={facts.pop(STARTUP_MS):.3f}..{facts.pop(TOTAL_MS):.3f}")
    if ROWS in facts:
        actual.append(f"rows={facts.pop(ROWS)} loops={facts.pop(_LOOPS)}")
    yield first + (f" (actual {' '.join(actual)})" if actual else "")
    yield from more
    for name, fact in facts.items():
        yield f"{'  ' * (node.line.depth + 1)}{name}: {_text(name, fact)}"


def measured(rows: int, times_ms: tuple[float, float] | None) -> dict[str, Fact]:
    """Returns the facts of a node that has run: `times_ms` until the first row and the end, if wanted."""
    times: dict[str, Fact] = {} if times_ms is None else {STARTUP_MS: times_ms[0], TOTAL_MS: times_ms[1]}
    return {**times, ROWS: rows, _LOOPS: 1}


def _text(name: str, fact: Fact) -> str:
    return f"{fact:.3f} ms" if name.endswith("Time") else str(fact)


def _value(fact: Fact) -> str:
    return f"{fact:.3f}" if isinstance(fact, float) else json.dumps(fact, ensure_ascii=False)


def _json_parts(plan: ToldPlan) -> Iterator[str]:
    """Yields the JSON in pieces. Plans side by side get a node above: the envelope holds one plan."""
    nodes = list(plan.nodes)
    if sum(node.line.depth == 0 for node in nodes) != 1:
        nodes = [PlanNode(PlanLine(0, "Plans")), *(PlanNode(each.line.beneath(1), each.facts) for each in nodes)]
    levels = list(_levels(nodes))
    yield '[\n  {\n    "Plan": '
    for node, level, following in zip(nodes, levels, [*levels[1:], -1], strict=True):
        yield _fields(node, level)
        if following > level:
            yield f',\n{_indent(level)}  "Plans": [\n{_indent(following)}'
            continue
        for closed in range(level, max(following, 0), -1):
            yield f"\n{_indent(closed)}}}\n{_indent(closed - 1)}  ]"
        yield f"\n{_indent(max(following, 0))}}}"
        if following >= 0:
            yield f",\n{_indent(following)}"
    for name, fact in plan.summary.items():
        yield f",\n    {json.dumps(name)}: {_value(fact)}"
    yield "\n  }\n]"


def _levels(nodes: Iterable[PlanNode]) -> Iterator[int]:
    """Yields the number of nodes above each node. A jump down by several levels counts as one level."""
    above: list[int] = []
    for node in nodes:
        while above and above[-1] >= node.line.depth:
            above.pop()
        yield len(above)
        above.append(node.line.depth)


def _fields(node: PlanNode, level: int) -> str:
    detail: dict[str, Fact] = {"Detail": node.line.detail} if node.line.detail else {}
    fields: dict[str, Fact] = {"Node Type": node.line.kind.strip(), **detail, **node.facts}
    texts = [f"\n{_indent(level)}  {json.dumps(name)}: {_value(fact)}" for name, fact in fields.items()]
    return "{" + ",".join(texts)


def _indent(level: int) -> str:
    return "    " * (1 + min(level, _INDENTED_LEVELS_MAX))
