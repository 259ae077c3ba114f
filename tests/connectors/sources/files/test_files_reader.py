"""Files as partitions: whatever is appended, when, and from where a reader goes on, each record is read once, whole."""

from __future__ import annotations

import gzip
import os
import random
import threading
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from connectors.files.source import reader as reader_module
from connectors.files.source import whole_parquet
from connectors.files.source.directory_space import DirectorySpace
from connectors.files.source.framing import cut_records
from connectors.files.source.reader import FilesReader
from connectors.files.source.space import FoundFiles
from connectors.gauge import Partition, is_note
from connectors.sources.description import FilesOfServer
from model.errors.sql_error import SqlError
from model.external.files import AUTO, ROWS, FilePattern, Framing
from model.time.clock import SystemClock
from model.types.relation_desc import relation_desc
from model.types.scalar_type import DATE, INT8, TEXT, TIMESTAMP, ScalarType
from tests.connectors.sources.files.reading import bounds_of, reading


@pytest.fixture(autouse=True)
def _soon_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "_STILL_NS", 50_000_000)


def files(directory: Path, framing: Framing = Framing.TEXT_LINES, pattern: str = "*", **more: object) -> FilesOfServer:
    made = FilePattern(str(directory / pattern), framing, interval_ms=10, **more)  # type: ignore[arg-type]
    return FilesOfServer(made, None, None)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("framing", [Framing.TEXT_LINES, Framing.CSV])
def test_each_record_is_read_once_whenever_it_is_written_and_wherever_reading_goes_on(
    seed: int, framing: Framing, tmp_path: Path
) -> None:
    chance = random.Random(f"{seed} {framing}")
    ends = ["\n", "\r\n"] if framing is Framing.TEXT_LINES else ["\n"]
    wanted: dict[str, list[str]] = {}
    got: dict[str, list[bytes]] = {}
    offsets: dict[str, int] = {}
    frontier: dict[Partition, int] = {}
    written = 0

    def a_record() -> str:
        text = "x" * chance.randrange(1, 30)
        if framing is Framing.CSV and chance.random() < 0.5:
            return f'{written},"{text}\n{text}""\n"'
        return f"{written},{text}"

    for _ in range(6):
        with reading(files(tmp_path, framing), frontier) as found:
            for _ in range(chance.randrange(1, 8)):
                path = tmp_path / f"f{chance.randrange(4)}"
                with path.open("ab") as file:
                    for _ in range(chance.randrange(1, 20)):
                        record, end = a_record(), chance.choice(ends)
                        written += 1
                        cut = chance.randrange(len(record) + len(end))
                        data = (record + end).encode()
                        file.write(data[:cut])
                        if chance.random() < 0.1:
                            file.flush()
                        file.write(data[cut:])
                        wanted.setdefault(str(path), []).append(record)
                if chance.random() < 0.7:
                    taken = found.take(chance.randrange(1, 30), chance.randrange(1, 2_000))
                    assert taken.frontier, "a range goes on"
            if chance.random() < 0.5:
                total = sum(map(len, wanted.values())) - sum(map(len, got.values()))
                found.until(total, most=chance.randrange(1, 50))
            for path_, offset, value in found.records:
                assert offset >= offsets.get(path_, 0), "records come in their order"
                offsets[path_] = offset
                got.setdefault(path_, []).append(value)
            frontier = found.frontier
    with reading(files(tmp_path, framing), frontier) as found:
        found.until(sum(map(len, wanted.values())) - sum(map(len, got.values())))
        for path_, _, value in found.records:
            got.setdefault(path_, []).append(value)
    assert {path_: [value.decode() for value in values] for path_, values in got.items()} == wanted


def test_a_line_without_an_end_is_read_once_its_file_is_still_and_may_get_its_end_later(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"a\nb")
    with reading(files(tmp_path)) as found:
        assert found.until(2) == [b"a", b"b"]
        with path.open("ab") as file:
            file.write(b"\nc\n")
        assert found.until(3) == [b"a", b"b", b"c"]


def test_a_line_that_goes_on_after_it_was_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"a\nb")
    with reading(files(tmp_path)) as found:
        found.until(2)
        with path.open("ab") as file:
            file.write(b"more\n")
        with pytest.raises(SqlError, match=r"the last line of file .*/f. was read, and goes on"):
            found.take()


