"""SUBSCRIBE, FETCH's timeout and statements about read holds: what is taken out of the text, and where errors stand."""

from __future__ import annotations

import pytest

from model.errors.sql_error import SqlError
from planner.syntax.own_statements import (
    AlterReadHold,
    CreateReadHoldStatement,
    DropReadHoldStatement,
    Place,
    SubscribeStatement,
)
from planner.syntax.parse import ParsedStatement, parse


def parsed(sql: str) -> ParsedStatement:
    (statement,) = parse(sql)
    return statement


def subscribed(sql: str) -> SubscribeStatement:
    node = parsed(sql).node
    assert isinstance(node, SubscribeStatement)
    return node


@pytest.mark.parametrize(
    ("sql", "location"),
    [("SUBSCRIBE t", 10), ("subscribe to t", 13), ("TAIL t", 5), ("tail to t", 8), ("/* é */ SUBSCRIBE TO t -- x", 22)],
)
def test_an_object_is_subscribed_to_by_its_name(sql: str, location: int) -> None:
    statement = parsed(sql)
    assert (statement.kind, statement.node.source) == ("subscribe_stmt", Place(("t",), location))


def test_a_query_keeps_its_places_in_the_message() -> None:
    first, second, third = parse("SELECT 'é'; SUBSCRIBE (SELECT a FROM t) AS OF 5; SELECT 2")
    assert (first.kind, second.kind, third.kind) == ("select_stmt", "subscribe_stmt", "select_stmt")
    assert second.text == "SUBSCRIBE (SELECT a FROM t) AS OF 5"
    source = second.node.source
    assert second.position(source.from_clause[0].range_var.location) == 38
    assert second.position(second.node.as_of.a_const.location) == 47


def test_clauses_may_stand_in_any_order() -> None:
    one = subscribed('SUBSCRIBE t ENVELOPE UPSERT (KEY (a, "B")) WITH (SNAPSHOT = false, PROGRESS) AS OF 5 UP TO 8')
    other = subscribed('SUBSCRIBE t AS OF 5 UP TO 8 WITH (PROGRESS true, SNAPSHOT off) ENVELOPE UPSERT (KEY (a, "B"))')
    for found in (one, other):
        assert (found.envelope, [key.parts for key in found.keys]) == ("upsert", [("a",), ("B",)])
        assert (found.snapshot, found.progress) == (False, True)
        assert (found.as_of.a_const.ival.ival, found.up_to.a_const.ival.ival) == (5, 8)


def test_a_query_s_options_are_as_written() -> None:
    plain = subscribed("SUBSCRIBE t")
    assert (plain.snapshot, plain.progress, plain.as_of, plain.up_to) == (True, False, None, None)
    whole = subscribed("TAIL t AS OF EARLIEST UNTIL LATEST")
    assert (whole.earliest, whole.latest) == (True, True)
    least = subscribed("SUBSCRIBE t AS OF AT LEAST now() - interval '1 s' UP TO (1 + 2)")
    assert least.at_least and least.as_of.a_expr.name[0].string.sval == "-"
    ordered = subscribed("SUBSCRIBE t WITHIN TIMESTAMP ORDER BY mz_diff, a + 1 DESC WITH (PROGRESS)")
    assert len(ordered.order) == 2 and ordered.progress


@pytest.mark.parametrize(
    ("sql", "kind", "text"),
    [
        ("COPY (SUBSCRIBE t WITH (PROGRESS)) TO STDOUT (FORMAT csv)", "copy_stmt", None),
        ("DECLARE c CURSOR FOR SUBSCRIBE t WITH (PROGRESS)", "declare_cursor_stmt", None),
        ("PREPARE s (mz_timestamp) AS SUBSCRIBE t WITH (PROGRESS) AS OF $1", "prepare_stmt", None),
        ("EXPLAIN TIMESTAMP FOR SUBSCRIBE t WITH (PROGRESS)", "subscribe_stmt", "SUBSCRIBE t WITH (PROGRESS)"),
    ],
)
def test_statements_that_hold_a_query_may_hold_a_subscribe(sql: str, kind: str, text: str | None) -> None:
    statement = parsed(sql)
    assert (statement.kind, statement.text) == (kind, text or sql)
    inner = statement.extension.subscribe or statement.node
    assert isinstance(inner, SubscribeStatement) and inner.progress


