"""psql's scripts as statements: its variables filled in, its other commands left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
      (?P<comment> --[^\n]* )
    | (?P<block> /\* )
    | (?P<escaped> (?<![\w$])[eE]'(?:[^'\\]|\\.|'')*' )
    | (?P<string> '(?:[^']|'')*' )
    | (?P<name> "[^"]*" )
    | (?P<dollar> (?<![\w$])\$(?P<tag>[A-Za-z_]\w*)?\$.*?\$(?(tag)(?P=tag))\$ )
    | (?P<semicolon> \\; )
    | (?P<command> \\[^\n]* )
    | (?P<variable> (?<!:):(?P<quoted>')?(?P<variable_name>[A-Za-z_]\w*)(?(quoted)') )
    | (?P<word> [\w$]+ )
    | (?P<sign> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_BLOCK_SIGN = re.compile(r"/\*|\*/")
_SET = re.compile(r"\\set\s+(\w+)\s+(.*)")
_WORD = re.compile(r"'[^']*'|\S+")
_SENDS = re.compile(r"\\(?:g|crosstab|watch)")
_COPY_IN = re.compile(r"copy\b.*\bfrom\s+stdin\b", re.IGNORECASE | re.DOTALL)
_COPY_END = re.compile(r"^\\\.[ \t]*$", re.MULTILINE)
_BODY = re.compile(r"\bbegin\s+atomic\b(?!.*\bend\s*$)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Statement:
    """`data` is what COPY FROM STDIN is given."""

    sql: str
    data: str = ""


def statements_of(script: str, variables: Mapping[str, str]) -> Iterator[Statement]:
    """In order. `variables` are those that psql would take from its environment."""
    known = dict(variables)
    parts: list[str] = []
    position = depth = 0
    while (token := _TOKEN.match(script, position)) is not None:
        position, text = token.end(), token[0]
        match token.lastgroup if token.lastgroup not in ("tag", "quoted", "variable_name") else _kind(token):
            case "comment":
                continue
            case "block":
                position = _end_of_block(script, position)
                parts.append(" ")
            case "semicolon":
                parts.append(";")
            case "command":
                _define(text, known)
                if _SENDS.match(text) and (sql := "".join(parts).strip()):
                    parts.clear()
                    yield Statement(sql)
            case "variable" if token["variable_name"] in known:
                value = known[token["variable_name"]]
                parts.append(f"'{value}'" if token["quoted"] else value)
            case "sign" if text == ";" and depth == 0:
                sql = "".join(parts).strip()
                if _BODY.search(sql):
                    parts.append(text)
                    continue
                parts.clear()
                if _COPY_IN.match(sql):
                    begin = script.find("\n", position) + 1
                    end = _COPY_END.search(script, begin)
                    position = len(script) if end is None else end.end()
                    yield Statement(sql, script[begin : len(script) if end is None else end.start()])
                elif sql:
                    yield Statement(sql)
            case _:
                depth = max(0, depth + (text == "(") - (text == ")"))
                parts.append(text)


def _kind(token: re.Match[str]) -> str:
    return "dollar" if token["dollar"] is not None else "variable"


def _end_of_block(script: str, position: int) -> int:
    """Where a comment ends that has begun before `position`; others may stand in it."""
    depth = 1
    while depth and (sign := _BLOCK_SIGN.search(script, position)) is not None:
        depth += 1 if sign[0] == "/*" else -1
        position = sign.end()
    return position


def _define(command: str, known: dict[str, str]) -> None:
    found = _SET.match(command)
    if found is not None:
        words = _WORD.findall(found[2])
        known[found[1]] = "".join(known.get(w[1:], w) if w.startswith(":") else w.strip("'") for w in words)