@pytest.mark.parametrize("content", [b"", b"a\n", b"A\nb\n", b"a\nB\nc\n"])
def test_a_file_that_changes_otherwise_than_by_growing_is_an_error_that_names_it(
    content: bytes, tmp_path: Path
) -> None:
    path, other = tmp_path / "f", tmp_path / "g"
    path.write_bytes(b"a\nb\n")
    with reading(files(tmp_path)) as found:
        found.until(2)
        path.write_bytes(content)
        os.utime(path, ns=(1, 1))
        with pytest.raises(SqlError, match=r"file .*/f. has changed since 4 bytes of it were read"):
            found.take()
    path.write_bytes(b"a\nb\n")
    with reading(files(tmp_path, changes_ignored=True)) as found:
        found.until(2)
        path.write_bytes(content)
        os.utime(path, ns=(1, 1))
        other.write_bytes(b"c\n")
        assert found.until(3) == [b"a", b"b", b"c"]


@pytest.mark.parametrize("content", [b"A\nb\n", b"a\nB\nc\n", b"a\n"])
def test_a_file_that_changed_between_two_sessions_is_an_error(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\nb\n")
    with reading(files(tmp_path)) as found:
        found.until(2)
        left = found.frontier
    (tmp_path / "f").write_bytes(content)
    with reading(files(tmp_path), left) as found:
        for _ in range(3):
            with pytest.raises(SqlError, match="has changed"):
                found.take()
            found.reader.begin(left)


def test_a_file_that_grows_keeps_one_note(tmp_path: Path) -> None:
    frontier: dict[Partition, int] = {}
    for number in range(5):
        with (tmp_path / "f").open("ab") as file:
            file.write(b"a\n" * (number + 1))
        with reading(files(tmp_path), frontier) as found:
            found.until(number + 1, most=1)
            frontier = found.frontier
    assert [bound for partition, bound in frontier.items() if is_note(partition) and bound] == [1]
    assert bounds_of(frontier) == {str(tmp_path / "f"): 30}


def test_what_is_compressed_and_more_than_memory_holds_is_an_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (reader_module, whole_parquet):
        monkeypatch.setattr(module, "WHOLE_BYTES_MAX", 1_000)
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"\n" * 1_001))
    with reading(files(tmp_path, compression=AUTO)) as found:
        with pytest.raises(SqlError, match=r"a.gz. holds more than 1000 bytes"):
            found.take()


def test_a_file_that_is_shorter_than_what_a_former_session_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\n")
    with reading(files(tmp_path), {str(tmp_path / "f"): 4}) as found:
        with pytest.raises(SqlError, match="has changed"):
            found.take()


def test_a_file_that_is_gone_keeps_what_was_read_of_it(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"a\n")
    with reading(files(tmp_path)) as found:
        found.until(1)
        path.unlink()
        (tmp_path / "g").write_bytes(b"b\n")
        assert found.until(2) == [b"a", b"b"]


def test_headers_are_no_records(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"x,y\n1,2\n")
    with reading(files(tmp_path, Framing.CSV, header=True)) as found:
        assert found.until(2) == [b"1,2", b"1,2"]
    half: dict[Partition, int] = {str(tmp_path / "a"): 4, str(tmp_path / "b"): 0}
    with reading(files(tmp_path, Framing.CSV, header=True), half) as found:
        assert found.until(2) == [b"1,2", b"1,2"]


def test_compressed_files_are_read_whole_in_one_range(tmp_path: Path) -> None:
    lines = b"".join(b"%d\n" % number for number in range(5_000))
    (tmp_path / "a.gz").write_bytes(gzip.compress(lines))
    with pa.CompressedOutputStream(str(tmp_path / "b.zst"), "zstd") as out:
        out.write(lines)
    (tmp_path / "c").write_bytes(lines)
    with reading(files(tmp_path, compression=AUTO)) as found:
        for name in ("a.gz", "b.zst", "c"):
            path = tmp_path / name
            taken = found.take(most=10)
            assert bounds_of(taken.frontier) == {str(path): path.stat().st_size} and taken.records.num_rows == 5_000


def test_parquet_is_read_by_its_columns_once_it_has_its_end(tmp_path: Path) -> None:
    desc = relation_desc(("a", INT8), ("b", TEXT), ("c", TEXT))
    place = replace(files(tmp_path, pattern="*.parquet", columns=desc.names), parquet=desc)
    whole = tmp_path / "x"
    pq.write_table(pa.table({"b": ["x", None], "a": pa.array([1, 2], pa.int32())}), whole)
    data = whole.read_bytes()
    path = tmp_path / "f.parquet"
    with reading(place) as found:
        path.write_bytes(data[:-3])
        with path.open("ab") as file:
            file.write(data[-3:])
        taken = found.take()
        assert bounds_of(taken.frontier) == {str(path): len(data)} and set(taken.tables) == {ROWS}
        assert found.rows == [{"c0": 1, "c1": "x", "c2": None, "diff": 1}, {"c0": 2, "c1": None, "c2": None, "diff": 1}]
        (tmp_path / "g.parquet").write_bytes(b"no ParquetPAR1")
        with pytest.raises(SqlError, match=r"g.parquet. can't be read as Parquet"):
            found.take()


