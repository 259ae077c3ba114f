"""Calls of users' functions: the call becomes the value of the function's query, with the arguments in the places of
the parameters.

    CREATE FUNCTION twice(a int) RETURNS int RETURN a * 2          twice(b + 1)   is   (b + 1) * 2
    CREATE FUNCTION most() RETURNS int RETURN (SELECT max(a) FROM t)        most()   is   (SELECT max(a) FROM t)

    CREATE FUNCTION over(low int) RETURNS SETOF int BEGIN ATOMIC SELECT a FROM t WHERE a > low; END
    SELECT * FROM over(5)                                 is   SELECT * FROM (SELECT a FROM t WHERE a > 5) AS over

So a function costs nothing when it runs, and works wherever its query does: on Spark, and in maintained views. Names in
the query mean what they meant when the function was created. An argument is evaluated once: one that is volatile can
only be put where it stands once, outside of queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.text.names import type_named
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT8, VOID, ScalarType, TypeName, bare_text
from planner.catalog_view import ItemView, PlanningContext
from planner.expressions.calls import aggregate_word, cast_arguments, not_unique, type_list
from planner.expressions.named_arguments import (
    RoutineCall,
    fitting_call,
    gathered_arguments,
    preference,
    require_names_last,
    written_arguments,
)
from planner.expressions.planner import ClausePlace, Expressions
from planner.expressions.subqueries import WITHOUT_SUBQUERIES
from planner.expressions.users.bodies import (
    body_columns,
    default_argument,
    function_rows,
    function_value,
    row_value,
    runs_apart,
)
from planner.function_rules import FunctionParameter, FunctionRules
from planner.functions.session_functions import SESSION_FUNCTIONS
from planner.functions.signature import AggregateFunction, Function, TableFunction, WindowFunction
from planner.functions.volatility import calls_volatile
from planner.ir.aggregate import SortKey
from planner.ir.columns import deepen
from planner.ir.definers import rows_as_definer, value_as_definer
from planner.ir.relation import Filter, Get, Join, JoinKind, LocalGet, Map, Project, Relation, TopK
from planner.ir.scalar import (
    Call,
    Case,
    Column,
    Literal,
    Or,
    OuterColumn,
    Parameter,
    Scalar,
    SessionValue,
    SubqueryValue,
    scalar_type,
)
from planner.ir.unit import UNIT
from planner.ir.visit import (
    ScalarVisit,
    has_subquery,
    rewrite_relation,
    rewrite_scalar,
    subqueries_in,
    walk_relation,
)
from planner.plans.functions import RoutineStep
from planner.privileges import EXECUTE
from planner.scope.analysis import Analysis
from planner.scope.names import location_of, strings
from planner.scope.table_call import FunctionBody, TableCall
from planner.types.function_table import (
    aggregates_named,
    functions_named,
    table_functions_named,
    window_functions_named,
)
from planner.types.polymorphic_routines import is_polymorphic, settled_rules
from planner.types.resolution import Ambiguous, candidates_for, resolve

_INLINED_MAX = 1000
"""Of calls in one statement: functions that call others twice would double without end."""
_TEXTS = (TypeName.UNKNOWN, TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR)
_KEPT = frozenset(
    (
        ClausePlace.DEFAULT,
        ClausePlace.CHECK,
        ClausePlace.GENERATED,
        ClausePlace.POLICY,
        ClausePlace.INDEX,
        ClausePlace.INDEX_PREDICATE,
    )
)
"""Where the catalog keeps the text of an expression."""


_Row = Function | TableFunction | AggregateFunction | WindowFunction


@dataclass(frozen=True, slots=True)
class SystemFunction:
    """A function of the system's, which an argument list may mean as well."""

    key: str
    arguments: tuple[ScalarType, ...]
    variadic: bool = False


def call_users_function(
    expressions: Expressions, node: Any, record: ScalarType | None = None
) -> Scalar | TableCall | None:
    """Plans a call of a user's function, which is a value, or a TableCall if the function returns a set, or a record of
    the columns that a definition list (`record`) names; None where the name, or the arguments, mean no function of a
    user's. Raises SqlError 42725 where several fit, 42601 without a list that must be there."""
    found = _found(expressions, node)
    if found is None:
        return None
    call, arguments = found
    if call.rules.returns_record:
        call = _defined(expressions, call, record, node.location)
    if call.rules.stepwise or _apart(expressions, call, node.location):
        return _stepped(expressions, call, arguments, node.location)
    if call.rules.sets or call.defined:
        return _table_call(expressions, call, arguments, node.location)
    return _value(expressions, call, arguments, node.location)


