"""Where peers live: a virtual environment or a node project each, in a cache folder, made when first wanted.

What a peer needs never meets what Headwater needs. A peer that can't be had is no failure of the benchmark: the table
says why.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_INSTALL_TIMEOUT_S = 900.0
_REASON_CHARACTERS = 160


class UnavailableError(Exception):
    """A peer can't be installed or does not run here; the text is the reason."""


def cache_folder() -> Path:
    """HEADWATER_BENCH_CACHE, or a folder in the user's cache."""
    told = os.environ.get("HEADWATER_BENCH_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(told) if told else Path(home) / "headwater-benchmarks"


def python_with(name: str, *packages: str) -> Path:
    """The Python of the environment `name` that has `packages`. UnavailableError when pip refuses."""
    folder = cache_folder() / name
    python, mark = folder / "bin" / "python", folder / ".installed"
    if not _is_installed(mark, packages):
        _run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)])
        _run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", *packages])
        mark.write_text(" ".join(packages))
    return python


def node_with(name: str, *packages: str) -> Path:
    """The folder of a node project that has `packages`. UnavailableError without npm, or when it refuses."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise UnavailableError("node and npm are not installed")
    folder = cache_folder() / name
    mark = folder / ".installed"
    if not _is_installed(mark, packages):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true, "type": "module"}\n')
        _run([npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", *packages])
        mark.write_text(" ".join(packages))
    return folder


def _is_installed(mark: Path, packages: Sequence[str]) -> bool:
    return mark.exists() and mark.read_text() == " ".join(packages)


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(str(error)[-_REASON_CHARACTERS:]) from error
    if done.returncode != 0:
        words = " ".join((done.stderr or done.stdout).split())
        raise UnavailableError(words[-_REASON_CHARACTERS:])
