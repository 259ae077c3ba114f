"""The SQL of users' functions: the statement that makes one, and the parts of it that pg_get_function… print."""

from __future__ import annotations

from catalog.nouns.items import FunctionDefinition, Item
from catalog.nouns.names import quote, quote_all
from catalog.nouns.reference import Reference
from catalog.state.catalog_state import CatalogState
from model.types.scalar_type import ScalarType, type_text, users_type
from planner.function_rules import BodyForm
from planner.functions.text.quoting import quote_literal
from planner.syntax.renamed_text import NewName, with_new_names
from planner.temporary_schema import split_identifiers

_VOLATILITY = {"i": "IMMUTABLE", "s": "STABLE"}
_PARALLEL = {"s": "PARALLEL SAFE", "r": "PARALLEL RESTRICTED"}
_COST, _ROWS = 100.0, 1000.0
_LISTS = frozenset(
    ("datestyle", "local_preload_libraries", "search_path", "session_preload_libraries", "temp_tablespaces")
)
"""Settings whose values are lists of names, which are not quoted as a whole."""
_MODES = {"i": "IN ", "o": "OUT ", "b": "INOUT ", "v": "VARIADIC "}


def function_sql(state: CatalogState, item: Item) -> str:
    """Returns the statement that makes a function, as pg_get_functiondef prints it."""
    rules = _definition(item).rules
    name = state.full_name(item)
    words = [_VOLATILITY.get(rules.volatility, ""), _PARALLEL.get(rules.parallel, ""), "STRICT" * rules.strict]
    words += ["SECURITY DEFINER"] * rules.definer + ["LEAKPROOF"] * rules.leakproof
    words += [f"COST {rules.cost:g}"] if rules.cost != _COST else []
    words += [f"ROWS {rules.rows:g}"] if rules.rows is not None and rules.rows != _ROWS else []
    said = " ".join(word for word in words if word)
    title = f"CREATE OR REPLACE {rules.noun.upper()} {quote_all(name.schema, name.name)}({arguments(state, item)})"
    returns = [] if rules.procedure else [f" RETURNS {result(state, item)}"]
    lines = [
        title,
        *returns,
        f" LANGUAGE {rules.language}",
        *([f" {said}"] if said else []),
        *map(_set_clause, rules.settings),
    ]
    return "\n".join([*lines, written_body(state, item)]) + "\n"


def _set_clause(setting: tuple[str, str]) -> str:
    """Returns the line of a SET, as PostgreSQL prints it."""
    name, value = setting
    if name in _LISTS:
        parts = split_identifiers(value)
        if parts is not None:
            return f" SET {quote_all(*name.split('.'))} TO {', '.join(map(quote_literal, parts))}"
    return f" SET {quote_all(*name.split('.'))} TO {quote_literal(value)}"


def written_body(state: CatalogState, item: Item) -> str:
    """Returns the body in the form in which it was written."""
    body = function_query(state, item)
    match _definition(item).rules.form:
        case BodyForm.RETURN:
            return f" RETURN {body.removeprefix('SELECT ')}"
        case BodyForm.ATOMIC:
            inner = f" {body.rstrip(';')};\n" if body else ""
            return f"BEGIN ATOMIC\n{inner}END"
        case BodyForm.STRING:
            dollars = f"${_definition(item).rules.noun}$"
            while dollars in body:
                dollars = f"{dollars[:-1]}x$"
            return f"AS {dollars}{body}{dollars}"


def function_query(state: CatalogState, item: Item) -> str:
    """Returns the query of a function, with relations under their present names; the statements of a routine."""
    definition = _definition(item)
    if definition.rules.runs:
        return definition.rules.body
    renamed = {}
    for reference in definition.references:
        new = _new_name(state, reference)
        if new is not None:
            renamed[reference.name.schema, reference.name.name] = new
    return with_new_names(definition.rules.body, renamed) if renamed else definition.rules.body


def _new_name(state: CatalogState, reference: Reference) -> NewName | None:
    other = state.items.get(reference.id)
    if other is None or isinstance(other.definition, FunctionDefinition):
        return None
    name = state.full_name(other)
    columns = other.desc.names[: len(reference.columns)]
    if (name.schema, name.name, columns) == (reference.name.schema, reference.name.name, reference.columns):
        return None
    return NewName(name.schema, name.name, None if columns == reference.columns else reference.columns)


def arguments(state: CatalogState, item: Item, *, defaults: bool = True) -> str:
    """Returns the parameters with their names and types, and with the defaults."""
    rules, texts = _definition(item).rules, []
    for each in rules.parameters:
        text = _type_sql(state, each.type)
        text = text if each.name is None else f"{quote(each.name)} {text}"
        # A procedure's IN is written out, since DROP PROCEDURE could mean others without.
        text = f"{_MODES[each.mode]}{text}" if rules.procedure or each.mode != "i" else text
        texts.append(f"{text} DEFAULT {each.default}" if defaults and each.default is not None else text)
    return ", ".join(texts)


def result(state: CatalogState, item: Item) -> str | None:
    """Returns the result of a function as SQL: a type, SETOF a type, or the columns of TABLE; None of a procedure."""
    rules = _definition(item).rules
    if rules.procedure:
        return None
    if rules.table:
        return f"TABLE({', '.join(f'{quote(name)} {_type_sql(state, type_)}' for name, type_ in rules.table)})"
    return "SETOF " * rules.sets + _type_sql(state, rules.result)


def _definition(item: Item) -> FunctionDefinition:
    assert isinstance(item.definition, FunctionDefinition), "asked about a function"
    return item.definition


def _type_sql(state: CatalogState, type_: ScalarType) -> str:
    user = users_type(type_)
    if user is None:
        return type_text(type_)
    name = state.full_name(state.items[user.id])
    array = type_.element is not None and type_.domain is None
    return quote_all(name.schema, name.name) + ("[]" if array else "")
