"""A checkpoint is found again, whole or not at all, whatever happens to the process, the disk or the files."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Hashable
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from structlog.testing import capture_logs

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import ArrangementStore, FoundCheckpoint, capture, local_store
from compute.arrangement.layout import Layout
from tests.compute.arrangement.failing_disk import Died, DyingDisk, FullDisk
from tests.compute.arrangement.scripts import counted, tight_limits

LAYOUTS = {
    "rows": Layout((pa.int64(),), (pa.string(), pa.list_(pa.int64()))),
    "sums": Layout((pa.string(),), (), 1),
}


def tick(arrangements: dict[str, Arrangement], number: int) -> None:
    """Inserts and seals what comes in at the time `number`: retractions of the tick before, and new rows."""
    numbers = np.arange(number * 3, number * 3 + 8)
    times, diffs = np.full(8, number), np.where(np.arange(8) < 3, -1, 1) if number else np.ones(8, np.int64)
    texts = pa.array([f"row {n}" for n in numbers])
    lists = pa.array([[n] * (n % 3) for n in numbers], pa.list_(pa.int64()))
    arrangements["rows"].insert(
        pa.table([numbers % 5, numbers, texts, lists, times, diffs], schema=LAYOUTS["rows"].schema)
    )
    arrangements["sums"].insert(
        pa.table([numbers % 5, texts, numbers * diffs, times, diffs], schema=LAYOUTS["sums"].schema)
    )
    for arrangement in arrangements.values():
        arrangement.allow_compaction(number - 1)
        arrangement.seal()


def state(arrangements: dict[str, Arrangement], upper: int) -> dict[str, Counter[Hashable]]:
    return {name: counted(each.rows(upper - 1)) for name, each in arrangements.items()}


@cache
def expected(upper: int) -> dict[str, Counter[Hashable]]:
    arrangements = {name: Arrangement(layout) for name, layout in LAYOUTS.items()}
    for number in range(upper):
        tick(arrangements, number)
    return state(arrangements, upper)


def checkpointed(directory: Path, upper: int) -> dict[str, Arrangement]:
    store = local_store(directory)
    arrangements = {name: store.arrangement(layout) for name, layout in LAYOUTS.items()}
    for number in range(upper):
        tick(arrangements, number)
    store.checkpoint("plan", upper, {}, arrangements)
    store.close()
    return arrangements


def reopened(directory: Path) -> tuple[ArrangementStore, int, dict[str, Arrangement]] | None:
    store = local_store(directory)
    found = store.open("plan", LAYOUTS)
    return None if found is None else (store, found.upper, dict(found.arrangements))


def _state(store: ArrangementStore, found: FoundCheckpoint | None) -> tuple[int, dict[str, Arrangement]]:
    """What a process goes on from."""
    if found is not None:
        return found.upper, dict(found.arrangements)
    return 0, {name: store.arrangement(each) for name, each in LAYOUTS.items()}


def test_a_checkpoint_is_found_again(tmp_path: Path) -> None:
    checkpointed(tmp_path, 3)
    store = local_store(tmp_path)
    found = store.open("plan", LAYOUTS)
    assert found is not None
    assert (found.upper, found.sinces) == (3, dict.fromkeys(LAYOUTS, 2))
    assert state(dict(found.arrangements), 3) == expected(3)
    assert all(each.size.memory_bytes == 0 < each.size.bytes for each in found.arrangements.values())


def test_batches_of_a_checkpoint_lie_in_files_from_then_on(tmp_path: Path) -> None:
    arrangements = checkpointed(tmp_path, 3)
    assert all(each.size.memory_bytes == 0 < each.size.bytes for each in arrangements.values())
    tick(arrangements, 3)
    assert state(arrangements, 4) == expected(4)


@pytest.mark.parametrize("before", [0, 2])
def test_a_crash_at_any_step_leaves_the_old_state_or_the_new_one(tmp_path: Path, before: int, whole: bool) -> None:
    """Step by step, until a checkpoint comes to its end before the process does."""
    for seed in range(2 if whole else 1):
        _crashes_at_each_step(tmp_path / str(seed), before, seed)


def _crashes_at_each_step(tmp_path: Path, before: int, seed: int) -> None:
    template = tmp_path / "before"
    template.mkdir(parents=True)
    if before:
        checkpointed(template, before)
    for steps in range(1000):
        directory = tmp_path / str(steps)
        shutil.copytree(template, directory)
        outcomes = {before, before + 2} if _dies(directory, before, steps, seed) else {before + 2}
        found = reopened(directory)
        if found is None:
            assert 0 in outcomes
        else:
            store, upper, arrangements = found
            assert upper in outcomes
            assert state(arrangements, upper) == expected(upper)
            _goes_on(store, directory, upper, arrangements)
        if outcomes == {before + 2}:
            assert steps > 20, "a checkpoint of so few steps tries nothing"
            return
    raise AssertionError("the checkpoint never ended")


def _dies(directory: Path, before: int, steps: int, seed: int) -> bool:
    disk = DyingDisk(directory, steps, random.Random(f"{seed} {steps}"))
    died = _runs(directory, disk, before) is None
    disk.crash()
    return died


def _runs(directory: Path, disk: DyingDisk, before: int, ticks: int = 2) -> int | None:
    """A process that goes on from what is there and writes one checkpoint, whose upper it gives, or dies."""
    store = local_store(directory, disk=disk)
    try:
        with tight_limits():
            found = store.open("plan", LAYOUTS) if before else None
            upper, arrangements = _state(store, found)
            for _ in range(ticks):
                tick(arrangements, upper)
                upper += 1
            store.checkpoint("plan", upper, {}, arrangements)
            store.close()
    except Died:
        return None
    return upper


def test_a_crash_after_a_process_died_leaves_a_state_that_was(tmp_path: Path) -> None:
    """What the second process found was not yet durable: it must not remove what the machine may go back to."""
    template = tmp_path / "before"
    checkpointed(template, 2)
    shutil.copytree(template, tmp_path / "measured")
    measured = DyingDisk(tmp_path / "measured", 10_000, random.Random(0))
    assert _runs(tmp_path / "measured", measured, 2, ticks=6) == 8
    measured.crash()
    for seed in range(60):
        directory = tmp_path / str(seed)
        shutil.copytree(template, directory)
        random_ = random.Random(seed)
        # About where the new manifest takes the place of the old one, and then where garbage is removed.
        disk = DyingDisk(directory, measured.taken - random_.randint(0, 20), random_)
        first = _runs(directory, disk, 2, ticks=6)
        disk.restart(random_.randint(0, 12))
        assert _runs(directory, disk, 2) is None
        disk.crash()
        found = reopened(directory)
        assert found is not None
        assert found[1] in ({2, 8} if first is None else {8})
        assert state(found[2], found[1]) == expected(found[1])


def _goes_on(store: ArrangementStore, directory: Path, upper: int, arrangements: dict[str, Arrangement]) -> None:
    tick(arrangements, upper)
    store.checkpoint("plan", upper + 1, {}, arrangements)
    names = {path.name for path in directory.iterdir()}
    files = {file.name for each in arrangements.values() for batch in each.batches for file in batch.files}
    assert names == {*files, "manifest.json"}, "garbage stays"
    again = reopened(directory)
    assert again is not None
    assert again[1] == upper + 1
    assert state(again[2], upper + 1) == expected(upper + 1)


def test_a_full_disk_leaves_the_state_in_memory_and_the_last_checkpoint(tmp_path: Path) -> None:
    plenty = 1 << 30
    enough = plenty - _room_left_after_a_checkpoint(tmp_path / "measured", plenty)
    # Checksums are written with as many digits as they have, so a checkpoint's size varies by some bytes.
    for room in (0, 1, *range(100, enough - 64, enough // 7), enough - 64):
        directory = tmp_path / str(room)
        store, disk, arrangements = _with_disk(directory, plenty)
        kept = _files(directory)
        disk.room = room
        tick(arrangements, 2)
        with pytest.raises(OSError, match="No space left on device"):
            store.checkpoint("plan", 3, {}, arrangements)
        assert _files(directory) == kept
        tick(arrangements, 3)
        assert state(arrangements, 4) == expected(4)
        _is_found(directory, 2)
        disk.room = plenty
        store.checkpoint("plan", 4, {}, arrangements)
        _is_found(directory, 4)


def _with_disk(directory: Path, room: int) -> tuple[ArrangementStore, FullDisk, dict[str, Arrangement]]:
    checkpointed(directory, 2)
    disk = FullDisk(room)
    store = local_store(directory, disk=disk)
    found = store.open("plan", LAYOUTS)
    assert found is not None
    return store, disk, dict(found.arrangements)


def _room_left_after_a_checkpoint(directory: Path, room: int) -> int:
    store, disk, arrangements = _with_disk(directory, room)
    tick(arrangements, 2)
    store.checkpoint("plan", 3, {}, arrangements)
    return disk.room


def _is_found(directory: Path, upper: int) -> None:
    found = reopened(directory)
    assert found is not None
    assert found[1] == upper
    assert state(found[2], upper) == expected(upper)


def test_a_merge_for_which_there_is_no_room_is_put_off(tmp_path: Path) -> None:
    disk = FullDisk(1 << 30)
    store = local_store(tmp_path, disk=disk)
    arrangements = {name: store.arrangement(layout) for name, layout in LAYOUTS.items()}
    with tight_limits(), capture_logs() as logs:
        for number in range(60):
            disk.room = 1 << 30 if number > 20 else number * 50
            tick(arrangements, number)
            if number % 6 == 5:
                assert state(arrangements, number + 1) == expected(number + 1)
    assert {entry["event"] for entry in logs} == {"could not merge batches", "could not write a batch to a file"}
    assert all(each.size.batches < 12 for each in arrangements.values())
    store.close()


def _files(directory: Path) -> list[Path]:
    return sorted(directory.iterdir())


@pytest.mark.parametrize("damage", ["missing", "shorter", "longer", "cut", "empty"])
def test_a_damaged_file_is_noticed(tmp_path: Path, damage: str) -> None:
    for number in range(3):
        directory = tmp_path / str(number)
        checkpointed(directory, 2)
        files = _files(directory)
        assert len(files) == 3
        path = files[number]
        content = path.read_bytes()
        path.unlink()
        match damage:
            case "shorter":
                path.write_bytes(content[:-1])
            case "longer":
                path.write_bytes(content + b"\0")
            case "cut":
                path.write_bytes(content[: len(content) // 2])
            case "empty":
                path.write_bytes(b"")
        with capture_logs() as logs:
            assert reopened(directory) is None
        assert [entry["event"] for entry in logs] == ["hydrating anew"]
        assert _files(directory) == []


def test_what_belongs_to_another_plan_is_not_taken(tmp_path: Path) -> None:
    for fingerprint, layouts in (
        ("another plan", LAYOUTS),
        ("plan", {**LAYOUTS, "more": LAYOUTS["sums"]}),
        ("plan", {**LAYOUTS, "sums": Layout((pa.string(),), (pa.int64(),))}),
    ):
        checkpointed(tmp_path, 2)
        with capture_logs() as logs:
            assert local_store(tmp_path).open(fingerprint, layouts) is None
        assert [entry["log_level"] for entry in logs] == ["info"]
        assert _files(tmp_path) == []


def test_each_arrangement_keeps_its_own_past_and_may_come_and_go(tmp_path: Path) -> None:
    arrangements = checkpointed(tmp_path, 5)
    store = local_store(tmp_path)
    store.checkpoint("plan", 5, {"rows": 2, "sums": 9}, arrangements)
    more = {**LAYOUTS, "more": LAYOUTS["sums"]}
    found = local_store(tmp_path).open("plan", more, optional=["more", "sums"])
    assert found is not None
    assert (found.upper, found.sinces) == (5, {"rows": 2, "sums": 4})
    assert found.arrangements["more"].size.rows == 0
    store = local_store(tmp_path)
    store.checkpoint("plan", 5, {}, {"rows": arrangements["rows"]})
    found = local_store(tmp_path).open("plan", LAYOUTS, optional=["sums"])
    assert found is not None
    assert found.sinces == {"rows": 4}


def test_nothing_is_found_where_nothing_was(tmp_path: Path) -> None:
    assert local_store(tmp_path / "new").open("plan", LAYOUTS) is None


def test_ticks_go_on_while_a_checkpoint_is_written(tmp_path: Path) -> None:
    store = local_store(tmp_path)
    arrangements = {name: store.arrangement(layout) for name, layout in LAYOUTS.items()}
    with tight_limits():
        number = 0
        for _ in range(5):
            tick(arrangements, number)
            captured = capture("plan", number + 1, {}, arrangements)
            thread = threading.Thread(target=store.write, args=(captured,))
            thread.start()
            for _ in range(4):
                number += 1
                tick(arrangements, number)
                assert state(arrangements, number + 1) == expected(number + 1)
            thread.join()
            number += 1
            tick(arrangements, number)
            assert state(arrangements, number + 1) == expected(number + 1)
            number += 1
        store.close()
    found = reopened(tmp_path)
    assert found is not None
    assert found[1] == captured.upper
    assert state(found[2], captured.upper) == expected(captured.upper)


_CHILD = """
import sys
from pathlib import Path
from compute.arrangement.checkpoint import local_store
from tests.compute.arrangement.scripts import tight_limits
from tests.compute.arrangement.test_checkpoint import LAYOUTS, _state, tick

store = local_store(Path(sys.argv[1]))
upper, arrangements = _state(store, store.open("plan", LAYOUTS))
with tight_limits():
    while True:
        tick(arrangements, upper)
        upper += 1
        store.checkpoint("plan", upper, {}, arrangements)
        print("durable", upper, flush=True)
"""


def test_a_killed_process_leaves_what_it_said_was_durable(tmp_path: Path) -> None:
    durable = 0
    for round_ in range(3):
        command = [sys.executable, "-c", _CHILD, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]) as child:
            assert child.stdout is not None
            said = (line.split() for line in child.stdout)
            numbers = (int(words[1]) for words in said if words[0] == b"durable")
            for _ in range(3 + round_):
                durable = next(numbers)
            child.kill()
        found = reopened(tmp_path)
        assert found is not None
        assert found[1] >= durable
        assert state(found[2], found[1]) == expected(found[1])
