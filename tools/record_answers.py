"""Records what functions answer, under their numbers: python -m tools.record_answers [--same FUNCTION …].

A function that answers otherwise than it did under its number is refused until the number is raised, in
planner/functions/answer_numbers.py. Where only the SQL that Spark is given has changed, and its answers have not, name
the function after `--same`.
"""

from __future__ import annotations

import dataclasses
import sys

from tests.planner.functions.answers import differences, recorded, today, write_record


def main(arguments: list[str]) -> None:
    """Writes the record anew, or tells which numbers are to be raised."""
    before, now = recorded(), today()
    same = arguments[1:] if arguments[:1] == ["--same"] else []
    for key in same:
        before[key] = dataclasses.replace(before[key], lowered=now[key].lowered)
    mended = {key for key in before.keys() & now.keys() if now[key].mended_since(before[key])}
    told = differences(before, now)
    for key in sorted(mended):
        print(f"{key} {told[key]}", file=sys.stderr)
    if mended:
        raise SystemExit(1)
    write_record(now)
    print(f"{len(now)} functions, {len(told) + len(same)} of them anew")


if __name__ == "__main__":
    main(sys.argv[1:])
