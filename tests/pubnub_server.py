"""A server that speaks PubNub's subscribe API as it is documented: channels, timetokens, regions, a queue that ends.

It was held against PubNub's own client once, by hand: that one listens to it.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

QUEUE = 100
_POLL_S = 2.0


@dataclass
class PubnubServer:
    """`keys` may listen. While it is `away` it answers 503. `shift`: how far the clock of each region is off."""

    keys: frozenset[str] = frozenset({"sub-c-1"})
    away: bool = False
    region: int = 4
    shift: dict[int, int] = field(default_factory=dict)
    answers: int = 0
    """How many polls were answered."""
    queue: int = QUEUE
    _messages: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _last: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _http: ThreadingHTTPServer | None = None

    @property
    def origin(self) -> str:
        assert self._http is not None
        return f"http://127.0.0.1:{self._http.server_port}"

    def now(self) -> int:
        """A timetoken; later ones are greater."""
        with self._changed:
            self._last = max(self._last + 1, time.time_ns() // 100)
            return self._last

    def publish(self, channel: str, *payloads: object, kind: int | None = None) -> int:
        """All of them at one timetoken, which is returned."""
        with self._changed:
            timetoken = self.now()
            place = {"t": str(timetoken + self.shift.get(self.region, 0)), "r": self.region}
            for payload in payloads:
                told = {"a": "1", "f": 0, "p": place, "k": "sub-c-1", "c": channel, "d": payload}
                messages = self._messages.setdefault(channel, [])
                messages.append({"at": timetoken, **told, **({} if kind is None else {"e": kind})})
            self._changed.notify_all()
            return timetoken

    def move(self, region: int) -> None:
        """Another region answers from now on."""
        with self._changed:
            self.region = region
            self._changed.notify_all()

    def go(self, away: bool) -> None:
        with self._changed:
            self.away = away
            self._changed.notify_all()

    def answer(self, path: str) -> tuple[int, object]:
        """Status and body of a request."""
        parts = urlsplit(path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        match [unquote(part) for part in parts.path.split("/")[1:]]:
            case ["time", "0"]:
                return (503, {"message": "away"}) if self.away else (200, [self.now()])
            case ["v2", "subscribe", key, channel, "0"]:
                if key not in self.keys:
                    return 400, {"message": "Invalid Subscribe Key", "error": True, "status": 400}
                if "uuid" not in asked:
                    return 400, {"message": "uuid is missing", "error": True, "status": 400}
                return self._poll(channel, int(asked["tt"]), int(asked.get("tr", self.region)))
        return 404, {"message": "Not Found", "error": True, "status": 404}

    def _poll(self, channel: str, timetoken: int, region: int) -> tuple[int, object]:
        if timetoken:
            timetoken -= self.shift.get(region, 0)
        deadline = time.monotonic() + _POLL_S
        with self._changed:
            while True:
                if self.away:
                    return 503, {"message": "away"}
                if not timetoken:
                    return 200, self._answered(self.now(), [])
                # What was published before the newest ones is let go, but never a part of one timetoken.
                kept = self._messages.get(channel, [])
                first = kept[-self.queue]["at"] if len(kept) > self.queue else 0
                found = [each for each in kept if each["at"] >= first and each["at"] > timetoken]
                if found:
                    return 200, self._answered(found[-1]["at"], found)
                left = deadline - time.monotonic()
                if left <= 0:
                    return 200, self._answered(self.now(), [])
                self._changed.wait(left)

    def _answered(self, timetoken: int, messages: list[dict[str, Any]]) -> object:
        self.answers += 1
        told = [{name: value for name, value in each.items() if name != "at"} for each in messages]
        shown = str(timetoken + self.shift.get(self.region, 0))
        return {"t": {"t": shown, "r": self.region}, "m": told}


@contextmanager
def running_pubnub(server: PubnubServer | None = None) -> Iterator[PubnubServer]:
    """On a free port."""
    pubnub = PubnubServer() if server is None else server

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, answer = pubnub.answer(self.path)
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                return  # who has asked has left

        def log_message(self, *_arguments: object) -> None:
            return

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    pubnub._http = http
    thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield pubnub
    finally:
        pubnub.go(True)
        http.shutdown()
        http.server_close()
        thread.join()
