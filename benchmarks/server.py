"""The servers that are measured: Headwater as a process, PostgreSQL 16 from the test extras."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg

from tests.judge import run_judge
from tests.server_process import ServerProcess, start_server

# A machine that does much else takes its time.
_START_TIMEOUT_S = 180.0


@dataclass(frozen=True, slots=True)
class Headwater:
    """A running server; `first_connection_s` and `first_answer_s` count from its start."""

    process: ServerProcess
    data_dir: Path
    first_connection_s: float
    first_answer_s: float

    @property
    def url(self) -> str:
        return f"postgresql://headwater@{self.process.host}:{self.process.port}/headwater"


@contextmanager
def headwater(data_dir: Path, *options: str) -> Iterator[Headwater]:
    """Starts one with options of `serve`, waits for its first answer from Spark."""
    began = time.monotonic()
    process = start_server(data_dir, *options, timeout_s=_START_TIMEOUT_S)
    try:
        with psycopg.connect(process.dsn(), autocommit=True) as connection:
            first_connection = time.monotonic() - began
            connection.execute("CREATE TABLE first (x int)")
            connection.execute("INSERT INTO first VALUES (1)")
            connection.execute("SELECT sum(x) FROM first").fetchall()
        yield Headwater(process, data_dir, first_connection, time.monotonic() - began)
    finally:
        process.stop()


@contextmanager
def postgresql() -> Iterator[str]:
    """Its URL."""
    with run_judge() as judge:
        yield judge.url()


def resident_mib(pid: int) -> float:
    """Memory of one process in MiB; 0 for one that has ended."""
    try:
        return float(psutil.Process(pid).memory_info().rss) / 2**20
    except psutil.NoSuchProcess:
        return 0.0


def java_heap_mib(pid: int) -> float:
    """What lives in the heap of a JVM in MiB, once it has been told to collect what does not."""
    jcmd = str(Path(psutil.Process(pid).exe()).with_name("jcmd"))
    subprocess.run([jcmd, str(pid), "GC.run"], check=True, capture_output=True)
    told = subprocess.run([jcmd, str(pid), "GC.heap_info"], check=True, capture_output=True, text=True).stdout
    return sum(int(used) for used in re.findall(r"total \d+K, used (\d+)K", told)) / 1024


def family_of(server: Headwater) -> dict[str, int]:
    """The environment, its replica and the replica's JVM, by name."""
    mark = str(server.data_dir)
    found = {"environment": server.process.process.pid}
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if "compute.replica" in words and any(mark in word for word in words):
            found["replica"] = process.pid
            for child in process.children(recursive=True):
                if "java" in child.name():
                    found["replica's JVM"] = child.pid
    return found