def _apart(expressions: Expressions, call: RoutineCall, location: int) -> bool:
    """Tells whether the query of a function has to run by itself, for the role or the settings that the function
    has."""
    rules, name = call.rules, call.item.name.name
    if not rules.definer and not rules.settings:
        return False
    within = _within(expressions, call, location)
    if rules.sets or call.defined:
        return runs_apart(rules, function_rows(within, rules, name, expressions.analysis)[0])
    value, _ = function_value(within, rules, name, expressions.analysis)
    return runs_apart(rules, Map(UNIT, (value,), (name,)))


def _defined(expressions: Expressions, call: RoutineCall, record: ScalarType | None, location: int) -> RoutineCall:
    """Returns the call of a function that returns records as that of one with the columns of a definition list."""
    if record is None and expressions.place is ClausePlace.FROM_FUNCTION:
        message = 'a column definition list is required for functions returning "record"'
        raise expressions.analysis.error(Sqlstate.SYNTAX_ERROR, message, location)
    if record is None:
        rules = replace(call.rules, columns=_own_columns(expressions, call, location))
        return replace(call, item=replace(call.item, function=rules), defined=True)
    rules = replace(call.rules, columns=record.fields, listed=True)
    return replace(call, item=replace(call.item, function=rules), defined=True)


def _own_columns(expressions: Expressions, call: RoutineCall, location: int) -> tuple[tuple[str, ScalarType], ...]:
    """Returns the columns of the body of a function that returns records, which outside of FROM nobody names."""
    if call.rules.stepwise:
        hint = f"SELECT … FROM {call.item.name.name}(…) AS r (column type, …) has the columns."
        raise expressions.analysis.unsupported("a record of statements outside of FROM", location, hint=hint)
    within = _within(expressions, call, location)
    return body_columns(within, call.rules, call.item.name.name, expressions.analysis)


def _stepped(
    expressions: Expressions, call: RoutineCall, arguments: Sequence[Scalar], location: int
) -> Scalar | TableCall:
    """Plans a call of a function that runs as statements, as a step before the query, which reads its rows. Raises
    SqlError 0A000 in a place where it would not run exactly once."""
    analysis, rules, name = expressions.analysis, call.rules, call.item.name
    if location not in analysis.step_places:
        hint = "SELECT f(…) and SELECT … FROM f(…) call it, with nothing else in FROM."
        raise analysis.unsupported(f"a function of statements in this place ({name.name})", location, hint=hint)
    values = _given(_within(expressions, call, location), call, arguments)
    columns = ((name.name, VOID),) if rules.result == VOID else rules.columns_of_rows(name.name)
    desc, rows = relation_desc(*columns), relation_desc(*columns, ("ordinality", INT8))
    step = RoutineStep(analysis.next_local_id(), name, rules, tuple(values), rows, call.item.definer)
    analysis.routine_steps.append(step)
    relation: Relation = LocalGet(step.local_id, rows)
    if not rules.sets and not call.defined:
        type_ = rules.value_type
        value = row_value(rules, [Column(at, column) for at, column in enumerate(desc.types)])
        return SubqueryValue(Project(Map(relation, (value,), (name.name,)), (rows.arity,)), type_)
    if not rules.sets:
        relation = Join(JoinKind.LEFT, UNIT, relation, ())
    row_type = rules.result if rules.returns_fields else None
    body = FunctionBody(relation, (SortKey(Column(desc.arity, INT8), False, False),), False)
    composite = desc.arity > 1 or row_type is not None
    return TableCall("", name.name, (), desc, composite, row_type, body, call.defined)


def _value(expressions: Expressions, call: RoutineCall, arguments: Sequence[Scalar], location: int) -> Scalar:
    value = _inlined(expressions, call, arguments, location)
    if expressions.place in WITHOUT_SUBQUERIES and _reads_rows(value):
        raise expressions.analysis.unsupported(f"a function that reads rows in {expressions.place}", location)
    return value


