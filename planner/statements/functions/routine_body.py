"""The statements that a procedure runs, or a function that is no query, one after the other.

Statements in a string are planned when the routine is created, and once more for each run, with the names of then, as
in PostgreSQL; statements of BEGIN ATOMIC keep the meaning of names, and hold the objects named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind, ItemView, PlanningContext, QualifiedName
from planner.expressions.users.bodies import FINAL_STATEMENT, cast_columns, mismatch
from planner.function_rules import BodyForm, FunctionRules
from planner.plans.functions import CreateFunctionPlan
from planner.plans.plan import PlannedStatement
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.syntax.identifiers import quoted
from planner.syntax.parse import ParsedStatement, parse
from planner.syntax.statement_words import statement_words
from planner.temporary_schema import is_temporary

PlanWithin = Callable[[ParsedStatement, PlanningContext], tuple[PlannedStatement, Analysis]]

_QUERIES = frozenset(("select_stmt", "insert_stmt", "update_stmt", "delete_stmt", "merge_stmt"))
_OTHERS = frozenset(("call_stmt", "truncate_stmt", "notify_stmt", "variable_set_stmt"))


def planned_routine(
    analysis: Analysis, name: QualifiedName, rules: FunctionRules, plan_within: PlanWithin, *, or_replace: bool
) -> CreateFunctionPlan:
    """Plans CREATE PROCEDURE, and CREATE FUNCTION of statements. Raises SqlError for a statement without meaning, 42P13
    for a last one that does not return what is declared, 0A000 for a statement that routines can't run."""
    statements, used = parse(rules.body), dict[tuple[int, int], ItemView]()
    depends_on, atomic = set(analysis.depends_on), rules.form is not BodyForm.STRING
    context = replace(analysis.context, parameter_types=rules.types, routine=rules.naming(name.name))
    last: PlannedStatement | None = None
    for statement in statements:
        _require_runnable(analysis, statement, atomic=atomic)
        if not (atomic or analysis.context.checks_bodies):
            continue
        try:
            last, inner = plan_within(statement, context)
        except SqlError as error:
            if not atomic and _calls_itself(statement, name, error):
                last = None
                continue
            raise
        over = len(last.parameter_types)
        if over > len(rules.types):
            place = inner.parameter_places[over]
            raise inner.error(Sqlstate.UNDEFINED_PARAMETER, f"there is no parameter ${over}", place)
        if atomic:
            used |= inner.used_items
            depends_on |= inner.depends_on
    if any(item.kind is not ItemKind.TYPE and is_temporary(item.name.schema) for item in used.values()):
        raise analysis.unsupported("temporary relations in BEGIN ATOMIC")
    columns = [type_ for _, type_ in rules.columns_returned(name.name)]
    if (columns or rules.returns_record) and (atomic or analysis.context.checks_bodies):
        if last is None or last.result is None:
            raise mismatch(analysis, rules.result, FINAL_STATEMENT)
        if columns:
            cast_columns(analysis, rules, columns, last.result.types)
    kept = replace(rules, body=qualified(used, rules.body))
    return CreateFunctionPlan(name, kept, frozenset(depends_on), or_replace)


def _require_runnable(analysis: Analysis, statement: ParsedStatement, *, atomic: bool) -> None:
    """Raises SqlError 0A000 for a statement that routines can't run."""
    words = statement_words(statement)
    if statement.kind == "transaction_stmt":
        raise SqlError(
            Sqlstate.FEATURE_NOT_SUPPORTED, f"{_transaction_words(statement)} is not allowed in an SQL function"
        )
    if atomic and statement.kind not in _QUERIES:
        message = f"{words} is not yet supported in unquoted SQL function body"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    extension = statement.extension
    if extension.as_of is not None:
        raise analysis.unsupported("AS OF in a routine")
    if extension.explain is not None or extension.checked is not None or statement.kind not in _QUERIES | _OTHERS:
        raise analysis.unsupported(f"{words} in a routine")
    if statement.kind == "select_stmt" and statement.node.HasField("into_clause"):
        raise analysis.unsupported("SELECT INTO in a routine")


def _transaction_words(statement: ParsedStatement) -> str:
    return statement.text.split()[0].upper().rstrip(";")


def _calls_itself(statement: ParsedStatement, name: QualifiedName, error: SqlError) -> bool:
    """Tells whether a statement failed because it calls the procedure that it is a statement of."""
    if statement.kind != "call_stmt" or error.sqlstate is not Sqlstate.UNDEFINED_FUNCTION:
        return False
    return strings(statement.node.funccall.funcname)[-1] == name.name


def qualified(used: Mapping[tuple[int, int], ItemView], body: str) -> str:
    """Returns a body with the schema before each name that lacks it."""
    data = body.encode()
    for (location, parts), item in sorted(used.items(), key=lambda each: -each[0][0]):
        if parts == 1:
            data = data[:location] + (quoted(item.name.schema) + ".").encode() + data[location:]
    return data.decode()
