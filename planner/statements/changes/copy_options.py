"""COPY's options, in both of its syntaxes, as written: the wire checks and completes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from model.errors.sqlstate import Sqlstate
from planner.plans.copying import CopyOptions
from planner.scope.analysis import Analysis
from planner.scope.names import strings

_CONNECTION = "connection"
_TEXTS = ("format", "delimiter", "null", "header", "quote", "escape", "encoding", _CONNECTION)
_COLUMNS = ("force_quote", "force_not_null", "force_null")


def copy_options(analysis: Analysis, nodes: Iterable[Any]) -> tuple[CopyOptions, str | None]:
    """Returns the options, with the name of a connection for objects. Raises 42601 for an option that PostgreSQL
    doesn't know, or that occurs twice."""
    texts: dict[str, str | None] = {}
    columns: dict[str, tuple[str, ...] | None] = {}
    seen: set[str] = set()
    for node in nodes:
        element = node.def_elem
        name = element.defname
        if name in seen:
            message = "conflicting or redundant options"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, element.location)
        seen.add(name)
        if name in _TEXTS:
            texts[name] = _text(element)
        elif name in _COLUMNS:
            columns[name] = ("*",) if element.arg.WhichOneof("node") == "a_star" else strings(element.arg.list.items)
        elif name != "freeze":
            message = f'option "{name}" not recognized'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, element.location)
    options = CopyOptions(
        format=texts.get("format"),
        delimiter=texts.get("delimiter"),
        null=texts.get("null"),
        header=texts.get("header"),
        quote=texts.get("quote"),
        escape=texts.get("escape"),
        force_quote=columns.get("force_quote"),
        force_not_null=columns.get("force_not_null"),
        force_null=columns.get("force_null"),
        encoding=texts.get("encoding"),
    )
    return options, texts.get(_CONNECTION)


def _text(element: Any) -> str:
    """Returns the word or string; a bare option is true."""
    match element.arg.WhichOneof("node") if element.HasField("arg") else None:
        case "string":
            return str(element.arg.string.sval)
        case "integer":
            return str(element.arg.integer.ival)
        case "boolean":
            return "true" if element.arg.boolean.boolval else "false"
        case _:
            return "true"