def _found(expressions: Expressions, node: Any) -> tuple[RoutineCall, Sequence[Scalar]] | None:
    """Returns the function that a call means, and the arguments as the function takes them."""
    analysis = expressions.analysis
    parts, context = strings(node.funcname), analysis.context
    if len(parts) == 1 and parts[0] in SESSION_FUNCTIONS:
        return None
    if len(parts) == 1 and expressions.place in _KEPT and (system_functions(parts[0]) or type_named(parts[0])):
        # A text that is kept holds its meaning, whatever functions others make by the name of one of the system's.
        return None
    items = context.catalog.resolve_functions(parts, context.search_path, context.database)
    if not items or (len(parts) > 2 and parts[-3] != context.database):
        return None
    written, names = written_arguments(node.args)
    require_names_last(analysis, names, node.location)
    arguments = [expressions.plan(each) for each in written]
    types = [scalar_type(argument) for argument in arguments]
    fits = [fitting_call(item, _parameters(item), names, as_array=node.func_variadic) for item in items]
    fitting = [call for call in fits if call is not None]
    exactly = tuple(types) in [call.arguments for call in fitting]
    if len(parts) == 1 and type_named(parts[0]) is not None and _is_text(types) and not exactly:
        # date('2020-01-01') is a cast, as is any text by the name of a type, unless a function takes just this.
        return None
    system = system_functions(parts[-1]) if len(parts) == 1 and not any(names) else []
    overloads: list[RoutineCall | SystemFunction] = [
        *system,
        *sorted(fitting, key=preference),
    ]
    try:
        candidate = resolve(candidates_for(overloads, len(arguments)), types)
    except Ambiguous:
        raise not_unique(analysis, ".".join(parts), type_list(types), node.location) from None
    if candidate is None and not system and type_named(parts[-1]) is None:
        shown = [
            f"{name} => {type_}" if name else type_ for name, type_ in zip(names, map(bare_text, types), strict=True)
        ]
        message = f"function {'.'.join(parts)}({', '.join(shown)}) does not exist"
        hint = "No function matches the given name and argument types. You might need to add explicit type casts."
        raise analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, node.location, hint=hint)
    if candidate is None or not isinstance(candidate.overload, RoutineCall):
        return None
    call = candidate.overload
    if call.rules.procedure:
        message = f"{'.'.join(parts)}({type_list(call.rules.types)}) is a procedure"
        hint = "To call a procedure, use CALL."
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location, hint=hint)
    _refuse_syntax(expressions, node)
    analysis.depends_on.add(call.item.id)
    analysis.used_items[node.location, len(parts)] = call.item
    analysis.use(call.item, EXECUTE)
    locations = [location_of(each) for each in written]
    cast = cast_arguments(analysis, call.arguments, arguments, locations)
    call = _settled(analysis, call, types, node.location)
    return call, gathered_arguments(call, cast)


def _settled(analysis: Analysis, call: RoutineCall, types: Sequence[ScalarType], location: int) -> RoutineCall:
    """Returns the call with the types that arguments of `types` give to a polymorphic function."""
    if not is_polymorphic(call.rules):
        return call
    rules = settled_rules(call.rules, call.arguments, types)
    if rules is None:
        message = "could not determine polymorphic type because input has type unknown"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
    return replace(call, item=replace(call.item, function=rules))


def _parameters(item: ItemView) -> tuple[FunctionParameter, ...]:
    assert item.function is not None, "a call is of a function"
    return item.function.inputs


def _refuse_syntax(expressions: Expressions, node: Any) -> None:
    """Raises SqlError for what is written with the call and only aggregates take."""
    analysis, name = expressions.analysis, strings(node.funcname)[-1]
    if node.HasField("over"):
        message = f"OVER specified, but {name} is not a window function nor an aggregate function"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    word = aggregate_word(node, name)
    if word is not None:
        message = f"{word} specified, but {name} is not an aggregate function"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)


def _is_text(types: Sequence[ScalarType]) -> bool:
    return len(types) == 1 and types[0].name in _TEXTS


def _reads_rows(value: Scalar) -> bool:
    return any(isinstance(node, Get) for relation in subqueries_in(value) for node in walk_relation(relation))


def system_functions(name: str) -> list[SystemFunction]:
    """Returns the system's functions of a name, of all kinds."""
    rows: tuple[_Row, ...] = (
        *functions_named(name),
        *table_functions_named(name),
        *aggregates_named(name),
        *window_functions_named(name),
    )
    return [SystemFunction(row.key, row.arguments, bool(getattr(row, "variadic", False))) for row in rows]


def _inlined(expressions: Expressions, call: RoutineCall, arguments: Sequence[Scalar], location: int) -> Scalar:
    """Returns the value of a call."""
    rules, within = call.rules, _within(expressions, call, location)
    body, _ = function_value(within, rules, call.item.name.name, expressions.analysis)
    if call.item.definer is not None:
        body = value_as_definer(call.item.id, call.item.definer.name, body)
    return _with_arguments(expressions, rules, body, _given(within, call, arguments), location)


