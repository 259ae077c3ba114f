"""What every driver has to do, each on a real destination: the faults that are named after what they hit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import CommitProperties
from pyiceberg.table import Transaction

from connectors.aws.uploads import abort_upload
from connectors.delta.driver import DeltaDriver
from connectors.dynamodb import driver as dynamodb
from connectors.dynamodb.driver import DynamodbDriver
from connectors.files.bucket import BucketStore
from connectors.files.directory import DirectoryStore
from connectors.files.driver import FilesDriver
from connectors.iceberg.commits import FencedTransaction
from connectors.iceberg.driver import IcebergDriver
from connectors.mysql import driver as mysql
from connectors.mysql.driver import MysqlDriver
from connectors.mysql.table import MysqlTable
from connectors.opensearch.driver import OpensearchDriver
from connectors.postgres import driver as postgres
from connectors.postgres.driver import PostgresDriver
from connectors.postgres.table import PostgresTable
from connectors.redis.driver import RedisDriver
from connectors.redis.pieces import APPLY, MOVE
from connectors.sinks import fences
from connectors.sinks.messages import DELETED, FlushLoads, KeyRange, Load, Loaded, Open, StartedCommit, Store
from connectors.sinks.table_driver import TableDriver
from connectors.sqlite import driver as sqlite
from connectors.sqlite.driver import SqliteDriver
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4
from tests.connectors.sinks.destinations import RealDestination
from tests.connectors.sinks.kinds import FILES, KEYED, LAKES, TABLES, TRANSACTIONAL, UNREAD, made
from tests.connectors.sinks.sessions import DESC, DriverSession, RecoveryLog, sink_into


@pytest.fixture
def destination(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealDestination]:
    with closing(made(request.param, tmp_path, request)) as destination:
        yield destination


every = pytest.mark.parametrize("destination", [*TRANSACTIONAL, *FILES], indirect=True)
transactional = pytest.mark.parametrize("destination", TRANSACTIONAL, indirect=True)
keyed = pytest.mark.parametrize("destination", KEYED, indirect=True)
loading = pytest.mark.parametrize("destination", [each for each in TRANSACTIONAL if each not in UNREAD], indirect=True)
tables = pytest.mark.parametrize("destination", TABLES, indirect=True)
lakes = pytest.mark.parametrize("destination", LAKES, indirect=True)
files = pytest.mark.parametrize("destination", FILES, indirect=True)


def opened(destination: RealDestination, log: RecoveryLog, name: str = "s", *, anew: bool = False) -> DriverSession:
    """A session that has acknowledged what there was."""
    sink = sink_into(destination.place, keyed=destination.transactional, name=name)
    driver = destination.driver()
    try:
        session = DriverSession(driver, sink, log, anew=anew)
    except SqlError:
        driver.close()
        raise
    session.acknowledge()
    return session


def one_staged(destination: RealDestination, log: RecoveryLog) -> DriverSession:
    """A session that has committed A; B is staged, and the log has it."""
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.store([(B, 1)], 19)
    session.logged(20, session.start_commit(20))
    return session


A, B, C = (1, "a"), (2, "b"), (3, "c")
A2 = (1, 'it\'s, "quoted"\n\\ and long')


@pytest.mark.fault(34)
@every
def test_documents_come_change_and_go(destination: RealDestination) -> None:
    session = opened(destination, RecoveryLog())
    session.transact([(A, 1), (B, 1), (C, 1)], 10)
    assert destination.read() == Counter([A, B, C])
    session.transact([(A, -1), (A2, 1), (B, -1)], 20)
    assert destination.read() == Counter([A2, C])
    session.transact([(B, 1), (A2, -1)], 30)
    assert destination.read() == Counter([B, C])


@every
def test_a_transaction_without_documents_says_how_far_the_destination_is(destination: RealDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.transact([], 20)
    session.driver.close()
    assert opened(destination, log).position == 20


@every
def test_a_session_that_dies_while_it_stores_leaves_nothing(destination: RealDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.store([(B, 1)], 19)
    session.driver.close()
    assert destination.read() == Counter([A])
    again = opened(destination, log)
    assert again.position == 10
    again.transact([(B, 1), (C, 1)], 20)
    assert destination.read() == Counter([A, B, C])


@every
def test_a_session_that_dies_before_the_log_has_its_commit_is_repeated_or_skipped(destination: RealDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.store([(B, 1)], 19)
    session.start_commit(20)
    session.driver.close()
    again = opened(destination, log)
    if destination.transactional:
        assert again.position == 20
        again.transact([(C, 1)], 30)
    else:
        assert again.position == 10
        again.transact([(B, 1), (C, 1)], 30)
    assert destination.read() == Counter([A, B, C])


@files
def test_what_the_log_has_is_applied_when_the_next_session_acknowledges(destination: RealDestination) -> None:
    log = RecoveryLog()
    one_staged(destination, log).driver.close()
    assert destination.read() == Counter([A])
    again = opened(destination, log)
    assert destination.read() == Counter([A, B])
    again.transact([(C, 1)], 30)
    assert destination.read() == Counter([A, B, C])


@files
def test_to_apply_once_more_changes_nothing(destination: RealDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.store([(A, 1)], 9)
    session.logged(10, session.start_commit(10))
    known = dict(log.state)
    session.acknowledge()
    session.driver.close()
    for _ in range(3):
        log.state = dict(known)
        opened(destination, log).driver.close()
    assert destination.read() == Counter([A])


@pytest.mark.fault(20)
@files
def test_a_staged_file_that_is_gone_is_an_error_within_a_session(destination: RealDestination) -> None:
    session = one_staged(destination, RecoveryLog())
    assert isinstance(session.driver, FilesDriver)
    if isinstance(session.driver.store, DirectoryStore):
        for file in session.driver.store.hidden.iterdir():
            file.unlink()
    else:
        assert isinstance(session.driver.store, BucketStore)
        for key, upload in session.driver.store._uploads():
            abort_upload(session.driver.store._client, session.driver.store._place.bucket, key, upload)
    with pytest.raises(SqlError) as error:
        session.acknowledge()
    assert error.value.sqlstate is Sqlstate.IO_ERROR


@files
def test_a_directory_is_one_sinks(destination: RealDestination) -> None:
    opened(destination, RecoveryLog()).transact([(A, 1)], 10)
    with pytest.raises(SqlError) as error:
        opened(destination, RecoveryLog(), "other")
    assert error.value.sqlstate is Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE
    assert destination.read() == Counter([A])


@pytest.mark.fault(33)
@loading
def test_documents_are_loaded_by_key_and_those_that_are_not_there_left_out(destination: RealDestination) -> None:
    session = opened(destination, RecoveryLog())
    session.transact([(A, 1), ((2, None), 1), (C, 1)], 10)
    responses = session.ask(Load(rows_to_arrow([(3,), (9,), (2,)], relation_desc(("k", INT4)))))
    responses += session.ask(FlushLoads())
    loaded = [row for each in responses if isinstance(each, Loaded) for row in rows_from_arrow(each.documents, DESC)]
    assert Counter(loaded) == Counter([(2, None), C])
    session.ask(Store(session.documents([(B, 1), ((2, None), -1)], 19)))
    session.logged(20, session.start_commit(20))
    session.acknowledge()
    assert destination.read() == Counter([A, B, C])


@transactional
def test_a_session_that_was_taken_over_commits_nothing(destination: RealDestination) -> None:
    log = RecoveryLog()
    zombie = opened(destination, log)
    zombie.transact([(A, 1)], 10)
    live = opened(destination, RecoveryLog(log.frontier, dict(log.state)))
    live.transact([(B, 1)], 20)
    zombie.store([(C, 1)], 29)
    with pytest.raises(SqlError) as error:
        zombie.start_commit(30)
    assert "taken over" in f"{error.value.message} {error.value.detail}"
    assert destination.read() == Counter([A, B])
    live.transact([(C, 1)], 30)
    assert destination.read() == Counter([A, B, C])


@transactional
def test_a_session_that_was_taken_over_commits_nothing_before_the_next_does(destination: RealDestination) -> None:
    log = RecoveryLog()
    zombie = opened(destination, log)
    zombie.transact([(A, 1)], 10)
    live = opened(destination, RecoveryLog(log.frontier, dict(log.state)))
    zombie.store([(C, 1)], 19)
    with pytest.raises(SqlError):
        zombie.start_commit(20)
    live.transact([(B, 1)], 20)
    assert destination.read() == Counter([A, B])


@pytest.mark.fault(11)
@tables
def test_a_lost_table_of_checkpoints_means_to_begin_anew(destination: RealDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1), (B, 1)], 10)
    session.driver.close()
    assert destination.execute is not None
    destination.execute(f"DROP TABLE {fences.CHECKPOINTS}")
    again = opened(destination, log)
    assert again.position == 0
    again.transact([(B, 1), (C, 1)], 20)
    assert destination.read() == Counter([B, C])


@every
def test_what_is_begun_anew_takes_the_place_of_what_is_there(destination: RealDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1), (B, 1)], 10)
    session.driver.close()
    again = opened(destination, log, anew=True)
    assert again.position == 0
    if destination.transactional:
        assert destination.read() == Counter([A, B])
    again.transact([(B, 1), (C, 1)], 20)
    assert destination.read() == Counter([B, C])


@tables
def test_a_new_sink_never_replaces_what_others_wrote(destination: RealDestination) -> None:
    assert destination.execute is not None
    opened(destination, RecoveryLog()).transact([(A, 1)], 10)
    with pytest.raises(SqlError, match="by another sink"):
        opened(destination, RecoveryLog(), "other")
    assert destination.read() == Counter([A])
    (row,) = destination.execute(f"SELECT fence, frontier FROM {fences.CHECKPOINTS}")
    assert tuple(row) == (1, 10)


@tables
def test_rows_that_no_sink_wrote_are_not_replaced(destination: RealDestination) -> None:
    assert destination.execute is not None
    destination.execute("CREATE TABLE t (k integer PRIMARY KEY, v text)")
    destination.execute("INSERT INTO t VALUES (1, 'a')")
    with pytest.raises(SqlError, match="not empty"):
        opened(destination, RecoveryLog())
    assert destination.read() == Counter([A])


@tables
def test_two_sinks_never_write_one_table_however_empty_it_is(destination: RealDestination) -> None:
    assert destination.execute is not None
    session = opened(destination, RecoveryLog())
    with pytest.raises(SqlError, match="by another sink"):
        opened(destination, RecoveryLog(), "other")
    session.transact([(A, 1)], 10)
    assert destination.read() == Counter([A])
    session.driver.close()
    destination.execute("DROP TABLE t")
    opened(destination, RecoveryLog(), "other").transact([(B, 1)], 10)
    assert destination.read() == Counter([B])


@keyed
def test_a_key_that_is_there_already_is_an_error(destination: RealDestination) -> None:
    session = opened(destination, RecoveryLog())
    session.transact([(A, 1)], 10)
    with pytest.raises(SqlError) as error:
        session.store([((1, "other"), 1)], 19)
        session.start_commit(20)
    assert error.value.sqlstate is Sqlstate.UNIQUE_VIOLATION
    assert error.value.detail == "Key (k)=(1) is not unique."
    session.driver.close()
    assert destination.read() == Counter([A])


@tables
def test_a_table_that_lacks_a_column_is_an_error(destination: RealDestination) -> None:
    assert destination.execute is not None
    destination.execute("CREATE TABLE t (k integer PRIMARY KEY, w text)")
    with pytest.raises(SqlError, match='no column "v"'):
        opened(destination, RecoveryLog())


@tables
def test_a_table_that_fits_may_be_there(destination: RealDestination) -> None:
    assert destination.execute is not None
    destination.execute("CREATE TABLE t (more integer DEFAULT 7, v text, k integer PRIMARY KEY)")
    session = opened(destination, RecoveryLog())
    session.transact([(A, 1), (B, 1)], 10)
    session.transact([(A, -1), (A2, 1)], 20)
    assert destination.read() == Counter([A2, B])


@lakes
def test_what_others_wrote_into_a_lake_is_never_replaced(destination: RealDestination) -> None:
    opened(destination, RecoveryLog()).transact([(A, 1)], 10)
    with pytest.raises(SqlError, match="by another sink"):
        opened(destination, RecoveryLog(), "other")
    assert destination.read() == Counter([A])


@lakes
def test_a_lake_has_no_commit_of_a_transaction_without_documents(destination: RealDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.transact([], 20)
    session.transact([], 30)
    session.driver.close()
    again = opened(destination, log)
    assert again.position == 30
    again.transact([(B, 1)], 40)
    older = RecoveryLog(Timestamp(60), {"at": 50})
    assert opened(destination, older).position == 40


# Defects that are put in on purpose, and the test that has to see them.


_KEYED_DRIVERS: tuple[type[TableDriver], ...] = (
    SqliteDriver,
    PostgresDriver,
    MysqlDriver,
    RedisDriver,
    DynamodbDriver,
    OpensearchDriver,
    DeltaDriver,
    IcebergDriver,
)


def fence_unchecked(patch: pytest.MonkeyPatch) -> None:
    """Whoever has opened later is not looked for."""

    def opened_at(keys: KeyRange, rows: Iterable[fences.SplitCheckpoint]) -> fences.SplitCheckpoint:
        return replace(fences.opened_at(keys, rows), fence=1)

    for module in (sqlite, postgres, mysql):
        patch.setattr(module, "opened_at", opened_at)
    for name, script in (("APPLY", APPLY), ("MOVE", MOVE)):
        patch.setattr(f"connectors.redis.driver.{name}", script.replace("~= ARGV[2]", "== ''"))
    condition, anybodys = dynamodb._condition, {"ConditionExpression": "#s = :s OR #s <> :s"}
    patch.setattr(dynamodb, "_condition", lambda token: {**condition(token), **anybodys})
    whole = OpensearchDriver._moved

    def moved(self: OpensearchDriver, frontier: Timestamp, *, applying: bool) -> bool:
        self._known = {}
        return whole(self, frontier, applying=applying)

    patch.setattr(OpensearchDriver, "_moved", moved)
    patch.setattr(OpensearchDriver, "_require_own", lambda self: None)
    patch.setattr(DeltaDriver, "_told", lambda self, frontier: CommitProperties(max_commit_retries=9))
    patch.setattr(FencedTransaction, "commit_transaction", Transaction.commit_transaction)


def _commit_while_storing(patch: pytest.MonkeyPatch) -> None:
    for driver in (SqliteDriver, PostgresDriver, MysqlDriver):
        whole = driver.store

        def store(self: object, documents: object, whole: Callable[..., None] = whole) -> None:
            whole(self, documents)
            execute = self._execute if isinstance(self, MysqlDriver) else self._connection.execute  # type: ignore[attr-defined]
            execute("COMMIT")
            execute("BEGIN")

        patch.setattr(driver, "store", store)
    stored = RedisDriver.store

    def committed(self: RedisDriver, documents: pa.Table) -> None:
        stored(self, documents)
        self.commit(self.own.frontier)

    patch.setattr(RedisDriver, "store", committed)


def _staged_under_its_own_name(patch: pytest.MonkeyPatch) -> None:
    whole = FilesDriver._commit

    def commit(self: FilesDriver, frontier: int) -> StartedCommit:
        started = whole(self, frontier)  # type: ignore[arg-type]
        self._apply()
        return started

    patch.setattr(FilesDriver, "_commit", commit)


def _documents_dropped(patch: pytest.MonkeyPatch) -> None:
    stores = [(driver, "store") for driver in _KEYED_DRIVERS]
    for driver, name in (*stores, (FilesDriver, "_store")):
        whole = getattr(driver, name)

        def store(self: object, documents: object, whole: Callable[..., None] = whole) -> None:
            whole(self, documents.slice(1))  # type: ignore[attr-defined]

        patch.setattr(driver, name, store)


def _begun_without_a_commit(patch: pytest.MonkeyPatch) -> None:
    whole = IcebergDriver._commit

    def commit(self: IcebergDriver, added: Sized, *told: Any) -> None:
        if added:
            whole(self, added, *told)  # type: ignore[arg-type]

    patch.setattr(IcebergDriver, "_commit", commit)


def _changed_rows_left(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(IcebergDriver, "_left", lambda self, keys, replaced: iter(()))


def log_trusted(patch: pytest.MonkeyPatch) -> None:
    """However far the destination is, the log's word counts."""
    for driver in (SqliteDriver, PostgresDriver, MysqlDriver, RedisDriver):
        whole = driver.open

        def open_(self: TableDriver, request: Open, whole: Callable[..., None] = whole) -> None:
            whole(self, request)
            self.own = replace(self.own, frontier=request.frontier)

        patch.setattr(driver, "open", open_)


