"""regexp_match and its kin, and SUBSTRING by pattern. Positions and occurrences count from 1."""

from __future__ import annotations

import re
from itertools import islice

from model.patterns.pattern import Pattern, PatternMatch, compile_pattern
from model.types.scalar_type import BOOL, INT4, TEXT, array_of
from planner.functions.failures import invalid_parameter
from planner.functions.rows import function
from planner.functions.signature import Function
from planner.functions.text.pattern import similar_to_escape

_GROUP_REFERENCE = re.compile(r"\\(?:([1-9])|(&)|(\\))")


def _compiled(pattern: str, flags: str, name: str, hint: str | None = None) -> Pattern:
    """Compiles a pattern; raises an error for the flag g, which the calling function does not take."""
    if "g" in flags:
        raise invalid_parameter(f'{name} does not support the "global" option', hint=hint)
    return compile_pattern(pattern, flags)


def _captured(found: PatternMatch) -> tuple[str | None, ...]:
    """Returns the texts of a match's groups; the whole match when the pattern has no groups."""
    return tuple(found.group(number) for number in range(1, len(found.groups) + 1)) or (found.group(0),)


def regexp_match(text: str, pattern: str, flags: str = "") -> tuple[str | None, ...] | None:
    compiled = _compiled(pattern, flags, "regexp_match()", "Use the regexp_matches function instead.")
    found = next(compiled.find(text), None)
    return None if found is None else _captured(found)


def regexp_matches(text: str, pattern: str, flags: str = "") -> list[tuple[tuple[str | None, ...]]]:
    """Returns one row for the first match; with flag g, a row for each match."""
    compiled = compile_pattern(pattern, flags.replace("g", ""))
    found = compiled.find(text)
    return [(_captured(match),) for match in (found if "g" in flags else islice(found, 1))]


def _expanded(replacement: str, found: PatternMatch) -> str:
    def part(reference: re.Match[str]) -> str:
        if reference[3]:
            return "\\"
        number = int(reference[1] or 0)
        return (found.group(number) or "") if number <= len(found.groups) else ""

    return _GROUP_REFERENCE.sub(part, replacement) if "\\" in replacement else replacement


def regexp_replace(text: str, pattern: str, replacement: str, flags: str = "") -> str:
    """Replaces the first match, or all of them with flag g."""
    if flags[:1].isdigit():
        raise invalid_parameter(
            f'invalid regular expression option: "{flags[0]}"',
            hint="If you meant to use regexp_replace() with a start parameter, "
            "cast the fourth argument to integer explicitly.",
        )
    compiled = compile_pattern(pattern, flags.replace("g", ""))
    return _replace(text, compiled, replacement, 0, 0 if "g" in flags else 1)


def _replace(text: str, compiled: Pattern, replacement: str, start: int, occurrence: int) -> str:
    pieces: list[str] = []
    position = 0
    found = compiled.find(text, start)
    for number, match in enumerate(islice(found, occurrence or None), 1):
        if occurrence in (0, number):
            begin, end = match.span
            pieces += [text[position:begin], _expanded(replacement, match)]
            position = end
    return "".join([*pieces, text[position:]])


def _positive(value: int, name: str) -> int:
    if value <= 0:
        raise invalid_parameter(f'invalid value for parameter "{name}": {value}')
    return value


def regexp_replace_from(
    text: str, pattern: str, replacement: str, start: int, occurrence: int = 1, flags: str = ""
) -> str:
    """Replaces one match of a pattern: number `occurrence`, counted from `start` on; 0 replaces all matches."""
    _positive(start, "start")
    if occurrence < 0:
        raise invalid_parameter(f'invalid value for parameter "n": {occurrence}')
    return _replace(text, compile_pattern(pattern, flags.replace("g", "")), replacement, start - 1, occurrence)


def regexp_like(text: str, pattern: str, flags: str = "") -> bool:
    return _compiled(pattern, flags, "regexp_like()").matches(text)


def regexp_count(text: str, pattern: str, start: int = 1, flags: str = "") -> int:
    _positive(start, "start")
    compiled = _compiled(pattern, flags, "regexp_count()")
    return sum(1 for _ in compiled.find(text, start - 1))


