"""Constraints of tables and domains: their names, and the texts that `pg_get_constraintdef` prints.

A CHECK is part of its table; PRIMARY KEY and UNIQUE are unique indexes on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from catalog.facts.domain_columns import domain_demands
from catalog.facts.index_definitions import index_condition_sql, index_key_sql
from catalog.facts.shown import shown
from catalog.nouns.derived_oids import derived_oid
from catalog.nouns.items import Domain, Index, Item, Table
from catalog.nouns.names import quote
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from planner.catalog_view import DomainCheck, KeyKind, KeyRule, TableCheck
from planner.plans.foreign_keys import ForeignKey, ForeignKeyRule, ReferentialAction

_WORDS = {KeyKind.PRIMARY: "PRIMARY KEY", KeyKind.UNIQUE: "UNIQUE"}


@dataclass(frozen=True, slots=True)
class TableConstraint:
    """A check, the index of a key, or a foreign key; `oid` is its row's in pg_constraint."""

    oid: int
    name: str
    table: Item
    rule: TableCheck | Item | ForeignKey


def constraints_of(state: CatalogState, table: Item) -> Iterator[TableConstraint]:
    """Yields a table's keys by age, then its checks by name, then its foreign keys."""
    assert isinstance(table.definition, Table)
    for item in state.keys_of(table.id):
        if is_constraint(item):
            yield TableConstraint(derived_oid(item.oid, 0), item.name, table, item)
    for check in table.definition.checks:
        yield TableConstraint(check.oid, check.name, table, check)
    for key in table.definition.foreign_keys:
        yield TableConstraint(key.oid, key.name, table, key)


def domain_check_oid(domain: Item, check: DomainCheck) -> int:
    """Returns the oid of a domain's check in pg_constraint."""
    return derived_oid(domain.oid, check.number)


def named_constraints(state: CatalogState, item: Item) -> Iterator[tuple[str, int]]:
    """Yields names and oids (in pg_constraint) of the constraints of a table or a domain."""
    if isinstance(item.definition, Table):
        yield from ((constraint.name, constraint.oid) for constraint in constraints_of(state, item))
    if isinstance(item.definition, Domain):
        yield from ((check.name, domain_check_oid(item, check)) for check in item.definition.rules.checks)


def constraint_oids(state: CatalogState) -> frozenset[int]:
    """Returns the oids of the constraints of all tables and domains."""
    return frozenset(oid for item in state.items.values() for _, oid in named_constraints(state, item))


def is_constraint(item: Item) -> bool:
    """Tells whether an item is the index of PRIMARY KEY or UNIQUE."""
    index = item.definition
    return isinstance(index, Index) and index.rule is not None and index.rule.kind is not KeyKind.INDEX


def key_columns(index: Index) -> tuple[int, ...]:
    """Returns the positions of a constraint's columns; the index of a constraint has no expressions."""
    return tuple(key.column for key in index.keys if key.column is not None)


def check_sql(sql: str, pretty: bool) -> str:
    """Prints a condition: PostgreSQL puts operators into two pairs of parentheses, but for people into one."""
    return f"CHECK ({sql})" if pretty else f"CHECK (({sql}))"


def constraint_sql(
    state: CatalogState, constraint: TableConstraint, pretty: bool, name_of: Callable[[Item], str]
) -> str:
    """Returns the text that pg_get_constraintdef prints; `name_of` prints a table's name."""
    if isinstance(constraint.rule, TableCheck):
        return check_sql(constraint.rule.sql, pretty)
    if isinstance(constraint.rule, ForeignKey):
        return foreign_key_sql(state, constraint, name_of)
    index = constraint.rule.definition
    assert isinstance(index, Index) and index.rule is not None
    columns = range(len(index.keys) + len(index.included))
    names = [index_key_sql(state, index, number, True) for number in columns]
    keys, included = (", ".join(part) for part in (names[: len(index.keys)], names[len(index.keys) :]))
    if not index.rule.unique:
        return exclusion_sql(state, index, index.rule, pretty)
    nulls = "" if index.rule.nulls_distinct else " NULLS NOT DISTINCT"
    words = [f"{_WORDS[index.rule.kind]}{nulls} ({keys}){f' INCLUDE ({included})' if included else ''}"]
    return " ".join([*words, *_timing(index.rule)])


