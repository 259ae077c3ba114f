"""Prints the files of tests that a change can alter: python -m tools.changed_tests [COMMIT].

What was changed since COMMIT (the last one unless told), committed or not, decides:

* A test that imports a changed module, itself or by others, is chosen. Imports go down the floors only, so a change of
  a high floor chooses few of them.
* A test that starts a server runs all modules in another process, and imports none. Those are chosen whose folder is
  named as that of a changed module: `server/writes/locking/waiting.py` chooses `tests/server/locking/`;
  where there is no such folder, the files of `tests/server/` that are named for the module.
* Every floor reads the table of systems. So a change in the room of one system, as `connectors/redis/`, chooses not all
  that import the table, but what speaks of the system in SQL or imports from its room; the recorded SQL does neither.
* The tidy tests are always chosen, and the simulation and the recorded SQL where anything that is installed changed.

The choice is for every day. What lands has passed all tests.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from tests.tidy.sources import PACKAGES, Source, sources

_ALWAYS = ("tests/tidy",)
_RECORDED = "tests/slt"
_WITH_ANY_PACKAGE = ("tests/simulation", _RECORDED)
_TABLE_OF_SYSTEMS = "connectors/systems.py"


def main() -> None:
    """Prints one path a line, in order."""
    against = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    sys.stdout.write("".join(f"{path}\n" for path in chosen_tests(changed_files(against), Path.cwd())))


def changed_files(against: str) -> list[str]:
    """Returns the paths that differ from a commit, and those that git does not know yet."""
    differing = ["git", "diff", "--name-only", "--no-renames", against, "--"]
    unknown = ["git", "ls-files", "--others", "--exclude-standard"]
    return [path for command in (differing, unknown) for path in _lines(command)]


def chosen_tests(changed: Iterable[str], root: Path) -> list[str]:
    """Returns files and folders of tests, each once; a file in a chosen folder is not named beside it."""
    changed = list(changed)
    installed = [path for path in changed if path.partition("/")[0] in PACKAGES]
    chosen = {*_ALWAYS, *(_WITH_ANY_PACKAGE if installed else ())}
    if all(map(_system_of, installed)):
        chosen.discard(_RECORDED)  # which names no system
    chosen.update(path for path in _importers(changed) if _is_test(path))
    for path in installed:
        chosen.update(_mirrored(PurePosixPath(path), root))
    # Fixtures, and data such as recorded plans, belong to all tests of their folder.
    shared = [
        path for path in changed if path.startswith("tests/") and not PurePosixPath(path).name.startswith("test_")
    ]
    chosen.update(str(PurePosixPath(path).parent) for path in shared if not path.endswith(".py") or "conftest" in path)
    existing = {path for path in chosen if path != "tests" and (root / path).exists()}
    return sorted(
        path for path in existing if not any(str(parent) in existing for parent in PurePosixPath(path).parents)
    )


def _importers(changed: Iterable[str]) -> set[str]:
    """Returns the changed files, and those that import them, or import what does; of a system's room what speaks of the
    system, in place of what reads the table of systems."""
    importers = _importers_by_path()
    found: set[str] = set()
    waiting = list(changed)
    systems = {system for path in waiting if (system := _system_of(path))}
    if systems:
        importers[_TABLE_OF_SYSTEMS] = [path for path in importers[_TABLE_OF_SYSTEMS] if _is_test(path)]
        waiting += _speaking_of(systems)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += importers[path]
    return found


def _is_test(path: str) -> bool:
    return PurePosixPath(path).name.startswith("test_")


def _system_of(path: str) -> str | None:
    """Returns the system in whose room a file lies, if any."""
    package, room, *rest = (*PurePosixPath(path).parts, "", "")
    return room if package == "connectors" and rest[0] and Path(package, room, "connector.py").exists() else None


def _speaking_of(systems: Iterable[str]) -> list[str]:
    """Returns the files of tests that name a system in a statement, or that import from its room."""
    names = "|".join(map(re.escape, systems))
    named = re.compile(rf"\b(from|into|to)\s+({names})\b|\bconnectors[./]({names})\b", re.IGNORECASE)
    return [source.path for source in sources() if source.path.startswith("tests/") and named.search(source.text)]


def _importers_by_path() -> defaultdict[str, list[str]]:
    paths = {_module(source): source.path for source in sources()}
    importers: defaultdict[str, list[str]] = defaultdict(list)
    for source in sources():
        for name in {path for name in _names(source) if (path := paths.get(name))}:
            importers[name].append(source.path)
    return importers


def _names(source: Source) -> Iterator[str]:
    """Yields the dotted names that a file imports: modules, and what may be a module or a name in one."""
    for node in source.statements:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _module(source: Source) -> str:
    return source.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _mirrored(path: PurePosixPath, root: Path) -> Iterator[str]:
    """Yields the test folders named as the innermost room that has any; else the files named for the module."""
    package, *rooms = path.parent.parts
    tests = root / "tests" / package
    for room in reversed(rooms):
        folders = [folder for folder in sorted(tests.rglob(room)) if folder.is_dir()]
        if folders:
            yield from (folder.relative_to(root).as_posix() for folder in folders)
            return
    for found in sorted(tests.rglob(f"test_*{path.stem}*.py")):
        yield found.relative_to(root).as_posix()


def _lines(command: list[str]) -> list[str]:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


if __name__ == "__main__":
    main()
