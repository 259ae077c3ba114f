"""Plans the rules that the catalog stores as text, outside of any client's statement.

CHECK (balance >= 0)                      rules_of_table   conditions and keys over a row of the table
USING (who = current_user)                policy_condition  a condition over a row of the table
DEFAULT now()                             default_of       an expression without columns
a webhook's CHECK (... headers ...)       planned_check    a condition over a row of the check's inputs
a parameter of a domain                   checked_value    the value where it keeps to the domain
a function of a user's                   planned_function  its value or rows over $1, $2, …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.errors.sql_error import NotSupported
from model.external.webhooks import RequestCheck
from model.types.decimals_columns import told_decimals
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, ScalarType
from planner.catalog_view import ItemKind, ItemView, PlanningContext, TableKey
from planner.expressions.planner import ClausePlace
from planner.expressions.users.bodies import (
    FINAL_STATEMENT,
    cast_columns,
    function_rows,
    function_value,
    mismatch,
)
from planner.function_rules import FunctionRules
from planner.functions.numbers.shown_scales import decimals_of_value
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.interpret.parameters import in_default_style
from planner.ir.query import Query
from planner.ir.relation import Finishing, Get, Map, Relation
from planner.ir.scalar import Call, Column, Scalar, SessionName, SessionValue
from planner.ir.unit import UNIT
from planner.ir.visit import operands_of
from planner.plans.constraints import NO_RULES, RowCheck, RowKey, TableRules
from planner.plans.plan import PlannedStatement
from planner.plans.queries import SelectPlan
from planner.query.kept_expressions import (
    kept_expression,
    new_analysis,
    planned_condition,
    planned_policy,
    require_keepable,
)
from planner.scope.analysis import Analysis
from planner.scope.scope import Field, NamespaceItem, Scope
from planner.scope.uses import RelationUse, needs_of
from planner.statements.changes.assignment import default_scalar
from planner.statements.tables.generated_column import planned_generation
from planner.statements.tables.table_rules import table_row
from planner.types.domains import checked_inside
from planner.types.polymorphic_routines import planned_by_samples

_TOLD = frozenset(
    (
        SessionName.NOW,
        SessionName.STATEMENT_TIME,
        SessionName.CLOCK_TIME,
        SessionName.TIME_ZONE,
        SessionName.DATE_STYLE,
        SessionName.OUTPUT_STYLE,
        SessionName.TEXT_SEARCH,
        SessionName.SIMILARITY,
    )
)
"""What a check may ask of the session that evaluates it: there is none, but it has a clock and settings."""


_CONDITION = "condition"


def rules_of_table(context: PlanningContext, item: ItemView) -> TableRules:
    """Plans a table's rules over a row of the table."""
    return _rules_with_uses(context, item)[0]


def rules_of_change(analysis: Analysis, item: ItemView) -> TableRules:
    """Plans the rules of a table that a statement changes, whose role has to have EXECUTE on their functions."""
    rules, uses = _rules_with_uses(analysis.context, item)
    analysis.uses += [use for use in uses if use.item.kind is ItemKind.FUNCTION]
    return rules


def _rules_with_uses(context: PlanningContext, item: ItemView) -> tuple[TableRules, list[RelationUse]]:
    """Plans a table's rules; returns what they use, too."""
    told = told_decimals(item.desc.columns)
    if not item.checks and not item.keys and not item.generated and not told:
        return NO_RULES, []
    uses: list[RelationUse] = []
    row = table_row(item.name.name, item.desc)
    generated = tuple((each.column, _generation(context, item, each.column, uses)) for each in item.generated)
    made = dict(generated)
    types = item.desc.types
    generated += tuple((place, decimals_of_value(made.get(at, Column(at, types[at])))) for at, place in told)
    checks: list[RowCheck] = []
    for check in item.checks:
        condition, analysis = planned_condition(context, check.sql, row)
        checks.append(RowCheck(check.name, condition))
        uses += analysis.uses
    keys = tuple(_key(context, key, item.desc, row, uses) for key in item.keys)
    return TableRules(tuple(checks), keys, generated), uses


def _generation(context: PlanningContext, item: ItemView, column: int, uses: list[RelationUse]) -> Scalar:
    text = item.defaults[column]
    assert text is not None, "a generated column has an expression"
    value, analysis = planned_generation(context, text, item.name.name, item.desc, column)
    uses += analysis.uses
    return value


