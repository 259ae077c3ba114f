"""The console's pages beside the statements, in a browser: each by what it shows of a server with tables and views."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Page, Route, expect

from server.environment.sampling import Sampling
from server.http.server import HttpServer
from tests.polling import await_that
from tests.server.memory_server import MemoryServer

_HOSTILE = "<img src=x onerror=alert(1)>"
_OBJECTS = 200
_PATIENCE_S = 120.0


@pytest.fixture(scope="module", autouse=True)
def made(served: tuple[HttpServer, psycopg.Connection[Any]]) -> psycopg.Connection[Any]:
    """A table, what lies over it, a webhook source that nobody posts to, and a name that would be a program in HTML."""
    made = served[1]
    made.execute("CREATE TABLE items (id int PRIMARY KEY, kind text DEFAULT 'plain', price numeric(10,2))")
    made.execute("COMMENT ON COLUMN items.kind IS 'what it is'")
    made.execute("INSERT INTO items SELECT n, 'kind ' || n % 3, n FROM generate_series(1, 30) n")
    made.execute("CREATE MATERIALIZED VIEW by_kind AS SELECT kind, sum(price) AS total FROM items GROUP BY kind")
    made.execute(f'CREATE MATERIALIZED VIEW "{_HOSTILE}" AS SELECT count(*) FROM by_kind')
    made.execute("CREATE SOURCE posted FROM WEBHOOK BODY FORMAT TEXT")
    return made


def _open(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()


def test_freshness_tells_of_each_maintained_object_and_the_way_to_it(page: Page) -> None:
    _open(page, "Freshness")
    shown = page.get_by_label("freshness", exact=True)
    expect(shown.get_by_role("row", name="by_kind materialized-view")).to_contain_text("ms")
    expect(shown.get_by_role("row", name="items table")).to_be_visible()
    shown.get_by_role("button", name="by_kind", exact=True).click()
    expect(shown.locator("ol li")).to_have_text([re.compile("^by_kind "), re.compile("^items ")])
    # Another look has drawn a line by now, or will: what is open stays open.
    expect(shown.locator("polyline[points*=' ']").first).to_be_attached()
    expect(shown.locator("ol li")).to_have_count(2)


def test_the_graph_draws_what_is_near_and_tells_of_what_is_chosen(page: Page) -> None:
    _open(page, "Graph")
    page.get_by_label("Around which object?").fill("items")
    page.get_by_label("Around which object?").press("Tab")
    node = page.get_by_role("button", name="by_kind, materialized-view")
    expect(node).to_be_visible()
    expect(page.locator(".node")).to_have_count(4)
    node.click()
    expect(page.locator(".details h2")).to_have_text("public.by_kind")
    expect(page.locator(".details dt", has_text="rows written")).to_be_visible()
    expect(page.locator(".details td", has_text="errors u").first).to_be_visible()
    node.press("Enter")
    page.get_by_role("button", name="Draw what is around it").click()
    expect(page.locator(".node.centre")).to_contain_text("by_kind")


def test_activity_shows_sessions_and_statements_and_ends_them(
    page: Page, served: tuple[HttpServer, psycopg.Connection[Any]], made: psycopg.Connection[Any]
) -> None:
    victim = psycopg.connect(
        host="127.0.0.1", port=made.info.port, user="headwater", dbname="headwater", autocommit=True
    )
    victim.execute(f"SET application_name = 'the victim'; SELECT '{_HOSTILE}'")
    _open(page, "Activity")
    row = page.get_by_role("row", name="the victim").first
    expect(row).to_contain_text(_HOSTILE)
    row.get_by_role("button", name="Terminate").click()
    expect(page.get_by_role("row", name="the victim").filter(has=page.get_by_role("button"))).to_have_count(0)
    with pytest.raises(psycopg.OperationalError):
        victim.execute("SELECT 1")
    expect(page.get_by_role("row", name="CREATE SOURCE posted").last).to_contain_text("success")


def _refuse_cancel(route: Route) -> None:
    if "pg_cancel_backend" not in (route.request.post_data or ""):
        return route.continue_()
    return route.fulfill(json={"results": [{"error": {"message": "permission denied", "code": "42501"}}]})


def test_who_may_not_end_a_session_is_told_so_until_the_page_is_left(page: Page, made: psycopg.Connection[Any]) -> None:
    _open(page, "Activity")
    with psycopg.connect(host="127.0.0.1", port=made.info.port, user="headwater", dbname="headwater") as other:
        other.execute("SET application_name = 'soon gone'")
        row = page.get_by_role("row", name="soon gone").first
        expect(row).to_be_visible()
        # Stands for a role without rights: that request is refused, and the page's next looks are not.
        page.route("**/api/sql*", _refuse_cancel)
        row.get_by_role("button", name="Cancel").click()
        expect(page.locator("#trouble")).to_have_text("permission denied")
    _open(page, "System")
    expect(page.locator("#trouble")).to_have_text("")


def test_sources_tell_how_they_are_and_how_they_were(page: Page) -> None:
    _open(page, "Sources and sinks")
    page.get_by_role("button", name="posted", exact=True).click()
    expect(page.get_by_role("heading", name="How posted was")).to_be_visible()
    expect(page.get_by_text("No sink yet. For a first one: CREATE SINK")).to_be_visible()


def test_the_system_page_tells_of_replicas_and_state(page: Page) -> None:
    _open(page, "System")
    expect(page.get_by_role("row", name="r1 default")).to_contain_text("ready")
    expect(page.get_by_role("row", name="items_pkey")).to_contain_text("KiB")


def test_an_object_tells_all_that_is_known_of_it(page: Page) -> None:
    page.locator("#tree details", has_text="items").first.locator("summary").click()
    page.locator("#tree details", has_text="items").first.get_by_role("button", name="Details").click()
    shown = page.get_by_label("object", exact=True)
    expect(shown.get_by_role("row", name="kind text")).to_contain_text("what it is")
    expect(shown.locator("pre")).to_contain_text("CREATE TABLE")
    shown.get_by_role("button", name="public.by_kind").click()
    expect(shown.locator("pre")).to_contain_text("CREATE MATERIALIZED VIEW")
    expect(shown.get_by_role("button", name=f"public.{_HOSTILE}")).to_be_visible()
    assert page.locator("#shell img").count() == 0


def test_rows_are_read_as_of_the_time_that_the_slider_is_put_to(page: Page, made: psycopg.Connection[Any]) -> None:
    made.execute("CREATE TABLE past (a text)")
    made.execute("INSERT INTO past VALUES ('now')")
    page.get_by_role("button", name="Refresh").click()
    page.locator("#tree details", has_text="past").locator("summary").click()
    page.get_by_role("button", name="Rows").click()
    expect(page.locator(".grid .row .cell")).to_have_text("now")
    page.get_by_role("slider").press("Home")
    expect(page.get_by_text("SELECT 0", exact=True)).to_be_visible()
    expect(page.get_by_label("SQL", exact=True)).to_have_value(
        re.compile(r"^SELECT \* FROM public\.past LIMIT 1000 AS OF \d+$")
    )
    page.get_by_label("SQL", exact=True).fill("EXPLAIN MATERIALIZED VIEW by_kind")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".plan .step").first).to_contain_text("Reduce")
    expect(page.get_by_role("slider")).to_be_hidden()


def test_of_many_objects_only_those_that_are_near_are_drawn(page: Page, made: psycopg.Connection[Any]) -> None:
    made.execute("".join(f"CREATE VIEW many_{n} AS SELECT * FROM items;" for n in range(_OBJECTS)))
    _open(page, "Graph")
    page.get_by_label("Around which object?").fill("many_7")
    page.get_by_label("Around which object?").press("Tab")
    expect(page.locator(".node.centre")).to_contain_text("many_7")
    expect(page.get_by_text("The 60 nearest are drawn")).to_be_visible()
    assert page.locator(".node").count() == 60
    _open(page, "Freshness")
    expect(page.get_by_role("button", name="by_kind", exact=True)).to_be_visible()


def test_what_was_before_a_page_was_opened_is_drawn(
    page: Page, made: psycopg.Connection[Any], memory: MemoryServer
) -> None:
    made.execute("CREATE SOURCE ticking FROM LOAD GENERATOR COUNTER (TICK INTERVAL '100 ms')")
    received = """
        SELECT count(*) FROM mz_internal.mz_source_statistics t JOIN mz_catalog.mz_sources s USING (id)
        WHERE s.name = 'ticking' AND t.messages_received > 0"""
    await_that(lambda: made.execute(received).fetchone() == (1,))
    sampling = Sampling(memory.environment)
    for _ in range(3):
        memory.run(sampling.take())
    _open(page, "Freshness")
    row = page.get_by_label("freshness", exact=True).get_by_role("row", name="ticking source")
    # Of one look alone there would be no line yet: each point is "x,y".
    expect(row.locator("polyline[points*=' ']")).to_be_attached()
    _open(page, "Sources and sinks")
    page.get_by_role("button", name="ticking", exact=True).click()
    expect(page.get_by_role("heading", name="The past hour")).to_be_visible()
    expect(page.get_by_text("messages a second, at most")).to_be_visible()
    expect(page.locator(".details polyline[points*=' ']")).to_have_count(2)
