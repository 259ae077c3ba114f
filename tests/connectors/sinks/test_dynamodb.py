"""What is DynamoDB's own: attributes, keys, portions of a transaction, sizes, and a service that asks to wait."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import ClientError

from connectors.aws.clients import aws_client
from connectors.dynamodb.driver import DynamodbDriver
from connectors.dynamodb.items import attribute_reader, attribute_writer
from connectors.dynamodb.table import DynamodbTable
from connectors.sinks.fences import CHECKPOINTS
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.dispatch import format_datum, parse_datum
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import BYTEA, FLOAT8, INT4, INT8, TEXT, ScalarType, TypeName
from tests.connectors.sinks.destinations import RealDestination, dynamodb_destination
from tests.connectors.sinks.sessions import DESC, DriverSession, RecoveryLog, sink_into
from tests.connectors.sinks.test_types import VALUES

FOUND_AGAIN = (TypeName.INT8, TypeName.NUMERIC, TypeName.TEXT, TypeName.BYTEA, TypeName.TIMESTAMPTZ)
"""A type of each letter, and each way to write it."""
NUMERIC = ScalarType(TypeName.NUMERIC)
MANY = [(k, f"v{k}") for k in range(250)]


@pytest.fixture
def destination(amazon: str) -> Iterator[RealDestination]:
    with closing(dynamodb_destination(amazon, "docs")) as destination:
        yield destination


def opened(
    destination: RealDestination,
    log: RecoveryLog | None = None,
    *,
    desc: RelationDesc = DESC,
    key: tuple[int, ...] = (0,),
    name: str = "s",
    anew: bool = False,
) -> DriverSession:
    """A session that has acknowledged what there was."""
    sink = replace(sink_into(destination.place, desc=desc, name=name), key=key)
    session = DriverSession(destination.driver(), sink, RecoveryLog() if log is None else log, anew=anew)
    session.acknowledge()
    return session


def client_of(destination: RealDestination) -> Any:
    assert isinstance(destination.place, DynamodbTable)
    return aws_client("dynamodb", dict(destination.place.settings))


def refused(use: Callable[[], object]) -> SqlError:
    with pytest.raises(SqlError) as error:
        use()
    return error.value


# Values and keys


def test_dynamodb_gives_back_what_it_was_given(amazon: str) -> None:
    types = [*VALUES]
    columns = [[*(parse_datum(text, type_) for text in VALUES[type_]), None] for type_ in types]
    desc = RelationDesc(
        (ColumnDesc("k", INT4), *(ColumnDesc(f"odd #'ü' :{at}", type_) for at, type_ in enumerate(types)))
    )
    rows = [(k, *datums) for k, datums in enumerate(itertools.zip_longest(*columns))]
    with closing(dynamodb_destination(amazon, "docs", desc)) as destination:
        session = opened(destination, desc=desc)
        session.transact([(row, 1) for row in rows], 10)
        session.transact([((1000, *rows[0][1:]), 1), *((row, -1) for row in rows)], 20)
        session.transact([((1000, *rows[0][1:]), -1), *((row, 1) for row in rows)], 30)
        assert shown_rows(destination.read(), types) == shown_rows(rows, types)


def shown_rows(rows: Iterable[Row], types: list[ScalarType]) -> dict[Datum, list[str | None]]:
    """By key, as text: NaN is no other NaN."""
    return {
        key: [None if each is None else format_datum(each, type_) for each, type_ in zip(datums, types, strict=True)]
        for key, *datums in rows
    }


@pytest.mark.parametrize("type_", [type_ for type_ in VALUES if type_.name in FOUND_AGAIN], ids=str)
def test_every_key_that_can_be_one_is_found_again(type_: ScalarType, amazon: str) -> None:
    desc = RelationDesc((ColumnDesc("k", type_), ColumnDesc("v", TEXT)))
    with closing(dynamodb_destination(amazon, "docs", desc)) as destination:
        session = opened(destination, desc=desc)
        keys = [key for key in (parse_datum(text, type_) for text in VALUES[type_]) if key not in ("", b"")]
        session.transact([((key, "a"), 1) for key in keys], 10)
        session.transact([change for key in keys for change in (((key, "a"), -1), ((key, "b"), 1))], 20)
        assert destination.read() == Counter((key, "b") for key in keys)


@pytest.mark.parametrize(
    ("text", "type_", "letter"),
    [
        ("0.00", NUMERIC, "N"),
        ("99999999999999999999999999999999999999", NUMERIC, "N"),
        ("1e125", FLOAT8, "N"),
        ("1e126", FLOAT8, "S"),
        ("-1e-130", FLOAT8, "N"),
        ("-1e-131", FLOAT8, "S"),
        ("NaN", NUMERIC, "S"),
        ("Infinity", FLOAT8, "S"),
        ("1e-300", FLOAT8, "S"),
        ("-0", FLOAT8, "N"),
        ("-9223372036854775808", INT8, "N"),
    ],
)
def test_numbers_are_numbers_where_dynamodb_has_them(text: str, type_: ScalarType, letter: str) -> None:
    value = parse_datum(text, type_)
    attribute = attribute_writer(type_)(value)
    assert [*attribute] == [letter]
    assert attribute_reader(type_)(attribute) == value or text == "NaN"


@pytest.mark.parametrize(("type_", "key"), [(TEXT, ""), (BYTEA, b"")])
def test_a_key_that_is_empty_is_refused(type_: ScalarType, key: Datum, amazon: str) -> None:
    desc = RelationDesc((ColumnDesc("the key", type_), ColumnDesc("v", TEXT)))
    with closing(dynamodb_destination(amazon, "docs", desc)) as destination:
        session = opened(destination, desc=desc)
        error = refused(lambda: session.transact([((key, "a"), 1)], 10))
        assert error.sqlstate is Sqlstate.INVALID_PARAMETER_VALUE
        assert '"the key"' in error.message
        assert not destination.read()


def test_a_key_of_two_columns_is_a_hash_and_a_range(amazon: str) -> None:
    desc = RelationDesc((ColumnDesc("a", TEXT), ColumnDesc("v", TEXT), ColumnDesc("b", INT4)))
    with closing(dynamodb_destination(amazon, "docs", desc)) as destination:
        session = opened(destination, desc=desc, key=(0, 2))
        session.transact([(("x", "1", 1), 1), (("x", "2", 2), 1), (("y", "3", 1), 1)], 10)
        session.transact([(("x", "1", 1), -1), (("x", "2", 2), -1), (("x", "4", 2), 1)], 20)
        assert destination.read() == Counter([("x", "4", 2), ("y", "3", 1)])
        again = opened(destination, RecoveryLog(), desc=desc, key=(0, 2), anew=True)
        again.transact([(("x", "5", 2), 1)], 30)
        assert destination.read() == Counter([("x", "5", 2)])


def test_a_document_that_is_too_large_is_named(destination: RealDestination) -> None:
    session = opened(destination)
    session.transact([((1, "x" * 400_000), 1)], 10)
    error = refused(lambda: session.transact([((2, "x" * 410_000), 1)], 20))
    assert error.sqlstate is Sqlstate.PROGRAM_LIMIT_EXCEEDED
    assert "k = 2" in error.message
    assert len(destination.read()) == 1


def test_documents_of_many_bytes_go_in_portions(destination: RealDestination, monkeypatch: pytest.MonkeyPatch) -> None:
    portions = counted_portions(monkeypatch)
    session = opened(destination)
    rows = [(k, "x" * 300_000) for k in range(25)]
    session.transact([(row, 1) for row in rows], 10)
    assert destination.read() == Counter(rows)
    assert max(portions) < 12


# Transactions of more than one portion


def counted_portions(patch: pytest.MonkeyPatch) -> list[int]:
    """How many writes each portion had, from now on."""
    portions: list[int] = []
    write = DynamodbDriver._write

    def counted(self: DynamodbDriver, writes: list[Any], new: Any) -> None:
        portions.append(len(writes))
        write(self, writes, new)

    patch.setattr(DynamodbDriver, "_write", counted)
    return portions


def dies_after(patch: pytest.MonkeyPatch, portions: int) -> None:
    """The session's connection ends when it has written so many."""
    write, left = DynamodbDriver._write, [portions]

    def dying(self: DynamodbDriver, writes: list[Any], new: Any) -> None:
        if not left[0]:
            raise ClientError({"Error": {"Code": "Gone", "Message": "the connection is gone"}}, "TransactWriteItems")
        left[0] -= 1
        write(self, writes, new)

    patch.setattr(DynamodbDriver, "_write", dying)


