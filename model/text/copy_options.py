"""The options of COPY, complete and checked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CopyFormat(StrEnum):
    TEXT = "text"
    CSV = "csv"
    BINARY = "binary"


class CopyHeader(StrEnum):
    ABSENT = "false"
    PRESENT = "true"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class CheckedCopyOptions:
    """The options of a COPY. Columns of the FORCE options are given by their position in the copied columns. `encoding`
    is PostgreSQL's name of the data's encoding, None for the client's."""

    format: CopyFormat = CopyFormat.TEXT
    delimiter: str = "\t"
    null: str = "\\N"
    header: CopyHeader = CopyHeader.ABSENT
    quote: str = '"'
    escape: str = '"'
    force_quote: frozenset[int] = frozenset()
    force_not_null: frozenset[int] = frozenset()
    force_null: frozenset[int] = frozenset()
    encoding: str | None = None
