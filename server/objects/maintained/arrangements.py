"""The arrangements of a maintained item's dataflow, in the words of EXPLAIN."""

from __future__ import annotations

from catalog.facts.shown import note_unshown, shown
from compute.maintain.description import arrangement_texts
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.steps.parts import Texts
from compute.protocol.dataflow import DataflowDescription, IndexExport
from compute.replica.dataflows.outputs import computation_of, errors_name, index_name
from planner.explain import explain, explain_scalar

Arrangements = dict[str, tuple[str, str]]
"""By name: the operator, and the key, empty where all is one group."""
UNKNOWN = ("(unknown)", "")
"""What an arrangement is said to be that no words were found for."""


def arrangements_of(description: DataflowDescription) -> Arrangements:
    """Returns the dataflow's possible arrangements: those of exports, and those of steps.

    Arrangements that can't be described are marked, or left out, because every reader of the catalog reads this.
    """
    texts = Texts(lambda each: shown(explain, each, str), lambda scalar: shown(explain_scalar, scalar))
    found: Arrangements = {}
    try:
        computation = computation_of(description)
        found = arrangement_texts(plan_maintenance(computation.objects, computation.outputs), texts)
    except Exception as defect:  # noqa: BLE001 - a defect in one dataflow's words must not close the catalog to everyone
        note_unshown(f"arrangements of {', '.join(str(export.id) for export in description.exports)}", defect)
    found |= {errors_name(export.id): ("Errors", "") for export in description.exports}
    for export in description.exports:
        if isinstance(export, IndexExport):
            found[index_name(export.id)] = ("Index", ", ".join(map(texts.scalar, export.key)))
    return found
