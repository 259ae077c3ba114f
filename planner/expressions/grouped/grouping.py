"""GROUPING(…): which of its arguments the grouping set of a group leaves out, as bits of a number."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT4
from planner.expressions.columns import scopes
from planner.expressions.grouped.aggregates import GROUPED_PLACES
from planner.expressions.planner import ClausePlace, Expressions, handles
from planner.ir.columns import nearest_depth, surface
from planner.ir.placeholder import GroupingNumber, Placeholder
from planner.ir.scalar import Scalar
from planner.scope.names import location_of
from planner.scope.scope import GroupingCall
from planner.types.coercion import known

_ARGUMENTS_MAX = 31


@handles("grouping_func")
def plan_grouping(expressions: Expressions, node: Any) -> Scalar:
    """Returns a number of the groups of the SELECT whose keys are named; raises 42803 where there are no groups."""
    analysis = expressions.analysis
    if len(node.args) > _ARGUMENTS_MAX:
        message = f"GROUPING must have fewer than {_ARGUMENTS_MAX + 1} arguments"
        raise analysis.error(Sqlstate.TOO_MANY_ARGUMENTS, message, node.location)
    arguments = [known(analysis, expressions.plan(item)) for item in node.args]
    depths = [depth for depth in map(nearest_depth, arguments) if depth is not None]
    depth = min(depths, default=0)
    scope = next(scope for at, scope in scopes(expressions.scope) if at == depth)
    if scope.select is None or (depth == 0 and expressions.place not in GROUPED_PLACES):
        message = f"grouping operations are not allowed in {expressions.place.value}"
        if expressions.place is ClausePlace.AGGREGATE:
            message = "aggregate function calls cannot be nested"
        raise analysis.error(Sqlstate.GROUPING_ERROR, message, node.location)
    call = GroupingCall(
        tuple(surface(argument, depth) for argument in arguments), tuple(location_of(item) for item in node.args)
    )
    groupings = scope.select.groupings
    if call not in groupings:
        groupings.append(call)
    return Placeholder(GroupingNumber(groupings.index(call)), INT4, depth)
