"""What is MariaDB's and MySQL's own: types and collations, tables that lose something, sessions that hang."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pymysql.constants import CLIENT

from connectors.mysql import driver as mysql
from connectors.mysql.mysql_connections import ask_mysql
from connectors.mysql.settings import MYSQL_SETTINGS
from connectors.sinks.fences import CHECKPOINTS
from connectors.sinks.messages import Load, Loaded
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.text.dispatch import format_datum, parse_datum
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import BYTEA, FLOAT8, INT4, NUMERIC, TEXT, ScalarType, TypeName
from planner.statements.sinks.create_sink import KEY_TYPES
from tests.connectors.sinks.destinations import RealDestination, mysql_destination
from tests.connectors.sinks.sessions import DriverSession, RecoveryLog, sink_into
from tests.connectors.sinks.test_types import VALUES
from tests.connectors.sources.kafka.certificates import Certificate
from tests.data_servers import MariaDb, run_mariadb

_NOT_THERE = ("NaN", "Infinity", "-Infinity")
_SHOWN = {
    TypeName.BOOL: ["1", "0"],
    TypeName.DATE: ["0001-01-01", "9999-12-31", "2026-11-23"],
    TypeName.TIMESTAMPTZ: ["0001-01-01 00:00:00.000000", "2026-11-23 14:00:00.000001"],
    TypeName.UINT8: ["0", "18446744073709551615"],
    TypeName.BYTEA: ["", "00FF5C22", "2C0A"],
}
"""What MySQL's own readers see of these."""


@pytest.fixture
def destination(mariadb: MariaDb) -> Iterator[RealDestination]:
    with closing(mysql_destination(mariadb)) as destination:
        yield destination


def opened(destination: RealDestination, desc: RelationDesc, *, enforced: bool = True) -> DriverSession:
    sink = sink_into(destination.place, desc=desc, enforced=enforced)
    session = DriverSession(destination.driver(), sink, RecoveryLog())
    session.acknowledge()
    return session


def loaded(session: DriverSession, keys: list[Row], desc: RelationDesc) -> list[Row]:
    of_key = relation_desc(("k", desc.types[0]))
    (found,) = session.ask(Load(rows_to_arrow(keys, of_key)))
    assert isinstance(found, Loaded)
    return [*rows_from_arrow(found.documents, desc)]


@pytest.mark.in_part(4)
@pytest.mark.fault(36)
@pytest.mark.parametrize("type_", VALUES, ids=str)
def test_mysql_gives_back_what_it_was_given(type_: ScalarType, destination: RealDestination) -> None:
    datums = [*(parse_datum(text, type_) for text in VALUES[type_] if text not in _NOT_THERE), None]
    wanted = [None if datum is None else format_datum(datum, type_) for datum in datums]
    desc = RelationDesc((ColumnDesc("k", INT4), ColumnDesc("odd `name` %s", type_)))
    session = opened(destination, desc)
    session.transact([((k, datum), 1) for k, datum in enumerate(datums)], 10)
    session.transact([((1000, datums[0]), 1), *(((k, d), -1) for k, d in enumerate(datums))], 20)
    session.transact([((1000, datums[0]), -1), *(((k, d), 1) for k, d in enumerate(datums))], 30)
    read = {row[0]: row[1] for row in loaded(session, [(k,) for k in range(len(datums))], desc)}
    back = [read[k] for k in range(len(datums))]
    assert [None if datum is None else format_datum(datum, type_) for datum in back] == wanted
    if type_.name in _SHOWN:
        assert destination.execute is not None
        as_text = "HEX(`odd ``name`` %s`)" if type_.name is TypeName.BYTEA else "CAST(`odd ``name`` %s` AS CHAR)"
        shown = destination.execute(f"SELECT {as_text} FROM t ORDER BY k")
        assert [text for (text,) in shown] == [*_SHOWN[type_.name], None]


@pytest.mark.in_part(4)
@pytest.mark.parametrize("type_", [type_ for type_ in VALUES if type_.name in KEY_TYPES], ids=str)
def test_every_key_is_found_again(type_: ScalarType, destination: RealDestination) -> None:
    keys = [parse_datum(text, type_) for text in VALUES[type_]]
    session = opened(destination, RelationDesc((ColumnDesc("k", type_), ColumnDesc("v", TEXT))))
    session.transact([((key, "a"), 1) for key in keys], 10)
    session.transact([change for key in keys for change in (((key, "a"), -1), ((key, "b"), 1))], 20)
    assert [value for _, value in destination.read().elements()] == ["b"] * len(keys)
    session.transact([((key, "b"), -1) for key in keys], 30)
    assert not destination.read()


