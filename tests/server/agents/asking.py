"""Calls tools with the client of the protocol's own package."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from server.agents.requests import AGENT
from server.http.server import HttpServer


class Agent:
    """A program that asks over HTTP, as a user; each call is a connection of its own."""

    def __init__(
        self, http: HttpServer, user: str = "headwater", path: str = AGENT, options: Mapping[str, str] | None = None
    ) -> None:
        told = quote(json.dumps({"database": "headwater", **(options or {})}))
        self._url = f"http://127.0.0.1:{http.port}{path}?options={told}"
        self._user = user

    async def called(self, name: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """The result of one call."""
        async with httpx2.AsyncClient(auth=(self._user, ""), timeout=60) as http:
            async with Client(streamable_http_client(self._url, http_client=http)) as client:
                return await client.call_tool(name, dict(arguments))

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """What a tool answers; the test fails where it fails."""
        result = asyncio.run(self.called(tool, arguments))
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return dict(result.structured_content)

    def failure(self, tool: str, /, **arguments: Any) -> str:
        """The SQLSTATE with which a tool fails."""
        result = asyncio.run(self.called(tool, arguments))
        assert result.is_error and result.structured_content is not None
        return str(result.structured_content["error"]["code"])

    def tools(self) -> dict[str, Any]:
        """What the server tells of its tools, by name."""

        async def listed() -> dict[str, Any]:
            async with httpx2.AsyncClient(auth=(self._user, ""), timeout=60) as http:
                async with Client(streamable_http_client(self._url, http_client=http)) as client:
                    assert client.server_info is not None and client.server_info.name == "headwater"
                    return {tool.name: tool for tool in (await client.list_tools()).tools}

        return asyncio.run(listed())
