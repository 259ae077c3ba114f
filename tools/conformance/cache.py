"""What a suite needs, in the user's cache folder: a Python with its packages, and its source, unpacked and amended.

Nothing of a suite is kept in this repository; what is there already is used again.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from benchmarks.peers.environment import cache_folder, python_with
from tools.conformance.suites import Suite


def python_of(suite: Suite) -> Path:
    """UnavailableError when pip refuses."""
    return python_with(f"conformance-{suite.name}", *suite.packages)


def source_of(suite: Suite) -> Path:
    """The folder that the suite's source distribution unpacks to, ready to run."""
    mark = hashlib.sha256(repr(suite).encode()).hexdigest()[:12]
    folder = cache_folder() / "conformance-sources" / f"{suite.name}-{mark}"
    if not folder.exists():
        unpacked = folder.with_suffix(".new")
        shutil.rmtree(unpacked, ignore_errors=True)
        unpacked.mkdir(parents=True)
        _unpack(suite, unpacked)
        unpacked.rename(folder)
    return next(path for path in folder.iterdir() if path.is_dir())


def _unpack(suite: Suite, into: Path) -> None:
    name = suite.source.partition("==")[0]
    words = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--no-binary", name, suite.source]
    subprocess.run([*words, "--dest", str(into)], check=True)
    archive = next(path for path in into.iterdir() if path.is_file())
    with tarfile.open(archive) as packed:
        packed.extractall(into, filter="data")
    archive.unlink()
    folder = next(into.iterdir())
    for hidden in suite.removed:
        shutil.rmtree(folder / hidden)
    for place, old, new in suite.amended:
        for file in (folder / place).rglob("*.py"):
            file.write_text(file.read_text().replace(old, new))
