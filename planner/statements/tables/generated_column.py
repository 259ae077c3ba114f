"""GENERATED ALWAYS AS (…) STORED: the expression of a column over its row, as declared, and as it is planned.

total numeric GENERATED ALWAYS AS (price * amount) STORED
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from model.errors.sql_error import NotSupported
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from planner.catalog_view import PlanningContext
from planner.expressions.planner import ClausePlace
from planner.functions.volatility import immutable
from planner.interpret.parameters import in_default_style
from planner.ir.scalar import Scalar
from planner.ir.visit import has_subquery
from planner.plans.constraints import NewConstraint
from planner.plans.foreign_keys import NewForeignKey, ReferentialAction
from planner.query.kept_expressions import kept_expression, qualified_text, refuse_reading
from planner.scope.analysis import Analysis
from planner.scope.scope import Scope
from planner.statements.changes.assignment import default_of_column
from planner.statements.expression_text import expression_text
from planner.statements.tables.table_rules import table_row
from planner.syntax.renamed_text import columns_named, with_new_columns
from planner.types.bound_relations import bind_relations

_ALWAYS, _STORED = "a", "s"
"""Their letters in the syntax tree."""


def declared_generation(
    analysis: Analysis, table: str, desc: RelationDesc, at: int, constraint: Any, generated: Collection[int]
) -> tuple[str, tuple[int, ...]]:
    """Returns the expression of the generated column at a position, in bare names of columns, and the positions of the
    columns that it reads. `generated` are the positions of all generated columns, which it may not read (42P17)."""
    if constraint.generated_when != _ALWAYS:
        message = "for a generated column, GENERATED ALWAYS must be specified"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, constraint.location)
    if constraint.generated_kind != _STORED:
        raise analysis.unsupported("GENERATED ALWAYS AS without STORED", constraint.location)
    text = expression_text(analysis, bind_relations(analysis, constraint.raw_expr))
    value, used = planned_generation(analysis.context, text, table, desc, at)
    named = columns_named(text)
    if not set(named) <= set(desc.names):
        raise NotSupported("a whole row in a column generation expression")
    reads = tuple(map(desc.names.index, named))
    for each in reads:
        if each in generated:
            message = f'cannot use generated column "{desc.columns[each].name}" in column generation expression'
            detail = "A generated column cannot reference another generated column."
            raise analysis.error(Sqlstate.INVALID_OBJECT_DEFINITION, message, detail=detail)
    refuse_reading(used, value, "a generated column")
    if has_subquery(value):
        message = "cannot use subquery in column generation expression"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    if not immutable(value):
        raise analysis.error(Sqlstate.INVALID_OBJECT_DEFINITION, "generation expression is not immutable")
    return with_new_columns(qualified_text(used, text), {name: name for name in desc.names}), reads


def refuse_actions(analysis: Analysis, constraints: Iterable[NewConstraint], generated: Collection[int]) -> None:
    """Raises 42601 for foreign keys whose actions would write to one of the `generated` columns, by position."""
    for key in constraints:
        if not isinstance(key, NewForeignKey) or not set(key.columns) & set(generated):
            continue
        deleting = key.rule.on_delete in (ReferentialAction.SET_NULL, ReferentialAction.SET_DEFAULT)
        if deleting or key.rule.on_update.writes:
            what = "DELETE" if deleting and not key.rule.on_update.writes else "UPDATE"
            message = f"invalid ON {what} action for foreign key constraint containing generated column"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message)


def planned_generation(
    context: PlanningContext, text: str, table: str, desc: RelationDesc, at: int
) -> tuple[Scalar, Analysis]:
    """Returns the value of the generated column at a position over a row of its table, with what it uses. Settings of
    the session that are about texts, like DateStyle, don't matter."""
    expressions, node = kept_expression(context, text, Scope((table_row(table, desc),)), ClausePlace.GENERATED)
    value = in_default_style(default_of_column(expressions, node, desc.columns[at]))
    return value, expressions.analysis
