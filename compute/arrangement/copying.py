"""Copies the state in a directory of another process, while the other process goes on.

A manifest names files that never change, so a copy is a former manifest, and other names for the files: links
where both directories are of one file system, which take no room. The other process may write a newer manifest
meanwhile, and remove files that only the older manifest names; then the newer state is copied. The manifest is written
last, so a copy that ends half way is garbage. Damage is found by whoever opens the copy.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

import structlog

from compute.arrangement.disk import Disk
from compute.arrangement.manifest import MANIFEST_NAME, CorruptManifest, Manifest, decode_manifest
from compute.arrangement.manifest_file import ManifestFile

ATTEMPTS = 5
"""The number of manifests tried of a state that moves on."""
_log = structlog.get_logger("arrangements")


@dataclass(frozen=True, slots=True)
class ForeignState:
    """The state in a directory of another process at the moment of a look."""

    directory: Path
    data: bytes
    manifest: Manifest

    @property
    def upper(self) -> int:
        return self.manifest.upper

    @property
    def files(self) -> list[str]:
        return [file.name for entry in self.manifest.arrangements.values() for file in entry.files]


def state_in(directory: Path, fingerprint: str) -> ForeignState | None:
    """Returns the state of the dataflow `fingerprint` that a directory has; None without one that can be read."""
    try:
        data = (directory / MANIFEST_NAME).read_bytes()
        manifest = decode_manifest(data)
    except (OSError, CorruptManifest):
        return None
    return ForeignState(directory, data, manifest) if manifest.fingerprint == fingerprint else None


def copy_state(state: ForeignState, target: Path, disk: Disk) -> Manifest | None:
    """Copies a state of now, or of a little later, into a directory of this process; returns the durable manifest. None
    without a whole copy: then the directory has no new manifest."""
    made: set[str] = set()
    try:
        target.mkdir(parents=True, exist_ok=True)
        for _ in range(ATTEMPTS):
            lacks = _link_files(state, target, disk, made)
            if lacks is None:
                return _finish(state, target, disk)
            newer = state_in(state.directory, state.manifest.fingerprint)
            if newer is None or newer.data == state.data:
                break
            state = newer
        _log.info("a state can't be copied", place=str(state.directory), lacks=lacks)
    except OSError as error:
        _log.warning("a state can't be copied", place=str(state.directory), reason=str(error))
    for name in made:
        with contextlib.suppress(OSError):
            disk.remove(target / name)
    return None


def _link_files(state: ForeignState, target: Path, disk: Disk, made: set[str]) -> str | None:
    """Gives the state's files names in the directory, and adds the names to `made`; returns the first missing file.
    Raises OSError."""
    for name in state.files:
        if name in made:
            continue
        with contextlib.suppress(OSError):
            # Of an attempt that ended half way.
            disk.remove(target / name)
        try:
            disk.link(state.directory / name, target / name)
        except FileNotFoundError:
            return name
        made.add(name)
    return None


def _finish(state: ForeignState, target: Path, disk: Disk) -> Manifest:
    for name in state.files:
        disk.sync(target / name)
    disk.sync_directory(target)
    ManifestFile(target, disk).replace(state.data)
    return state.manifest
