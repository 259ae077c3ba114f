"""PostgreSQL's grammar, kept from running out of stack.

The library recurses in C into what a text nests, and a stack that is too small for it ends the process. So a long text
is read on a stack made for its length. What is read is bounded after that: the message that holds the tree may be as
deep as a short text can make it, a long one's only as deep as protobuf takes by itself, and beyond is 54001.
"""

from __future__ import annotations

import importlib
import threading
from typing import Any

import postgast
from google.protobuf.message import DecodeError

from model.errors import SqlError
from model.sqlstate import Sqlstate

_SHORT_TEXT_LENGTH_MAX = 4096
_STACK_BYTES_MIN = 16 << 20
_STACK_BYTES_MAX = 1 << 30
_STACK_BYTES_PER_CHARACTER = 512
_PAGE_BYTES = 4096

# Without it a message of more than 100 levels is refused, which is an expression of fifty operators.
_allow_deep_messages = importlib.import_module("google._upb._message").SetAllowOversizeProtos


def parse_tree(text: str) -> Any:
    """The syntax tree; PgQueryError for what the grammar refuses, SqlError 54001 for what is nested too deeply."""
    if len(text) <= _SHORT_TEXT_LENGTH_MAX:
        _allow_deep_messages(True)
        return postgast.parse(text)
    _allow_deep_messages(False)
    return _parse_on_large_stack(text)


def too_deep() -> SqlError:
    """54001."""
    return SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded")


def _parse_on_large_stack(text: str) -> Any:
    wanted = _STACK_BYTES_MIN + len(text) * _STACK_BYTES_PER_CHARACTER
    size = min(wanted, _STACK_BYTES_MAX) // _PAGE_BYTES * _PAGE_BYTES
    found: list[Any] = []
    failures: list[Exception] = []

    def run() -> None:
        try:
            found.append(postgast.parse(text))
        except DecodeError:
            failures.append(too_deep())
        except postgast.PgQueryError as error:
            failures.append(error)

    usual = threading.stack_size(size)
    try:
        thread = threading.Thread(target=run, name="parse")
        thread.start()
    finally:
        threading.stack_size(usual)
    thread.join()
    if failures:
        raise failures[0]
    return found[0]
