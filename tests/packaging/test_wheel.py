"""The wheel holds Headwater and nothing else, and serves from a folder of its own."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.server_process import start_from_command_line
from tests.tidy.sources import PACKAGES, ROOT, tracked


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the tracked files alone, in a copy: the backend writes beside what it builds."""
    copy, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for path in tracked():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(built), str(copy)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel unpacked as pip does it, without what it depends on."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder)]
    result = subprocess.run([*pip, str(wheel)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


def test_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    tracked_names = {path.relative_to(ROOT).as_posix() for path in tracked()}
    assert held == {name for name in tracked_names if name.partition("/")[0] in PACKAGES}


def test_wheel_names_the_command(installed: Path) -> None:
    (entry_points,) = installed.glob("headwater-*.dist-info/entry_points.txt")
    assert "headwater = server.cli:main" in entry_points.read_text()


@pytest.mark.spark
@pytest.mark.slow
def test_installed_wheel_serves(installed: Path, tmp_path: Path) -> None:
    server = start_from_command_line(tmp_path / "data", environment={"PYTHONPATH": str(installed)}, cwd=installed)
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (a int)")
            connection.execute("INSERT INTO t VALUES (1), (2)")
            assert connection.execute("SELECT sum(a) FROM t").fetchone() == (3,)
    finally:
        assert server.stop() == 0
