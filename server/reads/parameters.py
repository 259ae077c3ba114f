"""Parameters of domains, and of types that contain domains: values are checked when bound, as in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable

from model.text.modifiers import apply_modifier
from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Datum
from model.types.scalar_type import ScalarType, holds_domain, without_domains
from planner.catalog_view import PlanningContext
from planner.interpret.evaluate import row_function
from planner.ir.scalar import Column
from planner.statements.kept_rules import checked_value
from server.transactions.execution import Execution

ParameterCheck = Callable[[Datum], Datum]
"""A value of what the domains in a type are made of, to one of the type; 22001, 23502, 23514 where it is none."""


def parameter_check(type_: ScalarType, context: PlanningContext, execution: Execution) -> ParameterCheck:
    """Returns a check for a parameter's values, planned once for all."""
    if not holds_domain(type_):
        return lambda value: value
    checked = checked_value(context, Column(0, type_), type_)
    evaluate = row_function(checked, execution.evaluation_context(TIMESTAMP_MIN))
    # Errors name the type that a domain is made of, which has its modifier.
    base = without_domains(type_)
    return lambda value: evaluate((apply_modifier(value, base, explicit=False),))
