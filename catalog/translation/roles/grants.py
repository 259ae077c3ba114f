"""GRANT and REVOKE of privileges to changes of access control lists; ALTER DEFAULT PRIVILEGES."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.changes.change import Change
from catalog.changes.roles.role_changes import ChangeAcl, ChangeDefaultAcl
from catalog.facts.roles.decide import has_privileges_of, held
from catalog.facts.roles.predefined import known_role
from catalog.facts.roles.securables import (
    ALL_RIGHTS,
    Securable,
    cluster_securable,
    column_acl,
    database_securable,
    item_securable,
    schema_securable,
)
from catalog.lookup.targets import DdlSession, named_item
from catalog.nouns.acl import grantable_by
from catalog.nouns.items import Composite, Domain, Index, Item
from catalog.nouns.notices import Notice, warning
from catalog.nouns.system_schemas import system_schema_named
from catalog.state.catalog_state import CatalogState
from catalog.translation.access_objects import find_access_object
from catalog.translation.functions import find_function
from catalog.translation.roles.named import denied, grantee_meant, role_meant
from catalog.translation.types import find_type, missing_type
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind
from planner.plans.objects import ObjectKind
from planner.plans.roles import DefaultPrivilegesPlan, Granting, GrantPlan
from planner.privileges import COLUMN_PRIVILEGES, NAMES, WORDS, in_order

Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]
_NOUNS = {"table": "relation"}


@dataclass(frozen=True, slots=True)
class _Target:
    """An object of a GRANT, with the rights on the whole object, and on columns by number."""

    object_: Securable
    rights: str
    on_columns: tuple[tuple[int, str, str], ...] = ()
    all_rights: bool = False


def translate_grant(plan: GrantPlan, state: CatalogState, session: DdlSession) -> Outcome:
    if plan.grantor is not None and role_meant(state, session, plan.grantor).oid != session.role(state):
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "grantor must be current user")
    grantees = tuple(grantee_meant(state, session, ref) for ref in plan.granting.grantees)
    changes: list[Change] = []
    notices: list[Notice] = []
    for target in _targets(plan, state, session, notices):
        changes += _changes(plan.granting, target, grantees, state, session, notices)
    return tuple(changes), tuple(notices)


def _changes(
    granting: Granting,
    target: _Target,
    grantees: tuple[int, ...],
    state: CatalogState,
    session: DdlSession,
    notices: list[Notice],
) -> Iterator[ChangeAcl]:
    """Yields the changes of a GRANT or REVOKE: REVOKE on a table takes the same rights on its columns, too."""
    object_ = target.object_
    places: list[tuple[int, str, str]] = [(0, "", target.rights)] if target.rights else []
    on_columns = list(target.on_columns)
    if not granting.grant and target.rights:
        taken = "".join(letter for letter in target.rights if letter in COLUMN_PRIVILEGES)
        named = {column for column, _, _ in on_columns}
        on_columns += [
            (column, "", taken) for oid, column in state.acls if oid == object_.oid and column and column not in named
        ]
    places += on_columns
    for column, name, rights in places:
        grantor, grantable = _best_grantor(state, session.role(state), object_, column, rights)
        kept = "".join(letter for letter in rights if letter in grantable)
        if not grantable and not _has_some(state, session.role(state), object_, column):
            if not column or name:
                raise object_.refusal()
            continue
        if kept != rights and (not column or name):
            _warn(granting, object_, name, kept, target, notices)
        if kept:
            revoke = not granting.grant
            option, cascade = granting.option, granting.cascade
            yield ChangeAcl(object_.oid, column, grantor, grantees, kept, revoke, option, cascade)


def changes_of_acl(
    granting: Granting, object_: Securable, grantees: tuple[int, ...], state: CatalogState, session: DdlSession
) -> tuple[list[ChangeAcl], list[Notice]]:
    """Returns the changes of the list of an object that is in no catalog, with notices."""
    notices: list[Notice] = []
    target = _Target(object_, _letters(granting, object_.kind), all_rights=granting.privileges is None)
    found = _changes(granting, target, grantees, state, session, notices)
    # An item may have the object's oid, and rights on columns.
    return [change for change in found if not change.column], notices


def _has_some(state: CatalogState, role: int, object_: Securable, column: int) -> bool:
    """Returns whether a role has any privilege on the object, or on the column: without any, GRANT is an error."""
    rights = held(state, role, object_)
    if column:
        rights += held(state, role, object_, column_acl(state, object_.oid, column))
    return bool(frozenset(rights) & frozenset(ALL_RIGHTS[object_.kind]))


def _warn(
    granting: Granting, object_: Securable, column: str, kept: str, target: _Target, notices: list[Notice]
) -> None:
    where = f'column "{column}" of relation "{object_.name}"' if column else f'"{object_.name}"'
    verb = "were granted" if granting.grant else "could be revoked"
    sqlstate = Sqlstate.PRIVILEGE_NOT_GRANTED if granting.grant else Sqlstate.PRIVILEGE_NOT_REVOKED
    if not kept:
        notices.append(warning(sqlstate, f"no privileges {verb} for {where}"))
    elif not target.all_rights:
        notices.append(warning(sqlstate, f"not all privileges {verb} for {where}"))


def _best_grantor(state: CatalogState, role: int, object_: Securable, column: int, rights: str) -> tuple[int, str]:
    """Returns the grantor that a role acts as, and the grantor's grantable rights: the owner, the role itself, or
    another role whose privileges the role has."""
    if has_privileges_of(state, role, object_.owner, object_.database_owner):
        return object_.owner, ALL_RIGHTS["column" if column else object_.kind]
    acls = (object_.acl, column_acl(state, object_.oid, column)) if column else (object_.acl,)
    best, most = role, ""
    for other in [role, *sorted(state.memberships.privileges_of(role, object_.database_owner) - {role})]:
        grantable = in_order("".join(grantable_by(acl, other) for acl in acls))
        wanted = "".join(letter for letter in grantable if letter in rights)
        if len(wanted) > len("".join(letter for letter in most if letter in rights)) or (grantable and not most):
            best, most = other, grantable
    return best, most


def _targets(plan: GrantPlan, state: CatalogState, session: DdlSession, notices: list[Notice]) -> Iterator[_Target]:
    if plan.in_schemas:
        for parts in plan.names:
            yield from _all_in(plan, parts[-1], state, session)
        return
    for ref in plan.functions:
        everything = plan.granting.privileges is None
        rights = _letters(plan.granting, "function")
        yield _Target(item_securable(state, find_function(state, session, ref)), rights, all_rights=everything)
    for parts in plan.names:
        yield _named(plan, parts, state, session, notices)


def _all_in(plan: GrantPlan, name: str, state: CatalogState, session: DdlSession) -> Iterator[_Target]:
    database = state.database_named(session.database)
    schema = None if database is None else state.schema_named(database.oid, name)
    if schema is None:
        raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')
    for item in state.items_in(schema.oid):
        object_ = item_securable(state, item)
        if object_.kind == plan.kind and not isinstance(item.definition, Index):
            rights = _letters(plan.granting, plan.kind)
            yield _Target(object_, rights, all_rights=plan.granting.privileges is None)


def _named(
    plan: GrantPlan, parts: tuple[str, ...], state: CatalogState, session: DdlSession, notices: list[Notice]
) -> _Target:
    granting = plan.granting
    everything = granting.privileges is None and not granting.all_columns
    match plan.kind:
        case "table" | "sequence":
            return _relation(plan, parts, state, session, notices)
        case "schema":
            return _Target(_schema(parts[-1], state, session), _letters(granting, "schema"), all_rights=everything)
        case "database":
            database = state.database_named(parts[-1])
            if database is None:
                raise SqlError(Sqlstate.INVALID_CATALOG_NAME, f'database "{parts[-1]}" does not exist')
            object_ = database_securable(state, database.oid)
            assert object_ is not None, "it was found by its name"
            return _Target(object_, _letters(granting, "database"), all_rights=everything)
        case "cluster":
            cluster = state.cluster_named(parts[-1])
            if cluster is None:
                raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'cluster "{parts[-1]}" does not exist')
            object_ = cluster_securable(state, cluster.oid)
            assert object_ is not None, "it was found by its name"
            return _Target(object_, _letters(granting, "cluster"), all_rights=everything)
        case "type" | "domain":
            item = find_type(state, session, parts)
            if item is None:
                raise missing_type(state, session, parts)
            if plan.kind == "domain" and not isinstance(item.definition, Domain):
                raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name}" is not a domain')
            return _Target(item_securable(state, item), _letters(granting, "type"), all_rights=everything)
        case _:
            found = find_access_object(state, session, ObjectKind(plan.kind), parts)
            return _Target(item_securable(state, found), _letters(granting, plan.kind), all_rights=everything)


def _schema(name: str, state: CatalogState, session: DdlSession) -> Securable:
    if system_schema_named(name) is not None:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f'privileges on system schema "{name}" can\'t be changed')
    database = state.database_named(session.database)
    schema = None if database is None else state.schema_named(database.oid, name)
    if schema is None:
        raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')
    object_ = schema_securable(state, schema.oid)
    assert object_ is not None, "it was found by its name"
    return object_


def _relation(
    plan: GrantPlan, parts: tuple[str, ...], state: CatalogState, session: DdlSession, notices: list[Notice]
) -> _Target:
    item = named_item(state, session, parts)
    if isinstance(item.definition, Index):
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name}" is an index')
    if isinstance(item.definition, Composite):
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name}" is a composite type')
    if plan.kind == "sequence" and item.kind is not ItemKind.SEQUENCE:
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name}" is not a sequence')
    object_, granting = item_securable(state, item), plan.granting
    if granting.all_columns:
        columns = tuple((_column(item, name), name, COLUMN_PRIVILEGES) for name in granting.all_columns)
        return _Target(object_, "", columns, True)
    if granting.privileges is None:
        return _Target(object_, ALL_RIGHTS[object_.kind], all_rights=True)
    whole = [each for each in granting.privileges if not each.columns]
    # As PostgreSQL does, a sequence may be called a table, and takes what it can of a table's rights.
    rights = in_order("".join(_letter(each.word, plan.kind) for each in whole))
    if object_.kind == "sequence" and plan.kind == "table":
        if set(rights) - set(ALL_RIGHTS["sequence"]):
            message = f'sequence "{item.name}" only supports USAGE, SELECT, and UPDATE privileges'
            notices.append(warning(Sqlstate.INVALID_GRANT_OPERATION, message))
        rights = "".join(letter for letter in rights if letter in ALL_RIGHTS["sequence"])
    on: dict[int, tuple[str, str]] = {}
    for each in granting.privileges:
        for name in each.columns:
            number = _column(item, name)
            letter = _letter(each.word, "column")
            if object_.kind == "sequence" and letter != "r":
                message = f'sequence "{item.name}" only supports SELECT column privileges'
                notices.append(warning(Sqlstate.INVALID_GRANT_OPERATION, message))
                continue
            on[number] = name, in_order(on.get(number, ("", ""))[1] + letter)
    return _Target(object_, rights, tuple((number, *what) for number, what in on.items()))


def _column(item: Item, name: str) -> int:
    for number, _, column in item.numbered_columns:
        if column.name == name:
            return number
    message = f'column "{name}" of relation "{item.name}" does not exist'
    raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)


def _letters(granting: Granting, kind: str) -> str:
    """Returns the rights of a GRANT on whole objects of a kind."""
    if granting.all_columns or any(each.columns for each in granting.privileges or ()):
        raise SqlError(Sqlstate.INVALID_GRANT_OPERATION, "column privileges are only valid for relations")
    if granting.privileges is None:
        return ALL_RIGHTS[kind]
    return in_order("".join(_letter(each.word, kind) for each in granting.privileges))


def _letter(word: str, kind: str) -> str:
    letter = WORDS.get(word.lower())
    if letter is None:
        raise SqlError(Sqlstate.SYNTAX_ERROR, f'unrecognized privilege type "{word}"')
    allowed = ALL_RIGHTS[kind] + ("U" if kind == "table" else "")
    if letter not in allowed:
        noun = _NOUNS.get(kind, kind)
        message = f"invalid privilege type {NAMES[letter]} for {noun}"
        raise SqlError(Sqlstate.INVALID_GRANT_OPERATION, message)
    return letter


def translate_default_privileges(plan: DefaultPrivilegesPlan, state: CatalogState, session: DdlSession) -> Outcome:
    by = session.role(state)
    roles = [role_meant(state, session, ref) for ref in plan.roles] or [known_role(state, by)]
    grantees = tuple(grantee_meant(state, session, ref) for ref in plan.granting.grantees)
    rights = _letters(plan.granting, plan.kind)
    schemas = [_schema(name, state, session).oid for name in plan.schemas] or [0]
    changes: list[Change] = []
    for role in roles:
        if not has_privileges_of(state, by, role.oid):
            detail = f'Only roles with privileges of role "{role.name}" may change its default privileges.'
            raise denied("change default privileges", detail)
        for schema in schemas:
            revoke, option, cascade = not plan.granting.grant, plan.granting.option, plan.granting.cascade
            changes.append(ChangeDefaultAcl(role.oid, schema, plan.kind, grantees, rights, revoke, option, cascade))
    return tuple(changes), ()
