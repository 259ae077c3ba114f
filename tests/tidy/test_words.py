"""Docstrings name things: a meter of pronouns and of openings without a verb, by package, which may only fall.

"Where one that was added goes" makes a reader ask which one, and what was added; "Returns the place of an added
table" does not. The docstring of a function begins with its verb. The meter counts the words that hide a thing's
name, and so tells which package to read again; only a reader can say whether a sentence is clear.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.tidy.sources import PACKAGES, Source, package_sources

_PRONOUNS = re.compile(
    r"it|its|itself|that|this|these|those|which|what|whatever|who|whom|whose|ones?|others?|so|such|they|them|their"
    r"|there|then",
    re.IGNORECASE,
)
_OPENINGS = re.compile(r"(What|Whether|How|Where|Which|Of|As|By|With)\b")
_WANTED = 8.0
_SLACK = 0.5  # percent that a package may be better than its row before the row has to be lowered
# A verb in the third person; and plural nouns that look like one.
_NOUNS = (
    "Rows|Keys|Values|Columns|Others|This|Its|As|Always|Positions|Arguments|Comparisons|Texts|Items|Connections|Hours"
    "|Nanoseconds|Milliseconds|Seconds|Bytes|Elements|Members|Zeros|Digits|Centuries|Years|Periods|Equalities|Ids|Nodes"
    "|Queries|Sockets|Consensus|Tables|Labels|Operands|Subscripts"
)
_VERB = re.compile(rf"(?!({_NOUNS})\b)[A-Z][a-z]+s\b")
_UNJUDGED = {"property", "cached_property", "contextmanager", "asynccontextmanager"}
_PRINTED = ("server/cli.py", "server/connector_check/rules.py")  # docstrings that `headwater` prints to users
_CODE = re.compile(r"``.*?``|`[^`]*`", re.DOTALL)
_WORD = re.compile(r"[A-Za-z]+")

# Percent of pronouns among the words of docstrings, and percent of docstrings that open with one of the nine words.
# A row may only be lowered; a package at 8 or below keeps to 8.
_MOST = {
    "model": (8.0, 8.0),
    "planner": (8.0, 8.0),
    "storage": (8.0, 8.0),
    "connectors": (8.0, 8.0),
    "catalog": (8.0, 8.0),
    "timeline": (8.0, 8.0),
    "compute": (8.0, 8.0),
    "server": (8.0, 8.0),
}


@dataclass(frozen=True, slots=True)
class Prose:
    """The words of one package's docstrings, counted."""

    words: int
    pronouns: int
    docstrings: int
    openings: int

    @property
    def pronoun_share(self) -> float:
        """Returns the percentage of words that are pronouns."""
        return 100 * self.pronouns / max(self.words, 1)

    @property
    def opening_share(self) -> float:
        """Returns the percentage of docstrings that begin with a word of `_OPENINGS`."""
        return 100 * self.openings / max(self.docstrings, 1)


def docstrings(source: Source) -> Iterator[str]:
    """Yields the docstrings of a module, its classes and its functions."""
    documented = [
        node for node in source.statements if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for node in (source.tree, *documented):
        text = ast.get_docstring(node)
        if text:
            yield text


def measure(texts: list[str]) -> Prose:
    """Counts the words of docstrings; names in backquotes are code, not words."""
    words = [_WORD.findall(_CODE.sub(" ", text)) for text in texts]
    return Prose(
        words=sum(map(len, words)),
        pronouns=sum(_PRONOUNS.fullmatch(word) is not None for each in words for word in each),
        docstrings=len(texts),
        openings=sum(_OPENINGS.match(text) is not None for text in texts),
    )


def of_package(package: str) -> Prose:
    """Counts the docstrings of a package."""
    return measure([text for source in package_sources() if source.package == package for text in docstrings(source)])


def test_the_meter_counts_pronouns_and_openings() -> None:
    prose = measure(["Which one goes there.", "Returns `it`: the place of a table.", "Whatever."])
    assert prose == Prose(words=11, pronouns=4, docstrings=3, openings=1)


@pytest.mark.parametrize("package", PACKAGES)
def test_pronouns_and_openings_without_a_verb_only_fall(package: str) -> None:
    prose = of_package(package)
    pronouns, openings = (max(most, _WANTED) for most in _MOST[package])
    found = f"{package}: {prose.pronoun_share:.1f} % pronouns, {prose.opening_share:.1f} % openings"
    assert prose.pronoun_share <= pronouns, f"{found}: name the things that the new docstrings speak of"
    assert prose.opening_share <= openings, f"{found}: begin the new docstrings with a verb or a noun"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_table_of_shares_is_lowered_with_them(package: str) -> None:
    prose = of_package(package)
    pronouns, openings = _MOST[package]
    found = f"lower the row to ({prose.pronoun_share:.1f}, {prose.opening_share:.1f})"
    assert pronouns <= max(prose.pronoun_share + _SLACK, _WANTED), found
    assert openings <= max(prose.opening_share + _SLACK, _WANTED), found


def _functions(source: Source) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yields the functions of a module that do something: neither properties nor context managers."""
    for node in source.statements:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name != "__init__":
            decorators = {getattr(each, "id", getattr(each, "attr", "")) for each in node.decorator_list}
            if not decorators & _UNJUDGED:
                yield node


@pytest.mark.parametrize("package", PACKAGES)
def test_the_docstring_of_a_function_begins_with_its_verb(package: str) -> None:
    without = [
        f"{source.path}:{node.lineno}: {text.splitlines()[0]}"
        for source in package_sources()
        if source.package == package and source.path not in _PRINTED
        for node in _functions(source)
        if (text := ast.get_docstring(node)) and _VERB.match(text) is None
    ]
    assert not without, "\n".join(without)
