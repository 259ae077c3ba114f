"""The rows of keys: what a shard holds, however that has come to be known; in files where it is much."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest
from msgspec.structs import replace

from compute.arrangement import merge
from compute.arrangement.batch_footer import FooterBlock, decode_footer, footer_place
from compute.replica.ingestions import keyed_state
from compute.replica.ingestions.keyed_state import KeyedState
from connectors.sources.decode.keyed_rows import NO_KEY, KeyedRows
from model.errors.sql_error import SqlError
from model.physical.columns import DIFF_COLUMN, arrow_schema, rows_from_arrow
from model.time.antichain import Antichain
from model.time.timestamp import step_back
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT4, TEXT
from storage.persist.state import ShardState
from tests.compute.dataflows.world import Replica, World
from tests.compute.dataflows.worlds import run

_DESC = RelationDesc((ColumnDesc("key", TEXT), ColumnDesc("data", INT4), ColumnDesc("err", TEXT)))
_KEYS = [*"abcdefgh", None]


def _told(*rows: Row, present: bool = True) -> KeyedRows:
    columns = zip(*rows, strict=True) if rows else [[]] * _DESC.arity
    table = pa.table([list(column) for column in columns], schema=arrow_schema(_DESC))
    return KeyedRows(table, pa.array([present] * len(rows), pa.bool_()), table.slice(0, 0))


async def _held(state: KeyedState) -> dict[object, Row]:
    """The row of each key: what is taken away when nothing has a row any more."""
    gone = [(key, None, None) for key in _KEYS] + [(None, None, NO_KEY)]
    updates = await state.updates(_told(*gone, present=False))
    assert set(updates.column(DIFF_COLUMN).to_pylist()) <= {-1}
    rows = rows_from_arrow(updates.drop_columns([DIFF_COLUMN]), _DESC)
    held: dict[object, Row] = {(row[0], row[2] == NO_KEY): row for row in rows}
    assert len(held) == len(rows)
    return held


async def _shard(world: World) -> ShardState:
    id_ = next(iter(world.contents))
    await world.storage.load([id_])
    return world.storage.machine(str(id_)).state


async def _upsert(world: World, chance: random.Random, rows: dict[object, Row]) -> None:
    """Gives some keys another row, or none; the key that is NULL, the error of its own."""
    changes: list[tuple[Row, int]] = []
    for key in chance.sample(_KEYS, 3):
        no_key = key is None and chance.random() < 0.5
        if (old := rows.pop((key, no_key), None)) is not None:
            changes.append((old, -1))
        if chance.random() < 0.7:
            bad = chance.random() < 0.2
            row: Row = (key, None if bad else chance.randrange(100), "22P02 bad" if bad else None)
            rows[key, no_key] = (None, None, NO_KEY) if no_key else row
            changes.append((rows[key, no_key], 1))
    if chance.random() < 0.2:
        changes.append(((None, None, "22021 the key of the record at partition 0, offset 1 can't be decoded: x"), 1))
    await world.commit({1: changes})


@pytest.mark.parametrize("seed", range(4))
def test_it_is_what_the_shard_holds_whether_followed_or_read_anew(seed: int) -> None:
    async def work(world: World) -> None:
        chance = random.Random(seed)
        places = Replica(world).places
        await world.table(1, _DESC)
        rows: dict[object, Row] = {}
        state = KeyedState(_DESC, 1, places)
        for _ in range(12):
            for _ in range(chance.randrange(4)):
                await _upsert(world, chance, rows)
            shard = await _shard(world)
            if chance.random() < 0.3:
                assert shard.write_frontier.time is not None
                shard = replace(
                    shard, since=Antichain(step_back(shard.write_frontier.time))
                )  # nothing before is told apart
            if not state.follows(shard):
                await state.follow(shard)
            assert await _held(state) == rows
            anew = KeyedState(_DESC, 1, places)
            await anew.follow(shard)
            assert await _held(anew) == rows
            anew.close()
        state.close()

    run(work)


def _blocks(path: Path) -> list[FooterBlock]:
    content = path.read_bytes()
    begin, end = footer_place(path.name, memoryview(content))
    return decode_footer(path.name, pa.py_buffer(content[begin:end]))


def test_much_of_it_lies_in_files_of_which_only_those_in_use_stay(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(keyed_state, "SPILL_BYTES", 4_000)
    monkeypatch.setattr(keyed_state, "_ADDED_ROWS", 16)
    monkeypatch.setattr(merge, "_STEP_ROWS_MAX", 16)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async def work(world: World) -> None:
        await world.table(1, _DESC)
        state = KeyedState(_DESC, 1, Replica(world).places)
        await state.follow(await _shard(world))
        upper = (await _shard(world)).write_frontier
        chance = random.Random(1)
        latest: dict[str, int] = {}
        for number in range(60):
            some = {f"k{chance.randrange(500)}": number for _ in range(40)}
            updates = await state.updates(_told(*((key, n, None) for key, n in some.items())))
            assert updates.num_rows == 2 * len(some) - len(some.keys() - latest.keys())
            latest |= some
            await state.bound([updates], upper, upper)
        gone = await state.updates(_told(*((key, None, None) for key in latest), present=False))
        assert {row[0]: row[1] for row in rows_from_arrow(gone.drop_columns([DIFF_COLUMN]), _DESC)} == latest
        files = list(tmp_path.rglob("*.arrow"))
        assert files
        assert len(files) <= 3
        blocks = [block.memory_bytes for path in files for block in _blocks(path)]
        assert max(blocks) <= 4_000, "they are gathered in memory"
        assert state.size.memory_bytes < state.size.bytes
        state.close()
        assert not list(tmp_path.iterdir())

    run(work)


def test_two_rows_of_one_key_are_corruption() -> None:
    async def work(world: World) -> None:
        await world.table(1, _DESC)
        await world.commit({1: [(("a", 1, None), 1), (("a", 2, None), 1)]})
        state = KeyedState(_DESC, 1, Replica(world).places)
        await state.follow(await _shard(world))
        with pytest.raises(SqlError, match="several rows of one key"):
            await state.updates(_told(("a", 3, None)))
        assert (await state.updates(_told())).num_rows == 0
        state.close()

    run(work)
