"""The types of parameters that clients and PREPARE declare, updated when a statement is planned: users alter types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from catalog.lookup.reg_types import type_name
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import UNKNOWN, ScalarType, type_from_oid, type_within, users_type


def parameter_type(state: CatalogState, oid: int) -> ScalarType | None:
    """Returns the type with an oid; None leaves the type to the parameter's use. Raises XX000 (as PostgreSQL does)
    where no type has the oid, 0A000 for a type of PostgreSQL's that does not exist here."""
    if oid == 0:
        return None
    type_ = type_from_oid(oid) or state.type_by_oid(oid)
    if type_ is not None and type_.element is not None:
        return replace(type_, element=type_within(type_.element))
    if type_ is not None:
        return None if type_ == UNKNOWN else type_
    name = type_name(oid)
    if name is not None:
        raise NotSupported(f"a parameter of type {name}")
    raise _no_type(oid)


def current_type(state: CatalogState, type_: ScalarType) -> ScalarType:
    """Returns a type, named earlier, as `state` has it; raises XX000 when it was a user's and is gone."""
    if type_.domain is None and type_.element is not None:
        return replace(type_, element=current_type(state, type_.element))
    if type_.member is not None:
        return replace(type_, member=current_type(state, type_.member))
    named = users_type(type_)
    if named is None:
        return type_
    item = state.items.get(named.id)
    present = None if item is None else item.value_type
    if present is None:
        raise _no_type(named.oid)
    return present


def _no_type(oid: int) -> SqlError:
    return SqlError(Sqlstate.INTERNAL_ERROR, f"cache lookup failed for type {oid}")


def parameter_types_of(state: CatalogState, oids: Sequence[int]) -> tuple[ScalarType | None, ...]:
    """Returns the types as `parameter_type` does, looking each type up once: there may be 65,535 parameters."""
    known = {oid: parameter_type(state, oid) for oid in set(oids)}
    return tuple(known[oid] for oid in oids)


def current_types(state: CatalogState, types: Sequence[ScalarType]) -> tuple[ScalarType, ...]:
    """Returns the types as `current_type` does, looking each type up once."""
    known = {id(type_): current_type(state, type_) for type_ in {id(type_): type_ for type_ in types}.values()}
    return tuple(known[id(type_)] for type_ in types)
