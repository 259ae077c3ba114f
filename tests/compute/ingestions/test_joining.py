"""The law of collections that are added to a source: they hold nothing until they join, and from then on what the
source's frontier says, whatever upstream, consensus and replicas do meanwhile."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from compute.replica.ingestions.joining import JoiningCollections
from compute.replica.ingestions.reclocked_shards import Rows
from connectors.gauge import Partition, joined_note, without_joined
from connectors.sources.description import IngestionDescription, ReclockedCollection
from model.external.records import Envelope, RecordEncoding, RecordFormat, RecordMetadata, encoded_columns
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT
from storage.persist.runner import InlineRunner
from storage.persist.snapshot import read_snapshot, snapshot
from tests.compute.dataflows.world import Replica, World, counted
from tests.compute.dataflows.worlds import run
from tests.compute.ingestions.log import Log
from tests.compute.ingestions.world import ENCODING, bindings, bound_now, check_acknowledged, create_source, ingesting
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import SeededRandomness

_SEEDS_MAX = 60
_LOOKS = 30
"""Fifteen times what the slowest seed needs."""
_FAULTS = Faults(done=40, not_done=40, read_failure=30, latency_ms_max=20)
_UPSERT = RecordEncoding(
    RecordFormat.TEXT,
    RecordFormat.TEXT,
    (RecordMetadata.PARTITION, RecordMetadata.OFFSET),
    envelope=Envelope.UPSERT,
)
_EVERY, _LAST = GlobalId.user(2), GlobalId.user(3)
_ADDED = {_EVERY: ENCODING, _LAST: _UPSERT}


def _record(text: str) -> tuple[bytes | None, bytes | None]:
    """`k=v`; `-` is no value."""
    key, value = text.split("=")
    return key.encode(), None if value == "-" else value.encode()


def _each(log: Log, frontier: Mapping[Partition, int]) -> Counter[tuple[object, ...]]:
    rows = Counter[tuple[object, ...]]()
    for (text, *place), count in log.rows_below(frontier).items():
        value = _record(str(text))[1]
        rows[None if value is None else value.decode(), *place] = count
    return rows


def _last_of_keys(log: Log, frontier: Mapping[Partition, int]) -> Counter[tuple[object, ...]]:
    """A key has one partition."""
    rows: dict[str, tuple[object, ...]] = {}
    for partition, texts in log.partitions.items():
        for offset, text in enumerate(texts[: frontier.get(partition, 0)]):
            if text is not None:
                key, value = text.split("=")
                rows.pop(key, None)
                if value != "-":
                    rows[key] = (key, value, partition, offset, None)
    return Counter(rows.values())


async def _add(world: World, description: IngestionDescription, id_: GlobalId) -> IngestionDescription:
    encoding = _ADDED[id_]
    desc = RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))
    at = Antichain(world.now)
    await world.seed.create(id_, desc, at, at)
    added = ReclockedCollection(id_, desc, encoding, joins=1)
    return replace(description, collections=(*description.collections, added))


def _draw(chance: random.Random, partition: int) -> str | None:
    value = chance.choice(["-", str(chance.randrange(100)), str(chance.randrange(3))])
    return None if chance.random() < 0.1 else f"{partition}{chance.choice('abcd')}={value}"


def _is_joined(description: IngestionDescription, frontier: Mapping[Partition, int]) -> bool:
    return all(joined_note(each.id) in frontier for each in description.collections if each.joins)


async def _caught_up(world: World, log: Log, description: IngestionDescription) -> None:
    want = {partition: end for partition, end in log.end.items() if end}
    for _ in range(_LOOKS):
        frontier = await bound_now(world) or {}
        if without_joined(frontier) == want and _is_joined(description, frontier):
            return
        await world.clock.sleep(0.2)
    raise AssertionError(f"bound up to {frontier} of {want}")


async def _check(world: World, log: Log, added: GlobalId) -> None:
    await world.storage.load([added])
    state = world.storage.machine(str(added)).state
    meaning = _each if added == _EVERY else _last_of_keys
    for time, frontier in (await bindings(world)).items():
        if not state.since.less_equal(Timestamp(time)):
            continue
        contents = await read_snapshot(snapshot(state, Timestamp(time)), world.blob, InlineRunner())
        known = frontier if joined_note(added) in frontier else {}
        assert counted(contents, state.desc) == meaning(log, known), f"{added} at {time}, bound up to {frontier}"


def _joined(seed: int) -> None:
    """Collections come at some time; upstream grows, consensus fails, replicas die, two of them ingest."""

    async def work(world: World) -> None:
        chance = random.Random(seed)
        log = Log(record=_record)
        description = await create_source(world)
        unreliable = UnreliableConsensus(world.consensus, world.clock, SeededRandomness(seed), _FAULTS)
        replicas: list[Replica] = []

        def begin() -> None:
            replicas.append(ingesting(world, log, chance, unreliable))
            replicas[-1].start(description)

        coming = [_EVERY, _LAST]
        for number in range(60):
            match chance.randrange(9):
                case 0 if len(replicas) < 2:
                    begin()
                case 1 if replicas and chance.random() < 0.4:
                    replicas.pop().dataflows.kill()
                case 2 if coming and number > 10:
                    while replicas:
                        await replicas.pop().dataflows.stop()
                    description = await _add(world, description, coming.pop(chance.randrange(len(coming))))
                    begin()
                case 3:
                    await world.clock.sleep(chance.random() / 2)
                case 4:
                    await world.commit({}, after_ms=chance.randint(1, 500))
                case _:
                    for _ in range(chance.randrange(6)):
                        partition = chance.randrange(3)
                        log.append(partition, _draw(chance, partition))
            await check_acknowledged(world, log)
        unreliable.faults = Faults()
        while coming:
            description = await _add(world, description, coming.pop())
        while replicas:
            await replicas.pop().dataflows.stop()
        begin()
        await _caught_up(world, log, description)
        log.append(0, "0a=last")
        await _caught_up(world, log, description)
        for added in _ADDED:
            await _check(world, log, added)
        for replica in replicas:
            await replica.dataflows.stop()

    run(work)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_added_is_empty_until_it_has_all(seed: int) -> None:
    _joined(seed)


def joined_before_all_is_there(patch: pytest.MonkeyPatch) -> None:
    whole = JoiningCollections._offered

    def hasty(joining: JoiningCollections) -> Rows | None:
        if joining._reached is not None:
            joining._reached = dict(joining._bound())
        return whole(joining)

    patch.setattr(JoiningCollections, "_offered", hasty)


def written_while_it_is_waiting(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ReclockedCollection, "is_followed", lambda collection, joined: True)


@pytest.mark.parametrize(
    "bug",
    [joined_before_all_is_there, written_while_it_is_waiting],
)
def test_bugs_put_in_on_purpose_are_found(
    bug: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(_SEEDS_MAX):
            _joined(seed)
