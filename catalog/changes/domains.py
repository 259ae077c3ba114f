"""Changes of domains and of their constraints.

Adding a constraint without NOT VALID first searches the domain's columns for values that break the constraint. As in
PostgreSQL, values within arrays and rows can't be searched: the constraint is refused where a column's type contains
the domain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from catalog.facts.constraints import check_sql, domain_check_oid
from catalog.facts.domain_columns import columns_within, domains_of
from catalog.nouns.items import Domain, Item
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
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
    """Returns the state with the domain changed; raises 42710 and 42704 for names of constraints, 0A000 where values
    within others would have to be looked for."""
    assert isinstance(item.definition, Domain), "translated for a domain"
    rules = _changed(item, item.definition.rules, change)
    if demands_more(item.definition.rules, rules):
        _refuse_within(state, item)
    return edits.with_item(state, replace(item, definition=replace(item.definition, rules=rules)))


def demands_more(before: DomainRules, after: DomainRules) -> bool:
    """Tells whether stored values must from now on obey additional rules."""
    return (before.nullable and not after.nullable) or bool(added_checks(before, after))


def added_checks(before: DomainRules, after: DomainRules) -> tuple[DomainCheck, ...]:
    """Returns the checks that are valid for all values after a change, and were not before it."""
    known = {check.number for check in before.checks if check.validated}
    return tuple(check for check in after.checks if check.validated and check.number not in known)


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


def _refuse_within(state: CatalogState, item: Item) -> None:
    for table, column in columns_within(state, item.id):
        if item.id not in domains_of(state, column.type):
            message = f'cannot alter type "{item.name}" because column "{table.name}.{column.name}" uses it'
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
