"""The templates of to_char, to_date and to_timestamp, cut into patterns and literal text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

_KEYWORDS = (
    "A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "CC", "DAY", "DDD", "DD", "DY", "D", "FF1", "FF2", "FF3", "FF4", "FF5",
    "FF6", "FX", "HH24", "HH12", "HH", "IDDD", "ID", "IW", "IYYY", "IYY", "IY", "I", "J", "MI", "MM", "MONTH", "MON",
    "MS", "OF", "P.M.", "PM", "Q", "RM", "SSSSS", "SSSS", "SS", "TZH", "TZM", "TZ", "US", "WW", "W", "Y,YYY", "YYYY",
    "YYY", "YY", "Y",
)  # fmt: skip
_MIXED_CASE = frozenset(("DAY", "DY", "MONTH", "MON"))
_BY_LENGTH = sorted(_KEYWORDS, key=len, reverse=True)


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a template for dates: a field, or literal text. `pattern` is upper case, with `written` as in the
    template; None for literal `written`. `fill`: FM wasn't there; `ordinal`: "TH" or "th" behind it; `translated`: TM
    before it; `quoted`: in double quotes."""

    pattern: str | None
    written: str
    fill: bool = True
    ordinal: str = ""
    translated: bool = False
    quoted: bool = False


def _keyword_at(template: str, position: int) -> str | None:
    for keyword in _BY_LENGTH:
        if template[position : position + len(keyword)].upper() == keyword:
            written = template[position : position + len(keyword)]
            if written in (keyword, keyword.lower()) or (keyword in _MIXED_CASE and written == keyword.capitalize()):
                return keyword
    return None


@lru_cache(maxsize=512)
def parse_template(template: str) -> tuple[Node, ...]:
    """Returns the nodes of a template, in order."""
    nodes: list[Node] = []
    position, quoted = 0, False
    while position < len(template):
        if quoted or template[position] == '"':
            position, quoted = _take_quoted(template, position, quoted, nodes)
            continue
        if template[position] == "\\" and template[position + 1 : position + 2] == '"':
            nodes.append(Node(None, '"'))
            position += 2
            continue
        prefix = template[position : position + 2]
        fill, translated = prefix not in ("FM", "fm"), prefix in ("TM", "tm")
        if not fill or translated:
            position += 2
        keyword = _keyword_at(template, position)
        if keyword is None:
            if position < len(template) and template[position] != '"':
                nodes.append(Node(None, template[position]))
                position += 1
            continue
        written = template[position : position + len(keyword)]
        position += len(keyword)
        suffix = template[position : position + 2]
        ordinal = suffix if suffix in ("TH", "th") else ""
        position += 2 if ordinal or suffix == "SP" else 0
        nodes.append(Node(keyword, written, fill, ordinal, translated))
    return tuple(nodes)


def _take_quoted(template: str, position: int, quoted: bool, nodes: list[Node]) -> tuple[int, bool]:
    """Takes one character inside double quotes, or a quote that opens or closes them."""
    character = template[position]
    if character == '"':
        return position + 1, not quoted
    if character == "\\" and position + 1 < len(template):
        nodes.append(Node(None, template[position + 1], quoted=True))
        return position + 2, quoted
    nodes.append(Node(None, character, quoted=True))
    return position + 1, quoted
