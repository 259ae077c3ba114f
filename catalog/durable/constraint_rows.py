"""Foreign keys, and the rules of keys, as JSON in the rows of tables and indexes."""

from __future__ import annotations

from typing import Any

from model.ids.global_id import GlobalId
from planner.catalog_view import KeyKind, KeyRule
from planner.plans.foreign_keys import ForeignKey, ForeignKeyRule, ReferentialAction


def unique_value(rule: KeyRule) -> list[Any]:
    """Writes a key's rule, without defaults: rows of earlier versions have none."""
    timing: list[Any] = [rule.deferrable, rule.deferred] if rule.deferrable or not rule.unique else []
    timing += [] if rule.unique else [rule.method]
    return [rule.kind.value, rule.nulls_distinct, *timing]


def unique_of(value: list[Any]) -> KeyRule:
    """Reads the result of `unique_value`."""
    return KeyRule(KeyKind(value[0]), *value[1:])


def foreign_key_value(key: ForeignKey) -> dict[str, Any]:
    """Writes a foreign key."""
    rule = key.rule
    return {
        "oid": key.oid,
        "name": key.name,
        "columns": list(key.columns),
        "parent": str(key.parent),
        "parent_columns": list(key.parent_columns),
        "key": str(key.key),
        "match_full": rule.match_full,
        "actions": [rule.on_update.value, rule.on_delete.value],
        "cleared": list(rule.cleared),
        "deferred": [rule.deferrable, rule.deferred],
        "validated": rule.validated,
    }


def foreign_key_of(value: dict[str, Any]) -> ForeignKey:
    """Reads the result of `foreign_key_value`."""
    on_update, on_delete = map(ReferentialAction, value["actions"])
    cleared, validated = tuple(value["cleared"]), value["validated"]
    deferrable, deferred = value["deferred"]
    rule = ForeignKeyRule(value["match_full"], on_update, on_delete, cleared, deferrable, deferred, validated)
    parse = GlobalId.parse
    columns, parent_columns = tuple(value["columns"]), tuple(value["parent_columns"])
    return ForeignKey(
        value["oid"], value["name"], columns, parse(value["parent"]), parent_columns, parse(value["key"]), rule
    )
