"""What a maintained item's dataflow arranges, in the words of EXPLAIN."""

from __future__ import annotations

from compute.maintain.description import arrangement_texts
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.steps.parts import Texts
from compute.protocol.dataflow import DataflowDescription, IndexExport
from compute.replica.dataflows.outputs import computation_of, errors_name, index_name
from planner.explain import explain, explain_scalar

Arrangements = dict[str, tuple[str, str]]
"""By name: the operator, and the key, empty where all is one group."""


def arrangements_of(description: DataflowDescription) -> Arrangements:
    """Those that the dataflow may have: what it exports, and what its steps arrange."""
    computation = computation_of(description)
    plan = plan_maintenance(computation.objects, computation.outputs)
    found = arrangement_texts(plan, Texts(lambda each: explain(each, str), explain_scalar))
    found |= {errors_name(export.id): ("Errors", "") for export in description.exports}
    for export in description.exports:
        if isinstance(export, IndexExport):
            found[index_name(export.id)] = ("Index", ", ".join(map(explain_scalar, export.key)))
    return found
