"""Files of records on a running server, in thirds: a process of tests takes a file of tests at once, however long.

With `--whole` all records, else those that Spark is to be asked (`choice.py`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server_process import ServerProcess
from tests.slt.choice import for_spark, load_choice, records_of
from tests.slt.records import files
from tests.slt.runner import own_schema, run

_PARTS = 3


def parametrize_part(metafunc: pytest.Metafunc, number: int) -> None:
    """Gives a test `path`: every third of the files that Spark is asked, from the one of that number."""
    choice = None if metafunc.config.getoption("--whole") else load_choice()
    asked = [path for path in files() if choice is None or for_spark(path, choice)]
    metafunc.parametrize("path", asked[number::_PARTS], ids=lambda path: path.stem)


def hold_answers_alike(server: ServerProcess, path: Path, whole: bool) -> None:
    """Runs a file's records in a schema of their own. AssertionError with all that differ from what is recorded."""
    records = records_of(path) if whole else for_spark(path, load_choice())
    with server.connect() as connection, own_schema(connection, f"slt_{path.stem}"):
        differences = run(connection, records)
    assert not differences, f"{len(differences)} of {len(records)} differ\n" + "\n".join(map(str, differences))