def _table_call(expressions: Expressions, call: RoutineCall, arguments: Sequence[Scalar], location: int) -> TableCall:
    """Returns the call of a function that returns a set. Its arguments are evaluated for each row that asks for them,
    so none is volatile."""
    rules, within, name = call.rules, _within(expressions, call, location), call.item.name.name
    relation, order, _ = function_rows(within, rules, name, expressions.analysis)
    if call.item.definer is not None:
        relation = rows_as_definer(call.item.id, call.item.definer.name, relation)
    if not rules.sets:
        # The first row, or one of NULLs.
        first = TopK(relation, (), order, Literal(1, INT8), None)
        relation, order = Join(JoinKind.LEFT, UNIT, first, ()), ()
    values = _given(within, call, arguments)
    if any(map(calls_volatile, values)):
        raise expressions.analysis.unsupported("a volatile argument of a function that returns a set", location)
    desc, row_type = relation_desc(*rules.columns_of_rows(name)), rules.result if rules.returns_fields else None
    body = FunctionBody(relation, order, rules.strict)
    return TableCall(
        "", name, tuple(values), desc, desc.arity > 1 or row_type is not None, row_type, body, call.defined
    )


def rows_of_body(call: TableCall, body: FunctionBody) -> Relation:
    """Returns the rows of the function that a call means, with the arguments in the places of the parameters."""
    relation = rewrite_relation(body.relation, _substitution(call.arguments), 0)
    if not body.strict or not call.arguments:
        return relation
    return Filter(relation, tuple(Call("is_not_null_any", (value,), BOOL) for value in call.arguments))


def _within(expressions: Expressions, call: RoutineCall, location: int) -> PlanningContext:
    """Returns the context in which a call's body is planned. Raises SqlError 54001 for too many calls."""
    analysis = expressions.analysis
    analysis.inlined += 1
    if analysis.inlined > _INLINED_MAX:
        message = f"functions are called more than {_INLINED_MAX} times in one statement"
        raise analysis.error(Sqlstate.STATEMENT_TOO_COMPLEX, message, location)
    context, types = analysis.context, call.rules.types
    catalog = context.catalog.within_function(call.item.id)
    return replace(context, catalog=catalog, search_path=(), parameter_types=types, routine=None)


def _given(context: PlanningContext, call: RoutineCall, arguments: Sequence[Scalar]) -> list[Scalar]:
    """Returns the value of each parameter."""
    rules = call.rules
    return [
        arguments[at] if at is not None else default_of(context, rules, number) for number, at in enumerate(call.places)
    ]


def _with_arguments(
    expressions: Expressions, rules: FunctionRules, body: Scalar, values: Sequence[Scalar], location: int
) -> Scalar:
    """Puts arguments in the places of parameters, each so that it is evaluated once."""
    if rules.strict and values:
        nulls = tuple(
            Call("is_null_any", (Parameter(number, scalar_type(value)),), BOOL)
            for number, value in enumerate(values, 1)
        )
        type_ = rules.value_type
        body = Case(((nulls[0] if len(nulls) == 1 else Or(nulls), Literal(None, type_)),), body, type_)
    uses = _uses(body, len(values))
    again = [not _is_atom(value) and count > 1 for value, count in zip(values, uses, strict=True)]
    for value, count in zip(values, uses, strict=True):
        if calls_volatile(value) and (count != 1 or has_subquery(body)):
            feature = "a volatile argument of a function that does not use it once, or that reads rows"
            raise expressions.analysis.unsupported(feature, location)
    if not any(again):
        return _substituted(body, values)
    kept = [value for value, repeated in zip(values, again, strict=True) if repeated]
    row = Map(UNIT, tuple(deepen(value, 1) for value in kept), tuple(f"a{at}" for at in range(len(kept))))
    columns = iter(range(len(kept)))
    inner = [
        Column(next(columns), scalar_type(value)) if repeated else deepen(value, 1)
        for value, repeated in zip(values, again, strict=True)
    ]
    relation = Project(Map(row, (_substituted(body, inner),), ("value",)), (len(kept),))
    return SubqueryValue(relation, rules.value_type)


def _is_atom(scalar: Scalar) -> bool:
    """Tells whether a value may stand in several places: it costs nothing, and is the same in all."""
    return isinstance(scalar, Column | OuterColumn | Literal | Parameter | SessionValue)


def _uses(body: Scalar, count: int) -> list[int]:
    found = [0] * count

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Parameter):
            found[node.number - 1] += 1
        return None

    rewrite_scalar(body, visit)
    return found


def _substituted(body: Scalar, values: Sequence[Scalar]) -> Scalar:
    return rewrite_scalar(body, _substitution(values))


def _substitution(values: Sequence[Scalar]) -> ScalarVisit:
    def visit(node: Scalar, level: int) -> Scalar | None:
        return deepen(values[node.number - 1], level) if isinstance(node, Parameter) else None

    return visit


def default_of(context: PlanningContext, rules: FunctionRules, number: int) -> Scalar:
    """Plans the default of a parameter, which has one."""
    text = rules.inputs[number].default
    assert text is not None, "a call fits where what it leaves out has a default"
    return default_argument(replace(context, parameter_types=()), text, rules.types[number])[0]
