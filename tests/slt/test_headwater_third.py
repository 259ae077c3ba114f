"""Headwater answers as PostgreSQL did: the third third of the files of records, on a running server."""

from pathlib import Path

import pytest

from tests.server_process import ServerProcess
from tests.slt.on_headwater import hold_answers_alike, parametrize_part


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    parametrize_part(metafunc, 2)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_headwater_answers_as_postgres_did(headwater_server: ServerProcess, path: Path, whole: bool) -> None:
    hold_answers_alike(headwater_server, path, whole)
