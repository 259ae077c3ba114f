"""The docstring of a package's `__init__` is its map: it names every module and folder beside it, and no others.

queue/     reads the queue       an entry: names, divided by commas, then two spaces or more
a, b       two modules           of one line
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.tidy.sources import PACKAGES, ROOT

_ENTRY = re.compile(r" *((?:\w+/?, )*\w+/?) {2,}\S")
_WORD = re.compile(r"\w+")


def entries(doc: str) -> set[str]:
    """Returns the names that begin the lines of a map."""
    found = (_ENTRY.match(line) for line in doc.splitlines())
    return {name.rstrip("/") for entry in found if entry for name in entry.group(1).split(", ")}


def _beside(package: Path) -> set[str]:
    modules = {path.stem for path in package.glob("*.py") if not path.stem.startswith("__")}
    return modules | {path.parent.name for path in package.glob("*/__init__.py")} | _data(package)


def _data(package: Path) -> set[str]:
    """Returns the folders with files that are no Python."""
    folders = (path for path in package.iterdir() if path.is_dir() and not path.name.startswith("__"))
    return {folder.name for folder in folders if {path.suffix for path in folder.rglob("*.*")} - {".py", ".pyc"}}


def _maps() -> list[tuple[Path, str]]:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("__init__.py"))]
    return [(path.parent, ast.get_docstring(ast.parse(path.read_text())) or "") for path in paths]


def test_a_map_is_read_line_by_line() -> None:
    doc = "Two rooms.\n\nfirst, second/  of them\n  third  within\nA sentence,  however: fourth  is none.\n"
    assert entries(doc) == {"first", "second", "third"}


@pytest.mark.parametrize("package", PACKAGES)
def test_maps_name_every_module_and_folder(package: str) -> None:
    missing = [
        f"{place.relative_to(ROOT)}: {name}"
        for place, doc in _maps()
        if place.relative_to(ROOT).parts[0] == package
        for name in sorted(_beside(place) - set(_WORD.findall(doc)))
    ]
    assert missing == [], "name it in the docstring of the __init__ beside it, with what it does"


@pytest.mark.parametrize("package", PACKAGES)
def test_what_maps_name_is_there(package: str) -> None:
    gone = [
        f"{place.relative_to(ROOT)}: {name}"
        for place, doc in _maps()
        if place.relative_to(ROOT).parts[0] == package
        for name in sorted(entries(doc) - _beside(place))
    ]
    assert gone == [], "it has moved: describe it where it is"
