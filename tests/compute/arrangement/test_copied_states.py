"""A copy of the state that another process goes on with is whole, of one time, and its owner's alone; or there is
none."""

from __future__ import annotations

import contextlib
import errno
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.blob.states import BlobStates
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.arrangement.copying import copy_state, state_in
from compute.arrangement.disk import LocalDisk
from compute.arrangement.manifest import MANIFEST_NAME, Manifest
from model.time.clock import SystemRandomness
from storage.persist.location import Blob, Consensus
from tests.compute.arrangement.blob_worlds import STATE, BlobWorld, Memory, Mortal
from tests.compute.arrangement.failing_disk import Died, DyingDisk
from tests.compute.arrangement.scripts import tight_limits
from tests.compute.arrangement.test_checkpoint import LAYOUTS, expected, reopened, state, tick


class Going:
    """A process that goes on with a state: each step is some ticks and a checkpoint, which removes files."""

    def __init__(self, store: ArrangementStore) -> None:
        self._store = store
        self._arrangements: dict[str, Arrangement] = {n: store.arrangement(layout) for n, layout in LAYOUTS.items()}
        self.upper = 0

    def end(self) -> None:
        self._store.close()

    def go_on(self, ticks: int = 3) -> None:
        with tight_limits():
            for _ in range(ticks):
                tick(self._arrangements, self.upper)
                self.upper += 1
            self._store.checkpoint("plan", self.upper, {}, self._arrangements)


@pytest.fixture
def sibling(tmp_path: Path) -> Iterator[Going]:
    going = Going(local_store(tmp_path / "sibling"))
    going.go_on()
    yield going
    going.end()


def copied(tmp_path: Path, disk: LocalDisk | DyingDisk | None = None) -> Manifest | None:
    found = state_in(tmp_path / "sibling", "plan")
    assert found is not None
    return copy_state(found, tmp_path / "own", disk or LocalDisk())


def contents(tmp_path: Path) -> int | None:
    """How far the copy has come, which is right; None where there is none."""
    found = reopened(tmp_path / "own")
    if found is None:
        return None
    _, upper, arrangements = found
    assert state(arrangements, upper) == expected(upper)
    return upper


def test_a_copy_stays_as_it_is_while_its_source_goes_on(tmp_path: Path, sibling: Going) -> None:
    assert copied(tmp_path) is not None
    for _ in range(3):
        sibling.go_on()
    assert contents(tmp_path) == 3
    own = reopened(tmp_path / "own")
    assert own is not None
    store, upper, arrangements = own
    with tight_limits():
        for _ in range(6):
            tick(arrangements, upper)
            upper += 1
            store.checkpoint("plan", upper, {}, arrangements)
    assert contents(tmp_path) == 9
    found = reopened(tmp_path / "sibling")
    assert found is not None and state(found[2], 12) == expected(12), "what the copy's owner removes is its own"


def test_only_a_state_of_the_same_computation_is_copied(tmp_path: Path, sibling: Going) -> None:
    assert state_in(tmp_path / "sibling", "another plan") is None
    assert state_in(tmp_path / "nowhere", "plan") is None
    (tmp_path / "sibling" / MANIFEST_NAME).write_bytes(b"{")
    assert state_in(tmp_path / "sibling", "plan") is None


class _Meanwhile(LocalDisk):
    """Something happens before link number `at`."""

    def __init__(self, at: int, event: Callable[[], None], again: int = 1) -> None:
        self._left, self._event, self._again = at, event, again

    def link(self, path: Path, target: Path) -> None:
        if self._left == 0 and self._again:
            self._again -= 1
            self._event()
        self._left = max(0, self._left - 1)
        super().link(path, target)


@pytest.mark.parametrize("at", [0, 1])
def test_what_moves_on_meanwhile_is_copied_as_it_is_then(tmp_path: Path, sibling: Going, at: int) -> None:
    assert copied(tmp_path, _Meanwhile(at, lambda: sibling.go_on(9))) is not None
    upper = contents(tmp_path)
    assert upper == 12, "of the first state files were gone"


