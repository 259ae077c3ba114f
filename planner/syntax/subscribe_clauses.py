"""SUBSCRIBE, alone and where PostgreSQL's grammar has a query: in COPY, DECLARE and PREPARE; and FETCH's TIMEOUT.

    {SUBSCRIBE | TAIL} [TO] {object | (query)}
        [ENVELOPE {UPSERT | DEBEZIUM} (KEY (column, …)) | WITHIN TIMESTAMP ORDER BY expression [ASC | DESC] …, …]
        [WITH (SNAPSHOT [[=] bool], PROGRESS [[=] bool])]
        [AS OF [AT LEAST] time | AS OF EARLIEST] [UP TO time | UNTIL LATEST]
    FETCH … cursor [WITH (TIMEOUT [=] '1s')]

Clauses may stand in any order, each once. Where a query may stand, a bare SELECT is put for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.syntax.pieces import expression_at, select_at
from planner.syntax.segments import CLOSERS, OPENERS, Segment, string_of
from planner.syntax.word_reader import WordReader

_FIRST_WORDS = ("subscribe", "tail")
_CLAUSES = (
    ("envelope", "upsert"),
    ("envelope", "debezium"),
    ("within", "timestamp"),
    ("with", "("),
    ("as", "of"),
    ("up", "to"),
    ("until", "latest"),
)
_TRUE, _FALSE = ("true", "on", "1", "'true'", "'on'"), ("false", "off", "0", "'false'", "'off'")
_STAND_IN = b"SELECT"


@dataclass(frozen=True, slots=True)
class Place:
    """A name with the byte at which it stands."""

    parts: tuple[str, ...]
    location: int


@dataclass(slots=True)
class SubscribeStatement:
    """As written. `source` is the object's name, or a SelectStmt; times and orders are syntax trees."""

    source: Place | Any
    envelope: str | None = None
    keys: tuple[Place, ...] = ()
    order: tuple[Any, ...] = ()
    snapshot: bool = True
    progress: bool = False
    as_of: Any = None
    at_least: bool = False
    earliest: bool = False
    up_to: Any = None
    latest: bool = False

    @property
    def kind(self) -> str:
        return "subscribe_stmt"


def take_subscribe(sql: str, segment: Segment) -> SubscribeStatement | None:
    """The statement itself; a stand-in keeps its place in the tree."""
    if not segment.words or segment.words[0].lower not in _FIRST_WORDS:
        return None
    return _taken(sql, segment, 0, len(segment.words))


def take_inner_subscribe(sql: str, segment: Segment) -> SubscribeStatement | None:
    """What COPY ( … ) TO, DECLARE … FOR, PREPARE … AS or PostgreSQL's EXPLAIN holds."""
    if segment.starts(0, "copy", "("):
        first, last = 2, _closing(segment, 1)
    elif segment.starts(0, "explain"):
        first, last = 1, len(segment.words)
    elif segment.starts(0, "declare") or segment.starts(0, "prepare"):
        keyword = segment.top_level("for" if segment.starts(0, "declare") else "as")
        if keyword is None:
            return None
        first, last = keyword + 1, len(segment.words)
    else:
        return None
    if first >= last or segment.words[first].lower not in _FIRST_WORDS:
        return None
    return _taken(sql, segment, first, last)


def take_fetch_timeout(segment: Segment) -> str | None:
    """The timeout of FETCH, as text; a number is milliseconds."""
    at = segment.top_level("with", "(", "timeout") if segment.starts(0, "fetch") else None
    if at is None:
        return None
    value = at + (4 if segment.starts(at + 3, "=") else 3)
    if value + 2 != len(segment.words) or segment.words[value + 1].text != ")":
        return None
    text = segment.words[value].text
    timeout = string_of(text) if text.startswith("'") else f"{text} milliseconds" if text.isdigit() else None
    if timeout is not None:
        segment.replace(at, value + 1)
    return timeout


def _closing(segment: Segment, opener: int) -> int:
    """The parenthesis that closes the one at `opener`; one past the last word when none does."""
    depth = 0
    for index in range(opener, len(segment.words)):
        depth += (segment.words[index].text in OPENERS) - (segment.words[index].text in CLOSERS)
        if depth == 0:
            return index
    return len(segment.words)


def _taken(sql: str, segment: Segment, first: int, last: int) -> SubscribeStatement:
    reader = WordReader(sql, segment.words, first, last)
    statement = _statement(reader)
    reader.expect_end()
    segment.replace(first, last - 1, _STAND_IN)
    return statement


def _statement(reader: WordReader) -> SubscribeStatement:
    reader.at += 1
    reader.take("to")
    statement = SubscribeStatement(_source(reader))
    seen: set[str] = set()
    while not reader.done:
        word = reader.word.lower
        family = {"within": "envelope", "until": "up"}.get(word, word)
        if family in seen or not any(reader.sees(*clause) for clause in _CLAUSES):
            reader.fail()
        seen.add(family)
        _CLAUSE_READERS[word](reader, statement)
    return statement


def _source(reader: WordReader) -> Any:
    if reader.word.text == "(":
        return select_at(reader.sql, *reader.parenthesis())
    return _place(reader)


def _place(reader: WordReader) -> Place:
    location = reader.word.start
    return Place(reader.name(), location)


def _envelope(reader: WordReader, statement: SubscribeStatement) -> None:
    reader.expect("envelope")
    statement.envelope = reader.word.lower
    reader.at += 1
    reader.expect("(", "key", "(")
    keys = [_place(reader)]
    while reader.take(","):
        keys.append(_place(reader))
    reader.expect(")", ")")
    statement.keys = tuple(keys)


def _within(reader: WordReader, statement: SubscribeStatement) -> None:
    reader.expect("within", "timestamp")
    if not reader.sees("order", "by"):
        reader.fail()
    start, end = reader.until(*_CLAUSES)
    order = select_at(reader.sql, start, end, b"SELECT ")
    statement.order = tuple(item.sort_by for item in order.sort_clause)


def _with(reader: WordReader, statement: SubscribeStatement) -> None:
    reader.expect("with", "(")
    seen: set[str] = set()
    while True:
        name = reader.word.lower
        if name not in ("snapshot", "progress") or name in seen:
            reader.fail()
        seen.add(name)
        reader.at += 1
        value = _truth(reader)
        if name == "snapshot":
            statement.snapshot = value
        else:
            statement.progress = value
        if not reader.take(","):
            break
    reader.expect(")")


def _truth(reader: WordReader) -> bool:
    explicit = reader.take("=")
    word = reader.word.lower
    if word in _TRUE or word in _FALSE:
        reader.at += 1
        return word in _TRUE
    if explicit:
        reader.fail()
    return True


def _as_of(reader: WordReader, statement: SubscribeStatement) -> None:
    reader.expect("as", "of")
    if reader.take("earliest"):
        statement.earliest = True
        return
    statement.at_least = reader.take("at", "least")
    statement.as_of = expression_at(reader.sql, *reader.until(*_CLAUSES))


def _up_to(reader: WordReader, statement: SubscribeStatement) -> None:
    reader.expect("up", "to")
    statement.up_to = expression_at(reader.sql, *reader.until(*_CLAUSES))


def _until(reader: WordReader, statement: SubscribeStatement) -> None:
    reader.expect("until", "latest")
    statement.latest = True


_CLAUSE_READERS = {
    "envelope": _envelope,
    "within": _within,
    "with": _with,
    "as": _as_of,
    "up": _up_to,
    "until": _until,
}
