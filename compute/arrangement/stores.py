"""Where the state of dataflows is kept, as Protocols: files of batches, and the manifest that says which of them count.

A batch store takes bytes and decides nothing: a file that no manifest names is garbage, whoever wrote it. The manifest
is the commit. It is replaced by compare-and-set, so that of two processes which both go on from one manifest only one
goes on, and the other changes nothing that anybody sees.

One law for each (tests/compute/arrangement), run on all implementations.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from compute.arrangement.batch import ArrangementBatch, BatchFile, Block
from compute.arrangement.layout import Layout


class BatchWriter(Protocol):
    """Writes one file: `write` blocks, then `finish` or `abandon`."""

    def write(self, block: Block) -> None:
        """Adds a block behind the others. Raises OSError without room."""
        ...

    def finish(self) -> ArrangementBatch:
        """Returns the batch; its file is complete, but perhaps not durable. Raises OSError."""
        ...

    def abandon(self) -> None:
        """Removes the incomplete file; if removing fails, the file is garbage."""
        ...


class BatchStore(Protocol):
    """Files of batches. No name is used twice, and a file never changes. Several threads may write and read."""

    @property
    def damaged(self) -> str | None:
        """Returns the name of a file whose rows were found to be others than were written; None while there is none.
        With such a file, none of the state is to be kept."""
        ...

    def writer(self, layout: Layout) -> BatchWriter:
        """Begins a file. Raises OSError when no file can be made."""
        ...

    def open(self, layout: Layout, file: BatchFile) -> ArrangementBatch:
        """Opens a file. Raises CorruptFile when the file is missing, or another than was written; blocks are compared
        with their checksums on first use."""
        ...

    def make_durable(self, files: Collection[BatchFile]) -> None:
        """Makes files survive a crash. Raises OSError when one is not there."""
        ...

    def remove(self, names: Collection[str]) -> None:
        """Removes files as far as possible: a file that is left over is garbage."""
        ...

    def remove_garbage(self, named: Collection[str]) -> None:
        """Removes, as far as possible, files that are neither `named` nor in use by this process. Only the owner of the
        manifest that names them may ask for that."""
        ...

    def close(self) -> None:
        """Abandons all files still being written."""
        ...

    def expect(self, token: str) -> None:
        """Makes files whose names begin with the token and a hyphen no garbage, until `expect_no_more`: tasks of a tick
        under way write them, and this process does not know them yet."""
        ...

    def expect_no_more(self, token: str) -> None:
        """Makes those of these files garbage that are neither named nor in use."""
        ...

    @property
    def elsewhere(self) -> BatchPlace | None:
        """Returns how processes that see this one's disk write files for this store; None when they can't."""
        ...


class BatchPlace(Protocol):
    """The place of a store's files, as plain data that a task of another process can be sent."""

    def store(self, token: str) -> AbstractContextManager[BatchStore]:
        """Opens a store that writes files whose names begin with the token, which nobody else uses. Raises OSError."""
        ...

    def remove(self, token: str) -> None:
        """Removes, as far as possible, the files whose names begin with the token and a hyphen."""
        ...


class ManifestMoved(OSError):
    """Another process has replaced the manifest since this one last knew it, or owns it now; nothing was changed."""


class ManifestUnclear(OSError):
    """The manifest may have been replaced, or not: what the new one names must stay. A later attempt finds out."""


class ManifestStore(Protocol):
    """The bytes of one manifest. One process at a time goes on from it; one thread at a time calls."""

    def read(self) -> bytes | None:
        """Returns the manifest, which is durable, and goes on from it; None without one. Raises OSError."""
        ...

    def replace(self, data: bytes) -> None:
        """Puts a manifest in the place of the one last read or written here; durable on return.

        Raises ManifestMoved when another one is there, ManifestUnclear, or OSError: then nothing was changed.
        """
        ...

    def clear(self) -> None:
        """Removes the manifest last read or written here. Errors as of `replace`."""
        ...


def open_batch(store: BatchStore, layout: Layout, files: Sequence[BatchFile]) -> ArrangementBatch:
    """Opens a batch of one or several files, in the order of their hashes. Raises CorruptFile."""
    parts = [store.open(layout, file) for file in files]
    return parts[0] if len(parts) == 1 else ArrangementBatch.joined(parts)


def write_batch(store: BatchStore, layout: Layout, blocks: Sequence[Block]) -> ArrangementBatch:
    """Writes blocks to a file. Raises OSError without room; the incomplete file is removed."""
    writer = store.writer(layout)
    try:
        for block in blocks:
            writer.write(block)
        return writer.finish()
    except BaseException:
        writer.abandon()
        raise
