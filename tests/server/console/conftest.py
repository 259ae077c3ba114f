"""A server with its console, and a browser in which a user has signed in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from server.http.server import HttpServer
from tests.http_api import api_of
from tests.missing import present
from tests.server.memory_server import MemoryServer, memory_server

_PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def memory() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


@pytest.fixture(scope="module")
def served(memory: MemoryServer) -> Iterator[tuple[HttpServer, psycopg.Connection[Any]]]:
    with api_of(memory) as http, memory.connect() as made:
        made.execute("CREATE TABLE orders (id int PRIMARY KEY, what text, price numeric(10,2))")
        made.execute("INSERT INTO orders SELECT n, 'thing ' || n, n * 1.25 FROM generate_series(1, 500) n")
        yield http, made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = present(shutil.which("chromium"), "chromium (Debian: apt-get install chromium)")
    with sync_playwright() as found:
        # Without a sandbox of its own, as who runs tests may be root; nothing but the console is opened.
        browser = found.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, served: tuple[HttpServer, psycopg.Connection[Any]]) -> Iterator[Page]:
    """The page of a user who has signed in. Nothing may be told to the browser's console meanwhile."""
    page, told = browser.new_page(), list[str]()
    page.set_default_timeout(_PATIENCE_MS)
    expect.set_options(timeout=_PATIENCE_MS)
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("dialog", lambda dialog: told.append(dialog.message))
    page.goto(f"http://127.0.0.1:{served[0].port}/")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#state")).to_have_text("ready")
    yield page
    page.close()
    assert told == []
