"""Answers programs that ask by the Model Context Protocol, over HTTP with one message of JSON a request.

A request is answered by itself: there are no sessions of the protocol and no streams, which the protocol leaves to the
server. Who comes in is asked as over /api/sql, of each request anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import msgspec

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.agents.arguments import Arguments
from server.agents.asking import Caller
from server.agents.limited_answer import failure_of
from server.agents.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    VERSIONS,
    RpcFault,
    RpcMessage,
    fault_bytes,
    read_message,
    result_bytes,
)
from server.agents.tools import Tool
from server.api.door import Door
from server.api.origins import Origins
from server.api.sql_requests import read_options, require_json
from server.http.exchange import Exchange
from server.http.request import JSON, Answer, Refused, require_method

AGENT, DEVELOPER = "/api/mcp/agent", "/api/mcp/developer"
_VERSION_HEADER = "mcp-protocol-version"
_INSTRUCTIONS = (
    "Headwater is a SQL database in PostgreSQL's dialect that keeps views over changing data up to date. "
    "Begin with get_data_products where there is such a tool. Every read may be as of a past time."
)
_encode = msgspec.json.Encoder().encode


class AgentRequests:
    """Answers POSTs of one door, which has some tools."""

    def __init__(self, tools: Mapping[str, Tool], door: Door, origins: Origins) -> None:
        self._tools = tools
        self._door = door
        self._origins = origins

    async def answer(self, exchange: Exchange) -> Answer:
        head = exchange.head
        self._origins.require_own(head)
        require_method(head, "POST", of="of the Model Context Protocol")
        require_json(head)
        database, options = read_options(head)
        user = await self._door.user_of(exchange, database)
        told = head.headers.text(_VERSION_HEADER)
        body = await exchange.body()
        id_ = None
        try:
            message = read_message(body)
            id_ = message.id
            if id_ is None:
                # Of what a client may notify, nothing changes an answer.
                return Answer(202)
            if message.method != "initialize" and told is not None and told not in VERSIONS:
                raise RpcFault(INVALID_REQUEST, f"version {told} of the protocol is not spoken here: {_spoken()} are")
            with exchange.cancelled_with_client():
                caller = Caller(user, database or user, options, exchange.peer, exchange.abort)
                result = await self._result(message, caller)
            return _json(200, result_bytes(id_, result))
        except RpcFault as fault:
            # Who has asked by a number gets an answer to it; what is no request at all is refused by HTTP as well.
            known = fault.id if id_ is None else id_
            return _json(400 if known is None else 200, fault_bytes(known, fault))

    async def _result(self, message: RpcMessage, caller: Caller) -> dict[str, Any]:
        match message.method:
            case "initialize":
                return _welcome(message.params)
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [tool.declaration for tool in self._tools.values()]}
            case "tools/call":
                return await self._called(message.params, caller)
            case method:
                raise RpcFault(METHOD_NOT_FOUND, f"there is no method {method[:100]}")

    async def _called(self, params: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
        name, given = params.get("name"), params.get("arguments") or {}
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None or not isinstance(given, dict):
            raise RpcFault(INVALID_PARAMS, f"there is no tool {str(name)[:100]!r}, or its arguments are no object")
        try:
            told = await tool.run(caller, Arguments(tool.arguments, given))
        except SqlError as error:
            if error.sqlstate is Sqlstate.TOO_MANY_CONNECTIONS and error.hint is None:
                raise Refused(429, error.message, retry=True) from None
            return _content(failure_of(error), failed=True)
        return _content(told, failed=False)


def _welcome(params: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the server's part of the handshake, with the version that is spoken from now on."""
    wanted = params.get("protocolVersion")
    return {
        "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "headwater", "title": "Headwater", "version": version("headwater")},
        "instructions": _INSTRUCTIONS,
    }


def _content(told: dict[str, Any], *, failed: bool) -> dict[str, Any]:
    """Returns a tool's result: as text, which all programs read, and as an object."""
    text = _encode(told)
    content = [{"type": "text", "text": text.decode()}]
    return {"content": content, "structuredContent": msgspec.Raw(text), "isError": failed}


def _json(status: int, body: bytes) -> Answer:
    return Answer(status, body=body, content_type=JSON, headers=(("cache-control", "no-store"),))


def _spoken() -> str:
    return ", ".join(VERSIONS)
