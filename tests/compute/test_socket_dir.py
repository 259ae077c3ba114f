"""Where Spark's Java and its Python meet: a Unix socket that its user alone can get at, whatever the data directory is
called."""

from __future__ import annotations

import stat
import tempfile
from pathlib import Path

import pytest

from compute.spark.session import socket_dir


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The directory for temporary files."""
    directory = tmp_path / "t"
    directory.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(directory))
    return directory


def test_a_short_name_has_its_sockets_in_itself() -> None:
    assert socket_dir(Path("/srv/data/spark")) == Path("/srv/data/spark/tmp")


def test_a_long_name_has_a_directory_of_the_users_own_elsewhere_and_always_the_same(short: Path) -> None:
    found = socket_dir(Path("/srv") / ("é" * 40) / "spark")
    assert found.parent == short
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    assert socket_dir(Path("/srv") / ("é" * 40) / "spark") == found
    assert socket_dir(Path("/srv") / ("e" * 80) / "spark") != found


@pytest.mark.parametrize("how", ["open to others", "a link"])
def test_a_directory_that_others_have_prepared_is_refused(short: Path, how: str) -> None:
    data = Path("/srv") / ("d" * 80)
    found = socket_dir(data)
    found.rmdir()
    if how == "a link":
        (short / "elsewhere").mkdir(mode=0o700)
        found.symlink_to(short / "elsewhere")
    else:
        found.mkdir()
        found.chmod(0o777)
    with pytest.raises(RuntimeError, match="not a directory of this user alone"):
        socket_dir(data)
