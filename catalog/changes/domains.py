"""Changes of domains and of their constraints.

Adding a constraint does not read the values in columns of the domain: it is refused where such columns exist, unless
the constraint is NOT VALID.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from catalog.facts.constraints import check_sql, domain_check_oid
from catalog.nouns.items import Domain, Item, Table
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.catalog_view import DomainCheck, DomainRules
from planner.plans.types import (
    AddedCheck,
    ChangedDomainDefault,
    ChangedNullability,
    DomainChange,
    DroppedCheck,
    RenamedCheck,
    ValidatedCheck,
)


def check_names(item: Item) -> tuple[str, ...]:
    assert isinstance(item.definition, Domain)
    return tuple(check.name for check in item.definition.rules.checks)


def check_definitions(state: CatalogState, pretty: bool) -> Mapping[int, str]:
    """Returns the texts that pg_get_constraintdef prints for domains' constraints, by oid."""
    found: dict[int, str] = {}
    for item in state.items.values():
        if isinstance(item.definition, Domain):
            for check in item.definition.rules.checks:
                text = check_sql(check.sql, pretty)
                found[domain_check_oid(item, check)] = text if check.validated else f"{text} NOT VALID"
    return found


def altered_domain(state: CatalogState, item: Item, change: DomainChange) -> CatalogState:
    """The state with the domain changed; 42710 and 42704 for names of constraints, 0A000 where rows would be read."""
    assert isinstance(item.definition, Domain), "translated for a domain"
    rules = _changed(item, item.definition.rules, change)
    tightens = isinstance(change, ChangedNullability) and not change.nullable and item.definition.rules.nullable
    if tightens or isinstance(change, ValidatedCheck) or (isinstance(change, AddedCheck) and change.check.validated):
        _refuse_rows(state, item)
    return edits.with_item(state, replace(item, definition=replace(item.definition, rules=rules)))


def _changed(item: Item, rules: DomainRules, change: DomainChange) -> DomainRules:
    names = check_names(item)
    match change:
        case ChangedDomainDefault(default):
            return replace(rules, default=default)
        case ChangedNullability(nullable):
            return replace(rules, nullable=nullable)
        case AddedCheck(check):
            if check.name in names:
                raise _taken(item, check.name)
            number = max((each.number for each in rules.checks), default=-1) + 1
            return _with_checks(rules, *rules.checks, replace(check, number=number))
        case DroppedCheck(name, _):
            found = _named(item, rules, name)
            return _with_checks(rules, *(check for check in rules.checks if check != found))
        case RenamedCheck(name, new_name):
            if new_name in names:
                raise _taken(item, new_name)
            found = _named(item, rules, name)
            return _with_checks(rules, *(replace(c, name=new_name) if c == found else c for c in rules.checks))
        case ValidatedCheck(name):
            found = _named(item, rules, name)
            return _with_checks(rules, *(replace(c, validated=True) if c == found else c for c in rules.checks))
        case _:
            assert_never(change)


def _with_checks(rules: DomainRules, *checks: DomainCheck) -> DomainRules:
    """Sorts checks into the order in which they are tested."""
    return replace(rules, checks=tuple(sorted(checks, key=lambda check: check.name)))


def _named(item: Item, rules: DomainRules, name: str) -> DomainCheck:
    found = next((check for check in rules.checks if check.name == name), None)
    if found is None:
        message = f'constraint "{name}" of domain "{item.name}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, message)
    return found


def _taken(item: Item, name: str) -> SqlError:
    return SqlError(Sqlstate.DUPLICATE_OBJECT, f'constraint "{name}" for domain "{item.name}" already exists')


def _refuse_rows(state: CatalogState, item: Item) -> None:
    for dependent in _all_dependents(state, item.id):
        if isinstance(dependent.definition, Table):
            hint = "Add the constraint as NOT VALID, or drop the table first."
            raise NotSupported(
                f"checking the rows of table {dependent.name}, which has columns of the domain", hint=hint
            )


def _all_dependents(state: CatalogState, id_: GlobalId) -> list[Item]:
    found: dict[GlobalId, Item] = {}
    frontier = [id_]
    while frontier:
        for dependent in state.dependents(frontier.pop()):
            if dependent.id not in found:
                found[dependent.id] = dependent
                frontier.append(dependent.id)
    return list(found.values())
