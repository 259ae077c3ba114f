"""From version 2, without clusters, to version 3: there is the cluster `default`, with its first replica, which
everybody may use and create in. Replicas beyond the first are created when a server starts with options that ask for
them."""

from __future__ import annotations

from catalog.durable.migrations.row_texts import Rows, canonical

_SUPERUSER = 10
_CLUSTER = 16385
_FIRST_REPLICA = 16386


def with_clusters(rows: Rows) -> Rows:
    """Returns the rows with what version 3 adds."""
    cluster = {"name": "default", "owner": _SUPERUSER, "replicas": [[_FIRST_REPLICA, "r1", True]]}
    everybody = [[_SUPERUSER, _SUPERUSER, "UC", ""], [0, _SUPERUSER, "UC", ""]]
    return [
        *rows,
        ("cluster", str(_CLUSTER), canonical(cluster)),
        ("acl", f"{_CLUSTER}.0", canonical(everybody)),
    ]
