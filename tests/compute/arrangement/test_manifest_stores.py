"""The law of manifest stores: of all who go on from one manifest, the first to replace it goes on, and nobody else."""

from __future__ import annotations

import errno
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import ArrangementStore
from compute.arrangement.disk import LocalDisk
from compute.arrangement.manifest_file import ManifestFile
from compute.arrangement.stores import ManifestMoved, ManifestStore, ManifestUnclear
from tests.compute.arrangement.manifest_stores import ManifestMaker, local, manifest_file
from tests.compute.arrangement.test_checkpoint import LAYOUTS, expected, state, tick


def follow_the_law(processes: ManifestMaker, seed: int) -> None:
    """Some processes read, replace and clear one manifest, and are judged by a model: who has not seen what stands
    there changes nothing. That there is no manifest may have been seen before another one came and went."""
    random_ = random.Random(seed)
    stores: list[tuple[ManifestStore, int]] = []
    absent = {0}
    stands: bytes | None = None
    version = 0
    for number in range(60):
        if not stores or random_.random() < 0.15:
            store = processes()
            assert store.read() == stands
            stores.append((store, version))
            continue
        place = random_.randrange(len(stores))
        store, known = stores[place]
        match random_.choice(["read", "replace", "replace", "clear"]):
            case "read":
                assert store.read() == stands
                stores[place] = store, version
                continue
            case "replace":
                wanted: bytes | None = f"manifest {number}".encode()
            case _:
                wanted = None
        try:
            store.clear() if wanted is None else store.replace(wanted)
        except ManifestMoved:
            assert known != version, "it had seen what stands there"
        else:
            unseen = "another process has replaced what it had seen"
            assert known == version or {known, version} <= absent, unseen
            version += 1
            if wanted is None:
                absent.add(version)
            stands = wanted
            stores[place] = store, version
        assert processes().read() == stands


def two_drivers(stores: Callable[[], ArrangementStore]) -> None:
    """A driver goes on from a checkpoint, and so does another, whom the first does not know of: what the second says
    is durable is what everybody finds, and the zombie leaves nothing behind."""
    first = stores()
    kept = {name: first.arrangement(layout) for name, layout in LAYOUTS.items()}
    for number in range(2):
        tick(kept, number)
    first.checkpoint("plan", 2, {}, kept)

    second = stores()
    found = second.open("plan", LAYOUTS)
    assert found is not None
    going_on: dict[str, Arrangement] = dict(found.arrangements)
    tick(going_on, 2)
    second.checkpoint("plan", 3, {}, going_on)

    for number in range(2, 5):
        tick(kept, number)
        with pytest.raises(ManifestMoved):
            first.checkpoint("plan", number + 1, {}, kept)
    _is_found(stores, 3)

    tick(going_on, 3)
    second.checkpoint("plan", 4, {}, going_on)
    _is_found(stores, 4)


def _is_found(stores: Callable[[], ArrangementStore], upper: int) -> None:
    found = stores().open("plan", LAYOUTS)
    assert found is not None and found.upper == upper
    assert state(dict(found.arrangements), upper) == expected(upper)


@pytest.mark.parametrize("seed", range(20))
def test_a_manifest_is_replaced_by_those_alone_who_have_seen_it(tmp_path: Path, seed: int) -> None:
    follow_the_law(manifest_file(tmp_path), seed)


def test_a_zombie_driver_changes_nothing(tmp_path: Path) -> None:
    two_drivers(local(tmp_path))
    manifest = "manifest.json"
    assert manifest in {path.name for path in tmp_path.iterdir()}
    assert not list(tmp_path.glob(f"{manifest}?*")), "no half of a manifest is left"


class Forgetful(ManifestFile):
    """Replaces whatever it finds: a planted bug."""

    def replace(self, data: bytes) -> None:
        self.read()
        super().replace(data)


def test_the_law_finds_a_store_that_does_not_compare(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="another process has replaced"):
        for seed in range(20):
            directory = tmp_path / str(seed)
            directory.mkdir()
            follow_the_law(lambda: Forgetful(directory, LocalDisk()), seed)  # noqa: B023


def test_two_drivers_find_a_store_that_does_not_compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compute.arrangement.checkpoint.ManifestFile", Forgetful)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        two_drivers(local(tmp_path))


class _Unsynced(LocalDisk):
    """Fails to sync names as often as it is told."""

    failures = 0

    def sync_directory(self, directory: Path) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError(errno.EIO, "the disk fails")
        super().sync_directory(directory)


def test_a_rename_that_was_not_synced_may_stand_and_is_gone_on_from(tmp_path: Path) -> None:
    disk = _Unsynced()
    store = ManifestFile(tmp_path, disk)
    store.replace(b"first")
    disk.failures = 1
    with pytest.raises(ManifestUnclear):
        store.replace(b"second")
    other = ManifestFile(tmp_path, LocalDisk())
    store.replace(b"third")
    assert other.read() == b"third"


class _Full(LocalDisk):
    def create(self, path: Path) -> BinaryIO:
        super().create(path).close()
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_manifest_without_room_changes_nothing(tmp_path: Path) -> None:
    ManifestFile(tmp_path, LocalDisk()).replace(b"first")
    with pytest.raises(OSError, match="No space left"):
        ManifestFile(tmp_path, _Full()).replace(b"second")
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]
    assert ManifestFile(tmp_path, LocalDisk()).read() == b"first"


class _Meanwhile(LocalDisk):
    """Calls `act` once a file is written and before it is synced."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act

    def sync(self, path: Path) -> None:
        self._act()
        super().sync(path)


def test_two_who_write_their_manifests_at_once_do_not_mix_them_up(tmp_path: Path) -> None:
    first_done, second_wrote = threading.Event(), threading.Event()
    moved: list[bool] = []

    def hold() -> None:
        second_wrote.set()
        first_done.wait(30)

    def replace_second() -> None:
        try:
            second.replace(b"second")
        except ManifestMoved:
            moved.append(True)

    other = threading.Thread(target=replace_second)

    def let_the_other_write() -> None:
        other.start()
        # It has to wait for the first; where it does not, its file lies in the place of the first's by then.
        second_wrote.wait(0.3)

    second = ManifestFile(tmp_path, _Meanwhile(hold))
    first = ManifestFile(tmp_path, _Meanwhile(let_the_other_write))
    assert first.read() is None and second.read() is None
    first.replace(b"first")
    first_done.set()
    other.join(30)
    assert first.read() == b"first"
    assert moved == [True]