def test_a_file_whose_data_are_damaged_is_named_while_others_are_read(tmp_path: Path) -> None:
    desc = relation_desc(("a", TEXT))
    place = replace(files(tmp_path, pattern="*.parquet", columns=desc.names), parquet=desc)
    for name in ("damaged", "whole"):
        pq.write_table(pa.table({"a": [f"{n}" for n in range(1_000)]}), tmp_path / f"{name}.parquet")
    damaged = tmp_path / "damaged.parquet"
    data = bytearray(damaged.read_bytes())
    data[40:200] = bytes([255]) * 160
    damaged.write_bytes(data)
    with reading(place) as found:
        assert found.take().frontier.keys() >= {str(tmp_path / "whole.parquet")}
        found.settle(lambda: found.reader.status().trouble is not None)
        assert str(damaged) in str(found.reader.status().trouble)


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        (pa.array([2**31 - 1], pa.date32()), DATE),
        (pa.array([-(2**62)], pa.timestamp("us")), TIMESTAMP),
        (pa.array(["a\0b"]), TEXT),
    ],
)
def test_values_that_no_column_has_are_an_error_of_their_file(
    values: pa.Array, type_: ScalarType, tmp_path: Path
) -> None:
    desc = relation_desc(("a", type_))
    place = replace(files(tmp_path, columns=desc.names), parquet=desc)
    pq.write_table(pa.table({"a": values}), tmp_path / "f")
    with reading(place) as found:
        with pytest.raises(SqlError, match="can't be read as Parquet") as error:
            found.take()
        assert error.value.detail


def test_once_is_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\nb")
    until_ms = max(path.stat().st_ctime_ns for path in tmp_path.iterdir()) // 1_000_000
    place = replace(files(tmp_path, once=True), until_ms=until_ms)
    with reading(place) as found:
        assert found.until(2) == [b"a", b"b"]
        taken = dict(found.frontier)
    (tmp_path / "later").write_bytes(b"c\n")
    os.utime(tmp_path / "later", ns=(0, 0))
    with reading(place, taken) as found:
        found.reader.close()
        assert found.reader.take(10, 10) is None


def test_a_file_that_cannot_be_opened_is_told_and_holds_no_other_up(tmp_path: Path) -> None:
    (tmp_path / "f").symlink_to(tmp_path / "f")
    (tmp_path / "g").write_bytes(b"b\n")
    with reading(files(tmp_path)) as found:
        assert found.until(1) == [b"b"]
        for _ in range(1_000):
            if found.reader.status().trouble is not None:
                break
            threading.Event().wait(0.01)
        assert "/f" in str(found.reader.status().trouble)


def test_a_place_that_does_not_answer_is_not_asked_again_at_once() -> None:
    class Away(DirectorySpace):
        looks = 0

        def look(self) -> FoundFiles:
            Away.looks += 1
            raise OSError("nobody answers")

    pattern = FilePattern("*", Framing.LINES, interval_ms=10)
    reader = FilesReader(pattern, None, None, Away("*"), SystemClock(), lambda: None)
    reader.begin({})
    threading.Event().wait(0.6)
    assert reader.status().trouble == "nobody answers"
    reader.close()
    assert Away.looks == 1


@pytest.mark.parametrize(
    ("data", "framing", "wanted"),
    [
        (b"a\r\n\r\nb", Framing.LINES, [b"a\r", b"\r", b"b"]),
        (b"a\r\n\r\nb", Framing.TEXT_LINES, [b"a", b"", b"b"]),
        (b"a\r\n\r\n \nb", Framing.JSON_LINES, [b"a", b"b"]),
        (b'"a\n""\n",b\n"c"\n\n', Framing.CSV, [b'"a\n""\n",b', b'"c"']),
        (b"", Framing.LINES, []),
    ],
)
def test_records_end_where_their_format_says(data: bytes, framing: Framing, wanted: list[bytes]) -> None:
    assert [record.value for record in cut_records(data, framing, whole=True)] == wanted
