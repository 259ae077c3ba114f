"""Files of records on a running server, in thirds: a process of tests takes a file of tests at once, however long."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server_process import ServerProcess
from tests.slt.records import files, parse
from tests.slt.runner import own_schema, run

_PARTS = 3


def part_of_files(number: int) -> pytest.MarkDecorator:
    """Gives a test `path`: every third file, from the one of that number."""
    return pytest.mark.parametrize("path", files()[number::_PARTS], ids=lambda path: path.stem)


def hold_answers_alike(server: ServerProcess, path: Path) -> None:
    """Runs a file's records in a schema of their own. AssertionError with all that differ from what is recorded."""
    records = [record for record in parse(path.read_text()) if not record.skipped]
    with server.connect() as connection, own_schema(connection, f"slt_{path.stem}"):
        differences = run(connection, records)
    assert not differences, f"{len(differences)} of {len(records)} differ\n" + "\n".join(map(str, differences))
