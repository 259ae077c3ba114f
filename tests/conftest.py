"""Fixtures for every room: the judge, and a running server, each started once per test process."""

import gc
from collections.abc import Generator, Iterator

import psycopg
import pytest
from hypothesis import settings

from model.process.collecting import set_aside
from tests.amazon import run_amazon
from tests.connectors.sinks.opensearch_server import OpensearchServer, opensearch_server
from tests.data_servers import KEPT, MariaDb, RedisServer, run_mariadb, run_redis
from tests.in_part import leave_out
from tests.judge import Judge, run_judge
from tests.processor_time import ProcessorTimePlugin, expected_seconds, read_record
from tests.server_process import ServerProcess, start_server
from tests.short_lived import compile_plainly, keep_bytecode, keep_heaps_small, start_cold
from tests.temporary_places import put_temporary_files_in_memory

# CI draws the same examples each time, so that it tells of the change alone; `--hypothesis-profile=explore` draws more.
# No example has a time limit: the machine may be busy.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("explore", derandomize=False, print_blob=True, deadline=None)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(ProcessorTimePlugin())
    put_temporary_files_in_memory()
    compile_plainly()
    start_cold()
    keep_heaps_small()
    keep_bytecode()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--simulation-seeds", type=int, default=10, help="how many seeds of the simulation must show no violation"
    )
    parser.addoption("--keep-processor-time", action="store_true", help="write what files took to processor_time.txt")
    parser.addoption("--whole", action="store_true", help="try whole what is tried in part where every change is tried")
    parser.addoption("--kill-rounds", type=int, default=1, help="how often real processes are killed under load")
    parser.addoption("--kill-records", type=int, default=10_000, help="how many records arrive in each such round")
    parser.addoption("--transfer-reads", type=int, default=5, help="how often money under way is counted")
    parser.addoption(
        "--random-queries", type=int, default=150, help="how many random queries PostgreSQL must judge alike"
    )
    parser.addoption("--random-calls", type=int, default=150, help="how many random calls PostgreSQL must judge alike")
    parser.addoption(
        "--random-patterns", type=int, default=150, help="how many random patterns PostgreSQL must judge alike"
    )
    parser.addoption(
        "--random-texts", type=int, default=150, help="how many random texts must be read as PostgreSQL reads them"
    )
    parser.addoption(
        "--attack-bytes", type=int, default=100_000, help="how long the texts are that attack a running server"
    )
    parser.addoption(
        "--attack-value-bytes",
        type=int,
        default=4 << 20,
        help="how long the values are that go in and out of a server",
    )
    parser.addoption("--starved-minutes", type=float, default=0.1, help="for how many minutes a server is starved")
    parser.addoption("--starved-processes", type=int, default=1, help="how many processes starve it")
    parser.addoption(
        "--secured-cells", type=int, default=6, help="attempts of roles under each set of policies, against PostgreSQL"
    )
    parser.addoption(
        "--privilege-cells", type=int, default=200, help="how many attempts of roles PostgreSQL must judge alike"
    )
    parser.addoption("--random-views", type=int, default=4, help="how many random temporal views keep to their queries")
    parser.addoption("--random-histories", type=int, default=1, help="how many random histories views must keep to")
    parser.addoption(
        "--history-transactions", type=int, default=150, help="how many transactions that append to lists have an order"
    )
    parser.addoption("--queued-jobs", type=int, default=30, help="how many jobs workers must take, each of them once")
    parser.addoption("--base-rows", type=int, default=4_000, help="on how many rows a small change must cost as little")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Sets aside what importing all tests has made: Python's collector of cycles would visit it again and again,
    while tests are imported and then while they run, and all of it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        set_aside()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is tried with `--whole` alone, and gives a test that does as much as an option asks its time by
    that, so that one that hangs is seen before long."""
    leave_out(config, items)
    for item in items:
        for option, seconds_each in (mark.args for mark in item.iter_markers("time_by")):
            item.add_marker(pytest.mark.timeout(300 + seconds_each * int(config.getoption(option))))
    if hasattr(config, "workerinput"):
        _put_long_files_first(items)


def _put_long_files_first(items: list[pytest.Item]) -> None:
    """Processes take files in this order: one that begins last and takes minutes would leave the others idle."""
    expected = expected_seconds(items, read_record())
    items.sort(key=lambda item: -expected[item.path])


@pytest.fixture(scope="session")
def simulation_seeds(request: pytest.FixtureRequest) -> range:
    return range(request.config.getoption("--simulation-seeds"))


@pytest.fixture(scope="session")
def whole(request: pytest.FixtureRequest) -> bool:
    """Whether what is else tried in part is tried whole."""
    return bool(request.config.getoption("--whole"))


@pytest.fixture(scope="session")
def one_judge() -> Iterator[Judge]:
    """PostgreSQL 16, for all modules of the process."""
    with run_judge() as judge:
        yield judge


@pytest.fixture(scope="module")
def judge(one_judge: Judge) -> Judge:
    """PostgreSQL 16, with an empty database `headwater`: another module may have left something in it."""
    one_judge.empty()
    return one_judge


@pytest.fixture(scope="module")
def postgres(judge: Judge) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection to the judge, whose database is empty, in autocommit mode; the module's tests share it."""
    with judge.connect() as connection:
        yield connection


@pytest.fixture(scope="session")
def mariadb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDb]:
    """MariaDB, with an empty database `headwater`."""
    with run_mariadb(tmp_path_factory.mktemp("mariadb")) as server:
        yield server


@pytest.fixture(scope="module")
def amazon() -> Iterator[str]:
    """The endpoint of what speaks as Amazon's services do."""
    with run_amazon() as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def opensearch() -> Iterator[OpensearchServer]:
    """What speaks as OpenSearch does."""
    with opensearch_server() as server:
        yield server


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """Redis, which keeps what it has told."""
    with run_redis(tmp_path_factory.mktemp("redis"), *KEPT) as server:
        yield server


@pytest.fixture(scope="session")
def headwater_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A Headwater with an empty data directory; tests that use it are marked `spark`."""
    server = start_server(tmp_path_factory.mktemp("headwater"))
    try:
        yield server
    finally:
        server.stop()
