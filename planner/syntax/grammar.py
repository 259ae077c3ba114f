"""PostgreSQL's grammar, kept from running out of stack.

The library recurses in C into what a text nests, and a stack that is too small for it ends the process. So a long
text's levels are counted first: more than PostgreSQL allows are 54001, all else is read on a stack made for its length.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from typing import Any

import postgast
from google.protobuf.internal import api_implementation, decoder
from google.protobuf.message import DecodeError
from postgast import pg_query_pb2 as tree

from model.errors.deep_recursion import too_deep
from planner.syntax.nesting import nests_too_deeply

COMMENTS = frozenset((tree.Token.SQL_COMMENT, tree.Token.C_COMMENT))
"""The tokens that PostgreSQL's scanner leaves out."""
_SHORT_TEXT_LENGTH_MAX = 4096
_STACK_BYTES_MIN = 16 << 20
_STACK_BYTES_MAX = 1 << 30
_STACK_BYTES_PER_CHARACTER = 512
_PAGE_BYTES = 4096

_STARTING = threading.Lock()
"""Held while the size of new stacks, which is all threads' together, is another than usual."""

_MESSAGE_LEVELS_MAX = 1 << 20


def _allow_deep_messages() -> None:
    """Allows deep messages: without it a message of more than 100 levels is refused, which is an expression of fifty
    operators."""
    if api_implementation.Type() == "upb":
        importlib.import_module("google._upb._message").SetAllowOversizeProtos(True)
    elif api_implementation.Type() == "python":
        decoder.SetRecursionLimit(_MESSAGE_LEVELS_MAX)


_allow_deep_messages()


def parse_tree(text: str) -> Any:
    """Returns the syntax tree; raises PgQueryError for a syntax error, and SqlError 54001 for nesting too deep.

    The library looks one token ahead behind NULLS, NOT, WITH and some other words, and takes a comment for a token,
    unlike PostgreSQL. A refused text is therefore parsed again with blanks in place of comments.
    """
    try:
        return _parse(text)
    except postgast.PgQueryError:
        bare = _without_comments(text)
        if bare is None:
            raise
    try:
        return _parse(bare)
    except postgast.PgQueryError as error:
        if error.cursorpos:
            error.cursorpos = len(text.encode()[: len(bare[: error.cursorpos - 1].encode())].decode()) + 1
        raise


def _without_comments(text: str) -> str | None:
    """Returns the text with a blank for each byte of a comment; None when it has none, or can't be cut into tokens."""
    try:
        comments = [token for token in postgast.scan(text).tokens if token.token in COMMENTS]
    except postgast.PgQueryError:
        return None
    data = bytearray(text.encode())
    for comment in comments:
        data[comment.start : comment.end] = b" " * (comment.end - comment.start)
    return data.decode() if comments else None


def parse_code(text: str) -> Any:
    """Returns the tree of DO with a block of PL/pgSQL, of lists and dictionaries; raises as `parse_tree`."""
    return _parse(text, postgast.parse_plpgsql)


def _parse(text: str, parser: Callable[[str], Any] = postgast.parse) -> Any:
    if len(text) <= _SHORT_TEXT_LENGTH_MAX:
        return parser(text)
    if nests_too_deeply(text):
        raise too_deep()
    return _parse_on_large_stack(text, parser)


def _parse_on_large_stack(text: str, parser: Callable[[str], Any]) -> Any:
    wanted = _STACK_BYTES_MIN + len(text) * _STACK_BYTES_PER_CHARACTER
    size = min(wanted, _STACK_BYTES_MAX) // _PAGE_BYTES * _PAGE_BYTES
    found: list[Any] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            found.append(parser(text))
        except (DecodeError, RecursionError):
            failures.append(too_deep())
        except BaseException as error:  # noqa: BLE001 - it is raised where the text was given
            failures.append(error)

    with _STARTING:
        usual = threading.stack_size()
        # A thread that somebody else starts meanwhile has no less than it counts on.
        threading.stack_size(max(size, usual))
        try:
            thread = threading.Thread(target=run, name="parse")
            thread.start()
        finally:
            threading.stack_size(usual)
    thread.join()
    if failures:
        raise failures[0]
    return found[0]
