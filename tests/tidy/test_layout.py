"""Where things lie: docstrings, packages, and tests that mirror them."""

import ast

from tests.tidy.sources import CODE, PACKAGES, ROOT, package_sources, sources

_TEST_FOLDERS = {
    *PACKAGES,
    "tools",
    "attack",
    "forking",
    "histories",
    "benchmarks",
    "simulation",
    "slt",
    "pgtest",
    "tidy",
    "processes",
    "packaging",
}


def test_every_module_says_what_it_is() -> None:
    silent = [source.path for source in sources() if source.text.strip() and ast.get_docstring(source.tree) is None]
    assert silent == []


def test_package_files_hold_a_docstring_and_no_code() -> None:
    busy = [
        source.path
        for source in sources()
        if source.path.endswith("__init__.py") and (len(source.tree.body) != 1 or not ast.get_docstring(source.tree))
    ]
    assert busy == [], "import names from the module that defines them"


def test_every_folder_of_a_package_is_a_package() -> None:
    folders = {(ROOT / source.path).parent for source in package_sources()}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def _loose_dataclass(node: ast.ClassDef) -> bool:
    decorators = [text for decorator in node.decorator_list if (text := ast.unparse(decorator)).startswith("dataclass")]
    return any("slots=True" not in text for text in decorators) and "cached_property" not in ast.unparse(node)


def test_data_has_slots() -> None:
    """`@dataclass` without slots takes any attribute, misspelt ones too; a cached property can't do with slots."""
    loose = [
        f"{source.path}:{node.lineno} {node.name}"
        for source in package_sources()
        for node in source.statements
        if isinstance(node, ast.ClassDef) and _loose_dataclass(node)
    ]
    assert loose == []


def test_tests_mirror_the_packages() -> None:
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    assert folders <= _TEST_FOLDERS


def test_every_package_has_tests() -> None:
    untested = [name for name in PACKAGES if not any((ROOT / "tests" / name).rglob("test_*.py"))]
    assert untested == []


def test_top_level_folders_are_those_of_the_house() -> None:
    python = {path.parent.name for path in ROOT.glob("*/*.py")}
    assert python <= set(CODE)


_NAMED_IN = {"pubnub": 3, "kinesis": 3, "redis": 3, "mysql": 3, "opensearch": 3, "dynamodb": 3}
"""The most folders of the packages that name a system: the system's own, the list of systems, and one more."""


def test_a_system_is_named_in_its_own_room() -> None:
    folders = {
        system: sorted(
            {source.path.rpartition("/")[0] for source in package_sources() if system in source.text.lower()}
        )
        for system in _NAMED_IN
    }
    assert {system: named for system, named in folders.items() if len(named) > _NAMED_IN[system]} == {}
    assert all(f"connectors/{system}" in named for system, named in folders.items())
