"""Constraints as CREATE TABLE and ALTER TABLE declare them: CHECK, PRIMARY KEY, UNIQUE, FOREIGN KEY. Others are refused
by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from planner.catalog_view import KeyKind, KeyRule
from planner.plans.constraints import NewCheck, NewConstraint, NewKey
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.expression_text import expression_text
from planner.statements.tables.exclusion import declared_exclusion, key_position, require_key_type
from planner.statements.tables.foreign_key import Child, declared_foreign_key
from planner.statements.tables.storage_parameters import check_index_parameters
from planner.statements.tables.table_rules import declared_check

_REFUSED = {
    tree.CONSTR_IDENTITY: "GENERATED AS IDENTITY",
}


def table_constraints(
    analysis: Analysis,
    place: tuple[str, str],
    desc: RelationDesc,
    nodes: Sequence[tuple[Any, str | None]],
    own: Child | None = None,
) -> tuple[NewConstraint, ...]:
    """Plans constraints, each with a column's name where it stands behind one. `place` is the table's name and its
    schema's; `own` is the existing table as foreign keys see it. The primary key comes first among keys, and of
    equal keys one is kept, as in PostgreSQL."""
    table = place[0]
    references = [each for each in nodes if each[0].contype == tree.CONSTR_FOREIGN]
    found = [
        declared_constraint(analysis, table, desc, node, column)
        for node, column in nodes
        if node.contype != tree.CONSTR_FOREIGN
    ]
    checks = [each for each in found if isinstance(each, NewCheck)]
    for at, check in enumerate(checks):
        if check.name is not None and any(check.name == other.name for other in checks[:at]):
            message = f'check constraint "{check.name}" already exists'
            raise analysis.error(Sqlstate.DUPLICATE_OBJECT, message)
    keys = sorted((k for k in found if isinstance(k, NewKey)), key=lambda key: key.rule.kind is not KeyKind.PRIMARY)
    if sum(key.rule.kind is KeyKind.PRIMARY for key in keys) > 1:
        message = f'multiple primary keys for table "{table}" are not allowed'
        raise analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message)
    keys = _each_once(keys)
    primary = bool(keys) and _is_primary(keys[0])
    own_keys = tuple((key.columns, key.rule.deferrable) for key in keys if key.rule.unique)
    child = own or Child(*place, desc, own_keys, primary, new=True)
    foreign = (declared_foreign_key(analysis, child, node, column) for node, column in references)
    return (*checks, *keys, *foreign)


def _is_primary(key: NewKey) -> bool:
    return key.rule.kind is KeyKind.PRIMARY


def _each_once(keys: list[NewKey]) -> list[NewKey]:
    kept: list[NewKey] = []
    for key in keys:
        for at, other in enumerate(kept):
            if key.rule.unique and other.rule.unique and _told_as(key) == _told_as(other):
                kept[at] = replace(other, name=other.name or key.name)
                break
        else:
            kept.append(key)
    return kept


def _told_as(key: NewKey) -> tuple[tuple[int, ...], tuple[int, ...], bool, bool, bool]:
    """Returns what equal keys have in common: the columns, those of INCLUDE, whether NULLs are distinct, and when the
    keys are checked."""
    rule = key.rule
    return key.columns, key.included, rule.nulls_distinct, rule.deferrable, rule.deferred


def declared_constraint(
    analysis: Analysis, table: str, desc: RelationDesc, node: Any, column: str | None = None
) -> NewConstraint:
    """Plans a constraint; raises 0A000 for one that would not be checked."""
    name = node.conname or None
    match node.contype:
        case tree.CONSTR_CHECK:
            if node.is_no_inherit:
                raise analysis.unsupported("NO INHERIT", node.location)
            sql, columns = declared_check(analysis.context, expression_text(analysis, node.raw_expr), table, desc)
            return NewCheck(name, sql, columns)
        case tree.CONSTR_PRIMARY | tree.CONSTR_UNIQUE:
            columns = _key_columns(analysis, desc, node, column)
            return NewKey(name, columns, _rule(node), _included(analysis, desc, node))
        case tree.CONSTR_EXCLUSION:
            return declared_exclusion(analysis, table, desc, node)
        case _:
            raise refused(analysis, node)


def refused(analysis: Analysis, node: Any) -> Exception:
    """Returns SqlError 0A000 for a constraint that tables don't have here, with the name of the constraint's kind."""
    hint = "Headwater checks NOT NULL, CHECK, keys and foreign keys, and does not accept other constraints."
    return analysis.unsupported(_REFUSED.get(node.contype, "this constraint"), node.location, hint=hint)


def _rule(node: Any) -> KeyRule:
    primary = node.contype == tree.CONSTR_PRIMARY
    kind, deferred = KeyKind.PRIMARY if primary else KeyKind.UNIQUE, node.initdeferred
    return KeyRule(kind, primary or not node.nulls_not_distinct, node.deferrable or deferred, deferred)


def _key_columns(analysis: Analysis, desc: RelationDesc, node: Any, column: str | None) -> tuple[int, ...]:
    _refuse_options(analysis, node)
    names = strings(node.keys) if column is None else (column,)
    found: list[int] = []
    for name in names:
        at = key_position(analysis, desc, name, node.location)
        if at in found:
            word = "primary key" if node.contype == tree.CONSTR_PRIMARY else "unique"
            message = f'column "{name}" appears twice in {word} constraint'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, node.location)
        require_key_type(analysis, desc, at)
        found.append(at)
    return tuple(found)


def _included(analysis: Analysis, desc: RelationDesc, node: Any) -> tuple[int, ...]:
    """Returns the positions of the columns of INCLUDE, which may be of any type, repeat, and be the key's own."""
    return tuple(key_position(analysis, desc, name, node.location) for name in strings(node.including))


def _refuse_options(analysis: Analysis, node: Any) -> None:
    if node.indexname:
        raise analysis.unsupported("USING INDEX", node.location)
    if node.indexspace:
        raise analysis.unsupported("TABLESPACE", node.location)
    check_index_parameters(node.options)
