"""Ranges that tasks read: what is bound of them, what is thrown away, and when there are any."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from compute.protocol.response import IngestionMeasures
from compute.replica.ingestions.ingestion import IngestionRunner
from compute.replica.ingestions.ranges import range_task
from compute.replica.ingestions.ranges.ahead import RangeBounds, RangesAhead
from compute.replica.ingestions.ranges.range_task import RangeTask, Span, StagedRanges
from compute.replica.ingestions.tally import Amount
from compute.replica.ingestions.writer_schemas import KnownSchemas
from compute.replica.tasks.events import Reported, SetWritable
from connectors.gauge import UpstreamFrontier
from connectors.sources.decode.framing import WriterSchemas
from connectors.sources.description import BindingPolicy, ReclockedCollection
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.record_schemas import described_fields
from model.external.records import (
    CsvFields,
    DecodingErrors,
    RecordEncoding,
    RecordFormat,
    RecordMetadata,
    SchemaLanguage,
    encoded_columns,
)
from model.ids.global_id import GlobalId
from model.time.backing_off import BackOff
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT
from storage.persist.runner import InlineRunner
from storage.persist.write import PART_PREFIX, Stage
from tests.compute.dataflows.world import World
from tests.compute.dataflows.worlds import run
from tests.compute.direct_ranges import DirectRanges
from tests.compute.ingestions.log import Log, LogReader
from tests.compute.ingestions.test_reclocking import RANGES, caught_up, reclocked
from tests.compute.ingestions.world import PLACE, SOURCE, check_reclocked, create_source, ingesting, nothing_heard

_SEEDS_MAX = 40


def a_range_begins_where_one_before_it_ended(patch: pytest.MonkeyPatch) -> None:
    start = RangesAhead._start

    def started(ahead: RangesAhead, task: RangeTask) -> None:
        spans = tuple(replace(span, begin=max(span.begin - 1, 0)) for span in task.spans)
        start(ahead, replace(task, spans=spans))

    patch.setattr(RangesAhead, "_start", started)


def parts_are_used_twice(patch: pytest.MonkeyPatch) -> None:
    stage = DirectRanges.stage

    async def doubled(tasks: DirectRanges, task: RangeTask) -> StagedRanges:
        staged = await stage(tasks, task)
        twice = [replace(each, parts={id_: parts * 2 for id_, parts in each.parts.items()}) for each in staged.portions]
        return replace(staged, portions=tuple(twice))

    patch.setattr(DirectRanges, "stage", doubled)


def a_range_ends_where_it_was_to_end(patch: pytest.MonkeyPatch) -> None:
    stage = DirectRanges.stage

    async def whole(tasks: DirectRanges, task: RangeTask) -> StagedRanges:
        staged = await stage(tasks, task)
        ends: UpstreamFrontier = {span.partition: span.end for span in task.spans}
        last = [replace(each, moved=ends) for each in staged.portions[-1:]]
        return replace(staged, portions=(*staged.portions[:-1], *last))

    patch.setattr(DirectRanges, "stage", whole)


def what_was_begun_behind_a_range_that_ended_early_is_bound(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RangesAhead, "_forget_behind", lambda _ahead, _partition, _reached: None)


def parts_are_deleted_that_are_bound(patch: pytest.MonkeyPatch) -> None:
    bind = IngestionRunner._bind

    async def hasty(runner: IngestionRunner, reader: object) -> None:
        pending = runner._pending
        await bind(runner, reader)  # type: ignore[arg-type]
        runner._pending = pending
        await runner._forget_pending()

    patch.setattr(IngestionRunner, "_bind", hasty)


@pytest.mark.parametrize(
    "bug",
    [
        a_range_begins_where_one_before_it_ended,
        parts_are_used_twice,
        a_range_ends_where_it_was_to_end,
        what_was_begun_behind_a_range_that_ended_early_is_bound,
        parts_are_deleted_that_are_bound,
    ],
)
def test_bugs_put_in_on_purpose_are_found(
    bug: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bug(monkeypatch)
    # Tasks come less far than they were to.
    monkeypatch.setattr(range_task, "_PORTIONS_MAX", 1)
    with pytest.raises((AssertionError, SqlError)):
        for seed in range(_SEEDS_MAX):
            reclocked(seed, Log(), ranges=RANGES)


def _full(log: Log, records: int) -> None:
    for number in range(records):
        log.append(number % 2, str(number))


def test_tasks_read_what_is_far_ahead_and_nothing_else() -> None:
    async def work(world: World) -> None:
        log = Log()
        _full(log, 40)
        description = await create_source(world)
        replica = ingesting(world, log, random.Random(0), ranges=RangeBounds(begin_at=20, least=5, at_once=2))
        replica.start(description)
        await caught_up(world, log)
        staged = log.staged
        assert staged
        _full(log, 10)
        await caught_up(world, log)
        assert log.staged == staged, "ten records are few"
        await check_reclocked(world, log)
        await replica.dataflows.stop()

    run(work)


_ENCODINGS = [
    RecordEncoding(RecordFormat.TEXT, RecordFormat.JSON, (RecordMetadata.PARTITION, RecordMetadata.OFFSET)),
    RecordEncoding(None, RecordFormat.JSON, (RecordMetadata.OFFSET,), value_errors=DecodingErrors.SKIP),
    RecordEncoding(None, RecordFormat.JSON, (), value_errors=DecodingErrors.INLINE),
    RecordEncoding(None, CsvFields(2), (RecordMetadata.OFFSET,)),
    RecordEncoding(RecordFormat.TEXT, RecordFormat.BYTES, (), key_errors=DecodingErrors.SKIP),
]


def _hostile(text: str) -> tuple[bytes | None, bytes | None]:
    """Of what can be decoded and what can't, some."""
    number = int(text)
    key = b"\xff" if number % 5 == 0 else text.encode()
    values = [b'{"a": %d}' % number, b"{", None, b"1,2", b"\xff\xfe", b'"two"']
    return key, values[number % len(values)]


