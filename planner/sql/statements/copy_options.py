"""COPY's options, in both of its syntaxes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from model.errors import SqlError
from model.sqlstate import Sqlstate
from planner.plans import CopyOptions
from planner.sql.analysis import Analysis
from planner.sql.names import strings

_IGNORED = frozenset(("encoding", "freeze"))
Columns = tuple[str, ...] | Literal["*"]


def copy_options(analysis: Analysis, nodes: Iterable[Any], *, is_from: bool) -> CopyOptions:
    """42601 and 0A000 for what PostgreSQL refuses."""
    given: dict[str, Any] = {}
    for node in nodes:
        element = node.def_elem
        if element.defname in given:
            message = "conflicting or redundant options"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, element.location)
        given[element.defname] = element
    format_ = _format(analysis, given.pop("format", None))
    options = CopyOptions(
        format=format_,
        delimiter=_text(given.pop("delimiter", None)),
        null=_text(given.pop("null", None)),
        header=_header(analysis, given.pop("header", None), is_from=is_from),
        quote=_text(given.pop("quote", None)) or '"',
        escape=_text(given.pop("escape", None)),
        force_quote=_columns(given.pop("force_quote", None)),
        force_not_null=_columns(given.pop("force_not_null", None)),
        force_null=_columns(given.pop("force_null", None)),
    )
    for name, element in given.items():
        if name not in _IGNORED:
            message = f'option "{name}" not recognized'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, element.location)
    _check(options)
    return options


def _format(analysis: Analysis, element: Any) -> Literal["text", "csv", "binary"]:
    match _text(element):
        case None | "text":
            return "text"
        case "csv":
            return "csv"
        case "binary":
            return "binary"
        case other:
            message = f'COPY format "{other}" not recognized'
            raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, element.location)


def _text(element: Any) -> str | None:
    if element is None or not element.HasField("arg"):
        return None
    kind = element.arg.WhichOneof("node")
    if kind == "string":
        return str(element.arg.string.sval)
    if kind == "integer":
        return str(element.arg.integer.ival)
    if kind == "boolean":
        return "true" if element.arg.boolean.boolval else "false"
    return None


def _header(analysis: Analysis, element: Any, *, is_from: bool) -> Literal["no", "yes", "match"]:
    if element is None:
        return "no"
    text = _text(element)
    match text if text is None else text.lower():
        case None | "true" | "on" | "1":
            return "yes"
        case "false" | "off" | "0":
            return "no"
        case "match" if is_from:
            return "match"
        case _:
            message = 'header requires a Boolean value or "match"'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, element.location)


def _columns(element: Any) -> Columns:
    if element is None:
        return ()
    if element.arg.WhichOneof("node") == "a_star":
        return "*"
    return strings(element.arg.list.items)


def _check(options: CopyOptions) -> None:
    if options.format == "binary" and (options.delimiter is not None or options.null is not None):
        what = "DELIMITER" if options.delimiter is not None else "NULL"
        raise SqlError(Sqlstate.SYNTAX_ERROR, f"cannot specify {what} in BINARY mode")
    if options.format == "binary" and options.header != "no":
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "cannot specify HEADER in BINARY mode")
    if options.delimiter is not None and len(options.delimiter.encode()) != 1:
        message = "COPY delimiter must be a single one-byte character"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    if options.format != "csv" and (options.escape is not None or options.quote != '"'):
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "COPY QUOTE and ESCAPE require CSV mode")