_ALIKE = ["a", "A", "a ", " a", "ä", "a\u0308", "\u00e4 ", ""]
"""What most of MySQL's collations take for equal."""


@pytest.mark.parametrize("enforced", [True, False])
def test_texts_of_a_key_are_equal_only_where_all_of_their_characters_are(
    destination: RealDestination, enforced: bool
) -> None:
    session = opened(destination, relation_desc(("k", TEXT), ("v", INT4)), enforced=enforced)
    session.transact([((text, 1), 1) for text in _ALIKE], 10)
    assert destination.read() == Counter((text, 1) for text in _ALIKE)
    session.transact([(("a ", 1), -1), (("A", 1), -1), (("A", 2), 1)], 20)
    assert destination.read() == Counter((text, 2 if text == "A" else 1) for text in _ALIKE if text != "a ")


def test_bytes_of_a_key_are_not_padded(destination: RealDestination) -> None:
    session = opened(destination, relation_desc(("k", BYTEA), ("v", INT4)))
    keys = [b"", b"a", b"a ", b"a\0", b"A"]
    session.transact([((key, 1), 1) for key in keys], 10)
    assert destination.read() == Counter((key, 1) for key in keys)


@pytest.mark.parametrize(
    ("made", "why"),
    [
        ("k varchar(20) PRIMARY KEY, v decimal(40, 20)", "compares texts by"),
        ("k varchar(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY, v int", "does not hold what DECIMAL"),
        ("k varchar(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY, v decimal(40, 2)", "does not hold what DECIMAL"),
        ("k char(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY, v decimal(40, 20)", "does not hold what VARCHAR"),
        ("k varchar(20) COLLATE utf8mb4_nopad_bin, v decimal(40, 20), UNIQUE (k(3))", "its key is not unique"),
        (
            "k varchar(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY, v decimal(40, 20)) ENGINE = MyISAM -- ",
            "its engine is",
        ),
    ],
)
def test_a_table_that_would_change_values_is_refused(destination: RealDestination, made: str, why: str) -> None:
    assert destination.execute is not None
    destination.execute(f"CREATE TABLE t ({made}\n)" if "--" not in made else f"CREATE TABLE t ({made}")
    with pytest.raises(SqlError, match=why) as error:
        opened(destination, relation_desc(("k", TEXT), ("v", NUMERIC)))
    assert error.value.sqlstate is Sqlstate.DATATYPE_MISMATCH


def test_a_table_that_holds_all_is_taken(destination: RealDestination) -> None:
    assert destination.execute is not None
    destination.execute(
        "CREATE TABLE t (V decimal(40, 20), n int DEFAULT 1, k varchar(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY)"
    )
    session = opened(destination, relation_desc(("k", TEXT), ("v", INT4)))
    session.transact([(("a", 1), 1)], 10)
    assert destination.execute("SELECT k, CAST(v AS SIGNED), n FROM t") == [("a", 1, 1)]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_mysql_has_not_are_refused(destination: RealDestination, number: float) -> None:
    session = opened(destination, relation_desc(("k", INT4), ("v", FLOAT8)))
    session.transact([((1, 1.5), 1)], 10)
    with pytest.raises(SqlError) as error:
        session.store([((2, number), 1)], 19)
    assert error.value.sqlstate is Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE
    session.driver.close()
    assert destination.read() == Counter([(1, 1.5)])


def test_a_key_that_is_longer_than_an_index_allows_is_an_error(destination: RealDestination) -> None:
    session = opened(destination, relation_desc(("k", TEXT), ("v", INT4)))
    session.transact([(("x" * 768, 1), 1)], 10)
    with pytest.raises(SqlError, match="Data too long for column 'k'"):
        session.store([(("x" * 769, 1), 1)], 19)


def test_statements_are_shorter_than_the_server_allows(destination: RealDestination) -> None:
    """100 MB in one transaction, where a statement has 16 MiB at most."""
    session = opened(destination, relation_desc(("k", INT4), ("v", TEXT)))
    session.transact([((k, str(k) + "'" * 1_000_000), 1) for k in range(50)], 10)
    assert destination.execute is not None
    assert destination.execute("SELECT count(*), sum(char_length(v)) FROM t") == [(50, 50_000_090)]
    session.transact([((k, str(k) + "'" * 1_000_000), -1) for k in range(49)], 20)
    assert destination.execute("SELECT k FROM t") == [(49,)]