def exclusion_sql(state: CatalogState, index: Index, rule: KeyRule, pretty: bool) -> str:
    """Returns the text of EXCLUDE by equality."""
    count = len(index.keys)
    keys = ", ".join(f"{index_key_sql(state, index, at, True)} WITH =" for at in range(count))
    included = ", ".join(index_key_sql(state, index, count + at, True) for at in range(len(index.included)))
    words = [f"EXCLUDE USING {rule.method} ({keys})", *([f"INCLUDE ({included})"] if included else [])]
    if index.condition is not None:
        condition = index_condition_sql(state, index)
        words.append(f"WHERE {condition}" if pretty and condition.startswith("(") else f"WHERE ({condition})")
    return " ".join([*words, *_timing(rule)])


def timing_of(constraint: TableConstraint) -> tuple[bool, bool]:
    """Tells whether a constraint is deferrable, and initially deferred."""
    match constraint.rule:
        case ForeignKey(rule=rule):
            return rule.deferrable, rule.deferred
        case Item(definition=Index(rule=KeyRule(deferrable=deferrable, deferred=deferred))):
            return deferrable, deferred
        case _:
            return False, False


def _timing(rule: KeyRule | ForeignKeyRule) -> list[str]:
    return [*(["DEFERRABLE"] if rule.deferrable else []), *(["INITIALLY DEFERRED"] if rule.deferred else [])]


def foreign_key_sql(state: CatalogState, constraint: TableConstraint, name_of: Callable[[Item], str]) -> str:
    key, table = constraint.rule, constraint.table
    assert isinstance(key, ForeignKey)
    parent, rule = state.items[key.parent], key.rule
    mine, theirs = ([quote(item.desc.names[at]) for at in columns] for item, columns in _sides(table, parent, key))
    words = [f"FOREIGN KEY ({', '.join(mine)}) REFERENCES {name_of(parent)}({', '.join(theirs)})"]
    words += ["MATCH FULL"] if rule.match_full else []
    words += [] if rule.on_update is ReferentialAction.NO_ACTION else [f"ON UPDATE {rule.on_update.words}"]
    words += [] if rule.on_delete is ReferentialAction.NO_ACTION else [f"ON DELETE {rule.on_delete.words}"]
    words += [f"({', '.join(quote(table.desc.names[at]) for at in rule.cleared)})"] if rule.cleared else []
    words += _timing(rule)
    words += [] if rule.validated else ["NOT VALID"]
    return " ".join(words)


def _sides(table: Item, parent: Item, key: ForeignKey) -> tuple[tuple[Item, tuple[int, ...]], ...]:
    return (table, key.columns), (parent, key.parent_columns)


def constraint_definitions(
    state: CatalogState, pretty: bool, name_of: Callable[[Item], str]
) -> Iterator[tuple[int, str]]:
    """Yields the texts of all tables' constraints, with their oids."""
    for item in state.items.values():
        if isinstance(item.definition, Table):
            for each in constraints_of(state, item):
                yield each.oid, shown(constraint_sql, state, each, pretty, name_of)


def constraint_names(state: CatalogState, schema: int) -> frozenset[str]:
    """Returns the names of a schema's constraints, which made-up names must avoid."""
    names = set[str]()
    for item in state.items_in(schema):
        match item.definition:
            case Table(checks=checks, foreign_keys=foreign):
                names.update(check.name for check in checks)
                names.update(key.name for key in foreign)
            case Domain(rules=rules):
                names.update(check.name for check in rules.checks)
            case _:
                names.update((item.name,) if is_constraint(item) else ())
    return frozenset(names)


def demands(state: CatalogState, table: GlobalId) -> frozenset[object]:
    """Returns what a table demands of its rows, for comparison with another state."""
    item = state.items.get(table)
    if item is None or not isinstance(item.definition, Table):
        return frozenset()
    required = (at for at, column in enumerate(item.desc.columns) if not column.nullable)
    columns = (("column", at) for at in range(item.desc.arity))
    keys = [key.id for key in state.keys_of(table)]
    foreign = (("foreign key", key.oid) for key in item.definition.foreign_keys)
    referencing = (("foreign key", key.oid) for _, key in state.referencing(table))
    checks = ((check.name, check.sql) for check in item.definition.checks)
    domains = domain_demands(state, item)
    return frozenset([*required, *columns, *keys, *foreign, *referencing, *checks, *domains])
