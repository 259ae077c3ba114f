"""Documents say what is: their links lead somewhere, the files and commands that they name exist."""

import re
from pathlib import Path

from server.options import ServeOptions
from tests.tidy.sources import PACKAGES, ROOT, tracked

_LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_ROOTS = (*PACKAGES, "tests", "tools", "benchmarks", "docs", ".ci")
_PATH = re.compile(rf"(?:{'|'.join(map(re.escape, _ROOTS))})/[\w./-]*|[\w-]+\.(?:md|toml|yml)|Makefile|Dockerfile")
_MEMBER = re.compile(rf"((?:{'|'.join(PACKAGES)})(?:/\w+)+)((?:\.\w+)+)")
_PRODUCTS = ("benchmarks/results/",)


def _documents() -> list[Path]:
    return [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "tests" / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ]


def _name(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def _anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", document.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _leads_somewhere(document: Path, target: str) -> bool:
    if re.match(r"\w+:", target):
        return True
    path, _, anchor = target.partition("#")
    found = (document.parent / path).resolve() if path else document
    return found.exists() and (not anchor or anchor in _anchors(found))


def test_links_between_documents_lead_somewhere() -> None:
    broken = [
        f"{_name(document)}: {target}"
        for document in _documents()
        for target in _LINK.findall(_FENCE.sub("", document.read_text()))
        if not _leads_somewhere(document, target)
    ]
    assert broken == []


def _exists(document: Path, name: str) -> bool:
    if name in _PRODUCTS:
        return True
    if any((place / name).exists() for place in (ROOT, document.parent, ROOT / "docs")):
        return True
    if (ROOT / f"{name}.py").exists():
        return True
    member = _MEMBER.fullmatch(name)
    return member is not None and all(_defines(ROOT / member[1], word) for word in member[2].split(".")[1:])


def _defines(module: Path, name: str) -> bool:
    """Whether a module, or one of a package, defines a class, function, method, field or constant of that name."""
    file = module.with_suffix(".py")
    definition = re.compile(rf"^\s*(?:(?:class|def|async def) )?{name}\b", re.MULTILINE)
    return any(definition.search(each.read_text()) for each in ([file] if file.exists() else module.glob("*.py")))


def test_paths_in_documents_exist() -> None:
    missing = [
        f"{_name(document)}: {code}"
        for document in _documents()
        for code in _CODE.findall(_FENCE.sub("", document.read_text()))
        if (_PATH.fullmatch(code) or _MEMBER.fullmatch(code)) and not _exists(document, code)
    ]
    assert missing == [], "the house has changed: say where it is now"


def test_make_targets_in_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    command = re.compile(r"(?:`|^ {4})make ([a-z]+)", re.MULTILINE)
    named = {target for document in _documents() for target in command.findall(document.read_text())}
    assert {"demo", "test", "install", "serve", "lint", "bench"} <= named
    assert named <= targets


def test_the_page_of_options_has_those_of_serve() -> None:
    page = (ROOT / "docs" / "options.md").read_text()
    known = {name.upper() for name in ServeOptions.model_fields}
    assert set(re.findall(r"^\| .*`HEADWATER_(\w+)` \|", page, re.MULTILINE)) == known


def test_every_document_is_reached_from_the_readme_or_the_list_of_documents() -> None:
    doors = (ROOT / "README.md", ROOT / "docs" / "README.md", ROOT / "docs" / "architecture.md")
    reached = {
        (door.parent / target.partition("#")[0]).resolve()
        for door in doors
        for target in _LINK.findall(door.read_text())
    }
    lonely = [
        _name(path)
        for path in tracked()
        if path.suffix == ".md" and path.parent == ROOT / "docs" and path not in reached and path.name != "status.md"
    ]
    assert lonely == []


def test_ten_things_are_found_from_the_readme_in_three_steps() -> None:
    """The first step leads to the architecture, the second to a file that exists, the third to what it calls."""
    assert "docs/architecture.md" in _LINK.findall((ROOT / "README.md").read_text())
    architecture = ROOT / "docs" / "architecture.md"
    section = architecture.read_text().partition("\n## Ten things")[2].partition("\n## ")[0]
    places = re.findall(r"^\| .* \| `([^`]+)` \|$", section, re.MULTILINE)
    assert len(set(places)) == 10
    assert [place for place in places if not _exists(architecture, place)] == []