def _missing_files_applied(patch: pytest.MonkeyPatch) -> None:
    """What is staged and gone is taken for done, always."""
    for store in (DirectoryStore, BucketStore):
        patch.setattr(store, "apply", lambda self, staged: True)


def _deletions_forgotten(patch: pytest.MonkeyPatch) -> None:
    """What is to go stays."""
    for driver in _KEYED_DRIVERS:
        whole = driver.store

        def store(self: TableDriver, documents: pa.Table, whole: Callable[..., None] = whole) -> None:
            at = documents.schema.get_field_index(DELETED)
            whole(self, documents.set_column(at, DELETED, pa.array([False] * documents.num_rows)))

        patch.setattr(driver, "store", store)


def _all_keys_loaded(patch: pytest.MonkeyPatch) -> None:
    """For a key that is not there a document of NULLs is loaded."""
    for driver in (SqliteDriver, PostgresDriver, MysqlDriver, RedisDriver, DeltaDriver, IcebergDriver):
        whole = driver.load

        def load(self: TableDriver, keys: pa.Table, whole: Callable[..., pa.Table] = whole) -> pa.Table:
            found = whole(self, keys)
            empty = rows_to_arrow([(9, None)], self.written.documents)
            return pa.concat_tables([found.select(empty.column_names), empty.cast(found.schema)])

        patch.setattr(driver, "load", load)


