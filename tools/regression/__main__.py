"""Runs the scripts on both servers, and writes down in what they differ; see the package."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from tests.judge import run_judge
from tests.server.memory_server import memory_server
from tests.server_process import start_server
from tools.regression.comparison import Consequences, difference
from tools.regression.scripts import Statement, statements_of
from tools.regression.session import Session

_RESULTS = Path("build/regression")
_SETUP = "test_setup"
_LEFT_OUT = re.compile(
    r"\s*(?:vacuum|analyze|explain|reindex|cluster|create\s+(?:extension|tablespace|database|role|user)"
    r"|drop\s+database|set\s+(?:local\s+)?(?:enable_|debug_|work_mem|jit|parallel|min_parallel|max_parallel|force_parallel))"
    r"|.*\bpg_(?:sleep|backend_pid)",
    re.IGNORECASE | re.DOTALL,
)
"""What says nothing about answers."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs PostgreSQL's regression scripts on PostgreSQL and on Headwater.")
    parser.add_argument("source", type=Path, help="the directory of PostgreSQL's source")
    parser.add_argument("scripts", nargs="+", metavar="SCRIPT", help="boolean, int4, …")
    parser.add_argument("--spark", action="store_true", help="on a real server; else the interpreter answers")
    parser.add_argument("--lines", type=int, default=300, help="how many lines of each file of data are taken")
    parser.add_argument("--limit", type=int, default=10, help="seconds that a statement may take")
    parser.add_argument("--seconds", type=float, default=3600, help="after which no script is begun")
    options = parser.parse_args()
    _RESULTS.mkdir(parents=True, exist_ok=True)
    regress = options.source / "src/test/regress"
    began, counts = time.monotonic(), Counter[str]()
    with _data(regress, options.lines) as folder, run_judge() as judge, _server(options.spark) as dsn:
        comparing = _Comparing(regress, folder, judge.dsn(), dsn, options.limit)
        for script in (_SETUP, *options.scripts):
            if time.monotonic() - began < options.seconds:
                counts += comparing.run(script)
    print(f"{sum(counts.values())} statements, {dict(counts)}; see {_RESULTS}")


@contextmanager
def _server(spark: bool) -> Iterator[str]:
    if not spark:
        with memory_server() as running:
            yield running.dsn()
        return
    with tempfile.TemporaryDirectory(prefix="headwater-regression-") as folder:
        server = start_server(Path(folder), timeout_s=180)
        try:
            yield server.dsn()
        finally:
            server.stop()


@contextmanager
def _data(regress: Path, lines: int) -> Iterator[Path]:
    """The beginnings of the scripts' files of data: joins of all of it take the interpreter hours."""
    folder = Path(tempfile.mkdtemp(prefix="headwater-regression-data-"))
    try:
        for part in ("data", "results"):
            (folder / part).mkdir()
            (folder / part).chmod(0o777)
        folder.chmod(0o755)
        for file in (regress / "data").iterdir():
            kept = file.read_text().splitlines(keepends=True)[:lines]
            (folder / "data" / file.name).write_text("".join(kept))
        yield folder
    finally:
        shutil.rmtree(folder)


class _Comparing:
    def __init__(self, regress: Path, folder: Path, postgresql: str, headwater: str, limit_s: int) -> None:
        self._regress = regress
        self._places = {"abs_srcdir": str(folder), "abs_builddir": str(folder)}
        self._dsns = (postgresql, headwater)
        self._limit_s = limit_s
        self._after_setup = Consequences()

    def run(self, script: str) -> Counter[str]:
        """How many statements were answered alike, and how many differ, by kind."""
        postgresql, headwater = (Session(dsn, self._limit_s) for dsn in self._dsns)
        counts = Counter[str]()
        consequences = self._after_setup if script == _SETUP else Consequences(self._after_setup)
        text = (self._regress / "sql" / f"{script}.sql").read_text()
        with (_RESULTS / f"{script}.jsonl").open("w") as output:
            for statement in statements_of(text, self._places):
                if _LEFT_OUT.match(statement.sql):
                    continue
                kind, line = self._compared(statement, postgresql, headwater, consequences)
                counts[kind] += 1
                output.write(line)
                output.flush()
        postgresql.close()
        headwater.close()
        print(f"{script}: {dict(counts)}", flush=True)
        return counts

    @staticmethod
    def _compared(
        statement: Statement, postgresql: Session, headwater: Session, consequences: Consequences
    ) -> tuple[str, str]:
        found = difference(postgresql.results(statement), headwater.results(statement), statement.sql)
        if found is None:
            return "alike", ""
        kind = "consequence" if consequences.note(statement, found) else found.kind
        return kind, json.dumps({"sql": statement.sql, "as": kind, **asdict(found)}) + "\n"


if __name__ == "__main__":
    main()
