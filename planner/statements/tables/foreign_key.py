"""FOREIGN KEY and REFERENCES, as CREATE TABLE and ALTER TABLE declare them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName, bare_text
from planner.catalog_view import ItemKind, KeyKind
from planner.plans.foreign_keys import ForeignKeyRule, NewForeignKey, ReferentialAction
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts, strings
from planner.temporary_schema import ALIAS, is_temporary

_INTEGERS = frozenset((TypeName.INT2, TypeName.INT4, TypeName.INT8))
_TEXTS = frozenset((TypeName.TEXT, TypeName.VARCHAR))
_NUMERICS = frozenset((TypeName.NUMERIC, TypeName.WIDE))


ParentKey = tuple[tuple[int, ...], bool]


@dataclass(frozen=True, slots=True)
class Child:
    """The table that declares a foreign key. `keys`: positions of the columns of each key of the table, and whether the
    key is deferrable, the primary key first if there is one (`primary`). `new`: the table is being created, and can't
    be found by name.
    """

    name: str
    schema: str
    desc: RelationDesc
    keys: tuple[ParentKey, ...]
    primary: bool
    new: bool


def comparable(child: ScalarType, parent: ScalarType) -> bool:
    """Tells whether values of the types can be equal as keys."""
    one, other = child.base().name, parent.base().name
    if one in _INTEGERS:
        return other in _INTEGERS or other in _NUMERICS
    alike = (one in _TEXTS and other in _TEXTS) or (one in _NUMERICS and other in _NUMERICS)
    return alike or child.base().plain() == parent.base().plain()


def declared_foreign_key(analysis: Analysis, child: Child, node: Any, column: str | None) -> NewForeignKey:
    names = strings(node.fk_attrs) if column is None else (column,)
    columns = tuple(_position(analysis, child.desc, name, "referenced in foreign key constraint") for name in names)
    parent = _parent(analysis, child, node)
    found = _referenced(analysis, parent, strings(node.pk_attrs))
    if len(found) != len(columns):
        message = "number of referencing and referenced columns for foreign key disagree"
        raise analysis.error(Sqlstate.INVALID_FOREIGN_KEY, message)
    name = node.conname or None
    made_up = "_".join([child.name, *names, "fkey"])
    for mine, theirs in zip(columns, found, strict=True):
        one, other = child.desc.columns[mine], parent.desc.columns[theirs]
        if not comparable(one.type, other.type):
            message = f'foreign key constraint "{name or made_up}" cannot be implemented'
            types = f"{bare_text(one.type)} and {bare_text(other.type)}"
            detail = f'Key columns "{one.name}" and "{other.name}" are of incompatible types: {types}.'
            raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, detail=detail)
    rule = ForeignKeyRule(
        match_full=_match_full(analysis, node),
        on_update=ReferentialAction(node.fk_upd_action or "a"),
        on_delete=ReferentialAction(node.fk_del_action or "a"),
        cleared=_cleared(analysis, child, node, columns),
        deferrable=node.deferrable or node.initdeferred,
        deferred=node.initdeferred,
        validated=not node.skip_validation,
    )
    return NewForeignKey(name, columns, parent.id, found, rule)


@dataclass(frozen=True, slots=True)
class _Parent:
    id: Any
    name: str
    desc: RelationDesc
    keys: tuple[ParentKey, ...]
    primary: bool


def _referenced(analysis: Analysis, parent: _Parent, wanted: Sequence[str]) -> tuple[int, ...]:
    """Returns the positions of the referenced columns. Raises SqlError 42704 without a primary key, 42830 without a key
    of the columns, 55000 for a key that is deferrable: rows may have it twice for a while."""
    deferrable = Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE
    if not wanted:
        if not parent.primary:
            message = f'there is no primary key for referenced table "{parent.name}"'
            raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message)
        columns, waiting = parent.keys[0]
        if waiting:
            message = f'cannot use a deferrable primary key for referenced table "{parent.name}"'
            raise analysis.error(deferrable, message)
        return columns
    found = tuple(_position(analysis, parent.desc, name, "referenced in foreign key constraint") for name in wanted)
    matching = [waiting for columns, waiting in parent.keys if sorted(columns) == sorted(found)]
    if not matching:
        message = f'there is no unique constraint matching given keys for referenced table "{parent.name}"'
        raise analysis.error(Sqlstate.INVALID_FOREIGN_KEY, message)
    if all(matching):
        message = f'cannot use a deferrable unique constraint for referenced table "{parent.name}"'
        raise analysis.error(deferrable, message)
    return found


def _parent(analysis: Analysis, child: Child, node: Any) -> _Parent:
    parts = range_parts(node.pktable)
    if child.new and parts[-1] == child.name and (len(parts) == 1 or parts[-2] == child.schema):
        return _Parent(None, child.name, child.desc, child.keys, child.primary)
    item = find_relation(analysis, parts, node.pktable.location)
    if item.kind is not ItemKind.TABLE:
        if item.kind is ItemKind.SYSTEM:
            message = f'permission denied: "{item.name.name}" is a system catalog'
            raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
        message = f'referenced relation "{item.name.name}" is not a table'
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
    mine, theirs = child.schema == ALIAS or is_temporary(child.schema), is_temporary(item.name.schema)
    if mine is not theirs:
        kind = "temporary" if mine else "permanent"
        message = f"constraints on {kind} tables may reference only {kind} tables"
        raise analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message)
    whole = (key for key in item.keys if key.columns is not None and key.condition is None)
    constraints = [key for key in whole if key.rule.unique]
    ordered = sorted(constraints, key=lambda key: key.rule.kind is not KeyKind.PRIMARY)
    primary = bool(ordered) and ordered[0].rule.kind is KeyKind.PRIMARY
    keys = tuple((key.columns, key.rule.deferrable) for key in ordered if key.columns is not None)
    return _Parent(item.id, item.name.name, item.desc, keys, primary)


def _position(analysis: Analysis, desc: RelationDesc, name: str, where: str) -> int:
    if name not in desc.names:
        message = f'column "{name}" {where} does not exist'
        raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message)
    return desc.names.index(name)


def _match_full(analysis: Analysis, node: Any) -> bool:
    if node.fk_matchtype == "p":
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, "MATCH PARTIAL not yet implemented", node.location)
    return bool(node.fk_matchtype == "f")


def _cleared(analysis: Analysis, child: Child, node: Any, columns: tuple[int, ...]) -> tuple[int, ...]:
    names = strings(node.fk_del_set_cols)
    found = tuple(_position(analysis, child.desc, name, "referenced in foreign key constraint") for name in names)
    for at in found:
        if at not in columns:
            name = child.desc.names[at]
            message = f'column "{name}" referenced in ON DELETE SET action must be part of foreign key'
            raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message)
    return found
