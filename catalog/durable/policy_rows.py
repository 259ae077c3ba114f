"""Row security of a table as part of its row of the catalog (see durable), and back."""

from __future__ import annotations

from typing import Any

from catalog.nouns.policies import NO_ROW_SECURITY, Policy, RowSecurity


def row_security_value(security: RowSecurity) -> dict[str, Any]:
    """Returns the part of a table's row; nothing for a table without row security."""
    if security == NO_ROW_SECURITY:
        return {}
    policies = [
        [each.oid, each.name, each.permissive, each.command, list(each.roles), each.using, each.check]
        for each in security.policies
    ]
    return {"row_security": {"enabled": security.enabled, "forced": security.forced, "policies": policies}}


def row_security_of(value: Any) -> RowSecurity:
    if value is None:
        return NO_ROW_SECURITY
    policies = (
        Policy(oid, name, permissive, command, tuple(roles), using, check)
        for oid, name, permissive, command, roles, using, check in value["policies"]
    )
    return RowSecurity(value["enabled"], value["forced"], tuple(policies))
