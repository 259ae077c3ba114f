"""SUBSCRIBE, alone and where PostgreSQL's grammar has a query: in COPY, DECLARE and PREPARE; and FETCH's TIMEOUT.

    {SUBSCRIBE | TAIL} [TO] {object | (query)}
        [ENVELOPE {UPSERT | DEBEZIUM} (KEY (column, …)) | WITHIN TIMESTAMP ORDER BY expression [ASC | DESC] …, …]
        [WITH (SNAPSHOT [[=] bool], PROGRESS [[=] bool])]
        [AS OF [AT LEAST] time | AS OF EARLIEST] [UP TO time | UNTIL LATEST]
    FETCH … cursor [WITH (TIMEOUT [=] '1s')]

Clauses may stand in any order, each once. Where a query may stand, a bare SELECT is put for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import TokenType

from planner.syntax.dialect.parser import StatementParser
from planner.syntax.own_statements import SubscribeStatement
from planner.syntax.pieces import orders_at, select_at

_FIRST_WORDS = ("SUBSCRIBE", "TAIL")
_CLAUSES = (
    ("ENVELOPE", "UPSERT"),
    ("ENVELOPE", "DEBEZIUM"),
    ("WITHIN", "TIMESTAMP"),
    ("WITH", "("),
    ("AS", "OF"),
    ("UP", "TO"),
    ("UNTIL", "LATEST"),
)
_SAME_FAMILY = {"WITHIN": "ENVELOPE", "UNTIL": "UP"}
_TRUE, _FALSE = ("true", "on", "1"), ("false", "off", "0")
_STAND_IN = b"SELECT"


def take_subscribe(parser: StatementParser) -> SubscribeStatement | None:
    """Reads the statement itself, and leaves SELECT in its place in the text that PostgreSQL's grammar parses."""
    if parser.word_at(0) not in _FIRST_WORDS:
        return None
    return _taken(parser, 0, len(parser.tokens))


def take_inner_subscribe(parser: StatementParser) -> SubscribeStatement | None:
    """Reads the SUBSCRIBE within COPY ( … ) TO, DECLARE … FOR, PREPARE … AS or PostgreSQL's EXPLAIN, if there is
    one."""
    inner = inner_query(parser)
    if inner is None or inner[0] >= inner[1] or parser.word_at(inner[0]) not in _FIRST_WORDS:
        return None
    return _taken(parser, *inner)


def inner_query(parser: StatementParser) -> tuple[int, int] | None:
    """Returns the begin of the query within a statement, and the token before which it ends."""
    if parser.sees_at(0, "COPY", "("):
        close = parser.written.closing(1)
        return 2, len(parser.tokens) if close is None else close
    if parser.sees_at(0, "EXPLAIN"):
        return 1, len(parser.tokens)
    keyword = {"DECLARE": "FOR", "PREPARE": "AS"}.get(parser.word_at(0))
    at = None if keyword is None else parser.outside(keyword)
    return None if at is None else (at + 1, len(parser.tokens))


def take_fetch_timeout(parser: StatementParser) -> str | None:
    """Reads the timeout of FETCH, as text; a number is milliseconds."""
    at = parser.outside("WITH", "(", "TIMEOUT") if parser.sees_at(0, "FETCH") else None
    if at is None:
        return None
    value = at + (4 if parser.sees_at(at + 3, "=") else 3)
    if value + 2 != len(parser.tokens) or not parser.sees_at(value + 1, ")"):
        return None
    token = parser.tokens[value]
    timeout = None
    if token.token_type is TokenType.STRING:
        timeout = token.text
    elif token.token_type is TokenType.NUMBER and token.text.isdigit():
        timeout = f"{token.text} milliseconds"
    if timeout is not None:
        parser.cut(at, value + 1)
    return timeout


def _taken(parser: StatementParser, first: int, stop: int) -> SubscribeStatement:
    parser.within(first, stop)
    statement = _statement(parser)
    parser.expect_end()
    parser.cut(first, stop - 1, _STAND_IN)
    return statement


def _statement(parser: StatementParser) -> SubscribeStatement:
    parser.next_word()
    parser.skip()
    parser.take("TO")
    source = _source(parser)
    said: dict[str, Any] = {}
    seen: set[str] = set()
    while not parser.done:
        word = parser.next_word()
        family = _SAME_FAMILY.get(word, word)
        if family in seen or not any(parser.sees(*clause) for clause in _CLAUSES):
            parser.refuse()
        seen.add(family)
        said |= _READERS[word](parser)
    return SubscribeStatement(source, **said)


def _source(parser: StatementParser) -> Any:
    if parser.sees("("):
        return parser.piece(select_at, *parser.parenthesis())
    return parser.place()


def _envelope(parser: StatementParser) -> dict[str, Any]:
    parser.expect("ENVELOPE")
    envelope = "upsert" if parser.take("UPSERT") else "debezium"
    parser.take("DEBEZIUM")
    parser.expect("(", "KEY", "(")
    keys = parser.items(parser.place)
    parser.expect(")", ")")
    return {"envelope": envelope, "keys": keys}


def _within(parser: StatementParser) -> dict[str, Any]:
    parser.expect("WITHIN", "TIMESTAMP")
    if not parser.sees("ORDER", "BY"):
        parser.refuse()
    orders = parser.piece(orders_at, *parser.span(*_CLAUSES))
    return {"order": tuple(item.sort_by for item in orders)}


def _with(parser: StatementParser) -> dict[str, Any]:
    parser.expect("WITH", "(")
    said: dict[str, Any] = {}

    def option() -> None:
        name = parser.next_word().lower()
        if name not in ("snapshot", "progress") or name in said:
            parser.refuse()
        parser.skip()
        said[name] = _truth(parser)

    parser.items(option)
    parser.expect(")")
    return said


def _truth(parser: StatementParser) -> bool:
    explicit = parser.take("=")
    word = "" if parser.done else parser.next.text.lower()
    if word in _TRUE or word in _FALSE:
        parser.skip()
        return word in _TRUE
    if explicit:
        parser.refuse()
    return True


def _as_of(parser: StatementParser) -> dict[str, Any]:
    parser.expect("AS", "OF")
    if parser.take("EARLIEST"):
        return {"earliest": True}
    at_least = parser.take("AT", "LEAST")
    return {"at_least": at_least, "as_of": parser.expression_until(*_CLAUSES)}


def _up_to(parser: StatementParser) -> dict[str, Any]:
    parser.expect("UP", "TO")
    return {"up_to": parser.expression_until(*_CLAUSES)}


def _until(parser: StatementParser) -> dict[str, Any]:
    parser.expect("UNTIL", "LATEST")
    return {"latest": True}


_READERS: dict[str, Callable[[StatementParser], dict[str, Any]]] = {
    "ENVELOPE": _envelope,
    "WITHIN": _within,
    "WITH": _with,
    "AS": _as_of,
    "UP": _up_to,
    "UNTIL": _until,
}
