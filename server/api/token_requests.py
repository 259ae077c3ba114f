"""Gives users tokens, by which they come in again without a password: `POST /api/token`.

{"token": "5f3c…", "user": "ada", "expires_in": 43200}
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from catalog.state.catalog_state import CatalogState
from server.api.door import Door
from server.api.origins import Origins
from server.api.sql_requests import read_options
from server.api.tokens import LIFE_S, Tokens
from server.http.exchange import Exchange
from server.http.request import JSON, Answer, Refused, require_method

TOKEN = "/api/token"


class TokenRequests:
    """Answers `POST /api/token` of a user with a password. A token gives no further one: none is prolonged."""

    def __init__(self, catalog: Callable[[], CatalogState], tokens: Tokens, door: Door, origins: Origins) -> None:
        self._catalog = catalog
        self._tokens = tokens
        self._door = door
        self._origins = origins

    async def answer(self, exchange: Exchange) -> Answer:
        head = exchange.head
        require_method(head, "POST", of="for a token")
        self._origins.require_own(head)
        database, _ = read_options(head)
        # Before the proof: what is proven holds for the role as it is then.
        await exchange.body()
        came = await self._door.came_in_by_password(exchange, database)
        role = self._catalog().role_named(came.user)
        if role is None or not role.login:
            raise Refused(403, f'role "{came.user}" is not permitted to log in')
        token = self._tokens.give(role, with_password=came.with_password)
        told = {"token": token, "user": role.name, "expires_in": LIFE_S}
        kept_nowhere = (("cache-control", "no-store"),)
        return Answer(200, body=msgspec.json.encode(told), content_type=JSON, headers=kept_nowhere)
