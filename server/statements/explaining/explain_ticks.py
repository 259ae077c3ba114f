"""EXPLAIN ANALYZE of what is maintained: the steps of its dataflow, what each keeps, and the last ticks.

A tick is one update of the dataflow to a new time. The replica reports its figures some seconds after a change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalog.nouns.items import Index, Item, MaterializedView
from compute.protocol.measures import TickMeasure
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.explain import PlanLine
from planner.plans.explaining import ExplainedObject, ExplainStage
from server.objects.maintained.dataflow_words import UNKNOWN
from server.statements.explaining.explain_maintained import maintained_lines
from server.statements.explaining.explain_timestamp import item_name
from server.statements.explaining.told_plan import Fact, PlanNode, ToldPlan, text_lines
from server.transactions.execution import Execution

_STEP = re.compile(r"With (l\d+) = ")


async def ticks_told(statement: ExplainedObject, stage: ExplainStage, execution: Execution) -> ToldPlan:
    """Returns the figures of an index or a materialized view: of its ticks, of its memory, or of both. Raises SqlError
    55000 where no dataflow keeps it yet."""
    item = execution.catalog.items[statement.target]
    definition = item.definition
    if not isinstance(definition, Index | MaterializedView):
        message = f'"{item.name}" is not maintained'
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message, hint="Indexes and materialized views are.")
    if definition.collection not in execution.environment.dataflows:
        message = f'nothing keeps "{item.name}" up to date yet'
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
    lines = await maintained_lines(statement, ExplainStage.PHYSICAL, execution)
    return ToldPlan([*_nodes(item, definition, lines, stage, execution)])


def _nodes(
    item: Item,
    definition: Index | MaterializedView,
    lines: list[str],
    stage: ExplainStage,
    execution: Execution,
) -> Iterator[PlanNode]:
    dataflows, collection = execution.environment.dataflows, definition.collection
    measures = dataflows.measures(collection)
    steps: dict[str, dict[str, Fact]] = {}
    facts: dict[str, Fact] = {"Status": dataflows.status(collection).phase.value}
    if stage is not ExplainStage.MEMORY and measures is not None and measures.ticks is not None:
        ticks = measures.ticks
        facts |= {
            "Ticks": ticks.count,
            "Total Time": float(ticks.elapsed_ms),
            "Rows Read": ticks.rows_read,
            "Rows Written": ticks.rows_written,
            "Measured Ticks": ticks.window,
            "Median Time": float(ticks.median_ms),
            "P99 Time": float(ticks.p99_ms),
            "Max Time": float(ticks.max_ms),
            "Last Time": float(ticks.last_ms),
            "Last Rows Read": ticks.last_rows_read,
            "Last Rows Written": ticks.last_rows_written,
        }
        if ticks.tasks:
            facts |= {"Wide Ticks": ticks.wide, "Tasks": ticks.tasks}
        if ticks.steps:
            facts["Ticks of Steps"] = ticks.steps_window
            steps = _steps(ticks)
    kind = "Index" if isinstance(definition, Index) else "Materialized view"
    yield PlanNode(PlanLine(0, kind, item_name(item.id, execution)), facts)
    held: dict[str, list[PlanNode]] = {}
    if stage is not ExplainStage.CPU and measures is not None:
        words = dataflows.words(collection).arrangements
        for each in measures.arrangements:
            operator, key = words.get(each.name, UNKNOWN)
            sizes = {
                "Records": each.rows,
                "Batches": each.batches,
                "Memory Bytes": each.memory_bytes,
                "File Bytes": each.file_bytes,
            }
            node = PlanNode(PlanLine(2, "Arrangement", f"by {key}" if key else "of all rows"), sizes)
            held.setdefault(operator, []).append(node)
    for line in text_lines(lines):
        begins = _STEP.match(line.kind)
        yield PlanNode(line.beneath(1), steps.pop(begins[1], {}) if begins else {})
        step = next((operator for operator in held if line.kind.startswith(f"With {operator} [")), None)
        if step is not None:
            yield from held.pop(step)
    for name, done in steps.items():
        yield PlanNode(PlanLine(1, f"Step {name}"), done)
    for operator, nodes in held.items():
        yield PlanNode(PlanLine(1, operator))
        yield from nodes


def _steps(ticks: TickMeasure) -> dict[str, dict[str, Fact]]:
    """Returns the facts of each step, by its name in the description of the plan."""
    return {
        f"l{at}": {
            "Rows In": step.rows_in,
            "Rows Read": step.rows_read,
            "Rows Out": step.rows_out,
            "Step Time": float(step.elapsed_ms),
            **({"Tasks": step.tasks, "Tasks Time": float(step.task_ms)} if step.tasks else {}),
            **({"Narrow": step.narrow} if step.narrow else {}),
        }
        for at, step in enumerate(ticks.steps)
    }
