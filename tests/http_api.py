"""SQL over HTTP, as clients ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from server.admission.gate import WITHOUT_PASSWORD, Gate, RuleSource, given_rules
from server.agents.asking import AgentSessions
from server.agents.held_writes import HELD_S, HeldWrites
from server.agents.requests import AGENT, DEVELOPER, AgentRequests
from server.agents.tools import Tools
from server.api.door import Door
from server.api.health import LIVEZ, READYZ, Livez, Readyz
from server.api.metrics import METRICS, MetricsRequests
from server.api.origins import Origins
from server.api.sockets import SOCKET, SocketRequests
from server.api.sql import SQL, SqlRequests
from server.api.token_requests import TOKEN, TokenRequests
from server.api.tokens import Tokens
from server.console.pages import ROOT, ConsolePages
from server.http.exchange import Routes
from server.http.limits import HttpLimits
from server.http.server import HttpServer
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.server import bind
from tests.server.memory_server import MemoryServer

USER = ("headwater", "")


@contextmanager
def api_of(
    server: MemoryServer,
    rules: str | RuleSource = WITHOUT_PASSWORD,
    policy: AuthenticationPolicy = AuthenticationPolicy(),  # noqa: B008 - frozen
    limits: HttpLimits = HttpLimits(),  # noqa: B008 - frozen
    names: tuple[str, ...] = (),
    held_writes_s: float = HELD_S,
) -> Iterator[HttpServer]:
    """HTTP for a server without a process of its own. `held_writes_s`: how long transactions of agents wait for their
    commit."""
    ending: list[HeldWrites] = []

    async def begin() -> HttpServer:
        backend = server.backend
        environment = server.environment
        tokens = Tokens(environment.clock, environment.randomness, lambda: environment.catalog.state.roles)
        door = Door(backend, Gate(given_rules(rules) if isinstance(rules, str) else rules), policy, tokens)
        origins = Origins(names)
        sessions = AgentSessions(backend, server.places)
        writes = HeldWrites(sessions, environment.randomness, held_writes_s)
        tools = Tools(sessions, writes)
        ending.append(writes)
        routes = Routes(
            {
                LIVEZ: Livez(),
                READYZ: Readyz(lambda: True),
                SQL: SqlRequests(backend, door, origins, server.places),
                SOCKET: SocketRequests(backend, door, origins, server.places, limits),
                TOKEN: TokenRequests(lambda: environment.catalog.state, tokens, door, origins),
                METRICS: MetricsRequests(environment, door, origins),
                AGENT: AgentRequests(tools.of_agents(), door, origins),
                DEVELOPER: AgentRequests(tools.of_developers(), door, origins),
                ROOT: ConsolePages(origins),
            }
        )
        http = HttpServer(routes, limits)
        await http.start(bind("127.0.0.1", 0))
        return http

    http = server.run(begin())
    try:
        yield http
    finally:
        server.run(http.shut_down(5))
        for writes in ending:
            server.run(writes.close())


@contextmanager
def client_of(http: HttpServer, **options: Any) -> Iterator[httpx.Client]:
    """A client that sends the superuser's name with each request."""
    given: dict[str, Any] = {"auth": USER, "timeout": 60.0} | options
    with httpx.Client(base_url=f"http://127.0.0.1:{http.port}", **given) as client:
        yield client


def asked(client: httpx.Client, query: str) -> list[dict[str, Any]]:
    """The results of a text's statements."""
    answer = client.post(SQL, json={"query": query})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return list(answer.json()["results"])
