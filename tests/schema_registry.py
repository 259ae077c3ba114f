"""A schema registry for tests: what Confluent's REST API says of schemas and subjects, and what goes wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote


class SchemaRegistry:
    """`schemas` by number, `subjects` have numbers; `serialized` is what is given to who asks for that.
    `answer` is given to every question, where it is set: a status and
    a body. Who is not `login`, where that is set, is not let in."""

    def __init__(self) -> None:
        self.schemas: dict[int, dict[str, Any]] = {}
        self.serialized: dict[int, str] = {}
        self.subjects: dict[str, int] = {}
        self.answer: tuple[int, bytes] | None = None
        self.login: str | None = None
        self.asked: list[str] = []
        self.url = ""

    def register(self, number: int, schema: Any, subject: str | None = None, **more: Any) -> None:
        self.schemas[number] = {"schema": schema if isinstance(schema, str) else json.dumps(schema), **more}
        if subject is not None:
            self.subjects[subject] = number

    def said(self, path: str) -> tuple[int, bytes]:
        """Status and body."""
        self.asked.append(path)
        if self.answer is not None:
            return self.answer
        path, _, query = path.partition("?")
        match [unquote(part) for part in path.strip("/").split("/")]:
            case ["subjects"]:
                return 200, json.dumps(sorted(self.subjects)).encode()
            case ["schemas", "ids", number] if int(number) in self.schemas:
                return 200, json.dumps(self._schema(int(number), query)).encode()
            case ["subjects", subject, "versions", "latest"] if subject in self.subjects:
                newest = self.subjects[subject]
                return 200, json.dumps({"id": newest, "version": 1, **self._schema(newest, query)}).encode()
            case ["schemas", *_]:
                return 404, b'{"error_code": 40403, "message": "Schema not found"}'
            case _:
                return 404, b'{"error_code": 40401, "message": "Subject not found."}'

    def told(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Registers a schema, once: status and body."""
        if self.answer is not None:
            return self.answer
        _, subject, _ = (unquote(part) for part in path.strip("/").split("/"))
        schema = json.loads(body)["schema"]
        known = [number for number, held in self.schemas.items() if held["schema"] == schema]
        number = known[0] if known else 1 + max(self.schemas, default=0)
        self.register(number, schema, subject)
        return 200, json.dumps({"id": number}).encode()

    def _schema(self, number: int, query: str) -> dict[str, Any]:
        found = self.schemas[number]
        return {**found, "schema": self.serialized[number]} if query == "format=serialized" else found


@contextmanager
def running_registry() -> Iterator[SchemaRegistry]:
    """On a free port of the loopback."""
    registry = SchemaRegistry()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(*registry.said(self.path))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self._answer(*registry.told(self.path, body))

        def _answer(self, status: int, body: bytes) -> None:
            if registry.login is not None and self.headers["Authorization"] != registry.login:
                status, body = 401, b""
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    registry.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield registry
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
