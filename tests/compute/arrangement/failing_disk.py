"""A disk on which the process dies after a given number of steps, and which then forgets what was not synced."""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from compute.arrangement.disk import LocalDisk


class Died(BaseException):
    """The end of the process: nothing that runs afterwards counts."""


class DyingDisk:
    """Dies in step number `steps` (from 0), before or after it took effect; `crash` leaves what a crash may leave."""

    def __init__(self, directory: Path, steps: int, random_: random.Random) -> None:
        self._directory = directory
        self._left = steps
        self.taken = 0
        self._random = random_
        self._disk = LocalDisk()
        self._synced_content: dict[int, bytes] = {}
        self._synced_names = self._names()
        for name, inode in self._synced_names.items():
            self._synced_content[inode] = (directory / name).read_bytes()
        # What has not been lost yet can't be: an inode that nothing refers to must not be given out again.
        self._kept: list[BinaryIO] = []

    def create(self, path: Path) -> BinaryIO:
        self._step(lambda: self._kept.append(path.open("x+b")))
        return io.BufferedWriter(_Raw(self, self._kept[-1].fileno()), 1)

    def write(self, descriptor: int, data: bytes) -> int:
        if self._left < 0:
            # Python flushes what the dead left open.
            return len(data)
        return int(self._step(lambda: os.write(descriptor, data)))

    def sync(self, path: Path) -> None:
        self._step(lambda: self._synced_content.__setitem__(path.stat().st_ino, path.read_bytes()))

    def rename(self, path: Path, target: Path) -> None:
        if target.exists():
            self._kept.append(target.open("rb"))
        self._step(lambda: self._disk.rename(path, target))

    def link(self, path: Path, target: Path) -> None:
        self._step(lambda: self._disk.link(path, target))

    def sync_directory(self, directory: Path) -> None:
        self._step(lambda: setattr(self, "_synced_names", self._names()))

    def remove(self, path: Path) -> None:
        if path.exists():
            self._kept.append(path.open("rb"))
        self._step(lambda: self._disk.remove(path))

    def restart(self, steps: int) -> None:
        """Another process begins, and dies in turn; the machine goes on, and has not lost anything yet."""
        self._left = steps

    def end(self) -> None:
        """The machine goes on, and loses nothing."""
        for file in self._kept:
            file.close()

    def crash(self) -> None:
        """Each name is as it was synced, or as it was last; of content that was not synced any part is left."""
        contents = {os.fstat(file.fileno()).st_ino: _content(file.fileno()) for file in self._kept}
        last = self._names()
        contents |= {inode: (self._directory / name).read_bytes() for name, inode in last.items()}
        left: dict[str, bytes] = {}
        for name in {*last, *self._synced_names}:
            inode = self._random.choice([last, self._synced_names]).get(name)
            if inode is not None:
                left[name] = self._synced_content.get(inode, self._torn(contents[inode]))
        for name in last:
            (self._directory / name).unlink()
        for name, content in left.items():
            (self._directory / name).write_bytes(content)
        self.end()

    def _torn(self, content: bytes) -> bytes:
        kept = content[: self._random.randint(0, len(content))]
        return self._random.choice([kept, kept.ljust(len(content), b"\0")])

    def _names(self) -> dict[str, int]:
        return {path.name: path.stat().st_ino for path in self._directory.iterdir()}

    def _step(self, effect: Callable[[], Any]) -> Any:
        if self._left < 0:
            raise Died
        self._left -= 1
        self.taken += 1
        if self._left < 0:
            if self._random.random() < 0.5:
                effect()
            raise Died
        return effect()


class _Raw(io.RawIOBase):
    """A file that is written step by step."""

    def __init__(self, disk: DyingDisk, descriptor: int) -> None:
        self._disk = disk
        self._descriptor = descriptor

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self._disk.write(self._descriptor, bytes(data))


def _content(descriptor: int) -> bytes:
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)


class FullDisk(LocalDisk):
    """Takes `room` bytes, and what is removed gives no room back."""

    def __init__(self, room: int) -> None:
        self.room = room

    def create(self, path: Path) -> BinaryIO:
        super().create(path).close()
        return _Limited(path, self)


class _Limited(io.FileIO):
    def __init__(self, path: Path, disk: FullDisk) -> None:
        super().__init__(path, "wb")
        self._disk = disk

    def write(self, data: Any) -> int:
        size = len(bytes(data))
        if size > self._disk.room:
            raise OSError(28, "No space left on device")
        self._disk.room -= size
        return super().write(data)
