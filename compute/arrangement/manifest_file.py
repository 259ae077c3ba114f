"""The manifest as a file: written beside the old one, synced, renamed over it, and the rename synced.

A crash between any two steps leaves the old manifest or the new. All of it is one step for other processes on this
machine, by a lock of the directory: they have the name of the file beside it in common.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from compute.arrangement.disk import Disk
from compute.arrangement.manifest import MANIFEST_NAME
from compute.arrangement.stores import ManifestMoved, ManifestUnclear

_TEMPORARY = f"{MANIFEST_NAME}.temporary"


class ManifestFile:
    """The manifest of a directory. Files are never named twice: so equal bytes name an equal state, and comparing the
    bytes is enough."""

    def __init__(self, directory: Path, disk: Disk) -> None:
        self._directory = directory
        self._disk = disk
        self._path = directory / MANIFEST_NAME
        self._known: set[bytes | None] | None = None
        """Digests of what may be there; None before the first look. Several after a rename that was not synced."""

    def read(self) -> bytes | None:
        data = self._content()
        if data is not None:
            # A crash may have come between the rename and its sync.
            self._disk.sync_directory(self._directory)
        self._known = {_digest(data)}
        return data

    def replace(self, data: bytes) -> None:
        temporary = self._directory / _TEMPORARY
        with self._owned() as known:
            try:
                self._remove_temporary()
                with self._disk.create(temporary) as file:
                    file.write(data)
                self._disk.sync(temporary)
            except OSError:
                # On a full disk its room is needed.
                self._remove_temporary()
                raise
            known.add(_digest(data))
            try:
                self._disk.rename(temporary, self._path)
                self._disk.sync_directory(self._directory)
            except OSError as error:
                raise ManifestUnclear(error.errno, f"the manifest may be in its place, or not: {error}") from error
        self._known = {_digest(data)}

    def clear(self) -> None:
        with self._owned() as known:
            if self._path.exists():
                known.add(None)
                self._disk.remove(self._path)
        self._known = {None}

    @contextlib.contextmanager
    def _owned(self) -> Iterator[set[bytes | None]]:
        """Keeps other processes from replacing the manifest meanwhile. Raises ManifestMoved when one has done so
        before."""
        descriptor = os.open(self._directory, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            there = _digest(self._content())
            if self._known is None:
                self._known = {there}
            if there not in self._known:
                raise ManifestMoved(f"another process has replaced {self._path}")
            yield self._known
        finally:
            os.close(descriptor)

    def _content(self) -> bytes | None:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return None

    def _remove_temporary(self) -> None:
        with contextlib.suppress(OSError):
            self._disk.remove(self._directory / _TEMPORARY)


def _digest(data: bytes | None) -> bytes | None:
    return None if data is None else hashlib.sha256(data).digest()
