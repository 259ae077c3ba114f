"""Runs the suites against PostgreSQL and then against Headwater, and shows what differs; see the package."""

from __future__ import annotations

import argparse
import datetime
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import psycopg
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tests.judge import run_judge
from tests.server.memory_server import memory_server
from tests.server_process import start_server
from tools.conformance.comparison import Comparison, Outcome, compare
from tools.conformance.run import Address, run_suite
from tools.conformance.suites import SUITES, Suite, suite_named

_RESULTS = Path("build/conformance")
_START_TIMEOUT_S = 180.0
_FAMILIES_SHOWN = 15


def main() -> None:
    names = tuple(suite.name for suite in SUITES)
    parser = argparse.ArgumentParser(description="Runs drivers' own test suites against Headwater.")
    parser.add_argument("suites", nargs="*", choices=(*names, []), metavar="SUITE", help=", ".join(names))
    parser.add_argument("--tests", nargs="+", default=(), help="words for the suite's runner in place of its own")
    parser.add_argument("--limit", type=float, default=1800, help="seconds for one suite against one server")
    parser.add_argument("--replica-memory", default="1g")
    parser.add_argument("--in-memory", action="store_true", help="a server without Spark: the interpreter answers")
    options = parser.parse_args()
    found: list[Comparison] = []
    began = datetime.datetime.now(datetime.UTC)
    for name in options.suites or names:
        memory = None if options.in_memory else options.replica_memory
        found.append(_compared(suite_named(name), options.tests, options.limit, memory))
        _show_families(found[-1])
        path = _save(found, began)
        print(f"saved in {path}", flush=True)
    _show(found)


def _compared(suite: Suite, tests: Sequence[str], limit_s: float, replica_memory: str | None) -> Comparison:
    """Each server begins empty, so that no suite meets what another has left. Without memory for a replica, the server
    is one of the tests'."""
    print(f"{suite.name}: PostgreSQL …", flush=True)
    with run_judge() as judge:
        postgresql = run_suite(suite, Address(judge.host, judge.port), tests, limit_s)
    print(f"{suite.name}: Headwater …", flush=True)
    if replica_memory is None:
        with memory_server() as server:
            headwater = run_suite(suite, Address("127.0.0.1", server.port), tests, limit_s)
    else:
        headwater = _with_headwater(suite, tests, limit_s, replica_memory)
    return compare(suite.name, suite.goal, postgresql, headwater)


def _with_headwater(suite: Suite, tests: Sequence[str], limit_s: float, replica_memory: str) -> dict[str, Outcome]:
    with tempfile.TemporaryDirectory(prefix="headwater-conformance-") as folder:
        server = start_server(
            Path(folder),
            "--replica-memory",
            replica_memory,
            "--max-prepared-transactions",
            "10",
            timeout_s=_START_TIMEOUT_S,
        )
        try:
            _await_spark(Address(server.host, server.port))
            return run_suite(suite, Address(server.host, server.port), tests, limit_s)
        finally:
            server.stop()


def _await_spark(address: Address) -> None:
    """Asks what Spark alone can answer: a suite's first test is not to wait for Spark's start."""
    with psycopg.connect(host=address.host, port=address.port, user="headwater", autocommit=True) as connection:
        connection.execute("CREATE TABLE awaited AS SELECT 1 AS a")
        connection.execute("SELECT a, count(*) FROM awaited GROUP BY a")
        connection.execute("DROP TABLE awaited")


def _show_families(comparison: Comparison) -> None:
    table = Table(title=f"{comparison.suite}: what fails", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("tests", justify="right")
    table.add_column("error", overflow="fold")
    for family in comparison.families[:_FAMILIES_SHOWN]:
        table.add_row(str(len(family.tests)), escape(family.error))
    Console().print(table)


def _show(found: Sequence[Comparison]) -> None:
    table = Table(title="Of what PostgreSQL passes", title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("suite", "PostgreSQL", "Headwater", "percent", "goal"):
        table.add_column(name, justify="left" if name == "suite" else "right")
    for each in found:
        goal = "" if each.goal is None else f">= {each.goal}"
        table.add_row(each.suite, str(each.baseline), str(each.passed), f"{each.percent:.1f}", goal)
    Console().print(table)


def _save(found: Sequence[Comparison], began: datetime.datetime) -> Path:
    """Returns the file, which is written anew after each suite."""
    _RESULTS.mkdir(parents=True, exist_ok=True)
    path = _RESULTS / f"{began:%Y%m%dT%H%M%SZ}.json"
    path.write_text(json.dumps({"at": began.isoformat(), "suites": [asdict(each) for each in found]}, indent=2) + "\n")
    return path


if __name__ == "__main__":
    main()
