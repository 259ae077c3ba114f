"""Materialize's syntax around PostgreSQL's grammar.

The text is cut into tokens; clauses that PostgreSQL doesn't know are recorded and blanked with spaces, so that what
remains is PostgreSQL's and every position stays right:

    SELECT … AS OF [AT LEAST] expression         INSERT … SELECT … AS OF expression
    CREATE TABLE … WITH (RETAIN HISTORY [=] FOR '1h')
    ALTER TABLE t SET (RETAIN HISTORY [=] FOR '1h')       ALTER TABLE t RESET (RETAIN HISTORY)
    EXPLAIN [RAW | OPTIMIZED] PLAN FOR statement           EXPLAIN TIMESTAMP FOR statement
    SHOW objects [FROM schema] [LIKE pattern]    SHOW COLUMNS FROM t    SHOW CREATE TABLE t
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import postgast
from postgast import pg_query_pb2 as tree

from model.errors import SqlError
from model.sqlstate import Sqlstate

SHOW_KINDS = frozenset(
    ("tables", "views", "schemas", "databases", "objects", "indexes", "sources", "sinks", "clusters", "columns")
)
_OPENERS = {"(", "["}
_CLOSERS = {")", "]"}


@dataclass(frozen=True, slots=True)
class ShowObjects:
    """SHOW of catalog objects. `name` is what FROM or CREATE TABLE names, part by part; `create` is SHOW CREATE's."""

    kind: str
    name: tuple[str, ...] = ()
    like: str | None = None
    create: str | None = None


@dataclass(frozen=True, slots=True)
class Extension:
    """What was found beside a statement. `as_of` is an expression's syntax tree; `end` is where the text ends (bytes).

    `retain_history` is the interval's text; with `retains` and without it, the setting is reset."""

    as_of: Any = None
    at_least: bool = False
    retains: bool = False
    retain_history: str | None = None
    explain: str | None = None
    show: ShowObjects | None = None
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        return self.text.lower()


class _Segment:
    """The tokens of one statement, and the bytes of the whole message in which clauses are blanked."""

    def __init__(self, data: bytearray, words: list[_Word]) -> None:
        self.data = data
        self.words = words

    def starts(self, at: int, *expected: str) -> bool:
        """Whether the words from `at` on are these."""
        found = self.words[at : at + len(expected)]
        return len(found) == len(expected) and all(w.lower == e for w, e in zip(found, expected, strict=True))

    def blank(self, start: int, end: int) -> None:
        self.data[start:end] = b" " * (end - start)


def take_extensions(sql: str) -> tuple[str, dict[int, Extension]] | None:
    """The text without its extension clauses, and those by the byte at which their statement's first word begins.

    None when there are none, or when the text can't be cut into tokens."""
    data = sql.encode()
    try:
        tokens = postgast.scan(sql).tokens
    except postgast.PgQueryError:
        return None
    skipped = {tree.Token.SQL_COMMENT, tree.Token.C_COMMENT}
    words = [_Word(data[t.start : t.end].decode(), t.start, t.end) for t in tokens if t.token not in skipped]
    blanked = bytearray(data)
    found: dict[int, Extension] = {}
    for piece in _split(words):
        segment = _Segment(blanked, piece)
        first = piece[0].start
        extension = _take(sql, segment)
        if extension is not None:
            found[extension[0]] = extension[1]
            assert first <= extension[0]
    return (blanked.decode(), found) if found else None


def _split(words: list[_Word]) -> list[list[_Word]]:
    pieces: list[list[_Word]] = [[]]
    for word in words:
        if word.text == ";":
            pieces.append([])
        else:
            pieces[-1].append(word)
    return [piece for piece in pieces if piece]


def _take(sql: str, segment: _Segment) -> tuple[int, Extension] | None:
    """What a statement holds, and a byte that is within what remains of it."""
    explain = _take_explain(segment)
    words = segment.words
    if not words:
        return None
    first, end = words[0].start, words[-1].end
    if segment.starts(0, "show"):
        show = _show(segment)
        if show is None:
            return None
        segment.blank(first, end)
        # Holds the statement's place in the tree.
        segment.data[first : first + 6] = b"SHOW a"
        return first, Extension(show=show, explain=explain, end=end)
    retains, history = _take_retain_history(segment)
    as_of = _take_as_of(sql, segment)
    if explain is None and not retains and as_of is None:
        return None
    expression, at_least = as_of or (None, False)
    return first, Extension(expression, at_least, retains, history, explain, None, end)


