"""A table that a sink writes, as the replica is told of it."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class MysqlTable:
    """A table of a MySQL or MariaDB server.

    `settings`: of a session, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    `table`: the parts of the table's name
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    table: tuple[str, ...]