def policy_condition(context: PlanningContext, sql: str, item: ItemView) -> PlannedStatement:
    """Returns the condition of a policy as the only column of a query over its table, with what its subqueries need."""
    condition, analysis = planned_policy(context, sql, table_row(item.name.name, item.desc))
    rows = Map(Get(item.id, item.desc), (condition,), (_CONDITION,))
    desc = relation_desc((_CONDITION, BOOL))
    plan = SelectPlan(Query(rows, Finishing((), None, None, (item.desc.arity,)), desc))
    return PlannedStatement(plan, (), desc, needs=needs_of(analysis.uses))


def default_of(context: PlanningContext, item: ItemView, column: int) -> Scalar:
    """Returns the expression for a table's column that is not given."""
    return default_scalar(new_analysis(context, ""), item, column)


def planned_check(context: PlanningContext, check: RequestCheck) -> Scalar:
    """Returns the condition over a row of the check's inputs. Raises SqlError as of any expression; raises 0A000 for
    what depends on more than the request, the secrets and the time."""
    row = NamespaceItem(None, tuple(Field(each.name, Column(at, each.type)) for at, each in enumerate(check.inputs)))
    condition, analysis = planned_condition(context, check.sql, row)
    require_keepable(condition, analysis, "a user's type or function in CHECK of a webhook source")
    pending = [condition]
    while pending:
        scalar = pending.pop()
        if isinstance(scalar, SessionValue) and scalar.name not in _TOLD:
            raise NotSupported(f"{scalar.name.value} in CHECK of a webhook source")
        if isinstance(scalar, Call):
            function = FUNCTIONS[scalar.function]
            if function.needs_system or function.volatility is Volatility.VOLATILE:
                raise NotSupported(f"the function {function.name} in CHECK of a webhook source")
        pending.extend(operands_of(scalar))
    return condition


def checked_value(context: PlanningContext, value: Scalar, type_: ScalarType) -> Scalar:
    """Returns a value of what the domains in `type_` are made of, as one of `type_`; an error at execution where it is
    none."""
    return checked_inside(new_analysis(context, ""), value, type_)


def _key(
    context: PlanningContext, key: TableKey, desc: RelationDesc, row: NamespaceItem, uses: list[RelationUse]
) -> RowKey:
    parts = tuple(
        Column(column, desc.columns[column].type) if column is not None else _expression(context, sql, row, uses)
        for sql, column in key.parts
    )
    condition = None if key.condition is None else _expression(context, key.condition, row, uses)
    return RowKey(key.name, key.index, parts, tuple(sql for sql, _ in key.parts), key.rule, condition)


def _expression(context: PlanningContext, sql: str, row: NamespaceItem, uses: list[RelationUse]) -> Scalar:
    expressions, node = kept_expression(context, sql, Scope((row,)), ClausePlace.INDEX)
    value = in_default_style(expressions.plan_known(node))
    uses += expressions.analysis.uses
    return value


def planned_function(context: PlanningContext, rules: FunctionRules, name: str) -> PlannedStatement:
    """Returns the plan of a function's value or rows, with its parameters as $1, $2, …, and what its query needs; of a
    polymorphic function as one of its calls has it."""
    return planned_by_samples(rules, lambda sample: _planned_function(context, sample, name))


def _planned_function(context: PlanningContext, rules: FunctionRules, name: str) -> PlannedStatement:
    within = replace(context, parameter_types=rules.types)
    analysis = new_analysis(within, rules.body)
    rows: Relation
    if rules.sets or rules.returns_record:
        rows, _, used = function_rows(within, rules, name, analysis)
        desc = relation_desc(*rules.columns_of_rows(name))
    else:
        value, used = function_value(within, rules, name, analysis)
        rows = Map(UNIT, (value,), (name,))
        desc = relation_desc((name, rules.value_type))
    plan = SelectPlan(Query(rows, Finishing((), None, None, tuple(range(desc.arity))), desc))
    return PlannedStatement(plan, rules.types, desc, needs=needs_of(used.uses))


def result_casts(
    context: PlanningContext, rules: FunctionRules, name: str, types: Sequence[ScalarType] | None
) -> tuple[Scalar, ...]:
    """Returns the columns of a routine's result over the rows, with columns of these types, of its last statement, None
    if it has no rows. Raises SqlError 42P13 where they are others than it declares."""
    analysis = new_analysis(context, "")
    if types is None:
        raise mismatch(analysis, rules.result, FINAL_STATEMENT)
    return cast_columns(analysis, rules, [type_ for _, type_ in rules.columns_returned(name)], types)
