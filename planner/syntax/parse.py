"""SQL text to statements, by PostgreSQL's own grammar, with Materialize's clauses taken out before where it fails.

Positions: the syntax tree counts bytes from 0 from the start of the whole message; errors count characters from 1.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import postgast
from postgast import pg_query_pb2 as tree

from model.errors.deep_recursion import too_deep
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.syntax.call_stars import take_call_stars, without_word_calls
from planner.syntax.extensions import Extension, MutualRecursion
from planner.syntax.grammar import parse_tree
from planner.syntax.members import NO_MEMBERS, MemberSyntax
from planner.syntax.own_syntax import load_dialect, mentions_members, take_extensions, take_members, take_recursions
from planner.syntax.refusals import character_position, farthest, placed, requoted, syntax_error
from planner.syntax.secret_texts import without_quotes
from planner.syntax.single_calls import single_calls

_CACHED_TEXTS_MAX = 1024
_CACHED_TEXT_LENGTH_MAX = 8192
_OWN_LENGTH_MAX = 1 << 18
"""Our own syntax is looked for by searches through all of the text, each of which holds up all threads."""
_BLANKS = " \t\n\r\f\v"
"""PostgreSQL's: other characters that are blank to Python are letters of names."""
_JUNK = re.compile(r"\$[0-9]+[A-Za-z_\x80-\U0010ffff]")
_WORD = re.compile(rb"[A-Za-z_\x80-\xff]")
_WITH_CHANGES = ("insert_stmt", "update_stmt", "delete_stmt", "merge_stmt")
_CHANGES = (*_WITH_CHANGES, "copy_stmt", "alter_table_stmt", "rename_stmt", "index_stmt")


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """One statement of a message. Trees are shared: never change a tree.

    `text`: the statement's own text, which begins `offset` characters into `source`, the whole message
    `kind`: the syntax tree's name of the statement (`select_stmt`); our own statements have similar names
        (`subscribe_stmt`)
    `node`: the syntax tree
    `recursions`: each WITH MUTUALLY RECURSIVE of the message, by the byte of its WITH
    `members`: the lists and maps in the message
    `call_stars`: the first byte of each call in `f(x).*`
    `changes_rows`: the statement may write rows found by reading; for EXECUTE, see the prepared statement
    """

    source: str
    text: str
    offset: int
    kind: str
    node: Any
    extension: Extension
    recursions: Mapping[int, MutualRecursion] = field(default_factory=dict)
    members: MemberSyntax = NO_MEMBERS
    call_stars: frozenset[int] = field(default=frozenset(), compare=False)
    changes_rows: bool = field(default=False, compare=False)

    def position(self, location: int) -> int | None:
        """Returns an error's position, in characters of the message from 1; `location` is the tree's."""
        return character_position(self.source, location)

    @property
    def executes(self) -> str | None:
        """Returns the name of the prepared statement that EXECUTE runs, also below EXPLAIN ANALYZE; None for other
        statements."""
        executing = self.explained if self.analyzes else self
        return str(executing.node.name) if executing.kind == "execute_stmt" else None

    @property
    def single_calls(self) -> Mapping[int, str]:
        """Returns the names of the functions that a query calls exactly once, by the first byte of each call."""
        extension = self.extension
        told = extension.explain is not None or extension.checked is not None or extension.as_of is not None
        return single_calls(self.node) if self.kind == "select_stmt" and not told else {}

    @property
    def analyzes(self) -> bool:
        """Tells if the statement is EXPLAIN ANALYZE, which runs the explained statement."""
        return self.kind == "explain_stmt" and analyzed_kind(self.node) is not None

    @property
    def explained(self) -> ParsedStatement:
        """Returns the statement that an EXPLAIN in PostgreSQL's words explains."""
        kind = self.node.query.WhichOneof("node")
        node = getattr(self.node.query, kind)
        return replace(self, kind=kind, node=node, changes_rows=_changes_rows(kind, node))

    def changed_tables(self) -> Iterator[tuple[str, ...]]:
        """Returns the relations whose rows or columns the statement, or a part of its WITH, changes, by the names
        written.
        """
        return _changed_tables(self.kind, self.node)

    def behind(self, byte: int) -> str:
        """Returns the text from a byte of the message on, to the statement's end."""
        begin = len(self.source[: self.offset].encode())
        return self.text.encode()[byte - begin :].decode().rstrip("; \n")

    @property
    def holds_secret(self) -> bool:
        """Returns whether its text has the value of a secret in it, or a password."""
        if self.kind in ("create_role_stmt", "alter_role_stmt"):
            return any(option.def_elem.defname == "password" for option in self.node.options)
        return self.kind in ("create_secret_stmt", "alter_secret_stmt")


