"""Restoring in tests: the command, and a server over what it has restored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.secrets.keyring import Keyring
from server.start.restore_command import RestoreOptions, run_restore
from storage.persist.files import FileBlob
from storage.persist.sqlite import SqliteConsensus
from tests.server.memory_server import MemoryServer, memory_server


def restore(place: Path | str, data_dir: Path, as_of: str | None = None, name: str | None = None) -> None:
    """Restores into a data directory; fails the test when that is refused."""
    assert run_restore(RestoreOptions(str(place), data_dir, as_of=as_of, name=name)) == 0


@contextmanager
def serving(data_dir: Path, keyring: Keyring | None = None) -> Iterator[MemoryServer]:
    """A server over a data directory."""
    places = SqliteConsensus(data_dir / "consensus.sqlite"), FileBlob(data_dir / "blob")
    with memory_server(*places, keyring=keyring) as server:
        yield server
