"""Views that can be written to, as PostgreSQL has them: one table or view beneath, each of whose rows gives one row.

CREATE VIEW v AS SELECT a, b + 1 AS c FROM t WHERE a > 0
    on t, with the columns a and b + 1, and the condition a > 0, all over a row of t
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from postgast import pg_query_pb2 as tree

from planner.catalog_view import ItemKind, ItemView, ViewText
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.scalar import Column, Scalar
from planner.ir.unit import conjuncts
from planner.query.from_clause import plan_stored_rows
from planner.query.kept_expressions import plan_domain_check
from planner.query.query import plan_subquery
from planner.query.targets import plan_targets
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.scope import Scope, SelectState
from planner.syntax.parse import ParsedStatement, parse
from planner.types.coercion import known

NO_COLUMNS = "Views that have no updatable columns are not automatically updatable."
SUBQUERY_CHECKED = "WITH CHECK OPTION of a view with a subquery in WHERE"
_NOT_ONE = "Views that do not select from a single table or view are not automatically updatable."


@dataclass(frozen=True, slots=True)
class SimpleView:
    """The relation beneath a view, and the view's columns and conditions over a row of that relation."""

    on: ItemView
    columns: tuple[Scalar, ...]
    conditions: tuple[Scalar, ...]

    @property
    def has_updatable(self) -> bool:
        """Tells whether some column of the view is a column of the relation beneath."""
        return any(self.position(at) is not None for at in range(len(self.columns)))

    def position(self, at: int) -> int | None:
        """Returns the position, in the relation beneath, of a column of the view; None for an expression."""
        value = self.columns[at]
        if isinstance(value, Column) and value.type == self.on.desc.columns[value.index].type:
            return value.index
        return None


def simple_view(text: ViewText, local_ids: int = 0) -> tuple[SimpleView | str, int]:
    """Returns what a view stands on, or PostgreSQL's reason why the view can't be written to, and the greatest local id
    in use; `local_ids` are taken already."""
    (statement,) = parse(text.sql)
    analysis = analysis_of(statement, text)
    analysis.local_ids = local_ids
    return simple_query(analysis, statement.node.query.select_stmt), analysis.local_ids


def analysis_of(statement: ParsedStatement, text: ViewText) -> Analysis:
    """Returns the state of planning a view's statement anew."""
    return Analysis(
        text.context,
        statement.source,
        plan_subquery,
        plan_domain_check,
        recursions=statement.recursions,
        members=statement.members,
        call_stars=statement.call_stars,
    )


def simple_query(analysis: Analysis, select: Any) -> SimpleView | str:
    """Returns what the query of a view stands on, or PostgreSQL's reason why the view can't be written to."""
    reason = _shape_refused(select)
    if reason is not None:
        return reason
    state = SelectState()
    environment = QueryEnvironment()
    source = plan_stored_rows(analysis, select.from_clause[0].range_var)
    on = source.items[0].source
    expressions = Expressions(analysis, Scope(source.items, None, state), environment, ClausePlace.SELECT)
    columns = tuple(known(analysis, target.scalar) for target in plan_targets(expressions, select.target_list))
    for found, what in (
        (state.aggregates or state.groupings, "return aggregate functions"),
        (state.windows, "return window functions"),
        (state.table_calls, "return set-returning functions"),
    ):
        if found:
            return f"Views that {what} are not automatically updatable."
    if on is None or on.kind not in (ItemKind.TABLE, ItemKind.VIEW):
        return _NOT_ONE
    if not select.HasField("where_clause"):
        return SimpleView(on, columns, ())
    condition = expressions.at(ClausePlace.WHERE).plan_boolean(select.where_clause, "WHERE")
    return SimpleView(on, columns, conjuncts(condition))


def _shape_refused(select: Any) -> str | None:
    """Returns PostgreSQL's reason against a query of this shape."""
    for there, what in (
        (select.distinct_clause, "DISTINCT"),
        (select.group_clause, "GROUP BY"),
        (select.HasField("having_clause"), "HAVING"),
        (select.op != tree.SETOP_NONE, "UNION, INTERSECT, or EXCEPT"),
        (select.HasField("with_clause"), "WITH"),
        (select.HasField("limit_count") or select.HasField("limit_offset"), "LIMIT or OFFSET"),
    ):
        if there:
            return f"Views containing {what} are not automatically updatable."
    one = len(select.from_clause) == 1 and select.from_clause[0].WhichOneof("node") == "range_var"
    return None if one else _NOT_ONE
