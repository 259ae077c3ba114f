"""The repository's files, read once for all tidy tests."""

from __future__ import annotations

import ast
import gc
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("model", "connectors", "planner", "storage", "catalog", "timeline", "compute", "server")
CODE = (*PACKAGES, "tests", "tools", "benchmarks")

_UNTRACKED = {".git", ".venv", "build", "dist", "__pycache__"}


@dataclass(frozen=True, slots=True)
class Source:
    """A Python file; `path` is relative to the repository's root, with forward slashes."""

    path: str
    text: str

    @property
    def package(self) -> str:
        return self.path.partition("/")[0]

    @property
    def tree(self) -> ast.Module:
        """Parsed when it is first asked for: all of them take four seconds and 400 MB."""
        return _parsed(self.path, self.text)

    @property
    def statements(self) -> tuple[ast.stmt, ...]:
        """All statements, within functions and classes too, in no order; without expressions, nine tenths of a tree."""
        return _statements(self.path, self.text)


@cache
def _statements(path: str, text: str) -> tuple[ast.stmt, ...]:
    return tuple(statements_of(_parsed(path, text).body))


def statements_of(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements of a body and those within them."""
    waiting = list(body)
    while waiting:
        statement = waiting.pop()
        yield statement
        for part in ("body", "orelse", "finalbody"):
            waiting += getattr(statement, part, ())
        for part in ("handlers", "cases"):
            waiting += (inner for branch in getattr(statement, part, ()) for inner in branch.body)


@cache
def _parsed(path: str, text: str) -> ast.Module:
    # Trees stay until the process ends: the collector of cycles, which would look through all of them again and again
    # for three times as long as parsing takes, is told to leave them alone.
    gc.disable()
    try:
        return ast.parse(text, ROOT / path)
    finally:
        gc.freeze()
        gc.enable()


@cache
def tracked() -> tuple[Path, ...]:
    """Every file that git tracks; in a tree without git, every file that is not a product of building or running."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        paths = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    else:
        paths = (path for path in ROOT.rglob("*") if not _UNTRACKED & set(path.relative_to(ROOT).parts))
    return tuple(path for path in paths if path.is_file())


@cache
def sources() -> tuple[Source, ...]:
    """All Python files of CODE, tracked or about to be."""
    found = []
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            found.append(Source(path.relative_to(ROOT).as_posix(), path.read_text()))
    return tuple(found)


def package_sources() -> tuple[Source, ...]:
    """Those that are installed with Headwater."""
    return tuple(source for source in sources() if source.package in PACKAGES)


@cache
def imported_modules(source: Source) -> tuple[tuple[str, int], ...]:
    """Returns the dotted names of all modules that the file imports, anywhere in it, with their lines."""
    found: list[tuple[str, int]] = []
    for node in source.statements:
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.append((node.module, node.lineno))
    return tuple(sorted(found, key=lambda each: each[1]))