def test_ninety_nine_documents_and_how_far_they_are_is_one_portion(
    destination: RealDestination, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(destination)
    session.transact([], 5)
    portions = counted_portions(monkeypatch)
    session.transact([(row, 1) for row in MANY[:99]], 10)
    assert portions == [100]
    session.transact([(row, 1) for row in MANY[99:199]], 20)
    assert portions[1:] == [1, 100, 2]
    assert destination.read() == Counter(MANY[:199])


@pytest.mark.fault(26)
@pytest.mark.parametrize("portions", range(4))
@pytest.mark.parametrize("first", [True, False], ids=["first", "later"])
def test_a_session_that_dies_between_portions_leaves_what_the_next_writes_over(
    destination: RealDestination, monkeypatch: pytest.MonkeyPatch, portions: int, *, first: bool
) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    if not first:
        session.transact([(MANY[0], 1)], 5)
    fresh = MANY if first else MANY[1:]
    with monkeypatch.context() as patch:
        dies_after(patch, portions)
        refused(lambda: session.transact([(row, 1) for row in fresh], 10))
    assert len(destination.read()) == (not first) + 99 * max(portions - 1, 0)
    again = opened(destination, log)
    assert isinstance(again.driver, DynamodbDriver)
    assert again.driver.partial is (portions > 0)
    changed = [(k, f"{v} changed") for k, v in fresh]
    again.transact([(row, 1) for row in changed], 12)
    assert destination.read() == Counter(changed if first else [MANY[0], *changed])


def test_a_session_that_was_taken_over_between_portions_writes_no_more(destination: RealDestination) -> None:
    log = RecoveryLog()
    zombie = opened(destination, log)
    zombie.transact([(MANY[0], 1)], 5)
    zombie.store([(row, 1) for row in MANY[1:120]], 9)
    live = opened(destination, RecoveryLog(log.frontier, dict(log.state)))
    assert isinstance(live.driver, DynamodbDriver)
    assert live.driver.partial
    before = destination.read()
    error = refused(lambda: zombie.start_commit(10))
    assert "taken over" in f"{error.message} {error.detail}"
    assert destination.read() == before
    live.transact([(row, 1) for row in MANY[1:]], 10)
    assert destination.read() == Counter(MANY)
    live.driver.close()
    last = opened(destination, log).driver
    assert isinstance(last, DynamodbDriver)
    assert not last.partial


def test_what_is_begun_anew_deletes_what_no_sink_wrote(destination: RealDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(row, 1) for row in MANY], 10)
    client_of(destination).put_item(TableName="docs", Item={"k": {"N": "-5"}, "other": {"L": [{"S": "x"}]}})
    again = opened(destination, log, anew=True)
    again.transact([(row, 1) for row in MANY[200:]], 20)
    assert destination.read() == Counter(MANY[200:])


