"""The description of files that are read as a source."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId


class Framing(StrEnum):
    """The kind of a file's records. LINES: each line; TEXT_LINES: each line without a carriage return at its end;
    JSON_LINES: of these, the lines that are not blank; CSV: of these, the lines that are not empty, where a line end
    within quotes ends none."""

    LINES = "lines"
    TEXT_LINES = "text lines"
    JSON_LINES = "json lines"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class FilePattern:
    """The files that match `pattern`.

    `framing`: the kind of their records
    `header`: the first record is a header
    `columns`: the files are Parquet, with these columns
    `compression`: the kind; `auto` goes by the files' names
    `fields`: of CSV with a header, the fields to read, by name and in this order; None: all, in the file's order
    `interval_ms`: files are looked for so often
    `once`: only the files that exist when the source is created are read
    `changes_ignored`: a file changed otherwise than by growing is left alone, instead of an error
    """

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
    def connection(self) -> GlobalId | None:
        """Returns None: files of the server need no connection."""
        return None

    @property
    def whole(self) -> bool:
        """Tells whether a file is read at once, and never grows."""
        return self.columns is not None or self.compression is not None

    def compression_of(self, path: str) -> str | None:
        """Returns Arrow's name of the file's compression."""
        if self.compression != AUTO:
            return self.compression
        return _COMPRESSIONS.get(path.rpartition(".")[2].lower())


@dataclass(frozen=True, slots=True)
class BucketObjects:
    """Objects whose keys match the pattern of `files`: those of `bucket`, found by listing it, by notifications in
    `queue`, or both; without a bucket, the objects of any bucket that the queue announces."""

    connection: GlobalId
    bucket: str | None
    queue: str | None
    files: FilePattern


AUTO = "auto"
ROWS = "rows"
"""What the changes of files without records are called."""
_COMPRESSIONS = {"gz": "gzip", "gzip": "gzip", "zst": "zstd", "zstd": "zstd", "bz2": "bz2", "lz4": "lz4"}
