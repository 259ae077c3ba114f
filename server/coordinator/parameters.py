"""Parameters of domains, and of what has domains in it: a value is checked when it is bound, as PostgreSQL does."""

from __future__ import annotations

from model.datum import Datum
from model.scalar_type import ScalarType, holds_domain
from model.text.modifiers import apply_modifier
from model.timestamp import TIMESTAMP_MIN
from planner.catalog_view import PlanningContext
from planner.interpret.evaluate import evaluate_scalar
from planner.ir.scalar import Literal
from planner.sql.analysis import Analysis
from planner.sql.domains import checked_inside, without_domains
from planner.sql.query import plan_query
from server.coordinator.execution import Execution


def checked_parameter(value: Datum, type_: ScalarType, context: PlanningContext, execution: Execution) -> Datum:
    """A value of what the domains in `type_` are made of, as one of `type_`; 22001, 23502, 23514 where it is none."""
    if not holds_domain(type_):
        return value
    # Errors name the type that a domain is made of, which has its modifier.
    fitting = apply_modifier(value, without_domains(type_), explicit=False)
    condition = checked_inside(Analysis(context, "", plan_query), Literal(fitting, type_), type_)
    return evaluate_scalar(condition, execution.evaluation_context(TIMESTAMP_MIN))
