"""CREATE FUNCTION and CREATE PROCEDURE: LANGUAGE SQL, with the body as a string, after RETURN, or between BEGIN ATOMIC
and END, and LANGUAGE plpgsql.

The text of a function's query is kept with every name's schema written out, so that it means the same for ever,
whatever the search path of those who call the function; so are the statements of BEGIN ATOMIC. PostgreSQL looks up the
names in a string when the function runs, as Headwater does for what runs as statements, and for PL/pgSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import VOID, ScalarType, TypeName, type_text
from planner.catalog_view import ItemKind, QualifiedName
from planner.expressions.users.bodies import SEARCH_PATH, function_rows, function_value
from planner.function_rules import OUTPUTS, BodyForm, FunctionParameter, FunctionRules, Language, outputs_of
from planner.functions.volatility import calls_volatile
from planner.ir.scalar import Scalar
from planner.ir.visit import has_subquery
from planner.plans.functions import CreateFunctionPlan, SettingChange
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.functions.block_reading import read_routine
from planner.statements.functions.parameters import columns_of, parameters_of, plain_type
from planner.statements.functions.routine_body import PlanWithin, planned_routine, qualified
from planner.statements.functions.routine_options import attributes_of, options_of, settings_of
from planner.statements.inner_text import text_after, text_between
from planner.statements.new_names import new_object_name
from planner.syntax.parse import ParsedStatement, parse
from planner.temporary_schema import is_temporary, own_schema, search_path_of, split_identifiers
from planner.types.polymorphic_routines import is_polymorphic, planned_by_samples, undetermined

_LANGUAGES = ("c", "internal")
_RECORD = ScalarType(TypeName.RECORD)


def plan(analysis: Analysis, statement: ParsedStatement, plan_within: PlanWithin) -> CreateFunctionPlan:
    """Plans the statement; `plan_within` plans a statement of a body."""
    node = statement.node
    procedure = bool(node.is_procedure)
    name = new_object_name(analysis, strings(node.funcname))
    options = options_of(analysis, node.options, procedure=procedure)
    attributes, settings = attributes_of(analysis, options), settings_of(analysis, node.options)
    language = _language(analysis, options, has_body=node.HasField("sql_body"))
    parameters = parameters_of(analysis, node.parameters, procedure=procedure)
    result, columns = _returned(analysis, node, parameters, procedure=procedure)
    form, body = _body(analysis, statement, options)
    if attributes.rows is not None and not node.return_type.setof:
        message = "ROWS is not applicable when function does not return a set"
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)
    kept = tuple((each.name or "", each.value or "") for each in settings)
    rules = FunctionRules(
        parameters,
        result,
        body,
        form,
        strict=bool(attributes.strict),
        volatility=attributes.volatility or "v",
        parallel=attributes.parallel or "u",
        cost=attributes.cost or 100.0,
        sets=bool(node.return_type.setof),
        columns=columns,
        procedure=procedure,
        definer=bool(attributes.definer),
        leakproof=bool(attributes.leakproof),
        rows=attributes.rows,
        settings=kept,
        language=language,
    )
    for type_ in (result, *(type_ for _, type_ in columns)):
        detail = undetermined(type_, rules.types)
        if detail is not None:
            message = "cannot determine result data type"
            raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message, detail=detail)
    within = _with_settings(analysis, settings)
    return replace(_planned(within, name, rules, plan_within, or_replace=node.replace), settings=settings)


def _with_settings(analysis: Analysis, settings: Sequence[SettingChange]) -> Analysis:
    """Returns the planning of a body under the search path that the routine sets."""
    context = analysis.context
    paths = [each.value for each in settings if each.name == SEARCH_PATH and each.value is not None]
    names = split_identifiers(paths[-1]) if paths else None
    if names is None:
        return analysis
    named = tuple(context.user if name == "$user" else name for name in names)
    own = own_schema(context.search_path)
    path = named if own is None else search_path_of(named, own, exists=True)
    return replace(analysis, context=replace(context, search_path=path))


def _planned(
    analysis: Analysis, name: QualifiedName, rules: FunctionRules, plan_within: PlanWithin, *, or_replace: bool
) -> CreateFunctionPlan:
    """Plans the body, as a query, as statements or as code."""
    if rules.language is Language.PLPGSQL:
        rules = replace(rules, stepwise=not rules.procedure)
        if analysis.context.checks_bodies:
            read_routine(rules)
        return CreateFunctionPlan(name, rules, frozenset(analysis.depends_on), or_replace)
    if rules.procedure or rules.result == VOID or not _is_query(rules.body):
        rules = replace(rules, stepwise=not rules.procedure)
        if is_polymorphic(rules):
            if rules.form is not BodyForm.STRING:
                raise analysis.unsupported("BEGIN ATOMIC of statements with polymorphic parameters")
            # What the statements mean is known from each call on.
            analysis = replace(analysis, context=replace(analysis.context, checks_bodies=False))
        return planned_routine(analysis, name, rules, plan_within, or_replace=or_replace)
    used = _checked(analysis, rules, name.name, f"{name.schema}.{name.name}")
    depends_on = frozenset(used.depends_on | analysis.depends_on)
    if any(item.kind is not ItemKind.TYPE and is_temporary(item.name.schema) for item in used.used_items.values()):
        raise analysis.unsupported("a function that reads temporary relations")
    kept = replace(rules, body=qualified(used.used_items, rules.body))
    return CreateFunctionPlan(name, kept, depends_on, or_replace)


def _is_query(body: str) -> bool:
    """Tells whether a body is a single query that changes nothing, which calls can become."""
    statements = parse(body)
    return len(statements) == 1 and statements[0].kind == "select_stmt" and not statements[0].changes_rows


def _checked(analysis: Analysis, rules: FunctionRules, name: str, full_name: str) -> Analysis:
    """Plans the body, and returns what its planning has used. Raises SqlError for a body that Headwater can't
    inline."""
    try:
        value, used = planned_by_samples(rules, lambda sample: _planned_body(analysis, sample, name))
    except SqlError as error:
        own = (f"function {name}(", f"function {full_name}(")
        if error.sqlstate is Sqlstate.UNDEFINED_FUNCTION and error.message.startswith(own):
            hint = "WITH RECURSIVE goes on by itself."
            raise analysis.unsupported("a function that calls itself", hint=hint) from None
        raise
    if value is not None and calls_volatile(value) and has_subquery(value):
        raise analysis.unsupported("a function that reads rows and calls volatile functions")
    return used


def _planned_body(analysis: Analysis, rules: FunctionRules, name: str) -> tuple[Scalar | None, Analysis]:
    """Plans the body; returns the value, None of rows, and what the planning has used."""
    context = replace(analysis.context, parameter_types=rules.types)
    if rules.sets or rules.returns_record:
        return None, function_rows(context, rules, name, analysis)[-1]
    return function_value(context, rules, name, analysis)


def _language(analysis: Analysis, options: dict[str, str], *, has_body: bool) -> Language:
    """Returns the language of the body. Raises SqlError for one that is not there, 42P13 for none, and for one that is
    written in strings alone."""
    word = options.get("language")
    if word is None:
        if not has_body:
            raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, "no language specified")
        return Language.SQL
    language = next((each for each in Language if each.value == word.lower()), None)
    if language is None:
        hint = "Functions are written in SQL or in PL/pgSQL here."
        if word in _LANGUAGES:
            raise analysis.unsupported(f"LANGUAGE {word}", hint=hint)
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, f'language "{word}" does not exist', hint=hint)
    if has_body and language is not Language.SQL:
        message = "inline SQL function body only valid for language SQL"
        raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message)
    return language


def _returned(
    analysis: Analysis, node: Any, parameters: tuple[FunctionParameter, ...], *, procedure: bool
) -> tuple[ScalarType, tuple[tuple[str, ScalarType], ...]]:
    """Returns the type of the result, and the columns that RETURNS TABLE or OUT parameters name. Raises SqlError 42P13
    where RETURNS is missing, or means another type than the OUT parameters do."""
    given = [each for each in parameters if each.mode in OUTPUTS]
    if procedure:
        return _RECORD if given else VOID, ()
    declared = node.HasField("return_type")
    if not given:
        if not declared:
            message = "function result type must be specified"
            raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message)
        columns = columns_of(analysis, node.parameters)
        return _RECORD if len(columns) > 1 else _result(analysis, node.return_type), columns
    result = _RECORD if len(given) > 1 else given[0].type
    if declared and _result(analysis, node.return_type) != result:
        message = f"function result type must be {type_text(result)} because of OUT parameters"
        raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message)
    if len(given) > 1:
        return result, outputs_of(parameters)
    return result, ((given[0].name, result),) if given[0].name else ()


def _result(analysis: Analysis, node: Any) -> ScalarType:
    if strings(node.names)[-1] == "void":
        return VOID
    if strings(node.names)[-1] in ("trigger", "event_trigger"):
        raise analysis.unsupported(f"functions that return {strings(node.names)[-1]}", node.location)
    of = type(node)()
    of.CopyFrom(node)
    of.setof = False
    type_ = plain_type(analysis, of)
    if type_.composite and type_.domain is not None and not node.setof:
        raise analysis.unsupported("functions that return domains over composite types", node.location)
    return type_


def _body(analysis: Analysis, statement: ParsedStatement, options: dict[str, str]) -> tuple[BodyForm, str]:
    """Returns the form of the body, and its query."""
    node = statement.node
    if not node.HasField("sql_body"):
        if "as" not in options:
            raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, "no function body specified")
        return BodyForm.STRING, options["as"]
    if "as" in options:
        raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, "duplicate function body specified")
    if node.sql_body.WhichOneof("node") == "return_stmt":
        return BodyForm.RETURN, f"SELECT {text_after(statement, 'return')}"
    return BodyForm.ATOMIC, text_between(statement, "begin", "atomic", last="end")
