"""Parquet files and objects, some of which a task reads: the same rows as by the reader of all, each file whole."""

from __future__ import annotations

import asyncio
import io
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import boto3
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from msgspec.structs import replace as with_fields

from compute.replica.ingestions.ranges import range_task
from compute.replica.ingestions.ranges.ahead import RangeBounds, RangesAhead
from compute.replica.ingestions.ranges.range_task import RangeTask, Span, StagedRange, StagedRanges
from compute.replica.ingestions.tally import Amount
from connectors.files.source.bucket_space import BucketSpace
from connectors.files.source.directory_space import DirectorySpace
from connectors.files.source.space import FoundFile
from connectors.gauge import Partition, UpstreamFrontier
from connectors.sources.description import BindingPolicy, FilesOfServer, ObjectsOfBucket, ReclockedCollection
from connectors.upstream import DivisibleReader, PartitionReach
from model.external.files import ROWS, FilePattern, Framing
from model.external.generators import UpstreamTable
from model.ids.global_id import GlobalId
from model.time.clock import SystemClock, SystemRandomness
from model.types.datum import Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT8, TEXT
from storage.persist.batch import decode_piece
from storage.persist.files import FileBlob
from storage.persist.runner import InlineRunner
from storage.persist.write import PART_PREFIX, Stage
from tests.compute.dataflows.world import counted
from tests.compute.direct_ranges import DirectRanges
from tests.connectors.sources.files.reading import bounds_of, reading

_ID = GlobalId.user(1)
_PARQUET = relation_desc(("n", INT8), ("note", TEXT))
_DESC = RelationDesc((*_PARQUET.columns, *relation_desc(("err", TEXT)).columns))
_COLLECTION = ReclockedCollection(_ID, _DESC, UpstreamTable(ROWS))
_SIZES = (3, 70_000, 0, 5, 150_000, 2)


def _parquet(first: int, count: int) -> bytes:
    written = io.BytesIO()
    numbers = range(first, first + count)
    pq.write_table(
        pa.table({"n": pa.array(numbers, pa.int64()), "note": [f"note {each}" for each in numbers]}), written
    )
    return written.getvalue()


class _Place:
    """A directory, or a bucket."""

    def __init__(self, place: FilesOfServer | ObjectsOfBucket, put: Callable[[str, bytes], str]) -> None:
        self.place = place
        self.put = put
        """Gives what the partition is called."""

    def ahead(self) -> dict[str, PartitionReach]:
        match self.place:
            case FilesOfServer(files):
                found = DirectorySpace(files.pattern).look()
            case ObjectsOfBucket(settings, _, bucket, queue, files):
                space = BucketSpace(dict(settings), bucket, queue, files.pattern)
                found = space.look()
                space.close()
        return {file.path: PartitionReach(file.size, file.version) for file in found.files}


@pytest.fixture(params=["directory", "bucket"])
def place(request: pytest.FixtureRequest, amazon: str, tmp_path: Path) -> _Place:
    if request.param == "directory":
        within = tmp_path / "files"
        within.mkdir()

        def write(name: str, data: bytes) -> str:
            (within / name).write_bytes(data)
            return str(within / name)

        files = FilePattern(f"{within}/*", Framing.LINES, interval_ms=10, columns=_PARQUET.names)
        return _Place(FilesOfServer(files, _PARQUET, None), write)
    bucket = f"b{uuid.uuid4().hex[:12]}"
    s3: Any = boto3.session.Session("k", "s", region_name="us-east-1").client("s3", endpoint_url=amazon)
    s3.create_bucket(Bucket=bucket)

    def put(name: str, data: bytes) -> str:
        s3.put_object(Bucket=bucket, Key=name, Body=data)
        return name

    settings = (("endpoint", amazon), ("region", "us-east-1"), ("key_id", "k"), ("key", "s"))
    files = FilePattern("**", Framing.LINES, interval_ms=10, columns=_PARQUET.names)
    return _Place(ObjectsOfBucket(settings, (), bucket, None, files, _PARQUET, None), put)