def test_a_state_that_moves_on_all_the_time_is_not_copied(tmp_path: Path, sibling: Going) -> None:
    assert copied(tmp_path, _Meanwhile(0, lambda: sibling.go_on(9), again=100)) is None
    assert contents(tmp_path) is None
    assert not list((tmp_path / "own").glob("*.arrow"))


def test_a_state_of_which_a_file_is_missing_is_not_copied(tmp_path: Path, sibling: Going) -> None:
    next(iter((tmp_path / "sibling").glob("*.arrow"))).unlink()
    assert copied(tmp_path) is None
    assert not list((tmp_path / "own").iterdir())


def test_who_opens_a_copy_that_is_damaged_begins_anew(tmp_path: Path, sibling: Going) -> None:
    path = next(iter((tmp_path / "sibling").glob("*.arrow")))
    content = path.read_bytes()
    path.write_bytes(content[:-20] + bytes([content[-20] ^ 1]) + content[-19:])
    assert copied(tmp_path) is not None
    assert contents(tmp_path) is None


class _Refusing(LocalDisk):
    def __init__(self, number: int, left: int) -> None:
        self._number, self._left = number, left

    def link(self, path: Path, target: Path) -> None:
        self._left -= 1
        if self._left < 0:
            raise OSError(self._number, "refused")
        super().link(path, target)


def test_a_full_disk_leaves_no_copy_and_nothing_on_it(tmp_path: Path, sibling: Going) -> None:
    assert copied(tmp_path, _Refusing(errno.ENOSPC, 1)) is None
    assert not list((tmp_path / "own").iterdir())


def test_files_are_copied_where_they_can_have_no_second_name(
    tmp_path: Path, sibling: Going, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _target: Path) -> None:
        raise OSError(errno.EXDEV, "on another device")

    monkeypatch.setattr("compute.arrangement.disk.os.link", refuse)
    assert copied(tmp_path) is not None
    assert contents(tmp_path) == 3


def test_a_death_or_a_crash_at_any_step_leaves_a_whole_copy_or_none(tmp_path: Path) -> None:
    random_, whole, steps, ended = random.Random(0), 0, 0, False
    while not ended:
        root = tmp_path / str(steps)
        going = Going(local_store(root / "sibling"))
        going.go_on()
        (root / "own").mkdir()
        disk = DyingDisk(root / "own", steps, random_)
        try:
            copied(root, disk)
            ended = True
        except Died:
            pass
        if random_.random() < 0.5:
            disk.crash()
        else:
            disk.end()
        going.end()
        upper = contents(root)
        assert upper in (None, 3) and (upper == 3 or not ended)
        whole += upper == 3
        found = reopened(root / "sibling")
        assert found is not None and state(found[2], 3) == expected(3)
        steps += 1
    assert 1 < whole < steps


@pytest.fixture
def memory() -> Memory:
    return Memory()


class _Replicas:
    """A sibling's process and one that joins, with states in one blob."""

    def __init__(self, tmp_path: Path, memory: Memory) -> None:
        self.sibling = BlobWorld(tmp_path / "a", memory).process()
        self.going = Going(self.sibling.store(STATE))
        self.going.go_on()
        self._tmp_path, self._memory = tmp_path, memory

    def joining(
        self, wrapped: Callable[[Consensus, Blob], tuple[Consensus, Blob]] = lambda *places: places
    ) -> BlobStates:
        world = BlobWorld(self._tmp_path / "b", self._memory)
        cache = world.process()._cache
        return BlobStates("r2", lambda: wrapped(*self._memory()), dict, cache, SystemRandomness())


def found_in(states: BlobStates) -> int | None:
    found = states.store(STATE).open("plan", LAYOUTS)
    if found is None:
        return None
    assert state(dict(found.arrangements), found.upper) == expected(found.upper)
    return found.upper


