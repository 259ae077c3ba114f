"""Files of the server's and objects of a bucket as sources: reading what is there, beside bare Spark and bare boto3."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from benchmarks.amazon import client_of, connect_aws, moto
from benchmarks.report import Measure
from benchmarks.server import Headwater

_FILES = 8
_SMALL = 500
_OF_BARE = 1.5
_NOTE = "x" * 120
_FORMATS = {"csv": "CSV WITH 4 COLUMNS", "json": "JSON", "parquet": "PARQUET"}


def measure_file_sources(server: Headwater, records: int) -> Iterator[Measure]:
    """Records of four columns, some 160 bytes of CSV each, in eight files; then small objects."""
    with tempfile.TemporaryDirectory() as name, moto() as endpoint:
        directory, s3 = Path(name), client_of("s3", endpoint)
        _write(directory, records)
        s3.create_bucket(Bucket="bench")
        for path in directory.iterdir():
            s3.upload_file(str(path), "bench", path.name)
        with psycopg.connect(server.url, autocommit=True) as connection:
            connect_aws(connection, endpoint)
            for suffix, format_ in _FORMATS.items():
                whole = sum(path.stat().st_size for path in directory.glob(f"*.{suffix}"))
                files = f"FILES '{directory}/*.{suffix}' FORMAT {format_}"
                found = f"S3 CONNECTION aws DISCOVER OBJECTS MATCHING '*.{suffix}' USING BUCKET SCAN 'bench'"
                bare = {"files": _bare_spark(directory), "s3": _bare_boto(s3)} if suffix == "parquet" else {}
                for place, source in (("files", files), ("s3", f"{found} FORMAT {format_}")):
                    seconds = _read(connection, f"{suffix}_of_{place}", source, whole)
                    yield Measure(f"{suffix} of {place}: reading", whole / 2**20 / seconds, "MiB/s")
                    yield Measure(f"{suffix} of {place}: rows", records / seconds, "rows/s")
                    if place in bare:
                        yield Measure(f"{suffix} of {place}, bare", bare[place], "s")
                        target = _OF_BARE * bare[place]
                        yield Measure(f"{suffix} of {place}", seconds, "s", target, at_least=False)
            for number in range(_SMALL):
                s3.put_object(Bucket="bench", Key=f"small/{number}", Body=b"a line\n")
            bare_s = _timed(lambda: [s3.get_object(Bucket="bench", Key=f"small/{each}") for each in range(_SMALL)])
            small = "S3 CONNECTION aws DISCOVER OBJECTS MATCHING 'small/*' USING BUCKET SCAN 'bench' FORMAT TEXT"
            seconds = _read(connection, "small", small, _SMALL * len(b"a line\n"))
            yield Measure("bare boto3, one object after the other", _SMALL / bare_s, "objects/s")
            yield Measure("small objects", _SMALL / seconds, "objects/s")


def _write(directory: Path, records: int) -> None:
    each = records // _FILES
    for number in range(_FILES):
        ids = list(range(number * each, (number + 1) * each))
        users, prices = [f"user{id_ % 1000}" for id_ in ids], [id_ / 4 for id_ in ids]
        table = pa.table({"id": ids, "user": users, "price": prices, "note": [_NOTE] * each})
        pq.write_table(table, directory / f"{number}.parquet")
        options = pyarrow.csv.WriteOptions(include_header=False)
        pyarrow.csv.write_csv(table, directory / f"{number}.csv", options)
        with (directory / f"{number}.json").open("w") as file:
            for id_, user, price in zip(ids, users, prices, strict=True):
                file.write(f'{{"id": {id_}, "user": "{user}", "price": {price}, "note": "{_NOTE}"}}\n')


def _timed(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _bare_spark(directory: Path) -> float:
    """Reads the Parquet files and writes them again; the second time, when it is warm."""
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        with tempfile.TemporaryDirectory() as target:

            def copy() -> None:
                found = session.read.parquet(f"{directory}/*.parquet")
                found.write.mode("overwrite").parquet(f"{target}/copy")

            copy()
            return _timed(copy)
    finally:
        session.stop()


def _bare_boto(s3: Any) -> float:
    """Fetches the Parquet objects and reads them, in one process."""

    def read() -> None:
        for number in range(_FILES):
            body = s3.get_object(Bucket="bench", Key=f"{number}.parquet")["Body"].read()
            pq.read_table(io.BytesIO(body))

    return _timed(read)


def _read(connection: psycopg.Connection[tuple[Any, ...]], name: str, source: str, whole: int) -> float:
    """From CREATE SOURCE until all is bound."""
    began = time.monotonic()
    connection.execute(f"CREATE SOURCE {name} FROM {source}".encode())
    sql = f"SELECT coalesce(sum(byte_offset), 0)::int8 FROM {name}_progress".encode()
    while (row := connection.execute(sql).fetchone()) is None or row[0] < whole:
        time.sleep(0.05)
    seconds = time.monotonic() - began
    connection.execute(f"DROP SOURCE {name}".encode())
    return seconds