Defect = Callable[[pytest.MonkeyPatch], None]
_SEEN_BY: list[tuple[Defect, Callable[[RealDestination], None], list[str]]] = [
    (fence_unchecked, test_a_session_that_was_taken_over_commits_nothing, KEYED),
    (
        _begun_without_a_commit,
        test_a_session_that_was_taken_over_commits_nothing_before_the_next_does,
        ["iceberg"],
    ),
    (_changed_rows_left, test_documents_come_change_and_go, ["iceberg"]),
    (_commit_while_storing, test_a_session_that_dies_while_it_stores_leaves_nothing, [*TABLES, "redis"]),
    (_staged_under_its_own_name, test_a_session_that_dies_before_the_log_has_its_commit_is_repeated_or_skipped, FILES),
    (log_trusted, test_a_lost_table_of_checkpoints_means_to_begin_anew, TABLES),
    (_missing_files_applied, test_a_staged_file_that_is_gone_is_an_error_within_a_session, FILES),
    (_deletions_forgotten, test_documents_come_change_and_go, KEYED),
    (
        _all_keys_loaded,
        test_documents_are_loaded_by_key_and_those_that_are_not_there_left_out,
        [*TABLES, "redis", "delta", "iceberg"],
    ),
    (_documents_dropped, test_documents_come_change_and_go, [*KEYED, *FILES]),
]