def _filled(place: _Place) -> None:
    first = 0
    for number, count in enumerate(_SIZES):
        place.put(f"f{number}", _parquet(first, count))
        first += count


def _staged(place: _Place, ahead: dict[str, PartitionReach], blob: FileBlob, records_max: int = 50_000) -> StagedRanges:
    spans = tuple(Span(path, 0, reach.end, reach.version) for path, reach in ahead.items())
    task = RangeTask(place.place, spans, records_max, 1 << 30, (_COLLECTION,), {}, {})
    clock = SystemClock()
    tasks = DirectRanges(Stage(blob, clock, SystemRandomness(), InlineRunner()), clock)
    return asyncio.run(tasks.stage(task))


def _rows(staged: StagedRanges, blob: FileBlob) -> Counter[Row]:
    found: Counter[Row] = Counter()
    for part in (part for portion in staged.portions for part in portion.parts.get(_ID, ())):
        data = asyncio.run(blob.get(part.key))
        assert data is not None
        found += counted(decode_piece(with_fields(part, time=1), data, _DESC, "u1", part.key), _DESC)
    return found


def _kept(blob: FileBlob) -> set[str]:
    return set(asyncio.run(blob.list_keys(PART_PREFIX)))


def test_a_task_reads_what_the_reader_of_all_reads(place: _Place, tmp_path: Path) -> None:
    _filled(place)
    blob = FileBlob(tmp_path)
    with reading(place.place) as found:
        while len(bounds_of(found.frontier)) < len(_SIZES):
            found.take()
    staged = _staged(place, place.ahead(), blob)
    assert not staged.ended_early
    assert staged.reached == found.frontier, "what is noted of them is the same, too"
    assert [portion.amount.messages for portion in staged.portions] == [70_003, 150_005, 2]
    assert _rows(staged, blob) == Counter((row["c0"], row["c1"], None) for row in found.rows)


