"""Materialize's syntax around PostgreSQL's grammar.

The text is cut into tokens; clauses that PostgreSQL doesn't know are recorded and blanked with spaces, so that what
remains is PostgreSQL's and positions stay right:

    SELECT … AS OF [AT LEAST] expression         INSERT … SELECT … AS OF expression
    EXPLAIN … PLAN FOR statement, EXPLAIN TIMESTAMP FOR statement (explain_clauses)
    SHOW of objects (show_clauses)               clauses of indexes, views and retained history (view_clauses)
    SUBSCRIBE, FETCH … WITH (TIMEOUT …) (subscribe_clauses)            statements about READ HOLDs (read_hold_clauses)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from planner.syntax.explain_clauses import take_explain
from planner.syntax.pieces import expression_at
from planner.syntax.read_hold_clauses import ReadHoldStatement, take_read_hold
from planner.syntax.segments import CLOSERS, OPENERS, Segment, split, words_of
from planner.syntax.show_clauses import ShowObjects, show_of
from planner.syntax.subscribe_clauses import (
    SubscribeStatement,
    take_fetch_timeout,
    take_inner_subscribe,
    take_subscribe,
)
from planner.syntax.view_clauses import (
    take_check,
    take_cluster,
    take_default_index,
    take_explained_object,
    take_or_replace,
    take_retain_history,
    take_swap,
)


@dataclass(frozen=True, slots=True)
class Extension:
    """What was found beside a statement. `as_of` is an expression's syntax tree; `end` is where the text ends (bytes).

    `retain_history` is the interval's text; with `retains` and without it, the setting is reset. `explained` and
    `checked` are the kind of the object, of which the statement has become TABLE name. `statement` is one of our own,
    whose place an empty SELECT keeps; `subscribe` is the one inside a COPY, DECLARE or PREPARE."""

    as_of: Any = None
    at_least: bool = False
    retains: bool = False
    retain_history: str | None = None
    explain: str | None = None
    show: ShowObjects | None = None
    end: int = 0
    or_replace: bool = False
    default_index: bool = False
    cluster: str | None = None
    swap: bool = False
    checked: str | None = None
    explained: str | None = None
    statement: SubscribeStatement | ReadHoldStatement | None = None
    subscribe: SubscribeStatement | None = None
    fetch_timeout: str | None = None


_NOTHING = Extension()


def take_extensions(sql: str) -> tuple[str, dict[int, Extension]] | None:
    """The text without its extension clauses, and those by the byte at which their statement's first word begins.

    None when there are none, or when the text can't be cut into tokens."""
    words = words_of(sql)
    if words is None:
        return None
    blanked = bytearray(sql.encode())
    found: dict[int, Extension] = {}
    for piece in split(words):
        extension = _take(sql, Segment(blanked, piece))
        if extension is not None:
            found[extension[0]] = extension[1]
    return (blanked.decode(), found) if found else None


def _take(sql: str, segment: Segment) -> tuple[int, Extension] | None:
    """What a statement holds, and a byte that is within what remains of it."""
    start, end = segment.words[0].start, segment.words[-1].end
    explain = take_explain(segment)
    words = segment.words
    if not words:
        return None
    explained = None if explain is None else take_explained_object(segment, start)
    first = words[0].start if explained is None else start
    if segment.starts(0, "show"):
        show = show_of(segment)
        if show is None:
            return None
        segment.blank(first, end)
        # Holds the statement's place in the tree.
        segment.data[first : first + 6] = b"SHOW a"
        return first, Extension(show=show, explain=explain, end=end)
    statement = take_subscribe(sql, segment) or take_read_hold(sql, segment)
    if statement is not None:
        return first, Extension(statement=statement, explain=explain, end=end)
    subscribe, fetch_timeout = take_inner_subscribe(sql, segment), take_fetch_timeout(segment)
    or_replace, swap = take_or_replace(segment), take_swap(segment)
    cluster, checked = take_cluster(segment), take_check(segment)
    retains, history = take_retain_history(segment)
    as_of = _take_as_of(sql, segment)
    # Last, since it moves what follows.
    default_index = take_default_index(segment)
    expression, at_least = as_of or (None, False)
    extension = Extension(
        as_of=expression,
        at_least=at_least,
        retains=retains,
        retain_history=history,
        explain=explain,
        or_replace=or_replace,
        default_index=default_index,
        cluster=cluster,
        swap=swap,
        checked=checked,
        explained=explained,
        subscribe=subscribe,
        fetch_timeout=fetch_timeout,
    )
    return None if extension == _NOTHING else (first, replace(extension, end=end))


def _take_as_of(sql: str, segment: Segment) -> tuple[Any, bool] | None:
    """AS OF at the end of the statement, outside all parentheses."""
    depth = 0
    for index, word in enumerate(segment.words):
        depth += (word.text in OPENERS) - (word.text in CLOSERS)
        if depth == 0 and index > 0 and segment.starts(index, "as", "of"):
            at_least = segment.starts(index + 2, "at", "least")
            rest = segment.words[index + (4 if at_least else 2) :]
            if not rest:
                return None
            expression = expression_at(sql, rest[0].start, rest[-1].end)
            segment.blank(word.start, rest[-1].end)
            segment.words = segment.words[:index]
            return expression, at_least
    return None
