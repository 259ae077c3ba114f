"""CREATE TYPE … AS RANGE: the items of the range type and of the multirange type, each with the name of the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from catalog.changes.change import Change, CreateItem
from catalog.nouns.items import Item, MultirangeDefinition, RangeDefinition
from catalog.nouns.names import quote
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.scalar_type import NamedType
from planner.catalog_view import QualifiedName
from planner.plans.types import CreateRangePlan

_Made = Callable[[QualifiedName, RangeDefinition | MultirangeDefinition, GlobalId], CreateItem]


def translate_create_range(
    plan: CreateRangePlan, state: CatalogState, allocator: IdAllocator, made: _Made
) -> tuple[Change, ...]:
    """Returns the changes that create the range type and its multirange type. Raises SqlError 42710 for a taken name of
    the multirange type."""
    if plan.multirange == plan.name or (state.find(plan.multirange) is not None and state.find(plan.name) is None):
        raise _taken(plan)
    ids = allocator.user_id(), allocator.user_id()
    unnamed = NamedType(ids[1], 0, 0, quote(plan.multirange.name))
    range_ = made(plan.name, RangeDefinition(allocator.oid(), plan.subtype, unnamed, plan.options), ids[0])
    array_oid = allocator.oid()
    placeholder = made(plan.multirange, MultirangeDefinition(array_oid, plan.subtype), ids[1])
    named = replace(unnamed, oid=placeholder.oid, array_oid=array_oid)
    assert isinstance(range_.definition, RangeDefinition), "it was made so"
    range_ = replace(range_, definition=replace(range_.definition, multirange=named))
    ranges = Item(range_.id, range_.oid, 0, range_.name, range_.owner, range_.created_ms, range_.definition).type
    assert ranges is not None, "a range type is a type"
    return range_, replace(placeholder, definition=MultirangeDefinition(array_oid, ranges))


def _taken(plan: CreateRangePlan) -> SqlError:
    message = f'type "{plan.multirange.name}" already exists'
    if plan.named:
        return SqlError(Sqlstate.DUPLICATE_OBJECT, message)
    return SqlError(
        Sqlstate.DUPLICATE_OBJECT,
        message,
        detail=f'Failed while creating a multirange type for type "{plan.name.name}".',
        hint='You can manually specify a multirange type name using the "multirange_type_name" attribute.',
    )
