"""The console in a browser: what a user sees of a server, and that nothing of a server's texts runs as a program."""

from __future__ import annotations

from typing import Any

import psycopg
from playwright.sync_api import Browser, Page, expect

from server.http.server import HttpServer

_HOSTILE = "<img src=x onerror=alert(1)>"


def _run(page: Page, text: str) -> None:
    page.get_by_label("SQL", exact=True).fill(text)
    page.keyboard.press("Control+Enter")


def test_statements_show_rows_tags_and_errors_under_their_words(page: Page) -> None:
    _run(page, "SELECT * FROM orders ORDER BY id;\nSELECT none FROM orders")
    expect(page.locator(".result .error")).to_have_text('ERROR 42703: column "none" does not exist')
    expect(page.locator(".result pre")).to_have_text("LINE 2: SELECT none FROM orders\n               ^")
    expect(page.get_by_text("thing 1", exact=True)).to_be_visible()


def test_many_rows_are_a_table_of_few_elements(page: Page, whole: bool) -> None:
    # Each row is a message: to the browser, its driver and the server a hundred thousand are half a minute of work.
    rows = 100_000 if whole else 10_000
    _run(page, f"SELECT n, n * 2 AS twice FROM generate_series(1, {rows}) n")
    expect(page.get_by_text(f"SELECT {rows}")).to_be_visible()
    grid = page.locator(".grid")
    grid.evaluate("each => { each.scrollTop = each.scrollHeight; }")
    expect(page.get_by_text(f"{2 * rows}", exact=True)).to_be_visible()
    assert page.locator(".grid .row").count() < 200


def test_a_subscription_is_a_live_table_until_it_is_cancelled(
    page: Page, served: tuple[HttpServer, psycopg.Connection[Any]]
) -> None:
    made = served[1]
    made.execute("CREATE TABLE live (a text)")
    made.execute("INSERT INTO live VALUES ('first'), ('second')")
    page.get_by_role("button", name="Refresh").click()
    page.locator("summary", has_text="live").click()
    page.get_by_role("button", name="Live").click()
    expect(page.get_by_text("second", exact=True)).to_be_visible()
    made.execute("UPDATE live SET a = 'third' WHERE a = 'second'")
    expect(page.get_by_text("third", exact=True)).to_be_visible()
    expect(page.get_by_text("second", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Show changes").click()
    expect(page.locator(".grid .row.less:visible")).to_contain_text("second")
    page.get_by_label("SQL", exact=True).press("Escape")
    expect(page.locator("#state")).to_have_text("ready")


def test_names_values_and_errors_of_a_server_are_text_and_no_programs(
    page: Page, served: tuple[HttpServer, psycopg.Connection[Any]]
) -> None:
    made = served[1]
    made.execute(f'''CREATE VIEW "{_HOSTILE}" AS SELECT '{_HOSTILE}' AS "<b>{_HOSTILE}"''')
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator("#tree summary", has_text=_HOSTILE)).to_be_visible()
    page.locator("#tree summary", has_text=_HOSTILE).click()
    page.get_by_role("button", name="Rows").first.click()
    expect(page.locator(".grid .row .cell")).to_have_text(_HOSTILE)
    _run(page, f"SELECT '{_HOSTILE}'::int")
    expect(page.locator(".error")).to_contain_text(_HOSTILE)
    assert page.locator("#shell img").count() == 0


def test_words_are_completed_from_the_catalog(page: Page) -> None:
    text = page.get_by_label("SQL", exact=True)
    expect(page.locator("#tree summary", has_text="orders_pkey")).to_be_visible()
    text.press_sequentially("SELECT wha")
    expect(page.get_by_role("option", name="what")).to_be_visible()
    text.press("Tab")
    text.press_sequentially(" FROM orde")
    text.press("Tab")
    expect(text).to_have_value("SELECT what FROM orders")
    # A name that is whole stays as it is, though longer ones begin with it.
    text.press("Enter")
    expect(text).to_have_value("SELECT what FROM orders\n")


def test_who_lost_the_connection_runs_the_next_statement_over_another(
    page: Page, served: tuple[HttpServer, psycopg.Connection[Any]]
) -> None:
    _run(page, "SELECT no_token")
    expect(page.locator(".error")).to_contain_text("no_token")
    served[1].execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'websocket client'")
    expect(page.locator("#state")).to_contain_text("the next statement connects again")
    _run(page, "SELECT 41 + 1 AS answer")
    expect(page.locator(".grid .row .cell")).to_have_text("42")


def test_objects_are_told_once_a_transaction_has_ended(page: Page) -> None:
    _run(page, "BEGIN; CREATE TABLE made (a int)")
    expect(page.locator("#state")).to_have_text("in a transaction")
    _run(page, "COMMIT")
    expect(page.locator("#tree summary", has_text="made")).to_be_visible()


def test_who_signs_out_leaves_nothing_behind_and_a_reload_signs_nobody_out(page: Page) -> None:
    _run(page, "SELECT 1")
    expect(page.locator("#results").get_by_text("SELECT 1", exact=True)).to_be_visible()
    page.reload()
    expect(page.locator("#state")).to_have_text("ready")
    assert page.locator("#history option").count() == 2
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.evaluate("sessionStorage.length + localStorage.length") == 0
    assert page.locator("#history option").count() == 1
    assert page.locator("#tree").inner_text() == page.locator("#text").input_value() == ""


def test_pages_of_other_sites_reach_nothing(
    page: Page, served: tuple[HttpServer, psycopg.Connection[Any]], browser: Browser
) -> None:
    """A page of another place may neither open a WebSocket here nor read an answer."""
    port = served[0].port
    foreign = browser.new_page()
    foreign.route("http://evil.example/", lambda route: route.fulfill(body="<p>elsewhere", content_type="text/html"))
    foreign.goto("http://evil.example/")
    opened = f"""new Promise((done) => {{ const s = new WebSocket("ws://127.0.0.1:{port}/api/experimental/sql");
        s.onopen = () => done("open"); s.onerror = () => done("refused"); }})"""
    assert foreign.evaluate(opened) == "refused"
    read = f"""fetch("http://127.0.0.1:{port}/api/sql", {{method: "POST", body: "{{}}",
        headers: {{"content-type": "application/json"}}}}).then(() => "read", () => "refused")"""
    assert foreign.evaluate(read) == "refused"
    foreign.close()