def is_on(option: Any) -> bool | None:
    """Returns the value of a boolean option: True for the option's name alone; None for a value that is not boolean."""
    match option.arg.WhichOneof("node"):
        case None:
            return True
        case "integer":
            return {0: False, 1: True}.get(option.arg.integer.ival)
        case "boolean":
            return bool(option.arg.boolean.boolval)
        case "string":
            return {"true": True, "on": True, "false": False, "off": False}.get(option.arg.string.sval.lower())
        case _:
            return None


def analyzed_kind(node: Any) -> str | None:
    """Returns the kind of the statement that an EXPLAIN runs; None where it runs none. The last of several values of
    the option counts."""
    values = [is_on(each.def_elem) for each in node.options if each.def_elem.defname == "analyze"]
    return str(node.query.WhichOneof("node")) if values and values[-1] else None


def _changes_rows(kind: str, node: Any) -> bool:
    match kind:
        case "explain_stmt":
            analyzed = analyzed_kind(node)
            return analyzed is not None and _changes_rows(analyzed, getattr(node.query, analyzed))
        case "insert_stmt" | "update_stmt" | "delete_stmt" | "merge_stmt":
            return True
        case "create_table_as_stmt":
            return bool(node.objtype == tree.OBJECT_TABLE)
        case "select_stmt":
            return any(map(modifies, node.with_clause.ctes)) or bool(node.HasField("into_clause"))
        case _:
            return False


def modifies(table: Any) -> bool:
    """Tells whether a common table, a node of WITH, is a statement that changes data."""
    return bool(table.common_table_expr.ctequery.WhichOneof("node") != "select_stmt")


def _changed_tables(kind: str, node: Any) -> Iterator[tuple[str, ...]]:
    reads = kind == "copy_stmt" and not node.is_from
    if kind in _CHANGES and not reads and node.HasField("relation"):
        relation = node.relation
        yield tuple(part for part in (relation.catalogname, relation.schemaname, relation.relname) if part)
    if kind in (*_WITH_CHANGES, "select_stmt"):
        for table in filter(modifies, node.with_clause.ctes):
            query = table.common_table_expr.ctequery
            inner = query.WhichOneof("node")
            yield from _changed_tables(inner, getattr(query, inner))


def parse(sql: str) -> tuple[ParsedStatement, ...]:
    """Returns the statements of a message, none for an empty one; 42601 with its position when any of them is
    malformed."""
    try:
        return _parse(sql) if len(sql) > _CACHED_TEXT_LENGTH_MAX else _parse_cached(sql)
    except _HoldsSecret as found:
        return found.statements
    except SqlError as failure:
        raise without_quotes(failure, sql) from None
    except RecursionError:
        raise too_deep() from None


def prepare_parsing() -> None:
    """Imports the dialect, which takes long and would delay the first session to need the dialect."""
    load_dialect()


class _HoldsSecret(Exception):
    """Carries statements that contain a secret past the cache, which must not store them."""

    def __init__(self, statements: tuple[ParsedStatement, ...]) -> None:
        super().__init__()
        self.statements = statements


@lru_cache(maxsize=_CACHED_TEXTS_MAX)
def _parse_cached(sql: str) -> tuple[ParsedStatement, ...]:
    statements = _parse(sql)
    if any(statement.holds_secret for statement in statements):
        raise _HoldsSecret(statements)
    return statements


def _parse(sql: str) -> tuple[ParsedStatement, ...]:
    try:
        taken = take_members(sql)
        return _parse_written(sql, *(taken or (sql, NO_MEMBERS)))
    except SqlError as failure:
        if not mentions_members(sql):
            raise
        # What looked like a list was perhaps a column of this name.
        try:
            return _parse_written(sql, sql, NO_MEMBERS)
        except SqlError as plain:
            raise farthest(plain, failure) from None


