"""Files in a directory of the server's: written and synced under hidden names, and renamed when the log names them.

<path>/v1/00001795444186543-00001795444188065-0000.parquet     changes from one time to another
<path>/v1/.staged/<session>-…                                  of a transaction that the log has not yet
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from connectors.files.store import another_sinks_files
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_HIDDEN, _OWNER = ".staged", ".headwater"


class DirectoryStore:
    """Stores files in a directory of the server. `token` marks this session's hidden files, apart from those of
    other sessions."""

    failures: tuple[type[Exception], ...] = (OSError,)

    def __init__(self, path: str, token: str) -> None:
        self._path = Path(path)
        self._token = token
        self._directory = self._path

    def open(self, name: str, version: int, staged: Sequence[Any], secrets: Mapping[str, str]) -> None:
        self._directory = self._path / f"v{version}"
        self.hidden.mkdir(parents=True, exist_ok=True)
        self._claim(name)
        wanted = set(staged)
        for file in self.hidden.iterdir():
            if file.name not in wanted:
                file.unlink(missing_ok=True)

    @property
    def hidden(self) -> Path:
        """Returns the directory of staged files."""
        return self._directory / _HIDDEN

    def _claim(self, name: str) -> None:
        mark = self._path / _OWNER
        try:
            with mark.open("x") as file:
                file.write(name)
        except FileExistsError:
            if mark.read_text() != name:
                raise another_sinks_files(str(self._path)) from None

    def begin(self, number: int) -> Path:
        return self.hidden / f"{self._token}-{number:04}"

    def stage(self, files: Sequence[tuple[Path, str]]) -> list[Any]:
        staged = []
        for path, name in files:
            hidden = f"{self._token}-{name}"
            path.rename(self.hidden / hidden)
            staged.append(hidden)
        _sync(self.hidden)
        return staged

    def apply(self, staged: Any) -> bool:
        # `<session>-<from>-<to>-<number>.<format>` without the session.
        file, own = self.hidden / staged, self._directory / staged.partition("-")[2]
        if file.exists():
            file.rename(own)
            return True
        return bool(own.exists())

    def applied(self) -> None:
        _sync(self._directory)

    def close(self) -> None:
        """Keeps the hidden files: the next session completes or removes them."""

    def failed(self, error: Exception) -> SqlError:
        said = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return SqlError(Sqlstate.IO_ERROR, f'files in "{self._path}": {said}')


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
