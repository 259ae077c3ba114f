"""Brings rows written by an older Headwater to the present form, in memory; the coordinator appends the difference.

A step takes all rows of version n and gives all rows of version n + 1; the version row itself is moved here.
Released steps are never changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from catalog.durable.migrations.clusters import with_clusters
from catalog.durable.migrations.roles import with_privileges
from catalog.durable.migrations.row_texts import Rows
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

Step = Callable[[Rows], Rows]

STEPS: tuple[Step, ...] = (with_privileges, with_clusters)
"""STEPS[n - 1] makes version n into n + 1."""

CATALOG_VERSION = len(STEPS) + 1

_VERSION_KEY = ("config", "catalog_version")


def migrate(rows: Iterable[tuple[str, str, str]], steps: Sequence[Step] = STEPS) -> Rows:
    """Returns rows in the newest form that `steps` lead to; raises XX001 when they have no version, or a newer one."""
    migrated = list(rows)
    version = catalog_version(migrated)
    newest = len(steps) + 1
    if version > newest:
        raise SqlError(
            Sqlstate.DATA_CORRUPTED,
            f"the catalog was written by a newer Headwater: its version is {version}, this one knows up to {newest}",
            hint="Start the newer version again, or use another data directory.",
        )
    for step in steps[version - 1 :]:
        body = [row for row in step(migrated) if row[:2] != _VERSION_KEY]
        version += 1
        migrated = [*body, (*_VERSION_KEY, str(version))]
    return migrated


def catalog_version(rows: Iterable[tuple[str, str, str]]) -> int:
    """Returns the version that the rows have; raises XX001 when they have none."""
    for kind, key, value in rows:
        if (kind, key) == _VERSION_KEY:
            return int(json.loads(value))
    raise SqlError(Sqlstate.DATA_CORRUPTED, "the catalog has no version")
