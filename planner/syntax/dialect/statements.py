"""The door of the dialect: splits a message into PostgreSQL's text and our own clauses.

Clauses are recorded and overwritten with spaces, so that the rest is PostgreSQL's grammar and positions stay right.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace

import postgast

from model.errors.sql_error import SqlError
from planner.syntax.dialect.backup import take_backup, take_promotion
from planner.syntax.dialect.clauses import (
    has_a_time,
    take_as_of,
    take_asserted,
    take_check,
    take_cluster,
    take_default_index,
    take_explained_object,
    take_granted_on,
    take_json_copy,
    take_or_replace,
    take_retain_history,
    take_swap,
)
from planner.syntax.dialect.clusters import take_cluster_statement
from planner.syntax.dialect.connections import take_connection
from planner.syntax.dialect.explain import take_explain
from planner.syntax.dialect.headwater import parser_over
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.dialect.read_holds import take_read_hold
from planner.syntax.dialect.repair import take_repair
from planner.syntax.dialect.show import show_of
from planner.syntax.dialect.sinks import take_sink
from planner.syntax.dialect.sources import take_source
from planner.syntax.dialect.subscribe import take_fetch_timeout, take_inner_subscribe, take_subscribe
from planner.syntax.dialect.tokens import statements_of, tokens_of
from planner.syntax.extensions import NO_EXTENSION, Extension
from planner.syntax.grammar import parse_tree
from planner.syntax.refusals import farthest, requoted, syntax_error

_SHOW_STAND_IN = b"SHOW a"


def take_extensions(sql: str) -> tuple[str, dict[int, Extension]] | None:
    """Returns the text without its extension clauses, and the clauses by the first byte of their statement.

    Returns None if there are no clauses, or the text can't be cut into tokens. A statement that PostgreSQL's grammar
    accepts keeps all its words. Raises SqlError for the first statement that the grammar refuses both with and without
    its clauses.
    """
    tokens = tokens_of(sql)
    if tokens is None:
        return None
    source = sql.encode()
    data = bytearray(source)
    found: dict[int, Extension] = {}
    for piece, behind in statements_of(tokens):
        refused = _refused(parser_over(sql, source, data, piece, behind))
        if refused is None:
            continue
        try:
            extension = _take(parser_over(sql, source, data, list(piece), behind))
        except SqlError as failure:
            raise farthest(refused, failure) from None
        if extension is None:
            # It is refused again, with all that stands before it.
            break
        found[extension[0]] = extension[1]
        still = _refused(parser_over(sql, source, data, piece, behind), extension[1].default_index)
        if still is not None:
            raise farthest(refused, still)
    return (data.decode(), found) if found else None


def _refused(parser: StatementParser, moved: bool = False) -> SqlError | None:
    """Returns the error of PostgreSQL's grammar for a statement in its present bytes, or None if the grammar accepts
    the statement. `moved`: the text behind the second word begins there.
    """
    tokens = parser.tokens
    start, end = tokens[0].start, tokens[-1].end + 1
    text = parser.written.data[start:end].decode()
    try:
        parse_tree(text)
    except postgast.PgQueryError as error:
        failure = syntax_error(error)
    else:
        return None
    if failure.position is None:
        return failure
    place = start + len(text[: failure.position - 1].encode())
    if moved and place >= tokens[1].start:
        place += len("DEFAULT")
    at = bisect_left(tokens, place, key=lambda token: int(token.end))
    if place >= end or (tokens[at].start < place and failure.message.startswith("syntax error at or near")):
        # It is at a stand-in's second word, or behind the last.
        return parser.written.error_at(at)
    failure.position = parser.written.position(place)
    if tokens[at].start == place:
        requoted(failure, parser.written.source[place : parser.written.end_of(at)].decode())
    return failure


def _take(parser: StatementParser) -> tuple[int, Extension] | None:
    """Reads a statement's extensions; returns them with a byte within the rest."""
    start, end = parser.tokens[0].start, parser.tokens[-1].end + 1
    explain, explain_format = take_explain(parser) or (None, "text")
    if not parser.tokens:
        return None
    explained = None if explain is None else take_explained_object(parser, start)
    first = parser.tokens[0].start if explained is None else start
    if parser.sees_at(0, "SHOW"):
        show = show_of(parser)
        if show is None:
            return None
        parser.written.blank(first, end)
        # Holds the statement's place in the tree.
        parser.written.data[first : first + len(_SHOW_STAND_IN)] = _SHOW_STAND_IN
        return first, Extension(show=show, explain=explain, explain_format=explain_format, end=end)
    statement = (
        take_subscribe(parser)
        or take_read_hold(parser)
        or take_repair(parser)
        or take_backup(parser)
        or take_promotion(parser)
        or take_cluster_statement(parser)
        or take_connection(parser)
        or take_source(parser)
        or take_sink(parser)
    )
    if statement is not None:
        return first, Extension(statement=statement, explain=explain, explain_format=explain_format, end=end)
    timed = explained is not None or has_a_time(parser)
    subscribe, fetch_timeout = take_inner_subscribe(parser), take_fetch_timeout(parser)
    or_replace, swap = take_or_replace(parser), take_swap(parser)
    cluster, checked = take_cluster(parser), take_check(parser)
    asserted = take_asserted(parser)
    retains, history = take_retain_history(parser)
    expression, at_least = (take_as_of(parser) if timed else None) or (None, False)
    json_copy, granted_on = take_json_copy(parser), take_granted_on(parser)
    # Last, since it moves what follows.
    default_index = take_default_index(parser)
    extension = Extension(
        as_of=expression,
        at_least=at_least,
        retains=retains,
        retain_history=history,
        explain=explain,
        explain_format=explain_format,
        or_replace=or_replace,
        default_index=default_index,
        cluster=cluster,
        swap=swap,
        asserted=asserted,
        checked=checked,
        explained=explained,
        subscribe=subscribe,
        fetch_timeout=fetch_timeout,
        json_copy=json_copy,
        granted_on=granted_on,
    )
    return None if extension == NO_EXTENSION else (first, replace(extension, end=end))
