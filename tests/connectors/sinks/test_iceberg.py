"""What others see and do of tables of Iceberg, beside what all drivers have to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Operation
from pyiceberg.table.update.snapshot import _OverwriteFiles
from pyiceberg.types import StringType

from connectors.iceberg import driver as iceberg
from connectors.iceberg.commits import MergingOverwrite
from connectors.iceberg.driver import CATALOG, CATALOG_FILE, FRONTIER, IcebergDriver
from model.errors.sql_error import SqlError
from model.types.datum import Row
from tests.connectors.sinks.destinations import RealDestination, iceberg_destination
from tests.connectors.sinks.sessions import DriverSession, RecoveryLog, sink_into

A, B, C = (1, "a"), (2, "b"), (3, "c")


@pytest.fixture
def destination(tmp_path: Path) -> Iterator[RealDestination]:
    with closing(iceberg_destination(tmp_path / "a lake")) as destination:
        yield destination


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Callable[[], Table]]:
    """The table, as it is for others by now."""
    path = tmp_path / "a lake"
    catalog = SqlCatalog(CATALOG, uri=f"sqlite:///{path}/{CATALOG_FILE}", init_catalog_tables="false")
    with closing(catalog):
        yield lambda: catalog.load_table("some.table")


def _opened(destination: RealDestination, log: RecoveryLog, *, keyed: bool = True) -> DriverSession:
    session = DriverSession(destination.driver(), sink_into(destination.place, keyed=keyed), log)
    session.acknowledge()
    return session


def _rows(table: Table, snapshot: int | None = None) -> list[Row]:
    return sorted(tuple(row.values()) for row in table.scan(snapshot_id=snapshot).to_arrow().to_pylist())


def test_each_transaction_is_one_snapshot_that_says_how_far_it_is(
    destination: RealDestination, seen: Callable[[], Table]
) -> None:
    session = _opened(destination, RecoveryLog())
    session.transact([(A, 1), (B, 1)], 10)
    session.transact([(A, -1), ((1, "x"), 1), (B, -1), (C, 1)], 20)
    session.transact([((1, "x"), -1), (C, -1)], 30)
    session.transact([(B, 1)], 40)
    table = seen()
    told = [(snapshot.summary[FRONTIER], _rows(table, snapshot.snapshot_id)) for snapshot in table.snapshots()]  # type: ignore[index]
    wanted: list[tuple[str, list[Row]]] = [("0", []), ("10", [A, B]), ("20", [(1, "x"), C]), ("30", []), ("40", [B])]
    assert told == wanted
    summary = table.snapshots()[2].summary
    assert summary is not None
    assert summary.operation is Operation.OVERWRITE
    assert (summary["deleted-data-files"], summary["total-records"]) == ("1", "2")


def test_changes_are_rows_with_their_times(destination: RealDestination, seen: Callable[[], Table]) -> None:
    session = _opened(destination, RecoveryLog(), keyed=False)
    session.transact([(A, 2), (B, 1)], 10)
    session.transact([(A, -1)], 20)
    assert _rows(seen()) == [(*A, 9, 2), (*A, 19, -1), (*B, 9, 1)]


def test_who_rolls_the_table_back_gets_what_is_missing_again(
    destination: RealDestination, seen: Callable[[], Table]
) -> None:
    log = RecoveryLog()
    session = _opened(destination, log)
    session.transact([(A, 1)], 10)
    session.transact([(B, 1)], 20)
    first = seen().snapshots()[1].snapshot_id
    seen().manage_snapshots().rollback_to_snapshot(first).commit()
    with pytest.raises(SqlError, match="taken over"):
        session.transact([(C, 1)], 30)
    again = _opened(destination, log)
    assert again.position == 10
    again.transact([(B, 1), (C, 1)], 30)
    assert destination.read() == Counter([A, B, C])


def test_others_may_rewrite_files_and_forget_snapshots(destination: RealDestination, seen: Callable[[], Table]) -> None:
    log = RecoveryLog()
    session = _opened(destination, log)
    session.transact([(A, 1)], 10)
    session.transact([(B, 1)], 20)
    rows = seen().scan().to_arrow()
    seen().overwrite(rows)
    with pytest.raises(SqlError, match="taken over"):
        session.transact([(C, 1)], 30)
    again = _opened(destination, log)
    assert again.position == 20
    again.transact([(C, 1)], 30)
    seen().overwrite(seen().scan().to_arrow())
    current = seen().current_snapshot()
    assert current is not None
    seen().maintenance.expire_snapshots().by_ids(
        [each.snapshot_id for each in seen().snapshots() if each.snapshot_id != current.snapshot_id]
    ).commit()
    last = _opened(destination, log)
    assert last.position == 30
    last.transact([(A, -1)], 40)
    assert destination.read() == Counter([B, C])


def test_columns_of_others_are_kept(destination: RealDestination, seen: Callable[[], Table]) -> None:
    log = RecoveryLog()
    _opened(destination, log).transact([(A, 1), (B, 1)], 10)
    with seen().update_schema() as update:
        update.add_column("more", StringType())
    whole = pa.table({"k": [1, 2], "v": ["a", "b"], "more": ["x", "y"]}, schema=seen().schema().as_arrow())
    seen().overwrite(whole)
    again = _opened(destination, log)
    again.transact([(A, -1), (C, 1)], 20)
    assert _rows(seen()) == [(*B, "y"), (3, "c", None)]


def test_files_without_a_changed_row_stay(destination: RealDestination, seen: Callable[[], Table]) -> None:
    session = _opened(destination, RecoveryLog())
    for start in range(0, 1000, 250):
        session.transact([((key, "a"), 1) for key in range(start, start + 250)], start + 10)
    before = {task.file.file_path for task in seen().scan().plan_files()}
    session.transact([((7, "a"), -1), ((7, "b"), 1)], 2000)
    after = {task.file.file_path for task in seen().scan().plan_files()}
    assert len(before) == 4
    assert len(before & after) == 3
    many = [change for key in range(250, 700) for change in (((key, "a"), -1), ((key, "b"), 1))]
    session.transact(many, 3000)
    last = {task.file.file_path for task in seen().scan().plan_files()}
    assert len(after & last) == 2
    assert Counter(value for _, value in destination.read()) == {"a": 549, "b": 451}


def test_large_files_are_cut(
    destination: RealDestination, seen: Callable[[], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(iceberg, "_FILE_BYTES", 1000)
    session = _opened(destination, RecoveryLog())
    for at in range(3):
        session.store([((key, "a" * 50), 1) for key in range(at * 100, at * 100 + 100)], 9)
        session.logged(10 + at, session.start_commit(10 + at))
        session.acknowledge()
    assert len(destination.read()) == 300
    assert len({task.file.file_path for task in seen().scan().plan_files()}) == 3


def _manifests(table: Table) -> int:
    current = table.current_snapshot()
    assert current is not None
    return len(current.manifests(table.io))


def test_manifests_stay_few(
    destination: RealDestination, seen: Callable[[], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectors.iceberg.commits._MANIFESTS", 5)
    session = _opened(destination, RecoveryLog())
    row: Row = (0, "0")
    session.transact([(row, 1)], 10)
    most = 0
    for number in range(1, 12):
        after: Row = (0, str(number))
        session.transact([(row, -1), (after, 1), ((number, "n"), 1)], 10 + number)
        row = after
        most = max(most, _manifests(seen()))
    assert len(destination.read()) == 12
    assert most <= 5


def test_manifests_that_are_never_merged_are_seen(
    destination: RealDestination, seen: Callable[[], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MergingOverwrite, "_process_manifests", _OverwriteFiles._process_manifests)
    with pytest.raises(AssertionError):
        test_manifests_stay_few(destination, seen, monkeypatch)


def test_a_catalog_that_is_away_is_an_error_of_the_session(destination: RealDestination, tmp_path: Path) -> None:
    session = _opened(destination, RecoveryLog())
    session.transact([(A, 1)], 10)
    (tmp_path / "a lake" / CATALOG_FILE).rename(tmp_path / "elsewhere")
    assert isinstance(session.driver, IcebergDriver)
    session.driver.close()
    (tmp_path / "a lake" / CATALOG_FILE).mkdir()
    with pytest.raises(SqlError, match=r'Iceberg table "some\.table"'):
        _opened(destination, session.log)
    (tmp_path / "a lake" / CATALOG_FILE).rmdir()
    (tmp_path / "elsewhere").rename(tmp_path / "a lake" / CATALOG_FILE)
    again = _opened(destination, session.log)
    again.transact([(B, 1)], 20)
    assert destination.read() == Counter([A, B])
