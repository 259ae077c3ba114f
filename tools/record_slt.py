"""Writes PostgreSQL's answers into files of records: python -m tools.record_slt [FILE …], all of them without FILE.

Runs each record against PostgreSQL 16 and puts its answer in place of what the file expected.
"""

import sys
from pathlib import Path

from tests.judge import run_judge
from tests.slt.records import files, parse, render
from tests.slt.runner import Connection, observe, own_schema


def recorded(connection: Connection, path: Path) -> str:
    """The file's text with the connection's answers."""
    records = parse(path.read_text())
    with own_schema(connection, f"slt_{path.stem}"):
        return render([observe(connection, record) for record in records])


def main(arguments: list[str]) -> None:
    """Rewrites the files named, or all."""
    paths = [Path(argument) for argument in arguments] or files()
    with run_judge() as judge, judge.connect() as connection:
        for path in paths:
            text = recorded(connection, path)
            changed = text != path.read_text()
            path.write_text(text)
            print(f"{path.name}: {len(parse(text))} records{', changed' if changed else ''}")


if __name__ == "__main__":
    main(sys.argv[1:])