def test_many_rows_are_staged_as_they_are_read(place: _Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(range_task, "PART_BYTES", 1 << 20)
    place.put("f", _parquet(0, 300_000))
    blob = FileBlob(tmp_path)
    staged = _staged(place, place.ahead(), blob)
    (portion,) = staged.portions
    assert len(portion.parts[_ID]) >= 4
    assert set(portion.keys) == _kept(blob)


@pytest.mark.parametrize("trouble", ["another", "torn", "no Parquet"])
def test_a_task_ends_before_a_file_that_it_cannot_see_to(place: _Place, trouble: str, tmp_path: Path) -> None:
    _filled(place)
    ahead, blob = place.ahead(), FileBlob(tmp_path)
    data = {"another": _parquet(7, 900), "torn": _parquet(7, 900)[:-1], "no Parquet": b"PAR1 is no Parquet. PAR1"}
    broken = place.put("f4", data[trouble])
    if trouble != "another":
        ahead[broken] = place.ahead()[broken]
    staged = _staged(place, ahead, blob)
    assert staged.ended_early
    assert [portion.amount.messages for portion in staged.portions] == [70_003, 5]
    assert sum(_rows(staged, blob).values()) == 70_008
    assert set(staged.keys) == _kept(blob), "parts are left of what is not told of"


# A file of the server's has no versions: what is open stays what it was.
@pytest.mark.parametrize("place", ["bucket"], indirect=True)
def test_an_object_that_is_replaced_while_a_task_reads_it_is_not_bound(
    place: _Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectors.files.source.fetched_ahead._BYTES_MAX", 0)
    monkeypatch.setattr(range_task, "PART_BYTES", 1)
    groups = io.BytesIO()
    with pq.ParquetWriter(groups, pa.schema([("n", pa.int64()), ("note", pa.string())])) as writer:
        for _ in range(3):
            writer.write_table(pq.read_table(io.BytesIO(_parquet(0, 70_000))))
    place.put("f", groups.getvalue())
    ahead, blob = place.ahead(), FileBlob(tmp_path)
    read, asked = BucketSpace.read, 0

    def replaced(space: BucketSpace, file: FoundFile, offset: int, length: int) -> bytes:
        nonlocal asked
        asked += length > 100_000
        if asked == 3:
            place.put("f", groups.getvalue()[::-1])
        return read(space, file, offset, length)

    monkeypatch.setattr(BucketSpace, "read", replaced)
    staged = _staged(place, ahead, blob)
    assert asked >= 3 and staged.ended_early and not staged.portions
    assert not _kept(blob), "parts are left of what is not told of"


class _Held:
    """A reader that others may read these files for."""

    def __init__(self, ahead: dict[Partition, PartitionReach]) -> None:
        self.holds = False
        self.begun: list[UpstreamFrontier] = []
        self._ahead = ahead

    def ahead(self) -> dict[Partition, PartitionReach]:
        return self._ahead

    def hold(self) -> None:
        self.holds = True

    def begin(self, frontier: UpstreamFrontier) -> None:
        self.holds = False
        self.begun.append(frontier)


class _Tasks:
    """Of each task all is staged but, once, the last file."""

    ready = True

    def __init__(self, *, short: bool) -> None:
        self.short = short
        self.tasks: list[RangeTask] = []

    async def stage(self, task: RangeTask) -> StagedRanges:
        self.tasks.append(task)
        await asyncio.sleep(0)
        spans, self.short = task.spans[: -1 if self.short else None], False
        moved = [StagedRange({span.partition: span.end}, Amount(), {}) for span in spans]
        return StagedRanges(tuple(moved), {}, ended_early=False)


@pytest.mark.parametrize("short", [False, True])
def test_tasks_share_files_each_of_which_one_of_them_reads(tmp_path: Path, short: bool) -> None:
    sizes = {f"f{number:03}": (number * 37) % 100 + 1 for number in range(100)}
    files = FilePattern("*", Framing.LINES, columns=_PARQUET.names)
    task = RangeTask(FilesOfServer(files, _PARQUET, None), (), 50_000, 1 << 20, (_COLLECTION,), {}, {})

    async def bound(begin_at_bytes: int) -> tuple[dict[Partition, int], _Held, _Tasks]:
        tasks, clock = _Tasks(short=short), SystemClock()
        reader = _Held({path: PartitionReach(size, "v") for path, size in sizes.items()})
        stage = Stage(FileBlob(tmp_path), clock, SystemRandomness(), InlineRunner())
        bounds = RangeBounds(begin_at_bytes=begin_at_bytes, bytes_most=400)
        ranges = RangesAhead((tasks, bounds), BindingPolicy(), stage, clock, lambda: None)
        frontier: dict[Partition, int] = {"f000": 1}
        for _ in range(1_000):
            staged = ranges.next(reader, frontier, task)  # type: ignore[arg-type]
            if staged is not None:
                assert not frontier.keys() & staged.moved.keys(), "a file is read twice"
                frontier |= staged.moved
            elif not ranges.active:
                break
            await asyncio.sleep(0)
        await ranges.close()
        return frontier, reader, tasks

    frontier, reader, tasks = asyncio.run(bound(1_000))
    assert frontier == sizes
    assert reader.begun == [sizes], "the reader goes on behind what tasks have read"
    assert all(sum(span.end for span in each.spans) <= 400 for each in tasks.tasks)
    spans = [span for each in tasks.tasks for span in each.spans]
    assert {(span.begin, span.version) for span in spans} == {(0, "v")}
    assert len(spans) == 99 + short
    _, reader, tasks = asyncio.run(bound(sum(sizes.values())))
    assert not reader.begun and not tasks.tasks, "so little is ahead that no task reads it"


def test_lines_are_not_for_tasks(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\n")
    place = FilesOfServer(FilePattern(f"{tmp_path}/*", Framing.TEXT_LINES, interval_ms=10), None, None)
    with reading(replace(place)) as found:
        found.until(1)
        assert isinstance(found.reader, DivisibleReader)
        assert not found.reader.ahead()
