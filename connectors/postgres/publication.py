"""The place of a source in PostgreSQL: a publication."""

from __future__ import annotations

from dataclasses import dataclass

from model.external.publications import Publication
from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class PostgresPublication:
    """Tables of a publication, as they were found when the source was created; the source follows those tables."""

    connection: GlobalId
    publication: Publication
