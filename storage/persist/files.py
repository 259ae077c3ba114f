"""Blob on a directory: write beside, sync the file, rename, sync the directory.

Keys are relative paths; their directories are made as needed. A file that a crash left half-written keeps the
name of a temporary file, which no key has.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_TEMPORARY = ".temporary"
_THREADS = 4
_ATTEMPTS = itertools.count()
"""Of the whole process: two stores over one directory must not write one temporary file."""


class FileBlob:
    def __init__(self, root: str | Path) -> None:
        self._root = Path(root).absolute()
        self._root.mkdir(parents=True, exist_ok=True)
        self._threads = ThreadPoolExecutor(_THREADS, "blob")

    async def put(self, key: str, data: bytes) -> None:
        await asyncio.get_running_loop().run_in_executor(self._threads, self._put, key, data)

    async def get(self, key: str) -> bytes | None:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._get, key)

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        try:
            file = os.open(self._name(key), os.O_RDONLY)
        except FileNotFoundError:
            return None
        try:
            return [os.pread(file, size, offset) for offset, size in ranges]
        finally:
            os.close(file)

    async def delete(self, key: str) -> None:
        await asyncio.get_running_loop().run_in_executor(self._threads, self._delete, key)

    async def list_keys(self, prefix: str) -> list[str]:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._list, prefix)

    def uri(self, key: str) -> str:
        return str(self._path(key))

    async def close(self) -> None:
        # Whoever was cancelled may have left a write under way, which ends by itself.
        self._threads.shutdown(wait=False)

    def _path(self, key: str) -> Path:
        return Path(self._name(key))

    def _name(self, key: str) -> str:
        # Keys may come from a backup that somebody else has made.
        if not key or ".." in key.split("/") or key.startswith("/"):
            raise ValueError(f"not a blob key: {key!r}")
        return f"{self._root}/{key}"

    def _put(self, key: str, data: bytes) -> None:
        path = self._path(key)
        self._make_directory(path.parent)
        temporary = path.with_name(f"{path.name}.{os.getpid()}.{next(_ATTEMPTS)}{_TEMPORARY}")
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.rename(path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        sync_directory(path.parent)

    def _make_directory(self, directory: Path) -> None:
        if directory.is_dir():
            return
        self._make_directory(directory.parent)
        directory.mkdir(exist_ok=True)
        sync_directory(directory.parent)

    def _get(self, key: str) -> bytes | None:
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError:
            return None

    def _delete(self, key: str) -> None:
        path = self._path(key)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
            sync_directory(path.parent)

    def _list(self, prefix: str) -> list[str]:
        # Only the directory that the prefix names needs a walk, not the whole store.
        start = self._root / prefix.rpartition("/")[0]
        keys = []
        for directory, _, names in os.walk(start):
            for name in names:
                key = (Path(directory) / name).relative_to(self._root).as_posix()
                if key.startswith(prefix) and not name.endswith(_TEMPORARY):
                    keys.append(key)
        return sorted(keys)


def sync_directory(directory: Path) -> None:
    """Makes the names in the directory survive a crash."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
