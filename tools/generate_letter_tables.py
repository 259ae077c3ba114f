"""Writes model/patterns/letter_tables.py from what the judge says of every character in LC_CTYPE C.UTF-8.

Run it from the repository root: `.venv/bin/python -m tools.generate_letter_tables`. Which version of Unicode it is, the
C library decides on which the judge runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import wrap

import psycopg

from tests.judge import run_judge

KINDS = ("alpha", "upper", "lower", "space", "punct", "print", "cntrl")
_WITHIN_WORDS = (
    "chr(i) !~ '[[:alpha:]]' AND (SELECT array_agg(tokid) FROM ts_parse('default', 'é' || chr(i) || 'é')) = ARRAY[2]"
)
"""The characters that are no letters, and that the parser of documents takes for a part of a word."""
HEADER = '''"""The kinds and cases of characters in C.UTF-8; `cases` tells how they are written. Written by
tools/generate_letter_tables.py; not edited by hand."""

'''


def main() -> None:
    with run_judge() as judge, judge.connect() as connection:
        tables = {kind.upper(): _ranges(map(int, _asked(connection, f"chr(i) ~ '[[:{kind}:]]'"))) for kind in KINDS}
        tables["WITHIN_WORDS"] = _ranges(map(int, _asked(connection, _WITHIN_WORDS)))
        for case in ("upper", "lower"):
            pairs = _asked(connection, f"chr(i) <> {case}(chr(i))", f"i || ' ' || ascii({case}(chr(i)))")
            tables[f"TO_{case.upper()}"] = _runs({int(code): int(other) for code, other in map(str.split, pairs)})
    Path("model/patterns/letter_tables.py").write_text(HEADER + "\n".join(map(_written, tables, tables.values())))


def _asked(connection: psycopg.Connection[tuple[object, ...]], condition: str, column: str = "i") -> list[str]:
    """What holds of the characters for which the condition holds, in their order."""
    characters = "(SELECT i FROM generate_series(1, 1114111) AS i WHERE i NOT BETWEEN 55296 AND 57343) AS c"
    query = f"SELECT ({column})::text FROM {characters} WHERE {condition} ORDER BY c.i"
    return [str(row[0]) for row in connection.execute(query.encode())]


def _ranges(codes: Iterable[int]) -> list[str]:
    found: list[list[int]] = []
    for code in codes:
        if found and found[-1][1] == code:
            found[-1][1] += 1
        else:
            found.append([code, code + 1])
    entries, position = [], 0
    for first, end in found:
        count = f".{_digits(end - first)}" if end - first > 1 else ""
        entries.append(_digits(first - position) + count)
        position = end
    return entries


def _runs(mapping: Mapping[int, int]) -> list[str]:
    """Runs of codes that lie one or two apart and change alike; each gap is from the first code of the run before."""
    left, entries, position = dict(mapping), [], 0
    while left:
        first = min(left)
        change = left[first] - first
        step = next((step for step in (1, 2) if left.get(first + step) == first + step + change), 1)
        count = 1
        while left.get(first + count * step) == first + count * step + change:
            count += 1
        for number in range(count):
            del left[first + number * step]
        entries.append(".".join(map(_digits, (first - position, count, step, change))))
        position = first
    return entries


def _digits(number: int) -> str:
    written, rest = "", abs(number)
    while rest or not written:
        rest, digit = divmod(rest, 36)
        written = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + written
    return f"-{written}" if number < 0 else written


def _written(name: str, entries: Iterable[str]) -> str:
    lines = wrap(" ".join(entries), 118, break_on_hyphens=False)
    return "\n".join((f'{name} = """', *lines, '"""', ""))


if __name__ == "__main__":
    main()
