"""Row security of a table as part of its row of the catalog (see durable), and back."""

from __future__ import annotations

from typing import Any

from catalog.nouns.policies import NO_ROW_SECURITY, Policy, PolicyCondition, RowSecurity
from catalog.nouns.reference import BoundNames, Reference
from model.ids.global_id import GlobalId
from planner.catalog_view import QualifiedName


def row_security_value(security: RowSecurity) -> dict[str, Any]:
    """Returns the part of a table's row; nothing for a table without row security."""
    if security == NO_ROW_SECURITY:
        return {}
    policies = [
        [
            each.oid,
            each.name,
            each.permissive,
            each.command,
            list(each.roles),
            _condition_value(each.using),
            _condition_value(each.check),
        ]
        for each in security.policies
    ]
    return {"row_security": {"enabled": security.enabled, "forced": security.forced, "policies": policies}}


def row_security_of(value: Any) -> RowSecurity:
    if value is None:
        return NO_ROW_SECURITY
    policies = (
        Policy(oid, name, permissive, command, tuple(roles), _condition(using), _condition(check))
        for oid, name, permissive, command, roles, using, check in value["policies"]
    )
    return RowSecurity(value["enabled"], value["forced"], tuple(policies))


def reference_value(reference: Reference) -> list[Any]:
    return [*_name_value(reference.name), str(reference.id), list(reference.columns)]


def reference_of(value: Any) -> Reference:
    database, schema, name, id, columns = value
    return Reference(QualifiedName(database, schema, name), GlobalId.parse(id), tuple(columns))


def _condition_value(condition: PolicyCondition | None) -> Any:
    """Returns a condition's text, or an object of the text and the bound names."""
    if condition is None or condition.names is None:
        return None if condition is None else condition.sql
    names = condition.names
    return {
        "sql": condition.sql,
        "written": _name_value(names.written),
        "references": [reference_value(each) for each in names.references],
        "columns": sorted([str(id), number] for id, number in names.columns),
    }


def _condition(value: Any) -> PolicyCondition | None:
    if value is None or isinstance(value, str):
        return None if value is None else PolicyCondition(value)
    references = tuple(reference_of(each) for each in value["references"])
    columns = frozenset((GlobalId.parse(id), number) for id, number in value["columns"])
    return PolicyCondition(value["sql"], BoundNames(QualifiedName(*value["written"]), references, columns))


def _name_value(name: QualifiedName) -> list[str]:
    return [name.database, name.schema, name.name]