@pytest.mark.parametrize("encoding", _ENCODINGS)
def test_what_tasks_read_is_what_the_reader_of_the_source_reads(encoding: RecordEncoding) -> None:
    async def by(world: World, ranges: RangeBounds) -> tuple[Counter[Row], tuple[int, ...], int]:
        log = Log(record=_hostile)
        _full(log, 120)
        description = await create_source(world, encoding)
        replica = ingesting(world, log, random.Random(1), ranges=ranges)
        replica.start(description)
        await caught_up(world, log)
        await world.clock.sleep(3.0)
        upper = await world.shard_upper(1)
        contents = await world.shard_at(1, upper - 1)
        told = [e.report for e in replica.heard if isinstance(e, Reported) and isinstance(e.report, IngestionMeasures)]
        last = told[-1]
        await replica.dataflows.stop()
        counts = (last.messages, last.updates, last.errors, last.offset_known or 0, last.offset_committed or 0)
        return contents, counts, log.staged

    *by_reader, none = run(lambda world: by(world, RangeBounds()))
    *by_tasks, some = run(lambda world: by(world, RangeBounds(begin_at=20, least=5, at_once=2)))
    assert not none
    assert some
    assert by_tasks == by_reader


def test_tasks_that_fail_again_and_again_are_tried_ever_more_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0

    async def fails(_tasks: DirectRanges, _task: RangeTask) -> StagedRanges:
        nonlocal tried
        tried += 1
        raise OSError("there is no such thing")

    monkeypatch.setattr(DirectRanges, "stage", fails)

    async def work(world: World) -> None:
        log = Log()
        description = await create_source(world)
        bounds = RangeBounds(begin_at=20, least=5, at_once=1, again=BackOff(1.0, 64.0))
        replica = ingesting(world, log, random.Random(0), ranges=bounds)
        replica.start(description)
        for _ in range(60):
            _full(log, 60)
            await world.clock.sleep(1.0)
        await replica.dataflows.stop()

    run(work)
    assert 3 <= tried <= 7


def test_tasks_that_fail_leave_it_to_the_reader_of_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0

    async def fails(_tasks: DirectRanges, _task: RangeTask) -> StagedRanges:
        nonlocal tried
        tried += 1
        raise SqlError(Sqlstate.DISK_FULL, "no space left")

    monkeypatch.setattr(DirectRanges, "stage", fails)

    async def work(world: World) -> None:
        log = Log()
        _full(log, 40)
        description = await create_source(world)
        replica = ingesting(world, log, random.Random(0), ranges=RANGES)
        replica.start(description)
        await caught_up(world, log)
        await check_reclocked(world, log)
        await replica.dataflows.stop()

    run(work)
    assert tried


