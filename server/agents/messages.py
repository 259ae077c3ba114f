"""Messages of the Model Context Protocol: JSON-RPC 2.0, one message a request.

→ {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "query", "arguments": {"sql": "SELECT 1"}}}
← {"jsonrpc": "2.0", "id": 1, "result": {"content": […], "structuredContent": {…}, "isError": false}}

A notification has no id, and gets no answer.
"""

from __future__ import annotations

from typing import Any

import msgspec

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26")
"""The protocol's versions with a handshake that this server speaks, newest first."""
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602


class RpcMessage(msgspec.Struct, frozen=True):
    """A request, or a notification where there is no id."""

    method: str
    jsonrpc: str = ""
    id: int | str | None = None
    params: dict[str, Any] = {}


class RpcFault(Exception):
    """Raised to answer a request with an error of the protocol; errors of tools are results."""

    def __init__(self, code: int, message: str, id: int | str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id


_decode = msgspec.json.Decoder(RpcMessage).decode
_encode = msgspec.json.Encoder().encode


def read_message(body: bytes) -> RpcMessage:
    """Returns the message of a body. Raises RpcFault for what is none, or several."""
    try:
        message = _decode(body)
    except msgspec.ValidationError as error:
        raise RpcFault(INVALID_REQUEST, f"this is no request: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RpcFault(PARSE_ERROR, f"this is no JSON: {error}") from None
    if message.jsonrpc != "2.0":
        raise RpcFault(INVALID_REQUEST, 'this is no request: "jsonrpc" is to be "2.0"', message.id)
    return message


def result_bytes(id: int | str, result: dict[str, Any]) -> bytes:
    """Returns a request's result as JSON."""
    return _encode({"jsonrpc": "2.0", "id": id, "result": result})


def fault_bytes(id: int | str | None, fault: RpcFault) -> bytes:
    """Returns an error of the protocol as JSON."""
    return _encode({"jsonrpc": "2.0", "id": id, "error": {"code": fault.code, "message": fault.message}})
