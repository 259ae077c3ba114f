"""Writes a jsonpath as PostgreSQL does: keys quoted, operators spaced, parentheses where precedence requires them."""

from __future__ import annotations

from typing import assert_never

from model.json.json_text import quote_json, write_jsonb
from model.json.jsonpath import (
    DEPTH_MAX,
    Accessor,
    AnyDepth,
    AnyElement,
    AnyKey,
    Arithmetic,
    Both,
    Chain,
    Comparison,
    Current,
    Either,
    Expression,
    IsUnknown,
    JsonPath,
    Key,
    Last,
    LikeRegex,
    Method,
    Not,
    PathConstant,
    PathExists,
    PathFilter,
    PathVariable,
    Root,
    Sign,
    StartsWith,
    Subscripts,
)
from model.text.jsonpaths.jsonpath_input import read_jsonpath

_ADDITIVE = ("+", "-")


def parse_jsonpath(text: str) -> str:
    """Returns the canonical text."""
    return write_jsonpath(read_jsonpath(text))


def write_jsonpath(path: JsonPath) -> str:
    return ("strict " if path.strict else "") + _written(path.expression, True)


def _priority(expression: Expression) -> int:
    match expression:
        case Either():
            return 0
        case Both():
            return 1
        case Comparison() | StartsWith():
            return 2
        case Arithmetic(symbol=symbol):
            return 3 if symbol in _ADDITIVE else 4
        case Sign():
            return 5
        case Chain(head=head):
            return _priority(head)
        case _:
            return 6


def _operand(expression: Expression, parent: Expression) -> str:
    return _written(expression, _priority(expression) <= _priority(parent))


def _infix(symbol: str, expression: Expression, left: Expression, right: Expression, brackets: bool) -> str:
    text = f"{_operand(left, expression)} {symbol} {_operand(right, expression)}"
    return f"({text})" if brackets else text


def _written(expression: Expression, brackets: bool) -> str:
    match expression:
        case Root():
            return "$"
        case Current():
            return "@"
        case Last():
            return "last"
        case PathVariable(name=name):
            return "$" + quote_json(name)
        case PathConstant(value=value):
            return write_jsonb(value)
        case Chain():
            return _chain(expression, brackets)
        case Arithmetic(symbol, left, right) | Comparison(symbol, left, right):
            return _infix(symbol, expression, left, right, brackets)
        case Both(left, right):
            return _infix("&&", expression, left, right, brackets)
        case Either(left, right):
            return _infix("||", expression, left, right, brackets)
        case StartsWith(operand, initial):
            return _infix("starts with", expression, operand, initial, brackets)
        case Sign(symbol, operand):
            text = symbol + _operand(operand, expression)
            return f"({text})" if brackets else text
        case Not(operand):
            return f"!({_written(operand, False)})"
        case IsUnknown(operand):
            return f"({_written(operand, False)}) is unknown"
        case PathExists(operand):
            return f"exists ({_written(operand, False)})"
        case LikeRegex(operand, pattern, flags):
            text = f"{_operand(operand, expression)} like_regex {quote_json(pattern)}"
            text += f' flag "{flags}"' if flags else ""
            return f"({text})" if brackets else text
        case _:
            assert_never(expression)


def _chain(chain: Chain, brackets: bool) -> str:
    head = _written(chain.head, brackets)
    if isinstance(chain.head, PathConstant) and not isinstance(chain.head.value, str | bool | None):
        head = f"({head})"
    return head + "".join(map(_accessor, chain.accessors))


def _accessor(accessor: Accessor) -> str:
    match accessor:
        case Key(name):
            return "." + quote_json(name)
        case AnyKey():
            return ".*"
        case AnyElement():
            return "[*]"
        case Subscripts(ranges):
            written = (
                _written(start, False) + ("" if end is None else f" to {_written(end, False)}") for start, end in ranges
            )
            return f"[{','.join(written)}]"
        case AnyDepth(first, last):
            return ".**" + _levels(first, last)
        case PathFilter(predicate):
            return f"?({_written(predicate, False)})"
        case Method(name, argument):
            return f".{name}({'' if argument is None else quote_json(argument)})"
        case _:
            assert_never(accessor)


def _levels(first: int, last: int) -> str:
    if (first, last) == (0, DEPTH_MAX):
        return ""
    start, end = ("last" if level == DEPTH_MAX else str(level) for level in (first, last))
    return f"{{{start}}}" if first == last else f"{{{start} to {end}}}"
