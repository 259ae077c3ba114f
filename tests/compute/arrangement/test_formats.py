"""States of every format that code has written are opened and written further; one of a format to come is made anew.

A file in `states` is one state, packed, and is never changed. `python -m tests.compute.arrangement.test_formats NAME`
adds one as today's code writes it, whenever the number of a format is raised, before the change.
"""

from __future__ import annotations

import sys
import tarfile
import tempfile
from pathlib import Path

import msgspec
import pytest

from compute.arrangement.checkpoint import local_store
from compute.arrangement.manifest import MANIFEST_NAME, Manifest, decode_manifest, encode_manifest
from tests.compute.arrangement.scripts import tight_limits
from tests.compute.arrangement.test_checkpoint import LAYOUTS, expected, state, tick

_STATES = Path(__file__).parent / "states"
_FILES = sorted(_STATES.glob("*.tar.xz"))
_FINGERPRINT = "a view"
_TICKS = 30
_MORE = 40


def _unpacked(file: Path, directory: Path) -> Path:
    with tarfile.open(file) as archive:
        archive.extractall(directory, filter="data")
    return directory


def _write(place: Path) -> None:
    """Packs a state into the file `place`."""
    with tempfile.TemporaryDirectory() as directory, tight_limits():
        store = local_store(Path(directory))
        arrangements = {name: store.arrangement(layout) for name, layout in LAYOUTS.items()}
        for number in range(_TICKS):
            tick(arrangements, number)
        store.checkpoint(_FINGERPRINT, _TICKS, dict.fromkeys(LAYOUTS, _TICKS - 1), arrangements)
        store.close()
        with tarfile.open(place, "w:xz") as archive:
            for path in sorted(Path(directory).iterdir()):
                archive.add(path, path.name)


@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.name)
def test_what_earlier_code_kept_is_gone_on_with(file: Path, tmp_path: Path) -> None:
    found = local_store(_unpacked(file, tmp_path)).open(_FINGERPRINT, LAYOUTS)
    assert found is not None and found.upper == _TICKS
    arrangements = dict(found.arrangements)
    assert state(arrangements, _TICKS) == expected(_TICKS)
    for number in range(_TICKS, _MORE):
        tick(arrangements, number)
    local_store(tmp_path).checkpoint(_FINGERPRINT, _MORE, dict.fromkeys(LAYOUTS, _MORE - 1), arrangements)
    again = local_store(tmp_path).open(_FINGERPRINT, LAYOUTS)
    assert again is not None and state(dict(again.arrangements), _MORE) == expected(_MORE)


def test_every_format_has_a_state() -> None:
    assert [file.name for file in _FILES] == ["format-1.tar.xz", "format-2.tar.xz"]


def test_what_newer_code_kept_is_made_anew(tmp_path: Path) -> None:
    manifest = _unpacked(_FILES[-1], tmp_path) / MANIFEST_NAME
    known = decode_manifest(manifest.read_bytes())
    entry = known.arrangements["rows"]
    files = tuple(msgspec.structs.replace(each, format=each.format + 1) for each in entry.files)
    newer = {**known.arrangements, "rows": msgspec.structs.replace(entry, files=files)}
    manifest.write_bytes(encode_manifest(Manifest(known.fingerprint, known.upper, newer)))
    assert local_store(tmp_path).open(_FINGERPRINT, LAYOUTS) is None


if __name__ == "__main__":
    _STATES.mkdir(exist_ok=True)
    _write(_STATES / f"{sys.argv[1]}.tar.xz")
