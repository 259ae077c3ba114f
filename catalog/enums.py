"""Changes of enumerated types: their labels, and the columns of those types, which carry the labels with them."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from catalog import edits
from catalog.items import Definition, Enum, Index, Item, MaterializedView, Table, View
from catalog.state import CatalogState
from model.errors import SqlError
from model.relation_desc import RelationDesc
from model.scalar_type import ScalarType, array_of, enum_of
from model.sqlstate import Sqlstate
from planner.type_plans import AddedLabel, RenamedLabel

Labels = tuple[tuple[str, float], ...]


def first_labels(labels: tuple[str, ...]) -> Labels:
    """Positions of a new type's labels, from 1."""
    return tuple((label, float(number)) for number, label in enumerate(labels, 1))


def changed_labels(labels: Labels, change: AddedLabel | RenamedLabel) -> Labels:
    """42710 for a label that is there already, 22023 for one that isn't."""
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
    """A position for a label that comes to stand at index `at`; 54000 when its neighbours leave none."""
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
    """The item with its columns' enums as they are by now; 42704 when one is gone."""
    for column in item.desc.columns:
        enum = enum_of(column.type)
        if enum is None:
            continue
        found = state.items.get(enum.id)
        if found is None or found.type is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'type "{enum.name}" does not exist')
        item = replace(item, definition=_retyped(item.definition, found.type))
    return item


def with_type(state: CatalogState, item: Item) -> CatalogState:
    """The state with the enum's new name or labels, in the columns of that type too."""
    state = edits.with_item(state, item)
    type_ = item.type
    assert type_ is not None
    for dependent in state.dependents(item.id):
        state = edits.with_item(state, replace(dependent, definition=_retyped(dependent.definition, type_)))
    return state


def _retyped(definition: Definition, type_: ScalarType) -> Definition:
    match definition:
        case Table() | View() | MaterializedView():
            columns = (replace(column, type=_renewed(column.type, type_)) for column in definition.desc.columns)
            return replace(definition, desc=RelationDesc(tuple(columns)))
        case Index():
            return replace(
                definition, keys=tuple(replace(key, type=_renewed(key.type, type_)) for key in definition.keys)
            )
        case Enum():
            return definition
        case _:
            assert_never(definition)


def _renewed(type_: ScalarType, new: ScalarType) -> ScalarType:
    enum = enum_of(type_)
    if enum is None or new.enum is None or enum.id != new.enum.id:
        return type_
    return new if type_.element is None else array_of(new)
