"""The arrangements of a maintained item's dataflow, and what it recomputes, in the words of EXPLAIN."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.facts.shown import note_unshown, shown
from compute.maintain.description import arrangement_texts, recomputed
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.steps.parts import Texts
from compute.protocol.dataflow import DataflowDescription, IndexExport
from compute.replica.dataflows.outputs import computation_of, errors_name, index_name
from planner.explain import explain, explain_scalar

Arrangements = dict[str, tuple[str, str]]
"""By name: the operator, and the key, empty where all is one group."""
UNKNOWN = ("(unknown)", "")
"""What an arrangement is said to be that no words were found for."""


@dataclass(frozen=True, slots=True)
class DataflowWords:
    """A dataflow in words. `recomputed`: the parts of the work whose size does not depend on the change; `kept_how`:
    how each of its steps is maintained, in order."""

    arrangements: Arrangements
    recomputed: tuple[str, ...]
    kept_how: tuple[str, ...] = ()


def words_of(description: DataflowDescription) -> DataflowWords:
    """Returns the dataflow's possible arrangements, those of exports and those of steps, and what is recomputed.

    What can't be described is marked, or left out, because every reader of the catalog reads this.
    """
    texts = Texts(lambda each: shown(explain, each, str), lambda scalar: shown(explain_scalar, scalar))
    found: Arrangements = {}
    whole: tuple[str, ...] = ()
    kept_how: tuple[str, ...] = ()
    try:
        computation = computation_of(description)
        plan = plan_maintenance(computation.objects, computation.outputs)
        found, whole = arrangement_texts(plan, texts), tuple(recomputed(plan))
        kept_how = tuple(step.maintenance.value for step in plan.steps)
    except Exception as defect:  # noqa: BLE001 - a defect in one dataflow's words must not close the catalog to everyone
        note_unshown(f"arrangements of {', '.join(str(export.id) for export in description.exports)}", defect)
    found |= {errors_name(export.id): ("Errors", "") for export in description.exports}
    for export in description.exports:
        if isinstance(export, IndexExport):
            found[index_name(export.id)] = ("Index", ", ".join(map(texts.scalar, export.key)))
    return DataflowWords(found, whole, kept_how)