@pytest.mark.parametrize(
    ("sql", "timeout"),
    [
        ("FETCH ALL c WITH (TIMEOUT = '1s')", "1s"),
        ("FETCH FORWARD 10 FROM c WITH (timeout '500 ms')", "500 ms"),
        ("FETCH c WITH (TIMEOUT = 250)", "250 milliseconds"),
        ("FETCH c", None),
    ],
)
def test_fetch_takes_a_timeout(sql: str, timeout: str | None) -> None:
    statement = parsed(sql)
    assert (statement.kind, statement.extension.fetch_timeout) == ("fetch_stmt", timeout)


def test_read_holds_are_created_moved_and_dropped() -> None:
    created = parsed("CREATE READ HOLD IF NOT EXISTS h ON s.v, t AT 5 WITH LEASE '1h'").node
    assert isinstance(created, CreateReadHoldStatement)
    assert (created.name, [place.parts for place in created.objects]) == ("h", [("s", "v"), ("t",)])
    assert (created.at.a_const.ival.ival, created.lease, created.if_not_exists) == (5, "1h", True)
    cloned = parsed("CREATE READ HOLD h2 FROM h").node
    assert isinstance(cloned, CreateReadHoldStatement) and (cloned.source, cloned.objects) == ("h", ())
    moved = parsed("ALTER READ HOLD h ADVANCE TO 5 + 1").node
    assert isinstance(moved, AlterReadHold) and moved.advance_to.WhichOneof("node") == "a_expr"
    given = parsed("ALTER READ HOLD IF EXISTS h OWNER TO headwater").node
    assert isinstance(given, AlterReadHold) and (given.owner, given.if_exists) == ("headwater", True)
    renewed = parsed("ALTER READ HOLD h RENEW").node
    assert isinstance(renewed, AlterReadHold) and renewed.advance_to is None and renewed.owner is None
    assert parsed('DROP READ HOLD IF EXISTS h, "H"').node == DropReadHoldStatement(("h", "H"), True)


@pytest.mark.parametrize(
    ("sql", "near", "position"),
    [
        ("SUBSCRIBE", None, 10),
        ("SUBSCRIBE TO", None, 13),
        ("SUBSCRIBE 5", "5", 11),
        ("SUBSCRIBE t foo", "foo", 13),
        ("SUBSCRIBE (SELECT 'é' frm x y)", "x", 27),
        ("SUBSCRIBE (SELECT 1", None, 20),
        ("SELECT 'é'; SUBSCRIBE t AS OF; SELECT 2", ";", 30),
        ("SUBSCRIBE t AS OF 5 AS OF 6", "AS", 21),
        ("SUBSCRIBE t AS OF EARLIEST 5", "5", 28),
        ("SUBSCRIBE t UP TO 5 UNTIL LATEST", "UNTIL", 21),
        ("SUBSCRIBE t WITH (SNAPSHOT, SNAPSHOT)", "SNAPSHOT", 29),
        ("SUBSCRIBE t WITH (SNAPSHOT = maybe)", "maybe", 30),
        ("SUBSCRIBE t ENVELOPE UPSERT (KEY ())", ")", 35),
        ("SUBSCRIBE t ENVELOPE UPSERT (KEY (a)) WITHIN TIMESTAMP ORDER BY a", "WITHIN", 39),
        ("COPY (SUBSCRIBE t bar) TO STDOUT", "bar", 19),
        ("COPY (SUBSCRIBE t AS OF) TO STDOUT", ")", 24),
        ("CREATE READ HOLD h", None, 19),
        ("CREATE READ HOLD s.h ON t", ".", 19),
        ("CREATE READ HOLD h ON t WITH LEASE 1", "1", 36),
        ("ALTER READ HOLD h", None, 18),
        ("DROP READ HOLD h CASCADE", "CASCADE", 18),
        ("FETCH c WITH (TIMEOUT x)", "WITH", 9),
    ],
)
def test_what_is_malformed_is_refused_at_its_place(sql: str, near: str | None, position: int) -> None:
    with pytest.raises(SqlError) as caught:
        parse(sql)
    message = "syntax error at end of input" if near is None else f'syntax error at or near "{near}"'
    assert (caught.value.sqlstate.value, caught.value.message, caught.value.position) == ("42601", message, position)
