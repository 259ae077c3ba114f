"""The file of the keys for secrets: one per line, the newest first; readable by its owner only, and outside of the data
directory.

A file is written under another name and then renamed: a crash leaves the old one or the new one.
"""

from __future__ import annotations

import os
from pathlib import Path

from model.time.clock import Randomness
from server.secrets.keyring import key_text, keys_of, new_key

_MODE = 0o600
_OTHERS = 0o077


def read_keys(path: Path) -> tuple[bytes, ...]:
    """Reads the keys; raises OSError when the file can't be read, ValueError when it has other contents or others
    may read it."""
    with path.open() as file:
        if os.fstat(file.fileno()).st_mode & _OTHERS:
            raise ValueError("others than its owner may read it; chmod 600 it")
        return keys_of(file.read())


def make_keys(path: Path, randomness: Randomness) -> bool:
    """Makes a file with a new key when there is none; tells whether it was made by this call. May raise OSError."""
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
    """Adds a new key before the existing ones; returns their number. May raise OSError or ValueError."""
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
