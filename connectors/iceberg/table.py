"""A table that a sink writes, as the replica is told of it."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class IcebergPlace:
    """A table of Apache Iceberg in the directory `path`, given by its namespace and its name in the directory's
    catalog."""

    path: str
    table: tuple[str, str]

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """Returns no secrets: the table needs none."""
        return ()
