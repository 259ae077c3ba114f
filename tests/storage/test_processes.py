"""SQLite and a directory under a process that is killed: what it acknowledged is there."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.clock import SystemClock, SystemRandomness
from model.time.timestamp import Timestamp
from storage.controller import StorageController
from storage.maintenance import StorageMaintenance
from storage.persist.commit import Committed
from storage.persist.files import FileBlob
from storage.persist.open import open_blob, open_consensus
from storage.persist.runner import InlineRunner
from storage.persist.sqlite import SqliteConsensus
from storage.seed_commands import SeedCommands
from tests.judge import Judge
from tests.storage.memory import MemoryBlob
from tests.storage.worlds import DESC, at, contents, many_rows, table_of

U1 = GlobalId.user(1)
_ROUNDS = 2
_ACKNOWLEDGED_BEFORE_KILL = 40


async def _write_for_ever(root: Path) -> None:
    """Appends at ever later times, with maintenance beside; prints each time once it is durable."""
    controller = StorageController(
        open_consensus(f"sqlite:///{root}/consensus.db"), open_blob(str(root)), SystemClock(), SystemRandomness()
    )
    if U1 not in await controller.load():
        await SeedCommands(controller).create(U1, DESC, at(0), at(0))
    maintaining = asyncio.create_task(StorageMaintenance(controller).run(0.01))
    upper = controller.frontiers(U1).upper.time
    assert upper is not None
    time = int(upper)
    while not maintaining.done():
        rows = many_rows(0, 10_000) if time % 10 == 0 else table_of((time, "x"))
        write = await controller.prepare_append(U1, [rows], at(time), at(time + 1))
        assert isinstance(await controller.commit([write]), Committed)
        print(time, flush=True)
        time += 1


async def test_kill_9_loses_nothing_acknowledged(tmp_path: Path) -> None:
    acknowledged = -1
    for _ in range(_ROUNDS):
        command = [sys.executable, "-m", "tests.storage.test_processes", str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(_ACKNOWLEDGED_BEFORE_KILL):
                acknowledged = int(process.stdout.readline())
            process.kill()
            for line in process.stdout:
                acknowledged = int(line)
    consensus, blob = open_consensus(f"sqlite:///{tmp_path}/consensus.db"), open_blob(str(tmp_path))
    controller = StorageController(consensus, blob, SystemClock(), SystemRandomness())
    await controller.load()
    upper = controller.frontiers(U1).upper.time
    assert upper in (acknowledged + 1, acknowledged + 2)
    assert acknowledged + 1 >= _ROUNDS * _ACKNOWLEDGED_BEFORE_KILL
    found = contents(await controller.reads.read(U1, Timestamp(acknowledged)))
    bulk = len([time for time in range(acknowledged + 1) if time % 10 == 0])
    assert found == {
        **{(i, f"row {i}"): bulk for i in range(10_000)},
        **{(time, "x"): 1 for time in range(acknowledged + 1) if time % 10 != 0},
    }
    await consensus.close()
    await blob.close()


async def test_a_full_disk_under_sqlite_is_an_error_and_damages_nothing(tmp_path: Path) -> None:
    consensus = SqliteConsensus(tmp_path / "c.db")
    assert await consensus.compare_and_set({"x": None}, {"x": b"1"})
    consensus._writer.execute("PRAGMA max_page_count = 10")
    with pytest.raises(SqlError) as raised:
        await consensus.compare_and_set({"x": 1, "y": None}, {"x": b"2", "y": bytes(1_000_000)})
    assert raised.value.sqlstate is Sqlstate.DISK_FULL
    heads = await consensus.head(["x", "y"])
    assert heads["x"] is not None and heads["x"].data == b"1" and heads["y"] is None
    consensus._writer.execute("PRAGMA max_page_count = 100000")
    assert await consensus.compare_and_set({"x": 1}, {"x": b"2"})
    await consensus.close()


async def test_lost_connections_to_postgres_lose_and_double_nothing(judge: Judge) -> None:
    database = f"consensus_{uuid.uuid4().hex}"
    with judge.connect() as admin:
        admin.execute(f'CREATE DATABASE "{database}"'.encode())
        consensus = open_consensus(judge.url(database))
        controller = StorageController(consensus, MemoryBlob(), SystemClock(), SystemRandomness(), InlineRunner())
        await SeedCommands(controller).create(U1, DESC, at(0), at(0))
        kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"

        for time in range(100):
            write = await controller.prepare_append(U1, [table_of((time, "x"))], at(time), at(time + 1), exact=True)
            committing = asyncio.create_task(controller.commit([write]))
            if time % 3 == 0:
                await asyncio.sleep(time % 7 / 2000)
                await asyncio.to_thread(admin.execute, kill, (database,))
            assert isinstance(await committing, Committed)
    again = StorageController(consensus, MemoryBlob(), SystemClock(), SystemRandomness(), InlineRunner())
    await again.load()
    assert contents(await again.reads.read(U1, Timestamp(99))) == {(time, "x"): 1 for time in range(100)}
    await consensus.close()


async def test_a_put_that_was_interrupted_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = FileBlob(tmp_path)
    await blob.put("part/u1/before", b"data")
    monkeypatch.setattr("os.fsync", _no_space)
    with pytest.raises(OSError, match="No space"):
        await blob.put("part/u1/a", b"data")
    monkeypatch.undo()
    assert await blob.list_keys("") == ["part/u1/before"]
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["before"]
    await blob.close()


def _no_space(descriptor: int) -> None:
    raise OSError(28, "No space left on device")


if __name__ == "__main__":
    asyncio.run(_write_for_ever(Path(sys.argv[1])))
