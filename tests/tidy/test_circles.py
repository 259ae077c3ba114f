"""The house has floors and no circles: what a module imports was there before it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath

from tests.tidy.sources import PACKAGES, Source, package_sources, sources, statements_of

_FILES_MAX = 25
_TEST_FILES_MAX = 40
_LATE_IMPORTS = {
    "compute/replica/process/main.py": "what renders plans imports Spark, which a replica starts beside it",
    "compute/replica/process/start.py": "Java boots while a replica imports what it is made of",
    "compute/spark/java.py": "a machine with a Java of its own can do without the one in a package",
    "compute/spark/launch.py": "Java is found before Spark is imported",
    "planner/syntax/own_syntax.py": "few texts need the dialect, and sqlglot takes long to import",
    "server/api/sockets.py": "only who opens a WebSocket needs its library",
    "server/cli.py": "each command imports what it runs",
    "server/statements/copying/place_of.py": "only objects of buckets need the clients of Amazon",
    "server/ledgers/unfinished_uploads.py": "only objects of buckets need the clients of Amazon",
    "server/statements/sources/first_files.py": "only objects of buckets need the clients of Amazon",
    "server/objects/sources/left_slots.py": "few have slots to forget, and PostgreSQL's client is large",
    "server/statements/sources/publications.py": "only who reads a publication needs PostgreSQL's client",
    "storage/persist/open.py": "only locations in PostgreSQL need its client",
}
"""Modules that import within functions, and why."""


def test_no_modules_import_each_other_in_a_circle() -> None:
    """What only type checkers import makes no circle."""
    modules = {_module(source): source for source in package_sources()}
    graph = {name: {each for each in _imported(source) if each in modules} for name, source in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle: {' <- '.join(error.args[1])}") from None


def test_imports_stand_at_the_top() -> None:
    late = {
        source.path
        for source in package_sources()
        for function in source.statements
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in statements_of(function.body)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    # Planner and catalog read what systems say of themselves, and must not load the libraries of them all.
    descriptions = {path for path in late if re.fullmatch(r"connectors/\w+/connector\.py", path)}
    assert late - descriptions == set(_LATE_IMPORTS)


def test_folders_can_be_taken_in_at_a_glance() -> None:
    folders: dict[str, int] = {}
    for source in sources():
        path = PurePosixPath(source.path)
        if path.name != "__init__.py":
            folders[str(path.parent)] = folders.get(str(path.parent), 0) + 1
    limits = {folder: _FILES_MAX if folder.partition("/")[0] in PACKAGES else _TEST_FILES_MAX for folder in folders}
    crowded = {folder: files for folder, files in folders.items() if files > limits[folder]}
    assert crowded == {}, "which floors does it have?"


def _module(source: Source) -> str:
    return source.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(source: Source) -> Iterator[str]:
    """The modules, and perhaps names in them, that a file imports when it runs."""
    skipped = {
        id(node)
        for block in source.statements
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
        for node in statements_of(block.body)
    }
    for node in source.statements:
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            yield node.module
