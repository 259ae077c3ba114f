"""ALTER TYPE and DROP TYPE: names to changes, with PostgreSQL's errors and notices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from catalog.changes.change import AlterComposite, AlterDomain, AlterEnum, AlterTable, Change
from catalog.changes.composites import changed_fields, rewritten_columns, used_by_column, users_in_texts, users_of_type
from catalog.changes.domains import altered_domain, check_names
from catalog.changes.drops import TableColumn, dropped_with
from catalog.changes.enums import changed_labels
from catalog.changes.table_changes import NamelessColumn
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.targets import DdlSession, find_relation, missing_place
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import (
    Composite,
    Domain,
    Enum,
    FunctionDefinition,
    Index,
    Item,
    MaterializedView,
    MultirangeDefinition,
    RangeDefinition,
    Schema,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.names import quote
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.text.names import type_named
from planner.catalog_view import ItemKind
from planner.functions.text.quoting import quote_literal
from planner.plans.types import (
    AddedLabel,
    AlterCompositePlan,
    AlterTypePlan,
    AttributeChange,
    DomainChange,
    DroppedAttribute,
    DroppedCheck,
    RenamedAttribute,
    RenamedLabel,
    RetypedAttribute,
)

_Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]


def find_type(state: CatalogState, session: DdlSession, parts: tuple[str, ...]) -> Item | None:
    found = StateCatalogView(state, session.role(state)).resolve_type(parts, session.search_path, session.database)
    return None if found is None or found.type is None else state.items[found.id]


def missing_type(state: CatalogState, session: DdlSession, parts: tuple[str, ...]) -> SqlError:
    """Returns PostgreSQL's error for a name that is no user's type: 3F000, 42809 for a built-in type and for that of a
    relation's rows, or 42704."""
    place = missing_place(state, session, parts)
    if place is not None:
        return place
    if len(parts) == 1 and type_named(parts[0]) is not None:
        return SqlError(Sqlstate.WRONG_OBJECT_TYPE, f"{type_named(parts[0])} is not an enum")
    relation = find_relation(state, session, parts)
    if relation is not None and relation.value_type is not None:
        message = f"{parts[-1]} is a table's row type"
        return SqlError(Sqlstate.WRONG_OBJECT_TYPE, message, hint="Use ALTER TABLE instead.")
    return SqlError(Sqlstate.UNDEFINED_OBJECT, f'type "{".".join(parts)}" does not exist')


def named_type(state: CatalogState, session: DdlSession, parts: tuple[str, ...]) -> Item:
    item = find_type(state, session, parts)
    if item is None:
        raise missing_type(state, session, parts)
    return item


def translate_alter_type(
    plan: AlterTypePlan | AlterCompositePlan, state: CatalogState, session: DdlSession
) -> _Outcome:
    """Translates ALTER TYPE."""
    if isinstance(plan, AlterCompositePlan):
        return _altered_composite(plan.name, plan.changes, state, session)
    name, change = plan.name, plan.change
    item = named_type(state, session, name)
    if not isinstance(item.definition, Enum):
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f"{item.type} is not an enum")
    if isinstance(change, AddedLabel) and change.if_not_exists and change.label in dict(item.definition.labels):
        message = f'enum label "{change.label}" already exists'
        return (), (skipping(Sqlstate.DUPLICATE_OBJECT, message),)
    changed_labels(item.definition.labels, change)
    if isinstance(change, RenamedLabel):
        _refuse_in_texts(state, change.label)
    return (AlterEnum(item.id, change),), ()


def translate_alter_domain(
    name: tuple[str, ...], change: DomainChange, state: CatalogState, session: DdlSession
) -> _Outcome:
    item = named_domain(state, session, name)
    if isinstance(change, DroppedCheck) and change.missing_ok and change.name not in check_names(item):
        message = f'constraint "{change.name}" of domain "{item.name}" does not exist'
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, message),)
    altered_domain(state, item, change)
    return (AlterDomain(item.id, change),), ()


def named_domain(state: CatalogState, session: DdlSession, parts: tuple[str, ...]) -> Item:
    """Returns the domain with a name; raises 42809 for a type that is no domain."""
    item = find_type(state, session, parts)
    if (
        item is None
        and len(parts) == 1
        and type_named(parts[0]) is not None
        and missing_place(state, session, parts) is None
    ):
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f"{type_named(parts[0])} is not a domain")
    item = named_type(state, session, parts)
    if not isinstance(item.definition, Domain):
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f"{item.type} is not a domain")
    return item


