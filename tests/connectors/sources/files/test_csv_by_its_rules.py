"""Files of CSV as PostgreSQL's COPY reads them: whatever fields hold, however they are quoted and lines end."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import psycopg
import pytest

from connectors.files.source import reader as reader_module
from connectors.sources.decode.csv_rows import decode_csv
from connectors.sources.description import FilesOfServer
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.files import FilePattern, Framing
from model.external.records import CsvFields
from tests.connectors.sources.files.reading import reading
from tests.judge import Judge

_PIECES = ("a", "b", " ", ",", ";", "\t", '"', "\n", "\r\n", "\r", "é", "\\", "'", "", "NULL")


@pytest.fixture(autouse=True)
def _soon_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "_STILL_NS", 50_000_000)


def _field(chance: random.Random, delimiter: str) -> str:
    text = "".join(chance.choices(_PIECES, k=chance.choice([0, 1, 2, 5])))
    if chance.random() < 0.6:
        return '"' + text.replace('"', '""') + '"'
    if chance.random() < 0.6:
        # Quoted in its midst, and perhaps not to the end.
        return f'a"{text}"b' if chance.random() < 0.96 else f'a"{text}'
    return "".join(sign for sign in text if sign not in f'\r\n"{delimiter}').replace("\\", "")


def _by_copy(connection: psycopg.Connection[tuple[object, ...]], data: bytes, delimiter: str) -> list[tuple[str, ...]]:
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS c (n serial, x text, y text, z text)")
    connection.execute("TRUNCATE c RESTART IDENTITY")
    options = f"FORMAT csv, DELIMITER E'{delimiter}'".replace("\t", "\\t")
    with connection.cursor().copy(f"COPY c (x, y, z) FROM STDIN ({options})".encode()) as copy:
        copy.write(data)
    return connection.execute(  # type: ignore[return-value]
        "SELECT coalesce(x, ''), coalesce(y, ''), coalesce(z, '') FROM c ORDER BY n"
    ).fetchall()


@pytest.mark.parametrize("seed", range(8))
def test_fields_are_those_that_copy_reads(judge: Judge, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    agreed = 0
    with judge.connect() as connection:
        for number in range(10):
            delimiter, end = chance.choice(",;\t"), chance.choice(["\n", "\r\n"])
            rows = chance.choices([3, 2, 4], (60, 1, 1), k=chance.randint(1, 4))
            lines = [delimiter.join(_field(chance, delimiter) for _ in range(count)) for count in rows]
            data = (end.join(lines) + chance.choice(["", end])).encode()
            (tmp_path / "f").unlink(missing_ok=True)
            (tmp_path / f"f{number}").write_bytes(data)
            pattern = FilePattern(str(tmp_path / f"f{number}"), Framing.CSV, interval_ms=10, delimiter=delimiter)
            try:
                wanted = _by_copy(connection, data, delimiter)
            except psycopg.Error:
                continue
            with reading(FilesOfServer(pattern, None, None)) as found:
                records = found.until(len(wanted))
                assert found.take_none()
            columns, errors = decode_csv(CsvFields(3, delimiter), records)
            assert not errors and list(zip(*columns, strict=True)) == wanted, data
            agreed += 1
    assert agreed > 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('a,"b', "it ends within quotes"),
        ("a,b\rc", "a carriage return without a line feed, and not quoted"),
        ("a", "it has 1 fields, and the source 2 columns"),
        ('a,b,"c"', "it has 3 fields, and the source 2 columns"),
    ],
)
def test_what_is_no_record_is_told(line: str, message: str) -> None:
    columns, errors = decode_csv(CsvFields(2), [line.encode(), b"x,y", None])
    assert (errors[0].sqlstate, list(errors)) == (Sqlstate.BAD_COPY_FILE_FORMAT, [0])
    assert message in errors[0].message
    assert columns == [[None, "x", None], [None, "y", None]]


def _with_header(directory: Path, *fields: str, compression: str | None = None) -> FilesOfServer:
    pattern = FilePattern(
        str(directory / "*"), Framing.CSV, header=True, fields=fields, interval_ms=10, compression=compression
    )
    return FilesOfServer(pattern, None, None)


def test_fields_are_found_by_their_names_in_each_file(tmp_path: Path) -> None:
    texts = {
        "a": ("origin,delay\nJFK,5\n", '"L,GA",7\n'),
        "b": ("delay,origin\n5,JFK\n", '7,"L,GA"\n'),
        "c": ('\ufeff"delay",more,"origin"\n5,x,JFK\n', '7,"y\nz","L,GA"\n'),
        "d": ("\n\norigin,delay,last\nJFK,5,\n", '"L,GA",7,\n'),
    }
    for name, (text, last) in texts.items():
        (tmp_path / name).write_text(text + last)
    with reading(_with_header(tmp_path, "origin", "delay")) as found:
        records = found.until(8)
        for name, (text, last) in texts.items():
            (tmp_path / name).write_text(text + last + last)
        records = found.until(12)
        frontier = dict(found.frontier)
    columns, errors = decode_csv(CsvFields(2), records)
    assert not errors
    assert sorted(zip(*columns, strict=True)) == sorted([("JFK", "5"), ("L,GA", "7"), ("L,GA", "7")] * 4)
    with (tmp_path / "b").open("a") as file:
        file.write("1,BOS\n")
    with reading(_with_header(tmp_path, "origin", "delay"), frontier) as found:
        assert decode_csv(CsvFields(2), found.until(1))[0] == [["BOS"], ["1"]], "its header is before what is read"


@pytest.mark.parametrize("compression", [None, "gzip"])
def test_a_record_of_another_length_than_its_header_is_told(tmp_path: Path, compression: str | None) -> None:
    data = b'more,b,a\n1,2\n1,2,3,4\n1,2,3\n1,"2\n'[: -1 if compression is None else None]
    (tmp_path / "f").write_bytes(data if compression is None else gzip.compress(data))
    with reading(_with_header(tmp_path, "a", "b", compression=compression)) as found:
        values = found.until(3 if compression is None else 4)
    columns, errors = decode_csv(CsvFields(2), values)
    assert [column[2] for column in columns] == ["3", "2"]
    assert set(errors) == set(range(len(values))) - {2}


@pytest.mark.parametrize("header", ["a,b\n", "origin\n", "origin,delay,origin\n", 'origin,"delay\n'])
def test_a_file_without_the_fields_stops_the_source_until_it_has_them(tmp_path: Path, header: str) -> None:
    (tmp_path / "a").write_text("origin,delay\nJFK,5\n")
    with reading(_with_header(tmp_path, "origin", "delay")) as found:
        found.until(1)
        (tmp_path / "b").write_text(header + "x,y,z\n")
        if '"' in header:
            found.settle(lambda: "ends within quotes" in (found.reader.status().trouble or ""))
        else:
            with pytest.raises(SqlError) as stopped:
                while True:
                    found.take()
            assert (
                stopped.value.sqlstate is Sqlstate.BAD_COPY_FILE_FORMAT and str(tmp_path / "b") in stopped.value.message
            )
        (tmp_path / "b").write_text("delay,origin\n7,LGA\n")
        found.reader.begin(found.frontier)
        records = found.until(2)
    assert decode_csv(CsvFields(2), records)[0] == [["JFK", "LGA"], ["5", "7"]]


def test_a_record_that_is_written_slowly_is_one(tmp_path: Path) -> None:
    """Its writer pauses within quotes for longer than a line without an end is waited for."""
    path = tmp_path / "f"
    path.write_bytes(b'a,b\n1,"x')
    pattern = FilePattern(str(path), Framing.CSV, interval_ms=10)
    with reading(FilesOfServer(pattern, None, None)) as found:
        found.until(1)
        found.settle(lambda: "ends within quotes" in (found.reader.status().trouble or ""))
        with path.open("ab") as file:
            file.write(b'\ny",2\n')
        assert found.until(2) == [b"a,b", b'1,"x\ny",2']
        found.settle(lambda: found.reader.status().trouble is None)