def objects_of(memory: Memory, replica: str) -> set[str]:
    return {key for key in memory.objects if key.startswith(f"arrangements/{replica}/")}


def test_a_state_in_blob_is_copied_and_goes_on_alone(tmp_path: Path, memory: Memory) -> None:
    replicas = _Replicas(tmp_path, memory)
    own = replicas.joining()
    assert own.copy(STATE, "another plan", ["r1"]) is None
    assert own.copy(STATE, "plan", ["r9", "r1"]) == "r1"
    for _ in range(3):
        replicas.going.go_on()
    assert found_in(own) == 3
    own.delete(STATE)
    assert not objects_of(memory, "r2")
    replicas.going.go_on()
    assert found_in(replicas.sibling) == 15


class _MovesOn(Blob):
    """Something happens before each of the first gets."""

    def __init__(self, of: Blob, event: Callable[[], None], times: int) -> None:
        self._of, self._event, self._times = of, event, times

    async def get(self, key: str) -> bytes | None:
        if self._times:
            self._times -= 1
            self._event()
        return await self._of.get(key)

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        return self._of.read(key, ranges)

    async def put(self, key: str, data: bytes) -> None:
        await self._of.put(key, data)

    async def delete(self, key: str) -> None:
        await self._of.delete(key)

    async def list_keys(self, prefix: str) -> list[str]:
        return await self._of.list_keys(prefix)

    def uri(self, key: str) -> str:
        return self._of.uri(key)

    async def close(self) -> None:
        await self._of.close()


@pytest.mark.parametrize(("times", "upper"), [(1, 12), (2, 21), (1000, None)])
def test_a_state_in_blob_may_move_on_meanwhile(tmp_path: Path, memory: Memory, times: int, upper: int | None) -> None:
    replicas = _Replicas(tmp_path, memory)
    own = replicas.joining(lambda consensus, blob: (consensus, _MovesOn(blob, lambda: replicas.going.go_on(9), times)))
    assert (own.copy(STATE, "plan", ["r1"]) is None) == (upper is None)
    if upper is None:
        assert not objects_of(memory, "r2")
    else:
        assert found_in(own) == upper


@pytest.mark.parametrize("damage", ["footer gone", "block gone", "block changed", "manifest"])
def test_a_damaged_state_in_blob_is_not_copied(tmp_path: Path, memory: Memory, damage: str) -> None:
    replicas = _Replicas(tmp_path, memory)
    files, own = memory.blob._files, replicas.joining()
    footer = next(key for key in sorted(memory.objects) if key.endswith("/footer"))
    block = f"{footer.rpartition('/')[0]}/0"
    match damage:
        case "footer gone":
            del files[footer]
        case "block gone":
            del files[block]
        case "block changed":
            files[block] = files[block][:-1] + bytes([files[block][-1] ^ 1])
        case _:
            replicas.sibling._manifest(STATE).replace(b"{")
    assert own.copy(STATE, "plan", ["r1"]) is None
    assert not objects_of(memory, "r2")
    assert found_in(own) is None


def test_a_death_at_any_write_leaves_a_whole_copy_or_none(tmp_path: Path, memory: Memory) -> None:
    replicas = _Replicas(tmp_path, memory)
    random_, whole, steps, ended = random.Random(0), 0, 0, False
    while not ended:
        life = Mortal(steps, random_)
        with contextlib.suppress(Died):
            ended = replicas.joining(life.wrapped).copy(STATE, "plan", ["r1"]) is not None
        following = replicas.joining()
        upper = found_in(following)
        assert upper in (None, 3) and (upper == 3 or not ended)
        whole += upper == 3
        following.delete(STATE)
        assert not objects_of(memory, "r2"), "what was copied for nothing is found"
        steps += 1
    assert whole and steps > 5