def _chosen(
    text: str, pattern: str, start: int, occurrence: int, flags: str, group: int, name: str
) -> tuple[int, int] | None:
    """Returns the span of a group in the match with this number."""
    _positive(start, "start")
    _positive(occurrence, "n")
    if group < 0:
        raise invalid_parameter(f'invalid value for parameter "subexpr": {group}')
    compiled = _compiled(pattern, flags, name)
    for number, match in enumerate(compiled.find(text, start - 1), 1):
        if number == occurrence:
            if group > max(compiled.group_count, 1):
                return None
            return match.groups[group - 1] if group and match.groups else match.span
    return None


def regexp_substr(
    text: str, pattern: str, start: int = 1, occurrence: int = 1, flags: str = "", group: int = 0
) -> str | None:
    span = _chosen(text, pattern, start, occurrence, flags, group, "regexp_substr()")
    return None if span is None else text[span[0] : span[1]]


def regexp_instr(
    text: str, pattern: str, start: int = 1, occurrence: int = 1, end: int = 0, flags: str = "", group: int = 0
) -> int:
    if end not in (0, 1):
        raise invalid_parameter(f'invalid value for parameter "endoption": {end}')
    span = _chosen(text, pattern, start, occurrence, flags, group, "regexp_instr()")
    return 0 if span is None else span[end] + 1


def regexp_split(text: str, pattern: str, flags: str, name: str) -> tuple[str, ...]:
    """Returns the text between matches; an empty match cuts between characters, but not at the ends."""
    compiled = _compiled(pattern, flags, name)
    pieces: list[str] = []
    position = 0
    for match in compiled.find(text):
        begin, end = match.span
        if end == 0 or (begin == end and begin in (position, len(text))):
            continue
        pieces.append(text[position:begin])
        position = end
    return (*pieces, text[position:])


def regexp_split_to_array(text: str, pattern: str, flags: str = "") -> tuple[str, ...]:
    return regexp_split(text, pattern, flags, "regexp_split_to_array()")


def regexp_split_to_table(text: str, pattern: str, flags: str = "") -> list[tuple[str]]:
    return [(piece,) for piece in regexp_split(text, pattern, flags, "regexp_split_to_table()")]


def substring_by_pattern(text: str, pattern: str) -> str | None:
    """Returns the first group, or the whole match when there is none."""
    found = next(compile_pattern(pattern).find(text), None)
    return None if found is None else found.group(1 if found.groups else 0)


def substring_by_similar(text: str, pattern: str, escape: str) -> str | None:
    """Returns SUBSTRING(text SIMILAR pattern ESCAPE escape)."""
    return substring_by_pattern(text, similar_to_escape(pattern, escape))


_TT, _TTT = (TEXT, TEXT), (TEXT, TEXT, TEXT)
_SUBSTR = (TEXT, TEXT, INT4, INT4, TEXT, INT4)
_INSTR = (TEXT, TEXT, INT4, INT4, INT4, TEXT, INT4)
_REPLACE = (TEXT, TEXT, TEXT, INT4, INT4, TEXT)
_TEXTS = array_of(TEXT)

FUNCTIONS: tuple[Function, ...] = (
    *(function("regexp_match", arguments, _TEXTS, regexp_match, fallible=True) for arguments in (_TT, _TTT)),
    *(function("regexp_like", arguments, BOOL, regexp_like, fallible=True) for arguments in (_TT, _TTT)),
    *(
        function("regexp_replace", arguments, TEXT, regexp_replace, fallible=True)
        for arguments in (_TTT, (TEXT, TEXT, TEXT, TEXT))
    ),
    *(function("regexp_replace", _REPLACE[:count], TEXT, regexp_replace_from, fallible=True) for count in (4, 5, 6)),
    *(
        function("regexp_count", arguments, INT4, regexp_count, fallible=True)
        for arguments in (_TT, (TEXT, TEXT, INT4), (TEXT, TEXT, INT4, TEXT))
    ),
    *(function("regexp_substr", _SUBSTR[:count], TEXT, regexp_substr, fallible=True) for count in range(2, 7)),
    *(function("regexp_instr", _INSTR[:count], INT4, regexp_instr, fallible=True) for count in range(2, 8)),
    *(
        function("regexp_split_to_array", arguments, _TEXTS, regexp_split_to_array, fallible=True)
        for arguments in (_TT, _TTT)
    ),
    function("substring", _TT, TEXT, substring_by_pattern, fallible=True),
    function("substring", _TTT, TEXT, substring_by_similar, fallible=True),
)
