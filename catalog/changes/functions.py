"""CREATE FUNCTION and CREATE OR REPLACE FUNCTION: which functions there may be, and what a new body may change.

PostgreSQL keeps a replaced function's type and the names of its parameters. What a materialized view, an index or a
sink keeps was computed with the function as it was: while there are any, the body stays, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from catalog.nouns.items import FunctionDefinition, Item
from catalog.nouns.names import quote
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, type_text
from planner.function_rules import FunctionRules


def function_signature(item: Item) -> str:
    """Returns a function as errors name it: `f(integer,text)`."""
    assert isinstance(item.definition, FunctionDefinition)
    return f"{quote(item.name)}({','.join(map(type_text, item.definition.rules.types))})"


def require_free_signature(
    state: CatalogState, schema: int, name: str, types: Iterable[ScalarType], within: str | None = None
) -> None:
    """Raises 42723 where a schema has a function of a name and types of arguments."""
    wanted = tuple(types)
    for item in state.functions_named(name):
        assert isinstance(item.definition, FunctionDefinition)
        if item.schema == schema and item.definition.rules.types == wanted:
            message = f'function "{name}" already exists with same argument types'
            if within is not None:
                message = f'function {function_signature(item)} already exists in schema "{within}"'
            raise SqlError(Sqlstate.DUPLICATE_FUNCTION, message)


def replaced_function(state: CatalogState, item: Item, definition: FunctionDefinition) -> CatalogState:
    """Returns the state with a function's new meaning; raises 42P13 for what PostgreSQL does not let change, 0A000 for
    recursion, and for a function by which something is kept."""
    assert isinstance(item.definition, FunctionDefinition), "translated for a function"
    before, after = item.definition.rules, definition.rules
    if before.procedure != after.procedure:
        detail = f'"{item.name}" is a {before.noun}.'
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, "cannot change routine kind", detail=detail)
    hint = f"Use DROP {before.noun.upper()} {function_signature(item)} first."
    message = "cannot change return type of existing function"
    if (before.result, before.sets) != (after.result, after.sets):
        raise SqlError(Sqlstate.INVALID_FUNCTION_DEFINITION, message, hint=hint)
    if before.columns != after.columns or before.outputs != after.outputs:
        # Views may name the columns, so the name of a single one stays as well, which PostgreSQL lets change.
        detail = "Row type defined by OUT parameters is different."
        raise SqlError(Sqlstate.INVALID_FUNCTION_DEFINITION, message, detail=detail, hint=hint)
    for old, new in zip(before.inputs, after.inputs, strict=True):
        if old.name is not None and old.name != new.name:
            message = f'cannot change name of input parameter "{old.name}"'
            raise SqlError(Sqlstate.INVALID_FUNCTION_DEFINITION, message, hint=hint)
        if old.default is not None and new.default is None:
            message = "cannot remove parameter defaults from existing function"
            raise SqlError(Sqlstate.INVALID_FUNCTION_DEFINITION, message, hint=hint)
    if any(item.id in state.items_under(reference.id) for reference in definition.references):
        raise NotSupported("a function that calls itself", hint="WITH RECURSIVE goes on by itself.")
    if after.stepwise and not before.stepwise and any(True for _ in state.dependents(item.id)):
        hint = "Views and functions can't run statements."
        raise NotSupported("a function of statements in the place of one that others name", hint=hint)
    kept = state.maintained_dependents(item.id)
    if kept and _meaning(before) != _meaning(after):
        first = f"{kept[0].kind.value} {quote(kept[0].name)}"
        raise SqlError(
            Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
            f"cannot replace function {function_signature(item)} because {first} keeps what it computes",
            hint=f"Drop {first} first, or create a function of another name.",
        )
    return edits.with_item(state, replace(item, definition=definition))


def _meaning(rules: FunctionRules) -> object:
    return rules.body, rules.strict, rules.definer, tuple(parameter.default for parameter in rules.parameters)
