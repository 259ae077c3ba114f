"""The manifest as a key of consensus: replaced by compare-and-set, under the fence of its owner.

A manifest that was removed leaves an empty value: so whoever has seen an earlier one can't take it for none.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
from collections.abc import Callable, Mapping

from compute.arrangement.blob.calls import BlockingCalls
from compute.arrangement.stores import ManifestMoved, ManifestUnclear
from model.errors.sql_error import SqlError
from storage.persist.location import Consensus, Indeterminate, Versioned

_ATTEMPTS = 3


class ConsensusManifest:
    """The manifest under `key`. `preconditions` are the keys, with their versions, of the fence of each write; those
    of `owned` tell whether this process is still the owner."""

    def __init__(
        self,
        calls: BlockingCalls,
        consensus: Consensus,
        key: str,
        preconditions: Callable[[], Mapping[str, int | None]],
        owned: Mapping[str, int | None],
    ) -> None:
        self._calls = calls
        self._consensus = consensus
        self._key = key
        self._preconditions = preconditions
        self._owned = owned
        self._looked = False
        self._known: int | None = None
        self._attempted: set[bytes] = set()
        """Digests of what this process may have written since, without having been told so."""

    def read(self) -> bytes | None:
        head = self._head()
        self._know(head)
        return (head.data or None) if head is not None else None

    def replace(self, data: bytes) -> None:
        self._write(data)

    def clear(self) -> None:
        head = self._head()
        if not self._looked:
            self._know(head)
        if head is None and self._known is None:
            return
        self._write(b"")

    def forget(self) -> None:
        """Makes a cleared manifest's key as never written. Only for the owner: who has seen the key without a value
        would take another's first manifest for its own. Raises OSError."""
        try:
            self._calls.call(self._consensus.forget([self._key]))
        except (Indeterminate, SqlError) as error:
            raise _told(error) from error

    def _write(self, data: bytes) -> None:
        """Writes over what is known, or over an attempt of this process that has succeeded unseen."""
        if not self._looked:
            self._know(self._head())
        for _ in range(_ATTEMPTS):
            if self._set(data):
                self._known = (self._known or 0) + 1
                self._attempted = set()
                self._truncate(self._known)
                return
            self._find_out()
        raise OSError(errno.EAGAIN, f"{self._key} could not be replaced: the fence has moved")

    def _set(self, data: bytes) -> bool:
        expected = {**self._preconditions(), **self._owned, self._key: self._known}
        try:
            return self._calls.call(self._consensus.compare_and_set(expected, {self._key: data}))
        except Indeterminate as error:
            self._attempted.add(_digest(data))
            raise ManifestUnclear(errno.EIO, f"{self._key} may be replaced, or not: {error}") from error
        except SqlError as error:
            raise _told(error) from error

    def _find_out(self) -> None:
        """Finds out why a write was refused. Raises ManifestMoved when it was another process."""
        heads = self._heads([self._key, *self._owned])
        for key, version in self._owned.items():
            found = heads[key]
            if (None if found is None else found.seqno) != version:
                raise ManifestMoved(f"another process owns {self._key}")
        head = heads[self._key]
        if (None if head is None else head.seqno) == self._known:
            return
        if head is None or head.seqno != (self._known or 0) + 1 or _digest(head.data) not in self._attempted:
            raise ManifestMoved(f"another process has replaced {self._key}")
        self._know(head)

    def _truncate(self, seqno: int) -> None:
        with contextlib.suppress(OSError, Indeterminate, SqlError):
            self._calls.call(self._consensus.truncate(self._key, seqno))

    def _know(self, head: Versioned | None) -> None:
        self._looked = True
        self._known = None if head is None else head.seqno
        self._attempted = set()

    def _head(self) -> Versioned | None:
        return self._heads([self._key])[self._key]

    def _heads(self, keys: list[str]) -> dict[str, Versioned | None]:
        try:
            return self._calls.call(self._consensus.head(keys))
        except (Indeterminate, SqlError) as error:
            raise _told(error) from error


def _told(error: Exception) -> OSError:
    return OSError(errno.EIO, f"consensus: {error}")


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