# What is there already


def test_a_table_with_another_key_is_refused(destination: RealDestination) -> None:
    client_of(destination).create_table(
        TableName="docs",
        KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    error = refused(lambda: opened(destination))
    assert "its key is (k S)" in f"{error.message} {error.detail}"


def test_items_that_no_sink_wrote_are_not_replaced(destination: RealDestination) -> None:
    opened(destination).driver.close()
    client = client_of(destination)
    client.delete_table(TableName=CHECKPOINTS)
    client.put_item(TableName="docs", Item={"k": {"N": "7"}, "v": {"S": "mine"}})
    error = refused(lambda: opened(destination))
    assert error.sqlstate is Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE
    assert destination.read() == Counter([(7, "mine")])


def test_a_table_is_one_sinks(destination: RealDestination) -> None:
    opened(destination).transact([((1, "a"), 1)], 10)
    error = refused(lambda: opened(destination, name="other"))
    assert '"s"' in f"{error.message} {error.detail}"
    assert destination.read() == Counter([(1, "a")])


def test_sinks_into_two_tables_keep_apart(amazon: str) -> None:
    with closing(dynamodb_destination(amazon, "docs")) as one:
        assert isinstance(one.place, DynamodbTable)
        other = RealDestination(replace(one.place, table="other"), one.read, None)
        with closing(other):
            first, log = opened(one), RecoveryLog()
            second = opened(other, log, name="s2")
            first.transact([((1, "a"), 1)], 10)
            second.transact([((2, "b"), 1)], 20)
            assert one.read() == Counter([(1, "a")])
            assert opened(other, log, name="s2").position == Timestamp(20)


# A service in trouble


class _Said(BytesIO):
    """A body, as the client reads it."""

    def stream(self) -> Iterator[bytes]:
        yield self.getvalue()


def test_a_service_that_asks_to_wait_is_asked_again(destination: RealDestination) -> None:
    session = opened(destination)
    session.transact([((1, "a"), 1)], 10)
    assert isinstance(session.driver, DynamodbDriver)
    asked: list[str] = []

    def throttled(request: AWSPreparedRequest, **_: object) -> AWSResponse | None:
        asked.append(request.url)
        body = b'{"__type": "com.amazonaws.dynamodb.v20120810#ThrottlingException", "message": "Rate exceeded"}'
        return AWSResponse(request.url, 400, {}, _Said(body)) if len(asked) < 3 else None

    session.driver._client.meta.events.register("before-send.dynamodb.TransactWriteItems", throttled)
    session.transact([((2, "b"), 1)], 20)
    assert len(asked) == 3
    assert destination.read() == Counter([(1, "a"), (2, "b")])


def test_a_service_that_is_away_is_an_error_within_bounded_time(destination: RealDestination) -> None:
    assert isinstance(destination.place, DynamodbTable)
    away = tuple(
        (name, "http://127.0.0.1:1" if name == "endpoint" else value) for name, value in destination.place.settings
    )
    destination.place = replace(destination.place, settings=away)
    error = refused(lambda: opened(destination))
    assert error.sqlstate is Sqlstate.CONNECTION_FAILURE
