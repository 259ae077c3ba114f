"""Files that are read as a source, as every room knows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId


class Framing(StrEnum):
    """What a record of a file is. LINES: each line; TEXT_LINES: without a carriage return at its end; JSON_LINES: as
    these, where there is anything but blanks; CSV: as these that are not empty; a line end within quotes is none."""

    LINES = "lines"
    TEXT_LINES = "text lines"
    JSON_LINES = "json lines"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class FilePattern:
    """Files that `pattern` matches. They are records of a `framing`, of which the first may be a `header` and none; or
    Parquet with such `columns`. They are compressed as `compression` says: by their names where it is `auto`. Of CSV
    with a header the `fields` are those that make a record, in this order, by their names; none: all, as they come.

    They are looked for every `interval_ms`; `once`: those alone that are there when the source is created.
    `changes_ignored`: what changes otherwise than by growing is left alone, and is no error."""

    pattern: str
    framing: Framing
    header: bool = False
    columns: tuple[str, ...] | None = None
    compression: str | None = None
    interval_ms: int = 1_000
    once: bool = False
    changes_ignored: bool = False
    fields: tuple[str, ...] = ()
    delimiter: str = ","

    @property
    def whole(self) -> bool:
        """Whether a file is read at once, and never grows."""
        return self.columns is not None or self.compression is not None

    def compression_of(self, path: str) -> str | None:
        """As Arrow calls it."""
        if self.compression != AUTO:
            return self.compression
        return _COMPRESSIONS.get(path.rpartition(".")[2].lower())


@dataclass(frozen=True, slots=True)
class BucketObjects:
    """Objects whose keys the pattern of `files` matches: those of `bucket`, found by listing it, by what `queue` tells,
    or both; without a bucket those of any bucket that the queue tells of."""

    connection: GlobalId
    bucket: str | None
    queue: str | None
    files: FilePattern


AUTO = "auto"
ROWS = "rows"
"""What the changes of files without records are called."""
_COMPRESSIONS = {"gz": "gzip", "gzip": "gzip", "zst": "zstd", "zstd": "zstd", "bz2": "bz2", "lz4": "lz4"}
