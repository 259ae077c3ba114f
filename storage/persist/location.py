"""The two places that hold a shard, as Protocols, and the laws that every implementation keeps.

Consensus holds small versioned values under keys and changes several of them in one durable transaction.
Versions of a key are numbered 1, 2, 3, … without gaps; old ones may be truncated, the newest never is, until the key
is forgotten as a whole.
Blob holds immutable files. One conformance suite (tests/storage) runs on all implementations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

CONSENSUS_FILE = "consensus.sqlite"
BLOB_DIRECTORY = "blob"
"""Their names in a data directory."""


class Indeterminate(Exception):
    """The operation may have happened, or not, or may yet happen; retry only in an idempotent way."""


@dataclass(frozen=True, slots=True)
class Versioned:
    """One version of a key; `seqno` counts from 1."""

    seqno: int
    data: bytes


@dataclass(frozen=True, slots=True)
class BlobAccess:
    """The access to a blob on an object store, beside its URL; None: as its environment says."""

    endpoint: str | None
    region: str | None
    key_id: str
    secret: str = field(repr=False)
    token: str | None = field(default=None, repr=False)


class Consensus(Protocol):
    """Linearizable: a read sees every write that was acknowledged before the read began."""

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        """Returns the newest version of each key, all at one moment; None for a key never written, or forgotten."""
        ...

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        """Returns the versions of `key` with seqno >= `from_seqno`, except truncated versions, in order."""
        ...

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        """Writes all of `writes`, or nothing; durable on return. False when an expectation does not hold.

        Every key of `expected` must have exactly that newest seqno (None: never written). Every key of `writes`
        must be in `expected` and gets the next seqno. A key only in `expected` is a precondition (a fence).
        Raises Indeterminate when the outcome is unknown; raises SqlError (disk_full among others) when nothing was
        written.
        """
        ...

    async def truncate(self, key: str, before_seqno: int) -> None:
        """Forgets the versions of `key` with seqno < `before_seqno`; never the newest. Idempotent."""
        ...

    async def forget(self, keys: Sequence[str]) -> None:
        """Makes `keys` as never written, all or none; durable on return. Idempotent. Indeterminate and SqlError as in
        `compare_and_set`.

        Only for keys that nobody will ever create again: a write on its way that expects a forgotten key to be absent
        would land.
        """
        ...

    async def list_keys(self, prefix: str) -> list[str]:
        """Returns the sorted keys that begin with `prefix`."""
        ...

    async def close(self) -> None: ...


class Blob(Protocol):
    """Files that never change once written. Failures to read or write are OSError."""

    async def put(self, key: str, data: bytes) -> None:
        """Puts a file, durable on return: the file and its name survive a crash. Idempotent for equal data."""
        ...

    async def get(self, key: str) -> bytes | None:
        """Returns the file's bytes; None without such a file."""
        ...

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        """Returns the bytes of ranges of a file, each given as its first byte and its size, fewer where the file ends
        before; None without such a file. Blocks; any thread may call."""
        ...

    async def delete(self, key: str) -> None:
        """Deletes a file; idempotent."""
        ...

    async def list_keys(self, prefix: str) -> list[str]:
        """Returns the sorted keys that begin with `prefix`."""
        ...

    def uri(self, key: str) -> str:
        """Returns a path or an `s3://` address that a Parquet reader in another process can open."""
        ...

    async def close(self) -> None: ...
