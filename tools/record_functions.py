"""Asks PostgreSQL 16 for the answers to the recorded expressions: python -m tools.record_functions [FILE …].

Add expressions as lines without an answer; all answers of the files named (or of all) are written anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.judge import run_judge
from tests.planner.functions.recordings import Recording, ask, files, read, write


def main(arguments: list[str]) -> None:
    """Rewrites the files."""
    paths = [Path(argument) for argument in arguments] or files()
    with run_judge() as judge, judge.connect() as connection:
        for path in paths:
            zone, recordings = read(path)
            connection.execute(f"SET TimeZone = '{zone}'".encode())
            write(path, zone, [Recording(r.expression, ask(connection, r.expression)) for r in recordings])
            print(f"{path.name}: {len(recordings)} expressions")


if __name__ == "__main__":
    main(sys.argv[1:])