def _take_explain(segment: _Segment) -> str | None:
    if not segment.starts(0, "explain"):
        return None
    forms = {
        ("plan", "for"): "optimized",
        ("raw", "plan", "for"): "raw",
        ("optimized", "plan", "for"): "optimized",
        ("timestamp", "for"): "timestamp",
    }
    for form, stage in forms.items():
        if segment.starts(1, *form):
            taken, segment.words = segment.words[: 1 + len(form)], segment.words[1 + len(form) :]
            segment.blank(taken[0].start, taken[-1].end)
            return stage
    return None


def _take_as_of(sql: str, segment: _Segment) -> tuple[Any, bool] | None:
    """AS OF at the end of the statement, outside all parentheses."""
    depth = 0
    for index, word in enumerate(segment.words):
        depth += (word.text in _OPENERS) - (word.text in _CLOSERS)
        if depth == 0 and index > 0 and segment.starts(index, "as", "of"):
            at_least = segment.starts(index + 2, "at", "least")
            rest = segment.words[index + (4 if at_least else 2) :]
            if not rest:
                return None
            expression = _expression(sql, rest[0].start, rest[-1].end)
            segment.blank(word.start, rest[-1].end)
            segment.words = segment.words[:index]
            return expression, at_least
    return None


def _expression(sql: str, start: int, end: int) -> Any:
    """The syntax tree of the expression between two bytes, with locations in the whole text."""
    lead = b"SELECT ("
    data = b" " * (start - len(lead)) + lead + sql.encode()[start:end] + b")"
    try:
        statement = postgast.parse(data.decode()).stmts[0].stmt.select_stmt
    except postgast.PgQueryError as error:
        shift = len(sql.encode()[:start].decode()) - start
        position = min(error.cursorpos + shift, len(sql) + 1)
        raise SqlError(Sqlstate.SYNTAX_ERROR, error.message, position=position) from None
    return statement.target_list[0].res_target.val


def _take_retain_history(segment: _Segment) -> tuple[bool, str | None]:
    """(whether the clause is there, its interval)."""
    for index in range(1, len(segment.words)):
        word = segment.words[index]
        if not segment.starts(index, word.lower, "(", "retain", "history"):
            continue
        if word.lower == "reset" and segment.starts(index + 4, ")"):
            _replace(segment, index, index + 4, b"RESET (x)")
            return True, None
        after = index + (5 if segment.starts(index + 4, "=") else 4)
        if not segment.starts(after, "for") or not segment.starts(after + 2, ")"):
            continue
        history = _string(segment.words[after + 1].text)
        if history is None or word.lower not in ("with", "set"):
            continue
        _replace(segment, index, after + 2, b"" if word.lower == "with" else b"RESET (x)")
        return True, history
    return False, None


def _replace(segment: _Segment, first: int, last: int, text: bytes) -> None:
    start, end = segment.words[first].start, segment.words[last].end
    segment.blank(start, end)
    segment.data[start : start + len(text)] = text
    segment.words = segment.words[:first] + segment.words[last + 1 :]


def _string(text: str) -> str | None:
    if len(text) < 2 or text[0] != "'" or text[-1] != "'":
        return None
    return text[1:-1].replace("''", "'")


def _show(segment: _Segment) -> ShowObjects | None:
    words = segment.words
    if segment.starts(1, "create") and len(words) > 3 and words[2].lower in ("table", "view"):
        name, at = _name(words, 3)
        return ShowObjects("create", name, create=words[2].lower) if name and at == len(words) else None
    at = 1
    if at >= len(words) or words[at].lower not in SHOW_KINDS:
        return None
    kind = words[at].lower
    at += 1
    name = ()
    if at < len(words) and words[at].lower in ("from", "in"):
        name, at = _name(words, at + 1)
        if not name:
            return None
    like = None
    if at + 1 < len(words) and words[at].lower == "like":
        like = _string(words[at + 1].text)
        at += 2
    return ShowObjects(kind, name, like) if at == len(words) else None


def _name(words: list[_Word], at: int) -> tuple[tuple[str, ...], int]:
    """A dotted name from `at` on, and where it ends; no parts when there is none."""
    parts: list[str] = []
    while at < len(words):
        text = words[at].text
        parts.append(text[1:-1].replace('""', '"') if text.startswith('"') else text.lower())
        at += 1
        if at >= len(words) or words[at].text != ".":
            break
        at += 1
    return tuple(parts), at