def test_where_tasks_can_be_told_no_more_the_reader_of_the_source_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when what registries have told has become too much to hand on."""
    known = KnownSchemas.all_known

    async def work(world: World) -> None:
        log = Log()
        _full(log, 400)
        description = replace(await create_source(world), policy=BindingPolicy(interval_ms=50, records_max=5))
        monkeypatch.setattr(KnownSchemas, "all_known", lambda schemas: known(schemas) if log.staged < 5 else None)
        replica = ingesting(world, log, random.Random(0), ranges=RANGES)
        replica.start(description)
        await caught_up(world, log)
        assert log.staged >= 5
        await check_reclocked(world, log)
        await replica.dataflows.stop()

    run(work)


@pytest.mark.parametrize("seed", range(5))
def test_what_two_replicas_stage_is_bound_once_and_the_rest_is_deleted(seed: int) -> None:
    async def work(world: World) -> None:
        log = Log()
        _full(log, 400)
        description = await create_source(world)
        chance = random.Random(seed)
        replicas = [ingesting(world, log, chance, ranges=RANGES) for _ in range(2)]
        numbers = [replica.start(description) for replica in replicas]
        await caught_up(world, log, 60.0)
        for number, replica in zip(numbers, replicas, strict=True):
            replica.dataflows.carry_out(SetWritable(number, False))
        await check_reclocked(world, log)
        for replica in replicas:
            await replica.dataflows.stop()
        state = world.storage.machine(str(SOURCE)).state
        named = {part.key for batch in state.batches for part in batch.parts}
        kept = {key for key in await world.blob.list_keys(PART_PREFIX) if f"/{SOURCE}/" in key}
        assert kept == named, "parts are left that nothing names"

    run(work)


def test_what_is_not_bound_for_long_is_read_again_since_it_may_have_been_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = DirectRanges.stage

    async def work(world: World) -> None:
        log = Log()
        _full(log, 400)
        policy = BindingPolicy(interval_ms=50, records_max=5)
        description = replace(await create_source(world), policy=policy)
        replica = ingesting(world, log, random.Random(2), ranges=RANGES)

        async def until_it_may_not_write(tasks: DirectRanges, task: RangeTask) -> StagedRanges:
            staged = await stage(tasks, task)
            if len(tasks.staged) == 5:
                replica.dataflows.carry_out(SetWritable(number, False))
            return staged

        monkeypatch.setattr(DirectRanges, "stage", until_it_may_not_write)
        number = replica.start(description)
        await world.clock.sleep(3 * 3600.0)
        await world.storage.load([SOURCE])
        state = world.storage.machine(str(SOURCE)).state
        named = {part.key for batch in state.batches for part in batch.parts}
        swept = [key for key in await world.blob.list_keys(PART_PREFIX) if key not in named]
        assert swept, "nothing was staged that is not bound"
        for key in swept:
            await world.blob.delete(key)
        replica.dataflows.carry_out(SetWritable(number, True))
        await caught_up(world, log)
        await check_reclocked(world, log)
        await replica.dataflows.stop()

    run(work)


_REGISTRY = GlobalId.user(8)
_AVRO = described_fields(SchemaLanguage.AVRO, '"int"', "n", framed=True, registry=_REGISTRY)


def _avro(text: str) -> tuple[bytes | None, bytes | None]:
    """The numbers below 6 by schema 1, the others by schema 2; zigzag is twice as much."""
    number = int(text)
    return None, bytes([0, 0, 0, 0, 1 if number < 6 else 2, 2 * number])


@pytest.mark.parametrize("seed", range(4))
def test_a_task_goes_as_far_as_it_knows_the_schemas_of_writers(seed: int) -> None:
    encoding = RecordEncoding(None, _AVRO, ())
    desc = RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))
    collection = ReclockedCollection(SOURCE, desc, encoding)

    async def staged(world: World, known: WriterSchemas) -> StagedRanges:
        log = Log(record=_avro)
        for number in range(10):
            log.append(0, str(number))
        task = RangeTask(PLACE, (Span(0, 0, 10),), 3, 1 << 20, (collection,), {_REGISTRY: known}, {})
        stage = Stage(world.blob, world.clock, world.randomness, InlineRunner())
        chance = random.Random(seed)
        tasks = DirectRanges(
            stage, world.clock, lambda *_: LogReader(log, nothing_heard, chance, only=0, falters=False)
        )
        return await tasks.stage(task)

    early = run(lambda world: staged(world, {1: '"int"'}))
    assert early.ended_early
    assert all(portion.moved[0] <= 6 for portion in early.portions)
    refused = SqlError(Sqlstate.UNDEFINED_OBJECT, "there is no schema 2")
    whole = run(lambda world: staged(world, {1: '"int"', 2: refused}))
    assert not whole.ended_early
    assert whole.reached == {0: 10}
    amount = sum((portion.amount for portion in whole.portions), Amount())
    assert (amount.messages, amount.updates, amount.errors) == (10, 6, 4)


def test_a_task_ends_before_long_however_slowly_records_come() -> None:
    async def work(world: World) -> StagedRanges:
        log = Log()

        async def grow() -> None:
            for number in range(200):
                log.append(0, str(number))
                await world.clock.sleep(1.0)

        growing = asyncio.create_task(grow())
        description = await create_source(world)
        chance = random.Random(0)
        stage = Stage(world.blob, world.clock, world.randomness, InlineRunner())
        tasks = DirectRanges(
            stage, world.clock, lambda *_: LogReader(log, nothing_heard, chance, only=0, falters=False)
        )
        staged = await tasks.stage(RangeTask(PLACE, (Span(0, 0, 200),), 200, 1 << 20, description.collections, {}, {}))
        growing.cancel()
        return staged

    staged = run(work)
    assert not staged.ended_early
    assert 50 < staged.reached[0] < 70
