"""pg_constraint: the checks of domains and tables, primary, unique and foreign keys."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.builtin.pg_catalog.own_items import own_items
from catalog.builtin.pg_catalog.types import users_types
from catalog.builtin.shape import shape
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.constraints import TableConstraint, constraints_of, domain_check_oid, key_columns, timing_of
from catalog.nouns.items import Domain, Index, Item, Table
from model.types.datum import Datum, Row
from planner.catalog_view import KeyKind, TableCheck
from planner.plans.foreign_keys import ForeignKey

_BLANK: dict[str, Datum] = {"confupdtype": " ", "confdeltype": " ", "confmatchtype": " ", "conislocal": True}
_LETTERS = {KeyKind.PRIMARY: "p", KeyKind.UNIQUE: "u", KeyKind.EXCLUSION: "x"}


def pg_constraint(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_constraint")
    for item in users_types(snapshot):
        checks = item.definition.rules.checks if isinstance(item.definition, Domain) else ()
        for check in checks:
            yield make(
                **_BLANK,
                oid=domain_check_oid(item, check),
                conname=check.name,
                connamespace=item.schema,
                contype="c",
                convalidated=check.validated,
                contypid=item.oid,
                conbin=check.sql,
            )
    for item in own_items(snapshot):
        if isinstance(item.definition, Table):
            for each in constraints_of(snapshot.state, item):
                yield make(**{**_BLANK, **_of_table(each, item, snapshot)})


def _of_table(constraint: TableConstraint, table: Item, snapshot: SystemSnapshot) -> dict[str, Datum]:
    deferrable, deferred = timing_of(constraint)
    row: dict[str, Datum] = {
        "oid": constraint.oid,
        "conname": constraint.name,
        "connamespace": table.schema,
        "convalidated": True,
        "conrelid": table.oid,
        "condeferrable": deferrable,
        "condeferred": deferred,
    }
    if isinstance(constraint.rule, TableCheck):
        named = table.column_numbers(constraint.rule.columns) or None
        return {**row, "contype": "c", "conkey": named, "conbin": constraint.rule.sql}
    if isinstance(constraint.rule, ForeignKey):
        return {**row, **_of_foreign_key(constraint.rule, table, snapshot)}
    index = constraint.rule.definition
    assert isinstance(index, Index) and index.rule is not None
    kind = _LETTERS[index.rule.kind]
    columns = table.column_numbers(key_columns(index))
    return {**row, "contype": kind, "conindid": constraint.rule.oid, "conkey": columns, "connoinherit": True}


def _of_foreign_key(key: ForeignKey, table: Item, snapshot: SystemSnapshot) -> dict[str, Datum]:
    rule, items = key.rule, snapshot.state.items
    return {
        "contype": "f",
        "convalidated": rule.validated,
        "conindid": items[key.key].oid,
        "confrelid": items[key.parent].oid,
        "confupdtype": rule.on_update.value,
        "confdeltype": rule.on_delete.value,
        "confmatchtype": "f" if rule.match_full else "s",
        "connoinherit": True,
        "conkey": table.column_numbers(key.columns),
        "confkey": items[key.parent].column_numbers(key.parent_columns),
        "confdelsetcols": table.column_numbers(rule.cleared) or None,
    }