def _altered_composite(
    name: tuple[str, ...], changes: tuple[AttributeChange, ...], state: CatalogState, session: DdlSession
) -> _Outcome:
    """Translates ALTER TYPE … ATTRIBUTE; columns that have to be written anew hold nameless records for now. Raises
    SqlError 42P01 for an unknown name, 42809 for another object's; raises 0A000 where values, or texts, would no longer
    fit."""
    item = find_type(state, session, name)
    if item is None or not isinstance(item.definition, Composite):
        relation = find_relation(state, session, name)
        if relation is None:
            place = missing_place(state, session, name)
            message = f'relation "{".".join(name)}" does not exist'
            raise place or SqlError(Sqlstate.UNDEFINED_TABLE, message)
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{relation.name}" is not a composite type')
    changed_fields(item, changes)
    known = dict(item.definition.fields)
    notices: list[Notice] = []
    columns: dict[tuple[GlobalId, int], None] = {}
    for change in changes:
        if isinstance(change, RenamedAttribute):
            _refuse_attribute(state, item, change.name)
        elif isinstance(change, DroppedAttribute) and change.name not in known:
            message = f'column "{change.name}" of relation "{item.name}" does not exist'
            notices.append(skipping(Sqlstate.SUCCESSFUL_COMPLETION, message))
        else:
            held = rewritten_columns(state, item)
            if held and isinstance(change, RetypedAttribute):
                table, at = held[0]
                raise used_by_column(item, table, table.desc.columns[at].name)
            columns |= {(table.id, at): None for table, at in held}
            _refuse_attribute(state, item, change.name)
    apart = tuple(AlterTable(table, NamelessColumn(at)) for table, at in columns)
    return (*apart, AlterComposite(item.id, changes)), tuple(notices)


def _refuse_attribute(state: CatalogState, item: Item, name: str) -> None:
    """Raises 0A000 for an attribute named in the SQL of items made of the type, and of those that name the type, or
    another made of it."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    users = users_of_type(state, item)
    for user in [*users, *users_in_texts(state, [item, *users])]:
        if any(word.search(text) for text in _texts(user)):
            message = f"changing attribute {name} of type {item.name}, which {user.kind.value} {user.name} may name"
            raise NotSupported(message)


def _refuse_in_texts(state: CatalogState, label: str) -> None:
    """Raises 0A000 for a label that stands in the SQL of a view, an index, a DEFAULT or a CHECK, where the old name
    would be left."""
    for item in state.items.values():
        if any(quote_literal(label) in text for text in _texts(item)):
            raise NotSupported(f"renaming label {quote_literal(label)}, which {item.kind.value} {item.name} names")


def _texts(item: Item) -> list[str]:
    """Returns an item's kept SQL."""
    match item.definition:
        case Table(defaults=defaults, checks=checks, row_security=security):
            conditions = [condition.sql for each in security.policies for condition in each.conditions]
            return [*(default for default in defaults if default is not None), *(c.sql for c in checks), *conditions]
        case View(create_sql=sql) | MaterializedView(create_sql=sql):
            return [sql]
        case Index(keys=keys, condition=condition):
            return [*(key.sql for key in keys), *(() if condition is None else (condition,))]
        case Domain(rules=rules):
            return [check.sql for check in rules.checks] + ([] if rules.default is None else [rules.default])
        case WebhookSource(format=form):
            return [] if form.check is None else [form.check.sql]
        case FunctionDefinition(rules=function):
            return [function.body, *(each.default for each in function.parameters if each.default is not None)]
        case Source() | SourceProgress() | SourceTable() | SinkProgress():
            return []
        case Enum() | Composite() | RangeDefinition() | MultirangeDefinition() | SequenceDefinition():
            return []
        case Secret() | Connection() | Sink():
            return []
        case _:
            assert_never(item.definition)


def refuse_columns(state: CatalogState, targets: Sequence[Item | Schema]) -> None:
    """Raises 0A000 where DROP … CASCADE of types, functions, relations whose rows other tables hold, or schemas with
    such items would have to drop columns of tables that stay."""
    schemas = {target.oid for target in targets if isinstance(target, Schema)}
    for dropped in dropped_with(state, targets):
        match dropped.object, dropped.because:
            case Item(definition=Table()) as table, Item():
                hint = f"Drop table {table.name} first, which has columns of that type."
            case TableColumn(table=table, column=at), _:
                column = quote(table.desc.columns[at].name)
                hint = f"Drop column {column} of table {table.name} first, whose expression names it."
            case _:
                continue
        if table.schema not in schemas:
            kinds = {each.kind for each in targets if isinstance(each, Item)} - {ItemKind.TYPE}
            what = "FUNCTION" if kinds == {ItemKind.FUNCTION} else "TABLE" if kinds else "TYPE"
            raise NotSupported(f"DROP {what} ... CASCADE of columns", hint=hint)
