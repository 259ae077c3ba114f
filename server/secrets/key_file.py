"""The file of the keys for secrets: one a line, the newest first; its owner's alone, and not in the data directory.

Files are put in their places whole, under another name before: a crash leaves the old one or the new one.
"""

from __future__ import annotations

import os
from pathlib import Path

from model.time.clock import Randomness
from server.secrets.keyring import key_text, keys_of, new_key

_MODE = 0o600
_OTHERS = 0o077


def read_keys(path: Path) -> tuple[bytes, ...]:
    """OSError when it can't be read, ValueError when it holds something else or others may read it."""
    with path.open() as file:
        if os.fstat(file.fileno()).st_mode & _OTHERS:
            raise ValueError("others than its owner may read it; chmod 600 it")
        return keys_of(file.read())


def make_keys(path: Path, randomness: Randomness) -> bool:
    """A file with a new key, when there is none; whether it was made here. OSError."""
    temporary = _written(path, [new_key(randomness)], randomness)
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        temporary.unlink()
    _settle(path)
    return True


def rotate_keys(path: Path, randomness: Randomness) -> int:
    """Puts a new key before those that are there; how many there are now. OSError, ValueError."""
    keys = [new_key(randomness), *read_keys(path)]
    os.replace(_written(path, keys, randomness), path)
    _settle(path)
    return len(keys)


def _written(path: Path, keys: list[bytes], randomness: Randomness) -> Path:
    temporary = path.with_name(f".{path.name}.{randomness.token()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
    with os.fdopen(descriptor, "w") as file:
        file.writelines(f"{key_text(key)}\n" for key in keys)
        file.flush()
        os.fsync(file.fileno())
    return temporary


def _settle(path: Path) -> None:
    """Makes the directory's entry durable."""
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
