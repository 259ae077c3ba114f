"""What the tracked files may not hold, and what must be among them."""

import re
import tomllib

from tests.tidy.sources import ROOT, tracked

_HOSTS = re.compile(r"https?://[^\s\"'<>]*(pypi|pythonhosted|npm|debian|hosted)", re.IGNORECASE)
_MACHINE_PATHS = re.compile(r"(^|[^a-z.])/(work|farm|root|home/[a-z]+|Users/[a-z]+)/", re.MULTILINE)
_LOCK_FILES = {"uv.lock", "poetry.lock", "Pipfile.lock", "package-lock.json", "yarn.lock"}
_LARGEST_BYTES = 1_000_000


def _texts() -> list[tuple[str, str]]:
    found = []
    for path in tracked():
        data = path.read_bytes()
        if b"\0" not in data:
            found.append((path.relative_to(ROOT).as_posix(), data.decode()))
    return found


def test_no_file_names_a_registry_or_a_place_of_one_machine() -> None:
    found = [
        f"{name}: {match[0].strip()}"
        for name, text in _texts()
        for pattern in (_HOSTS, _MACHINE_PATHS)
        for match in pattern.finditer(text)
    ]
    assert found == []


def test_no_lock_file_is_tracked() -> None:
    assert [path.name for path in tracked() if path.name in _LOCK_FILES] == []


def test_no_file_is_large() -> None:
    assert [path.name for path in tracked() if path.stat().st_size > _LARGEST_BYTES] == []


def test_constraints_are_plain_pins() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)] == []


def test_every_requirement_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [
        *project["dependencies"],
        *(item for extra in project["optional-dependencies"].values() for item in extra),
    ]
    pinned = {_plain(line.partition("==")[0]) for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert {_plain(re.split(r"[\[<>=!~; ]", item)[0]) for item in wanted} <= pinned


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
