"""A table that a sink writes, as the replica is told of it."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class DeltaPlace:
    """A table of Delta Lake. `settings` and `secrets` are those of a client of S3, for a table in a bucket."""

    uri: str
    settings: tuple[tuple[str, str], ...] = ()
    secrets: tuple[tuple[str, GlobalId], ...] = ()
