"""Changes of enumerated types' labels; and the update of columns of users' types, which carry names and labels with
them."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import (
    Composite,
    Definition,
    Domain,
    Enum,
    FunctionDefinition,
    Index,
    Item,
    MaterializedView,
    MultirangeDefinition,
    RangeDefinition,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.names import quote
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, array_of, users_type
from planner.plans.types import AddedLabel, RenamedLabel

Labels = tuple[tuple[str, float], ...]


def first_labels(labels: tuple[str, ...]) -> Labels:
    """Returns the positions of a new type's labels, from 1."""
    return tuple((label, float(number)) for number, label in enumerate(labels, 1))


def changed_labels(labels: Labels, change: AddedLabel | RenamedLabel) -> Labels:
    """Returns the changed labels; raises 42710 for a label that exists already, 22023 for one that doesn't exist."""
    names = [label for label, _ in labels]
    match change:
        case AddedLabel(label, if_not_exists, beside, before):
            if label in names:
                if if_not_exists:
                    return labels
                raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'enum label "{label}" already exists')
            at = len(names) if beside is None else _place(names, beside) + (not before)
            return (*labels[:at], (label, _between(labels, at)), *labels[at:])
        case RenamedLabel(label, new_label):
            at = _place(names, label)
            if new_label in names:
                raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'enum label "{new_label}" already exists')
            return (*labels[:at], (new_label, labels[at][1]), *labels[at + 1 :])
        case _:
            assert_never(change)


def _place(names: list[str], label: str) -> int:
    if label not in names:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'"{label}" is not an existing enum label')
    return names.index(label)


def _between(labels: Labels, at: int) -> float:
    """Returns a position for a label to be inserted at index `at`; raises 54000 when its neighbours leave no room."""
    if not labels:
        return 1.0
    if at == 0:
        return labels[0][1] - 1.0
    if at == len(labels):
        return labels[-1][1] + 1.0
    low, high = labels[at - 1][1], labels[at][1]
    middle = low + (high - low) / 2
    if not low < middle < high:
        message = "no position is left between these enum labels"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    return middle


def with_present_types(state: CatalogState, item: Item) -> Item:
    """Returns the item with the present definitions of the users' types that it names; raises 42704 when a type is
    gone."""
    for named in item.named_types:
        user = users_type(named)
        if user is None:
            continue
        found = state.items.get(user.id)
        present = None if found is None else found.value_type
        if present is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'type "{user.name}" does not exist')
        item = replace(item, definition=_retyped(item.definition, present))
    return item


def with_type(state: CatalogState, item: Item) -> CatalogState:
    """Returns the state with an item's new definition or name. A type, or that of a relation's rows, is updated in all
    columns and types that are made of it."""
    state = edits.with_item(state, item)
    type_ = item.value_type
    if type_ is None:
        return state
    if isinstance(item.definition, MultirangeDefinition):
        range_ = state.items[item.definition.range_id]
        assert isinstance(range_.definition, RangeDefinition), "a multirange type has a range type"
        named = replace(range_.definition.multirange, name=quote(item.name))
        if named != range_.definition.multirange:
            return with_type(state, replace(range_, definition=replace(range_.definition, multirange=named)))
    for dependent in state.dependents(item.id):
        # As it is by now: a type that both are made of may have renewed it already.
        dependent = state.items[dependent.id]
        definition = _retyped(dependent.definition, type_)
        if definition != dependent.definition:
            state = with_type(state, replace(dependent, definition=definition))
    return state


def _retyped(definition: Definition, type_: ScalarType) -> Definition:
    match definition:
        case Table() | View() | MaterializedView():
            columns = (replace(column, type=_renewed(column.type, type_)) for column in definition.desc.columns)
            return replace(definition, desc=RelationDesc(tuple(columns)))
        case Index():
            keys, included = (
                tuple(replace(key, type=_renewed(key.type, type_)) for key in listed)
                for listed in (definition.keys, definition.included)
            )
            return replace(definition, keys=keys, included=included)
        case FunctionDefinition(rules=function):
            parameters = tuple(replace(each, type=_renewed(each.type, type_)) for each in function.parameters)
            renewed = replace(function, parameters=parameters, result=_renewed(function.result, type_))
            return replace(definition, rules=renewed)
        case Enum() | SequenceDefinition() | Secret() | Connection() | Sink():
            return definition
        case Source() | SourceProgress() | SourceTable() | WebhookSource() | SinkProgress():
            return definition
        case Domain(rules=rules):
            return replace(definition, rules=replace(rules, base=_renewed(rules.base, type_)))
        case RangeDefinition(subtype=subtype):
            return replace(definition, subtype=_renewed(subtype, type_))
        case MultirangeDefinition(range=range_):
            return replace(definition, range=_renewed(range_, type_))
        case Composite(fields=fields):
            return replace(definition, fields=tuple((name, _renewed(field, type_)) for name, field in fields))
        case _:
            assert_never(definition)


def _renewed(type_: ScalarType, new: ScalarType) -> ScalarType:
    old, wanted = users_type(type_), users_type(new)
    if old is None or wanted is None or old.id != wanted.id:
        return type_
    array = type_.element is not None and type_.domain is None
    return array_of(new) if array else new