def test_a_session_that_hangs_can_be_ended(destination: RealDestination, mariadb: MariaDb) -> None:
    desc = relation_desc(("k", INT4), ("v", TEXT))
    session = opened(destination, desc)
    session.transact([((1, "a"), 1)], 10)
    with closing(mariadb.connect()) as other, other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT * FROM t FOR UPDATE")
        failures: list[SqlError] = []

        def store() -> None:
            try:
                session.store([((1, "a"), -1), ((1, "b"), 1)], 19)
            except SqlError as error:
                failures.append(error)

        storing = threading.Thread(target=store)
        storing.start()
        while not mariadb.query("SELECT 1 FROM information_schema.INNODB_LOCK_WAITS"):
            time.sleep(0.2)  # asked again within a tenth of a second, the server tells what it has told before
        session.driver.abort()
        storing.join(20)
        assert not storing.is_alive(), "it hangs"
    assert failures
    session.driver.close()
    again = opened(destination, desc)
    assert again.position == 10


def test_servers_are_known_by_their_certificates(tmp_path: Path) -> None:
    """One of 127.0.0.2, which listens at 127.0.0.1 too."""
    certificate, stranger = Certificate("127.0.0.2"), Certificate("127.0.0.2").pem.decode()
    (tmp_path / "pem").write_bytes(certificate.pem)
    (tmp_path / "key").write_bytes(certificate.key_pem)
    with run_mariadb(tmp_path, f"--ssl-cert={tmp_path / 'pem'}", f"--ssl-key={tmp_path / 'key'}") as server:
        server.query("CREATE USER anybody REQUIRE SSL")
        server.query("GRANT ALL ON headwater.* TO anybody")
        own = certificate.pem.decode()

        def ask(mode: str, host: str = "127.0.0.1", authority: str | None = own) -> None:
            told = {
                "HOST": host,
                "PORT": str(server.port),
                "DATABASE": "headwater",
                "USER": "anybody",
                "SSL MODE": mode,
            }
            ask_mysql(
                MYSQL_SETTINGS.all(
                    {**told, **({} if authority is None else {"SSL CERTIFICATE AUTHORITY": authority})}, {}
                )
            )

        ask("preferred", authority=None)
        ask("required", authority=None)
        ask("verify-ca")
        ask("verify-identity", "127.0.0.2")
        with pytest.raises(Unreachable, match="Access denied"):
            ask("disabled", authority=None)
        for mode, host, authority in (
            ("verify-identity", "127.0.0.1", own),
            ("verify-ca", "127.0.0.1", None),
            ("verify-ca", "127.0.0.1", stranger),
            ("verify-identity", "127.0.0.2", stranger),
        ):
            with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
                ask(mode, host, authority)


def _without_found_rows(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CLIENT, "FOUND_ROWS", 0)


def test_a_frontier_that_is_told_again_is_no_fence(destination: RealDestination) -> None:
    """An UPDATE that changes nothing has found its row all the same."""
    session = opened(destination, relation_desc(("k", INT4), ("v", TEXT)))
    session.transact([((1, "a"), 1)], 10)
    session.transact([], 10)
    assert session.position == 10


def _collation_of_the_server(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mysql, "EXACT_COLLATIONS", ("utf8mb4_general_ci",))


@pytest.mark.parametrize(
    ("defect", "test"),
    [
        (_without_found_rows, test_a_frontier_that_is_told_again_is_no_fence),
        (
            _collation_of_the_server,
            lambda there: test_texts_of_a_key_are_equal_only_where_all_of_their_characters_are(there, True),
        ),
    ],
)
def test_a_defect_of_a_session_is_seen(  # type: ignore[no-untyped-def]
    defect, test, destination: RealDestination, monkeypatch: pytest.MonkeyPatch
) -> None:
    defect(monkeypatch)
    with pytest.raises((AssertionError, SqlError)):
        test(destination)


def test_a_crash_before_the_table_is_made_loses_nothing(destination: RealDestination) -> None:
    """DDL commits by itself: that the table is empty is said before it is there."""
    desc = relation_desc(("k", INT4), ("v", TEXT))
    log = RecoveryLog()
    session = DriverSession(destination.driver(), sink_into(destination.place, desc=desc), log)
    session.acknowledge()
    session.transact([((1, "a"), 1)], 10)
    session.driver.close()
    assert destination.execute is not None
    destination.execute("DROP TABLE t")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mysql.MysqlDriver, "_make_table", _crash)
        with pytest.raises(SqlError, match="a crash"):
            DriverSession(destination.driver(), sink_into(destination.place, desc=desc), log)
    destination.close()
    assert destination.execute(f"SELECT frontier FROM {CHECKPOINTS}") == [(0,)]
    again = DriverSession(destination.driver(), sink_into(destination.place, desc=desc), log)
    assert again.position == 0


def _crash(*_arguments: object) -> None:
    raise ConnectionResetError("a crash")
