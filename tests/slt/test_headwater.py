"""Headwater answers as PostgreSQL did: every file of records, on a running server."""

from pathlib import Path

import pytest

from tests.server_process import ServerProcess
from tests.slt.records import files, parse
from tests.slt.runner import own_schema, run


@pytest.mark.spark
@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_headwater_answers_as_postgres_did(headwater_server: ServerProcess, path: Path) -> None:
    records = [record for record in parse(path.read_text()) if not record.skipped]
    with headwater_server.connect() as connection, own_schema(connection, f"slt_{path.stem}"):
        differences = run(connection, records)
    assert not differences, f"{len(differences)} of {len(records)} differ\n" + "\n".join(map(str, differences))
