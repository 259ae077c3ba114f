"""Somebody's endpoint, which documents are posted to."""

from __future__ import annotations

import json
import ssl
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from connectors.sinks.driver import Driver
from connectors.webhook.driver import WebhookDriver
from connectors.webhook.endpoint import Endpoint
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from tests.connectors.sinks.sessions import DESC


@dataclass
class Receiver:
    """What was posted; `answers` are given first, then 200."""

    url: str = ""
    posts: list[tuple[Message, bytes]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    retry_after: str | None = None
    desc: RelationDesc = DESC

    @property
    def place(self) -> Endpoint:
        return Endpoint(self.url, None, ())

    def driver(self) -> Driver:
        return WebhookDriver(self.place)

    @property
    def taken(self) -> list[Any]:
        return [message for _, body in self.posts for message in json.loads(body)]

    def read(self) -> Counter[Row]:
        """What the last messages of all keys say, or all changes, of which each counts once however often it came."""
        names = self.desc.names
        if any("mz_diff" in message for message in self.taken):
            changes = {(*(change[name] for name in names), change["mz_timestamp"]): change for change in self.taken}
            held: Counter[Row] = Counter()
            for change in changes.values():
                held[tuple(change[name] for name in names)] += change["mz_diff"]
            return +held
        newest = {message["key"][names[0]]: message["value"] for message in self.taken}
        return Counter(tuple(row[name] for name in names) for row in newest.values() if row is not None)


@contextmanager
def receiving(desc: RelationDesc = DESC, context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Runs an endpoint, which speaks TLS where it is given a context."""
    found = Receiver(desc=desc)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = found.answers.pop(0) if found.answers else 200
            if status == 200:
                found.posts.append((self.headers, body))
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", found.url)
            if found.retry_after is not None:
                self.send_header("Retry-After", found.retry_after)
            self.end_headers()
            self.wfile.write(b"nothing for you")

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    found.url = f"{'http' if context is None else 'https'}://127.0.0.1:{server.server_port}/hook"
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
