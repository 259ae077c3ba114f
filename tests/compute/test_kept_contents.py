"""A read costs what has changed since the last one, and gives what storage says that there is."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from compute.replica.contents import shard_contents as contents_module
from compute.replica.contents.kept_contents import KeptContents
from compute.replica.contents.shard_contents import expand
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import TIME_COLUMN, rows_from_arrow
from model.time.antichain import MINIMUM, Antichain
from model.time.clock import SystemClock, SystemRandomness
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4, TEXT
from model.updates.update import Update, updates_to_arrow
from storage.persist import shard as shard_module
from storage.persist.batch import decode_piece
from storage.persist.commit import Committed, commit, compare_and_append
from storage.persist.compact import prepare_compaction
from storage.persist.files import FileBlob
from storage.persist.runner import InlineRunner
from storage.persist.shard import ShardMachine
from storage.persist.snapshot import read_snapshot, snapshot
from storage.persist.state import CapabilityKind, Held, Holder, Piece
from storage.persist.write import Stage
from tests.storage.memory import MemoryConsensus

_DESC = relation_desc(("a", INT4), ("b", TEXT))


class Shard:
    """A shard that ticks: each tick has a time of its own."""

    def __init__(self, directory: Path) -> None:
        self.blob = FileBlob(directory / "blob")
        self.consensus = MemoryConsensus()
        self.stage = Stage(self.blob, SystemClock(), SystemRandomness(), InlineRunner())
        self.machine = ShardMachine("u1", self.consensus, self.stage)
        self.time = 0

    async def begin(self) -> None:
        created = self.machine.prepare_create(_DESC, MINIMUM, Antichain.at(1), timeline=False)
        assert isinstance(await commit(self.consensus, [created], token="create"), Committed)

    async def tick(self, *updates: tuple[int, str, int]) -> None:
        self.time += 1
        time = Timestamp(self.time)
        table = updates_to_arrow([Update((a, b), time, diff) for a, b, diff in updates], _DESC)
        bounds = Antichain.at(self.time), Antichain.at(self.time + 1)
        outcome = await compare_and_append(self.machine, [table], *bounds, token=f"tick {self.time}")
        assert isinstance(outcome, Committed)

    async def read(self, kept: KeptContents, as_of: int | None = None) -> Counter[object]:
        found = snapshot(self.machine.state, Timestamp(as_of or self.time))
        contents = await kept.contents(found, self.machine.state)
        rows = Counter[object](rows_from_arrow(expand(contents.added), _DESC))
        rows.subtract(rows_from_arrow(expand(contents.cancelled), _DESC))
        for part in contents.files:
            assert part.diff == 1
            data = await self.blob.get(part.key)
            assert data is not None
            table = decode_piece(part, data, _DESC, "u1", part.key)
            rows.update(rows_from_arrow(table.filter(pc.less_equal(table.column(TIME_COLUMN), found.as_of)), _DESC))
        return +rows

    async def compact(self, since: int, random: random.Random) -> None:
        """The shard is readable from `since` on; some of its batches become one."""
        held = Held(id="h", kind=CapabilityKind.READ, frontier=Antichain.at(since), holder=Holder.ENVIRONMENT)
        await commit(self.consensus, [self.machine.prepare_capabilities(put=[held])], token=f"since {self.time}")
        if not self.machine.state.batches:
            return
        begin = random.randrange(len(self.machine.state.batches))
        chosen = self.machine.state.batches[begin : begin + random.randint(2, 20)]
        write = await prepare_compaction(self.machine, self.blob, InlineRunner(), chosen)
        assert isinstance(await commit(self.consensus, [write], token=f"compact {self.time}"), Committed)

    async def expected(self, as_of: int | None = None) -> Counter[object]:
        table = await read_snapshot(snapshot(self.machine.state, Timestamp(as_of or self.time)), self.blob)
        return Counter(rows_from_arrow(expand(table), _DESC))


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each piece had that was decoded."""
    rows: list[int] = []

    def counting(piece: Piece, *others: Any) -> pa.Table:
        rows.append(piece.rows)
        return decode_piece(piece, *others)

    monkeypatch.setattr(contents_module, "decode_piece", counting)
    return rows


@pytest.mark.parametrize("rows", [50, 3_000])
async def test_a_read_decodes_what_came_since_the_last_one(
    tmp_path: Path, decoded: list[int], monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """However many updates are kept of the past, and whether or not they are more than is read here of parts."""
    monkeypatch.setattr(contents_module, "LOCAL_ROWS_MAX", 1_000)
    monkeypatch.setattr(shard_module, "INLINE_BYTES", 2_000)
    shard, kept = Shard(tmp_path), KeptContents(FileBlob(tmp_path / "blob"))
    await shard.begin()
    await shard.tick(*((a, "0", 1) for a in range(rows)))
    await shard.read(kept)
    written = rows
    for number in range(1, 61):
        changed = range(number % 10, rows, 10)
        before = "0" if number <= 10 else str(number - 10)
        await shard.tick(*((a, before, -1) for a in changed), *((a, str(number), 1) for a in changed))
        written += 2 * len(changed)
        if number % 5 == 0:
            assert await shard.read(kept) == await shard.expected()
            seen = len(decoded)
            assert await shard.read(kept) == await shard.expected()
            assert len(decoded) == seen
    # Once more at most: what was left to Spark at first is read here when most of it is gone.
    assert written <= sum(decoded) <= 2 * written
    assert (await shard.expected()).total() == rows


@pytest.mark.in_part(6)
@pytest.mark.parametrize("seed", range(9))
async def test_kept_contents_are_what_storage_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Reads in any order of times, beside compaction, with parts that are left to Spark and without."""
    rng = random.Random(seed)
    if seed % 3:
        monkeypatch.setattr(contents_module, "LOCAL_ROWS_MAX", 0)
        monkeypatch.setattr(shard_module, "INLINE_BYTES", 150)
    if seed % 3 == 2:
        monkeypatch.setattr(contents_module, "_mostly_history", lambda plain, others: False)
    shard, kept = Shard(tmp_path), KeptContents(FileBlob(tmp_path / "blob"))
    await shard.begin()
    held: list[tuple[int, str]] = []
    since = 0
    for _ in range(60):
        updates: list[tuple[int, str, int]] = []
        for _ in range(rng.randint(0, 8)):
            if held and rng.random() < 0.45:
                updates.append((*held.pop(rng.randrange(len(held))), -1))
            else:
                held.append((rng.randrange(5), rng.choice("xy")))
                updates.append((*held[-1], 1))
        await shard.tick(*updates)
        if rng.random() < 0.15:
            since = rng.randint(since, shard.time)
            await shard.compact(since, rng)
        if rng.random() < 0.5:
            assert await shard.read(kept) == await shard.expected() == Counter(held)
        if rng.random() < 0.2:
            earlier = rng.randint(max(since, 1), shard.time)
            assert await shard.read(kept, earlier) == await shard.expected(earlier)


async def test_a_retraction_of_what_is_not_there_is_told(tmp_path: Path) -> None:
    shard, kept = Shard(tmp_path), KeptContents(FileBlob(tmp_path / "blob"))
    await shard.begin()
    await shard.tick((1, "x", 1))
    await shard.read(kept)
    await shard.tick((2, "x", -1))
    with pytest.raises(SqlError) as raised:
        await shard.read(kept)
    assert raised.value.sqlstate is Sqlstate.DATA_CORRUPTED
    await shard.tick((2, "x", 1))
    assert await shard.read(kept) == Counter({(1, "x"): 1})