def _parse_written(sql: str, written: str, members: MemberSyntax) -> tuple[ParsedStatement, ...]:
    """Returns the statements of `sql`, whose lists and maps `written` has in PostgreSQL's words."""
    extensions: dict[int, Extension] = {}
    recursions: dict[int, MutualRecursion] = {}
    stars = frozenset[int]()
    try:
        tree = parse_tree(written)
    except postgast.PgQueryError as refusal:
        if len(written) > _OWN_LENGTH_MAX:
            raise _too_long(refusal) from None
        text = written
        try:
            text, recursions = take_recursions(written) or (written, recursions)
            text = without_word_calls(text)
            text, stars = take_call_stars(text) or (text, stars)
            tree, extensions = _parse_extended(text)
        except SqlError as failure:
            raise _as_written(placed(failure, text, sql), sql, written) from None
    _refuse_junk(written)
    return tuple(_statements(sql, tree, extensions, recursions, members, stars))


def _too_long(refusal: postgast.PgQueryError) -> SqlError:
    """Returns the error for a text that is no statement of PostgreSQL, and longer than this server's own may be."""
    error = syntax_error(refusal)
    error.detail = (
        error.detail or f"A text with a statement of Headwater's own has at most {_OWN_LENGTH_MAX} characters."
    )
    return error


def _refuse_junk(text: str) -> None:
    """Raises 42601 for a word right behind a parameter: `$1a`, which the grammar reads as `$1 a`."""
    if len(text) > _OWN_LENGTH_MAX or _JUNK.search(text) is None:
        return
    data = text.encode()
    for token, after in pairwise(postgast.scan(text).tokens):
        if token.token == tree.Token.PARAM and token.end == after.start and _WORD.match(data, after.start):
            message = f'trailing junk after parameter at or near "{data[token.start : after.end].decode()}"'
            raise SqlError(Sqlstate.SYNTAX_ERROR, message, position=character_position(text, token.start))


def _parse_extended(text: str) -> tuple[Any, dict[int, Extension]]:
    """Returns the tree of a text, and the clauses taken out of it when it can't do with them."""
    try:
        return parse_tree(text), {}
    except postgast.PgQueryError as error:
        refused = syntax_error(error)
    taken = take_extensions(text)
    if taken is None:
        raise refused
    remainder, extensions = taken
    try:
        return parse_tree(remainder), extensions
    except postgast.PgQueryError as error:
        raise placed(syntax_error(error), remainder, text) from None


def _as_written(error: SqlError, sql: str, written: str) -> SqlError:
    """Returns the error as of the text that was written: an error that quotes what stands in `written` for a list's or
    a map's bracket or arrow quotes that of `sql`."""
    if written == sql or error.position is None:
        return error
    place = len(sql[: error.position - 1].encode())
    token = next((each for each in postgast.scan(sql).tokens if each.start == place), None)
    return error if token is None else requoted(error, sql.encode()[place : token.end].decode())


def _statements(
    sql: str,
    tree: Any,
    extensions: dict[int, Extension],
    recursions: Mapping[int, MutualRecursion],
    members: MemberSyntax,
    stars: frozenset[int],
) -> Iterator[ParsedStatement]:
    data = sql.encode()
    keys = sorted(extensions)
    known = characters = 0
    for raw in tree.stmts:
        start = raw.stmt_location
        end = start + raw.stmt_len if raw.stmt_len else len(data)
        first = bisect_left(keys, start)
        found = keys[first : bisect_left(keys, end)]
        # A clause taken from the end leaves blanks that the tree's length does not count.
        stop = max([end, *(extensions[key].end for key in found)])
        characters += len(data[known:start].decode())
        known = start
        text = data[start:stop].decode()
        stripped = text.lstrip(_BLANKS)
        offset = characters + len(text) - len(stripped)
        extension = extensions[found[0]] if found else Extension()
        if extension.statement is None:
            kind = raw.stmt.WhichOneof("node")
            node = getattr(raw.stmt, kind)
        else:
            kind, node = extension.statement.kind, extension.statement
        own = stripped.rstrip(_BLANKS).rstrip(";").rstrip(_BLANKS)
        changes = _changes_rows(kind, node)
        of_this = frozenset(place for place in stars if start <= place < stop)
        yield ParsedStatement(sql, own, offset, kind, node, extension, recursions, members, of_this, changes)
