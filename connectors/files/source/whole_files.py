"""Reads some Parquet files one after the other, a few rows at a time, in the thread that takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa

from connectors.files.source.notes import note_moves
from connectors.files.source.reader import RECORDS_SCHEMA
from connectors.files.source.space import FileSpace, FoundFile, trouble_of
from connectors.files.source.whole_parquet import (
    UNREADABLE,
    not_parquet,
    note_of_whole,
    opened_parquet,
    parquet_changes,
)
from connectors.gauge import Partition, UpstreamFrontier
from connectors.upstream import FetchedRange, PartitionReach
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.files import ROWS
from model.types.relation_desc import RelationDesc

_BATCH_ROWS = 64 * 1024


class WholeFiles:
    """Reads files in these `versions`. Raises SqlError for a file that can't be read, or was written again; telling
    users so is left to the reader of all files."""

    def __init__(
        self, space: FileSpace, parquet: RelationDesc | None, versions: Mapping[Partition, str | None]
    ) -> None:
        assert parquet is not None, "lines are read by the reader of all files"
        self._space = space
        self._parquet = parquet
        self._versions = {str(path): version or "" for path, version in versions.items()}
        self._coming: Iterator[FetchedRange] = iter(())
        self._begun = False

    def begin(self, frontier: UpstreamFrontier) -> None:
        """Begins at the begin of all files: a file read completely has no other place to begin at."""
        assert not any(frontier.values()), "nothing is read of them yet"
        self._begun = False

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """Returns the next range, up to the ends of the files, whose sizes the first `upto` gives. Raises SqlError."""
        if not self._begun:
            self._begun = True
            found = [FoundFile(path, upto[path], version, 0) for path, version in self._versions.items()]
            self._space.expect(found)
            self._coming = (each for file in found for each in self._of(file))
        return next(self._coming, None)

    def ahead(self) -> Mapping[Partition, PartitionReach]:
        """Returns nothing: `take_until` is told how far to read each file."""
        return {}

    def close(self) -> None:
        self._space.close()

    def _of(self, file: FoundFile) -> Iterator[FetchedRange]:
        no_records = RECORDS_SCHEMA.empty_table()
        try:
            with self._space.open(file) as opened:
                parquet = opened_parquet(self._space, file, opened)
                if parquet is None:
                    raise SqlError(Sqlstate.IO_ERROR, f'{self._space.noun} "{file.path}" has no end yet')
                note = note_of_whole(self._space, file, opened)
                for group in range(parquet.metadata.num_row_groups):
                    for batch in parquet.batches(row_groups=[group], rows=_BATCH_ROWS):
                        changes = parquet_changes(pa.Table.from_batches([batch]), self._parquet)
                        yield FetchedRange(no_records, {}, {ROWS: changes})
        except OSError as error:
            raise SqlError(Sqlstate.IO_ERROR, trouble_of(file.path, error)) from None
        except UNREADABLE as error:
            raise not_parquet(self._space, file, error) from None
        yield FetchedRange(no_records, {file.path: file.size, **note_moves(file.path, None, note)})
