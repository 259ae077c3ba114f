"""Some things come in by one door only: libraries by their room, time and randomness by model.time.clock."""

import ast
import re
import sys

from tests.tidy.sources import PACKAGES, ROOT, Source, imported_modules, package_sources

_FLOORS = {
    "model": 0,
    "connectors": 1,
    "planner": 2,
    "storage": 2,
    "catalog": 3,
    "timeline": 3,
    "compute": 3,
    "server": 4,
}
_LIBRARY_DOORS = {
    "pyspark": ("compute/",),
    "py4j": ("compute/",),
    "sqlglot": ("planner/syntax/dialect/",),
    "postgast": ("planner/",),
    "sqlite3": ("connectors/", "storage/"),
    "psycopg": ("connectors/", "storage/", "server/script.py", "server/demo/"),
    "pymysql": ("connectors/",),
    "redis": ("connectors/",),
    "boto3": ("connectors/", "storage/"),
    "random": ("model/time/clock.py",),
    "secrets": ("model/time/clock.py",),
}
_PLANNER_WORDS = ("planner.ir.", "planner.plans.", "planner.functions.", "planner.interpret.")
"""What a plan is, and what it means: everyone above the planner speaks of it."""
_PLANNER_SHARED = (
    "planner.catalog_view.",
    "planner.function_rules.",
    "planner.privileges.",
    "planner.sequence_rules.",
    "planner.temporary_schema.",
)
_PLANNER_DOORS = (
    "planner.scope.system_columns",
    "planner.syntax.parse",
    "planner.syntax.secret_texts",
    "planner.syntax.renamed_text",
    "planner.syntax.statement_identity",
    "planner.syntax.string_escapes",
    "planner.statements.plan_statement",
    "planner.statements.kept_rules",
    "planner.statements.functions.block_reading",
    "planner.statements.changes.implied_conditions",
    "planner.statements.changes.simple_view",
    "planner.statements.session.scanned_rows",
    "planner.rules.inline_views",
    "planner.rules.pipeline",
    "planner.explain",
)
_CLOCK_DOOR = "model/time/clock.py"
_CLOCK_CALLS = {
    "time.time",
    "time.time_ns",
    "time.monotonic",
    "time.monotonic_ns",
    "time.perf_counter",
    "time.perf_counter_ns",
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "datetime.datetime.today",
    "datetime.date.today",
    "os.urandom",
    "uuid.uuid1",
    "uuid.uuid4",
}
_CLOCK_TEXT = re.compile("|".join(rf"\.\s*{call.rpartition('.')[2]}\b" for call in sorted(_CLOCK_CALLS)))
"""What a text has that calls one of them: few have it, and looking through all expressions of all files takes long."""


def test_imports_go_down_the_floors() -> None:
    """Siblings of one floor never meet, and nothing imports what stands above it."""
    wrong = []
    for source in package_sources():
        for module, line in imported_modules(source):
            target = module.partition(".")[0]
            if target == source.package or target not in _FLOORS:
                continue
            if _FLOORS[target] >= _FLOORS[source.package]:
                wrong.append(f"{source.path}:{line} imports {module}")
    assert wrong == []


def test_compute_sees_of_the_planner_its_ir_and_functions() -> None:
    """The plan's vocabulary, the table of functions and what they mean; never SQL, catalogs or rules."""
    wrong = [
        f"{source.path}:{line} imports {module}"
        for source in package_sources()
        if source.package == "compute"
        for module, line in imported_modules(source)
        if module.partition(".")[0] == "planner"
        and not f"{module}.".startswith(("planner.ir.", "planner.functions.", "planner.interpret."))
    ]
    assert wrong == []


def _planner_imports(*packages: str) -> list[tuple[str, str]]:
    """What the packages import of the planner, as module, and where."""
    return [
        (module, f"{source.path}:{line}")
        for source in package_sources()
        if source.package in packages
        for module, line in imported_modules(source)
        if module.partition(".")[0] == "planner"
    ]


def test_server_and_catalog_come_into_the_planner_by_its_doors() -> None:
    """They may speak the language of plans; of how a text becomes one they know the doors."""
    open_ = (*_PLANNER_WORDS, *_PLANNER_SHARED, *(f"{door}." for door in _PLANNER_DOORS))
    imports = _planner_imports("server", "catalog")
    assert [f"{place} imports {module}" for module, place in imports if not f"{module}.".startswith(open_)] == []


def test_each_door_of_the_planner_is_used_and_described() -> None:
    used = {module for module, _ in _planner_imports("server", "catalog")}
    assert set(_PLANNER_DOORS) <= used, "a door that nobody uses is none"
    told = ast.get_docstring(ast.parse((ROOT / "planner/__init__.py").read_text())) or ""
    assert [door for door in _PLANNER_DOORS if door.removeprefix("planner.") not in told] == []


_OF_MODEL = ("model", "pyarrow", "google")


def test_model_stands_on_the_standard_library_pyarrow_and_protobuf() -> None:
    wrong = [
        f"{source.path}:{line} imports {module}"
        for source in package_sources()
        if source.package == "model"
        for module, line in imported_modules(source)
        if (top := module.partition(".")[0]) not in _OF_MODEL and top not in sys.stdlib_module_names
    ]
    assert wrong == []


def test_packages_import_no_tests_or_tools() -> None:
    wrong = [
        f"{source.path}:{line} imports {module}"
        for source in package_sources()
        for module, line in imported_modules(source)
        if module.partition(".")[0] in ("tests", "tools", "benchmarks")
    ]
    assert wrong == []


def test_libraries_come_in_by_their_own_door() -> None:
    wrong = [
        f"{source.path}:{line} imports {module}; its door is {' or '.join(doors)}"
        for source in package_sources()
        for module, line in imported_modules(source)
        if (doors := _LIBRARY_DOORS.get(module.partition(".")[0])) and not source.path.startswith(doors)
    ]
    assert wrong == []


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
        case _:
            return ""


def _clock_uses(source: Source) -> list[str]:
    if _CLOCK_TEXT.search(source.text) is None:
        return []
    with_jvm = any(module.partition(".")[0] == "pyspark" for module, _ in imported_modules(source))
    banned = _CLOCK_CALLS - {"time.monotonic"} if with_jvm else _CLOCK_CALLS
    return [
        f"{source.path}:{node.lineno} {_dotted(node)}"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute) and _dotted(node) in banned
    ]


def test_time_and_randomness_come_from_the_clock() -> None:
    """A simulation owns every clock and every coin only if nobody brings their own.

    Modules that import pyspark run beside a JVM and never in a simulation: they may measure how long something took.
    """
    wrong = [use for source in package_sources() if source.path != _CLOCK_DOOR for use in _clock_uses(source)]
    named = [
        f"{source.path}:{node.lineno} from {node.module} import {alias.name}"
        for source in package_sources()
        if source.path != _CLOCK_DOOR
        for node in source.statements
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if f"{node.module}.{alias.name}" in _CLOCK_CALLS
    ]
    assert wrong + named == [], "take a model.time.clock.Clock or Randomness"


def test_every_package_has_a_floor() -> None:
    assert set(_FLOORS) == set(PACKAGES)
