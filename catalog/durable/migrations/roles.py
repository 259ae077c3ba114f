"""From version 1, with one superuser and no privileges, to version 2: roles have all attributes, schemas `public` have
PostgreSQL's access control list, and PostgreSQL's own roles have memberships."""

from __future__ import annotations

import json

from catalog.durable.migrations.row_texts import Rows, canonical

_PUBLIC_OWNER = 6171
_SUPERUSER = 10
_PUBLIC_LIST = [[_PUBLIC_OWNER, _PUBLIC_OWNER, "UC", ""], [0, _PUBLIC_OWNER, "U", ""]]
_MONITOR = 3373
_MONITORED = (3374, 3375, 3377)
_FIRST_MEMBERSHIP_OID = 10_000


def with_privileges(rows: Rows) -> Rows:
    """Returns the rows with what version 2 adds."""
    after = []
    for kind, key, text in rows:
        value = json.loads(text)
        if kind == "role":
            superuser = value["superuser"]
            value |= {
                "replication": superuser,
                "bypass_row_security": superuser,
                "connection_limit": -1,
                "valid_until": None,
                "password": None,
            }
        if kind == "schema" and value["name"] == "public" and value["owner"] == _PUBLIC_OWNER:
            after.append(("acl", f"{key}.0", canonical(_PUBLIC_LIST)))
        after.append((kind, key, canonical(value)))
    for at, role in enumerate(_MONITORED):
        value = {"oid": _FIRST_MEMBERSHIP_OID + at, "admin": False, "inherit": True, "set": True}
        after.append(("membership", f"{role}.{_MONITOR}.{_SUPERUSER}", canonical(value)))
    return after
