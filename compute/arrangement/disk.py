"""The file-system operations of checkpoints, one step each, so that a test can stop between any two."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import BinaryIO, Protocol

from storage.persist.files import sync_directory

_NO_LINKS = (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.ENOTSUP)


class Disk(Protocol):
    """The files of a store. Each method raises OSError. What was not synced may be lost in a crash, wholly or in
    part."""

    def create(self, path: Path) -> BinaryIO:
        """Creates a file in an existing directory, open for writing."""
        ...

    def sync(self, path: Path) -> None:
        """Makes the file's content survive a crash."""
        ...

    def rename(self, path: Path, target: Path) -> None:
        """Renames a file, atomically; replaces `target`."""
        ...

    def link(self, path: Path, target: Path) -> None:
        """Gives a file another name, or copies the file where no second name is possible; `target` is a new name."""
        ...

    def sync_directory(self, directory: Path) -> None:
        """Makes the names in the directory survive a crash."""
        ...

    def remove(self, path: Path) -> None: ...


class LocalDisk:
    def create(self, path: Path) -> BinaryIO:
        return path.open("xb")

    def sync(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def rename(self, path: Path, target: Path) -> None:
        path.replace(target)

    def link(self, path: Path, target: Path) -> None:
        try:
            os.link(path, target)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            shutil.copyfile(path, target)

    def sync_directory(self, directory: Path) -> None:
        sync_directory(directory)

    def remove(self, path: Path) -> None:
        path.unlink()
