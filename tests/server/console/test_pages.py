"""The console's files: who gets them, and what a browser is told of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import httpx
import pytest

from server.http.server import HttpServer
from tests.http_api import api_of, client_of
from tests.missing import present
from tests.server.memory_server import memory_server

_FILES = sorted(each.name for each in resources.files("server.console").joinpath("page").iterdir())


@pytest.fixture(scope="module")
def http() -> Iterator[HttpServer]:
    with memory_server() as server, api_of(server) as found:
        yield found


@pytest.fixture
def anybody(http: HttpServer) -> Iterator[httpx.Client]:
    with client_of(http, auth=None) as client:
        yield client


def _path(name: str) -> str:
    return "/" if name == "index.html" else f"/console/{name}"


@pytest.mark.parametrize("name", _FILES)
def test_every_file_is_there_for_anybody_and_runs_nothing_of_others(anybody: httpx.Client, name: str) -> None:
    answer = anybody.get(_path(name))
    assert answer.status_code == 200 and answer.content
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert {policy[each] for each in ("script-src", "style-src", "connect-src", "img-src")} == {"'self'"}
    assert answer.headers["x-content-type-options"] == "nosniff"
    again = anybody.get(_path(name), headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = anybody.head(_path(name))
    assert (head.status_code, head.content) == (200, b"")


def test_modules_are_asked_for_before_they_are_imported(anybody: httpx.Client) -> None:
    told = re.findall(r'<link rel="modulepreload" href="([^"]+)">', anybody.get("/").text)
    assert told == [_path(name) for name in _FILES if name.endswith(".js") and name != "main.js"]


@pytest.mark.parametrize("path", ["/none", "/console/", "/console/none.js", "/console/%2e%2e/pages.py", "/index.html"])
def test_nothing_else_is_there(anybody: httpx.Client, path: str) -> None:
    assert anybody.get(path).status_code == 404


def test_other_methods_and_foreign_names_are_refused(anybody: httpx.Client) -> None:
    assert anybody.post("/").status_code == 405
    assert anybody.get("/", headers={"host": "evil.example"}).status_code == 403
    assert anybody.get("/", headers={"origin": "http://evil.example"}).status_code == 403


def test_what_the_files_ask_for_is_there(anybody: httpx.Client) -> None:
    """A module or a style that the page names is one of the files, and nothing is asked of other places."""
    for name in _FILES:
        text = anybody.get(_path(name)).text
        asked = re.findall(r"""(?:from|src=|href=)\s*["']([^"'#][^"']*)["']""", text)
        assert all(anybody.get(path).status_code == 200 for path in asked), asked
        assert "innerHTML" not in text and "eval(" not in text
        assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == []


def test_rules_without_a_document_hold(tmp_path: Path) -> None:
    node = present(shutil.which("node"), "node")
    rules = Path(__file__).with_name("rules.mjs").read_text()
    page = resources.files("server.console").joinpath("page")
    # Beside the files, for a Node.js that takes no file for a module by its contents.
    (tmp_path / "package.json").write_text('{"type": "module"}')
    with resources.as_file(page) as files:
        folder = shutil.copytree(files, tmp_path / "page")
        done = subprocess.run(
            [node, "--input-type=module"], input=rules, cwd=folder, capture_output=True, text=True, timeout=120
        )
    assert done.returncode == 0, done.stderr
