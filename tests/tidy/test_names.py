"""One word for one thing, and no names that hold everything."""

import ast
import re
from collections import Counter

from tests.tidy.sources import ROOT, package_sources, sources

_EMPTY_NAMES = re.compile(r"^(Base|Abstract)[A-Z]|(Base|Manager|Helper|Util|Utils|Impl|Mixin)$")
_EMPTY_MODULES = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}
_LIBRARY = re.compile("get_" + "watermark_offsets" + '|"collection_id"')
"""What others call what we call otherwise: a library's function, a label of Materialize's metrics."""
_WORDS = {
    "watermark": "frontier",
    "snapshot_ts": "as_of",
    "snapshot_time": "as_of",
    "read_timestamp_ms": "as_of",
    "multiplicity_delta": "diff",
    "low_water": "since",
    "high_water": "upper",
    "split_brain": "fence",
    "rehydrate": "hydrate",
    "fencing_token": "epoch",
    "collection_id": "the collection's GlobalId, named `id`",
}
# Put together here, so that this file does not hold them itself.
_REMINDERS = re.compile("|".join(["NotImplemented" + "Error", r"\bTO" + r"DO\b", r"\bFIX" + r"ME\b", r"\bX" + r"XX\b"]))


def test_classes_are_named_for_what_they_are() -> None:
    empty = [
        f"{source.path}:{node.lineno} {node.name}"
        for source in sources()
        for node in source.statements
        if isinstance(node, ast.ClassDef) and _EMPTY_NAMES.search(node.name)
    ]
    assert empty == [], "such a name says nothing; what is the thing?"


def test_modules_are_named_for_what_they_hold() -> None:
    names = (source.path.removesuffix(".py").rpartition("/")[2] for source in sources())
    assert _EMPTY_MODULES.isdisjoint(names)


def test_file_names_that_many_rooms_have_say_whose_they_are() -> None:
    """`connector` and `driver` are parts that each room of a system has."""
    counted = Counter(source.path.rsplit("/", 1)[-1] for source in package_sources())
    allowed = {"__init__.py", "connector.py", "driver.py"}
    assert [name for name, count in counted.items() if count >= 7 and name not in allowed] == []


def test_code_uses_the_words_of_the_glossary() -> None:
    found = [
        f"{source.path}: say {better}, not {word}"
        for source in package_sources()
        for word, better in _WORDS.items()
        if re.search(word, _LIBRARY.sub("", source.text), re.IGNORECASE)
    ]
    assert found == []


def test_glossary_words_stand_once_and_in_order() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text()
    words = re.findall(r"^\| \*\*(.+?)\*\* \|", text, re.MULTILINE)
    assert words == sorted(set(words), key=str.lower)


def test_nothing_is_left_for_later() -> None:
    reminders = [f"{source.path}: {match[0]}" for source in sources() for match in _REMINDERS.finditer(source.text)]
    assert reminders == [], "finish it, or leave it out"


def test_no_two_public_classes_of_the_packages_have_one_name() -> None:
    places: dict[str, list[str]] = {}
    for source in package_sources():
        for node in source.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(source.path)
    twice = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert twice == {}, "one word for one thing"
