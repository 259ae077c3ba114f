"""`GET /metrics`: the server's metrics in Prometheus's format, for roles that are members of pg_monitor."""

from __future__ import annotations

import asyncio

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from catalog.facts.roles.predefined import MONITOR
from catalog.nouns.items import Role
from catalog.state.catalog_state import CatalogState
from server.api.door import Door
from server.api.metric_families import ScrapedFamilies, gather, gather_processes
from server.api.origins import Origins
from server.environment.environment import Environment
from server.http.exchange import Exchange
from server.http.request import Answer, Refused, require_method

METRICS = "/metrics"


class MetricsRequests:
    """Answers scrapes. State is read on the event loop, everything else happens in a thread."""

    def __init__(self, environment: Environment, door: Door, origins: Origins) -> None:
        self._environment = environment
        self._door = door
        self._origins = origins

    async def answer(self, exchange: Exchange) -> Answer:
        head = exchange.head
        require_method(head, "GET", of="for metrics")
        self._origins.require_own(head)
        user = await self._door.user_of(exchange)
        self._require_monitor(user)
        await exchange.body()
        gathered = gather(self._environment)
        accepted = head.headers.text("accept") or ""
        content, type_ = await asyncio.to_thread(self._written, gathered, accepted)
        return Answer(200, body=content, content_type=type_)

    def _require_monitor(self, user: str) -> None:
        state = self._environment.catalog.state
        role = state.role_named(user)
        if role is None or not role.login or not _monitors(role, state):
            raise Refused(403, f'role "{user}" has not the privileges of pg_monitor')

    def _written(self, gathered: ScrapedFamilies, accepted: str) -> tuple[bytes, str]:
        registry = CollectorRegistry(auto_describe=False)
        registry.register(gathered)
        pids = [each.pid for each in self._environment.compute.statuses() if each.pid is not None]
        registry.register(gather_processes(pids))
        registry.register(_Counted(self._environment.observed.measures.registry))
        write, type_ = choose_encoder(accepted)
        return write(registry), type_


def _monitors(role: Role, state: CatalogState) -> bool:
    return role.superuser or MONITOR in state.memberships.privileges_of(role.oid, None)


class _Counted:
    """A collector that hands on all metrics of another registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.collect = registry.collect
