"""CREATE FUNCTION, and the functions that DROP, ALTER and GRANT name: names to changes, with PostgreSQL's errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace

from catalog.changes.change import Change, ReplaceFunction
from catalog.changes.policies import bound_policies, items_named
from catalog.facts.function_texts import tables_calling
from catalog.lookup.planner_view import StateCatalogView, references_to
from catalog.lookup.targets import DdlSession, missing_place
from catalog.nouns.items import FunctionDefinition, Item
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.scalar_type import type_text
from planner.catalog_view import QualifiedName
from planner.plans.functions import AlterRoutinePlan, CreateFunctionPlan, SettingChange
from planner.plans.objects import FunctionRef

Create = Callable[[QualifiedName, FunctionDefinition, GlobalId], Change]


def translate_routine(
    plan: CreateFunctionPlan | AlterRoutinePlan,
    state: CatalogState,
    session: DdlSession,
    allocator: IdAllocator,
    create: Create,
) -> tuple[Change, ...]:
    """Returns the changes of CREATE FUNCTION, ALTER FUNCTION and their kin."""
    if isinstance(plan, AlterRoutinePlan):
        return _altered(plan, state, session)
    return _created(plan, state, allocator, create)


def _created(
    plan: CreateFunctionPlan, state: CatalogState, allocator: IdAllocator, create: Create
) -> tuple[Change, ...]:
    rules = replace(plan.rules, settings=with_settings((), plan.settings))
    definition = FunctionDefinition(rules, references_to(state, plan.depends_on), plan.name)
    existing = same_function(state, plan.name, definition)
    if existing is not None and plan.or_replace:
        return (ReplaceFunction(existing.id, definition),)
    return (create(plan.name, definition, allocator.user_id()),)


def _altered(plan: AlterRoutinePlan, state: CatalogState, session: DdlSession) -> tuple[Change, ...]:
    """Raises SqlError 22023 for ROWS of a function that returns no set, 42P13 for attributes that procedures lack."""
    item, asked = find_function(state, session, plan.function), plan.attributes
    assert isinstance(item.definition, FunctionDefinition), "found as one"
    rules = item.definition.rules
    only_functions = asked.strict, asked.volatility, asked.parallel, asked.leakproof, asked.cost, asked.rows
    if rules.procedure and any(each is not None for each in only_functions):
        raise SqlError(Sqlstate.INVALID_FUNCTION_DEFINITION, "invalid attribute in procedure definition")
    if asked.rows is not None and not rules.sets:
        message = "ROWS is not applicable when function does not return a set"
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
    given = {each.name: getattr(asked, each.name) for each in fields(asked)}
    settings = with_settings(rules.settings, plan.settings)
    # A query that others' queries hold goes on as one, under its names of then, whatever the search path.
    apart = any(name != "search_path" for name, _ in settings) and not rules.procedure
    changed = replace(
        rules,
        settings=settings,
        stepwise=rules.stepwise or apart,
        **{name: value for name, value in given.items() if value is not None},
    )
    return (ReplaceFunction(item.id, replace(item.definition, rules=changed)),)


def with_settings(before: tuple[tuple[str, str], ...], changes: Iterable[SettingChange]) -> tuple[tuple[str, str], ...]:
    """Returns a routine's settings after changes, in PostgreSQL's order: new ones last."""
    settings = dict(before)
    for change in changes:
        if change.name is None:
            settings = {}
        elif change.value is None:
            settings.pop(change.name, None)
        else:
            settings[change.name] = change.value
    return tuple(settings.items())


def same_function(state: CatalogState, name: QualifiedName, definition: FunctionDefinition) -> Item | None:
    """Returns the function of a name that takes the same arguments."""
    for item in state.functions_named(name.name):
        assert isinstance(item.definition, FunctionDefinition)
        if state.full_name(item) == name and item.definition.rules.types == definition.rules.types:
            return item
    return None


def find_function(state: CatalogState, session: DdlSession, ref: FunctionRef) -> Item:
    """Returns the function that a statement means; raises 3F000, 42883 and 42725 with PostgreSQL's words."""
    place = missing_place(state, session, ref.parts)
    if place is not None:
        raise place
    view = StateCatalogView(state, session.role(state))
    found = view.resolve_functions(ref.parts, session.search_path, session.database)
    name = ".".join(ref.parts)
    if ref.types is None:
        found = tuple(each for each in found if each.function is not None and ref.kind_fits(each.function))
        if len(found) > 1:
            hint = f"Specify the argument list to select the {ref.noun} unambiguously."
            raise SqlError(Sqlstate.AMBIGUOUS_FUNCTION, f'{ref.noun} name "{name}" is not unique', hint=hint)
        if not found:
            raise SqlError(Sqlstate.UNDEFINED_FUNCTION, f'could not find a {ref.noun} named "{name}"')
        return state.items[found[0].id]
    meant = [each for each in found if each.function is not None and ref.means(each.function)]
    if len(meant) > 1:
        raise SqlError(Sqlstate.AMBIGUOUS_FUNCTION, f'{ref.noun} name "{name}" is not unique')
    for each in meant:
        assert each.function is not None, "meant for its parameters"
        if ref.kind_fits(each.function):
            return state.items[each.id]
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f"{signature(name, ref)} is not a {ref.noun}")
    # PostgreSQL calls a routine that is not there a function.
    noun = "procedure" if ref.noun == "procedure" else "function"
    raise SqlError(Sqlstate.UNDEFINED_FUNCTION, f"{noun} {signature(name, ref)} does not exist")


def refuse_named(state: CatalogState, item: Item, doing: str) -> None:
    """Raises 0A000 for a function that the SQL of others names, which would not be told of another name."""
    for dependent in (*state.dependents(item.id), *tables_calling(state, item)):
        raise NotSupported(f"{doing} function {item.name}, which {dependent.kind.value} {dependent.name} names")
    for table, policy in bound_policies(state):
        if item.id in items_named(policy):
            raise NotSupported(f"{doing} function {item.name}, which a policy of table {table.name} names")


def refuse_in_routines(state: CatalogState, item: Item, doing: str) -> None:
    """Raises 0A000 for an item that statements of BEGIN ATOMIC in a routine name."""
    for dependent in state.dependents(item.id):
        if isinstance(dependent.definition, FunctionDefinition) and dependent.definition.rules.runs:
            noun = dependent.definition.rules.noun
            raise NotSupported(f"{doing} {item.kind.value} {item.name}, which {noun} {dependent.name} names")


def refuse_named_within(state: CatalogState, schema: int) -> None:
    """Raises 0A000 for a schema with a function that the SQL of others names, which keeps the schema's name."""
    for item in state.items_in(schema):
        if isinstance(item.definition, FunctionDefinition):
            refuse_named(state, item, "renaming the schema of")
        else:
            refuse_in_routines(state, item, "renaming the schema of")


def signature(name: str, ref: FunctionRef) -> str:
    """Returns a function's signature: `f(integer, text)`."""
    return f"{name}({', '.join(map(type_text, ref.types or ()))})"