@pytest.mark.parametrize(
    ("defect", "test", "kind"), [(defect, test, kind) for defect, test, kinds in _SEEN_BY for kind in kinds]
)
def test_a_planted_defect_is_seen(
    defect: Defect,
    test: Callable[[RealDestination], None],
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(made(kind, tmp_path, request)) as destination:
        defect(monkeypatch)
        with pytest.raises((AssertionError, pytest.fail.Exception, SqlError)):
            test(destination)


@pytest.mark.parametrize(("kind", "quote"), [("postgres", '"'), ("mysql", "`")])
def test_names_may_have_percent_signs(kind: str, quote: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Drivers of databases take them for places of values."""
    with closing(made(kind, tmp_path, request)) as destination:
        assert destination.execute is not None
        schema, table = "50% s", "%s %"
        name = f"{quote}{schema}{quote}.{quote}{table}{quote}"
        ending = " CASCADE" if kind == "postgres" else ""
        destination.execute(f"DROP SCHEMA IF EXISTS {quote}{schema}{quote}{ending}")
        destination.execute(f"CREATE SCHEMA {quote}{schema}{quote}")
        assert isinstance(destination.place, PostgresTable | MysqlTable)
        destination.place = replace(destination.place, table=(schema, table))
        log = RecoveryLog()
        session = opened(destination, log)
        session.transact([(A, 1), (B, 1)], 10)
        session.transact([(A, -1), (A2, 1), (B, -1)], 20)
        assert destination.execute(f"SELECT count(*) FROM {name}") == [(1,)]
        session = opened(destination, log)
        session.transact([(C, 1)], 30)
        assert destination.execute(f"SELECT count(*) FROM {name}") == [(2,)]
        destination.close()
        destination.execute(f"DROP SCHEMA {quote}{schema}{quote}{ending}")
