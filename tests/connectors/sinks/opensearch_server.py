"""A server that behaves as OpenSearch does, as far as sinks see: indices, external versions, bulk requests whose items
fail one by one, conditions on sequence numbers, and searches that find what was refreshed.

A document of a lower external version than the index knows is refused (409), also where the document was deleted. A
bulk request is answered with 200 whatever becomes of the items.
"""

from __future__ import annotations

import base64
import itertools
import json
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

_ID_BYTES_MAX = 512
Told = tuple[int, dict[str, Any]]


@dataclass
class Held:
    """A document, or what is remembered of a deleted one (source: None)."""

    source: dict[str, Any] | None
    version: int
    number: int


@dataclass
class Index:
    """The documents of an index; `searchable` are those of the last refresh; `types` are of the fields seen first."""

    settings: dict[str, Any] = field(default_factory=dict)
    uuid: str = field(default_factory=lambda: uuid.uuid4().hex)
    held: dict[str, Held] = field(default_factory=dict)
    searchable: dict[str, Held] = field(default_factory=dict)
    types: dict[str, type] = field(default_factory=dict)

    @property
    def documents(self) -> dict[str, dict[str, Any]]:
        return {id_: held.source for id_, held in self.held.items() if held.source is not None}

    def refresh(self) -> None:
        self.searchable = {id_: held for id_, held in self.held.items() if held.source is not None}


@dataclass
class OpensearchServer:
    """What a server holds. `statuses` are answered first, instead of an answer; of the next bulk requests, `busy` says
    which items, by their _id, are refused (429), each so many times."""

    url: str = ""
    password: str | None = None
    indices: dict[str, Index] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    statuses: list[int] = field(default_factory=list)
    busy: dict[str, int] = field(default_factory=dict)
    bulks: list[list[str]] = field(default_factory=list)
    """The _ids of each bulk request."""
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _scrolls: dict[str, list[list[dict[str, Any]]]] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def answer(self, method: str, path: list[str], query: dict[str, str], body: bytes) -> Told:
        """Answers a request."""
        match method, path:
            case "GET", []:
                return 200, {"version": {"distribution": "opensearch", "number": "3.3.0"}}
            case "POST", ["_search", "scroll"]:
                return self._scrolled(json.loads(body)["scroll_id"])
            case "DELETE", ["_search", "scroll"]:
                known = self._scrolls.pop(json.loads(body)["scroll_id"], None)
                return (404 if known is None else 200), {"succeeded": True}
            case "GET", [name] if name in self.aliases:
                return self.answer("GET", [self.aliases[name]], query, body)
            case "PUT", [name]:
                return self._created(name, json.loads(body))
            case "POST", [name, "_bulk"]:
                return self._bulk(self.indices.setdefault(name, Index()), body)
            case _, [name, *_] if name not in self.indices:
                return _error(404, "index_not_found_exception", f"no such index [{name}]")
            case "GET", [name]:
                settings = {"index": {**self.indices[name].settings, "uuid": self.indices[name].uuid}}
                return 200, {name: {"aliases": {}, "mappings": {}, "settings": settings}}
            case _, [name, *rest]:
                return self._of_index(self.indices[name], method, rest, query, body)
        return _error(405, "illegal_argument_exception", "incorrect HTTP method")

    def _created(self, name: str, told: dict[str, Any]) -> Told:
        if name != name.lower() or name[0] in "-_+":
            return _error(400, "invalid_index_name_exception", f"Invalid index name [{name}]")
        if name in self.indices:
            where = f"index [{name}/{self.indices[name].uuid}] already exists"
            return _error(400, "resource_already_exists_exception", where)
        self.indices[name] = Index(told.get("settings", {}).get("index", {}))
        return 200, {"acknowledged": True, "index": name}

    def _of_index(self, index: Index, method: str, path: list[str], query: dict[str, str], body: bytes) -> Told:
        match method, path:
            case "POST", ["_refresh"]:
                index.refresh()
                return 200, {}
            case "GET", ["_count"]:
                return 200, {"count": len(index.searchable)}
            case "POST", ["_mget"]:
                return 200, {"docs": [{"_id": id_, "found": id_ in index.documents} for id_ in json.loads(body)["ids"]]}
            case "POST", ["_search"]:
                return self._searched(index, json.loads(body))
            case "GET", ["_doc", id_]:
                held = index.held.get(id_)
                if held is None or held.source is None:
                    return 404, {"_id": id_, "found": False}
                state = {"_seq_no": held.number, "_primary_term": 1, "_version": held.version}
                return 200, {"_id": id_, "found": True, **state, "_source": held.source}
            case "PUT", ["_doc", id_]:
                return self._put(index, id_, query, json.loads(body))
        return _error(405, "illegal_argument_exception", "incorrect HTTP method")

    def _put(self, index: Index, id_: str, query: dict[str, str], source: dict[str, Any]) -> Told:
        held = index.held.get(id_)
        there = held is not None and held.source is not None
        number = held.number if held is not None and there else -1
        fits = not there if query.get("op_type") == "create" else int(query.get("if_seq_no", number)) == number
        if not fits:
            return _error(409, "version_conflict_engine_exception", f"[{id_}]: version conflict")
        version = 1 if held is None else held.version + 1
        index.held[id_] = held = Held(source, version, next(self._numbers))
        return 200, {"_id": id_, "_version": version, "_seq_no": held.number, "_primary_term": 1}

    def _searched(self, index: Index, told: dict[str, Any]) -> Told:
        hits = [{"_id": id_, "_version": held.version} for id_, held in index.searchable.items()]
        size = told["size"]
        pages = [hits[start : start + size] for start in range(0, len(hits), size)]
        name = f"scroll{next(self._numbers)}"
        self._scrolls[name] = pages
        return self._scrolled(name)

    def _scrolled(self, name: str) -> Told:
        if name not in self._scrolls:
            return _error(404, "search_context_missing_exception", "No search context found")
        pages = self._scrolls[name]
        return 200, {"_scroll_id": name, "hits": {"hits": pages.pop(0) if pages else []}}

    def _bulk(self, index: Index, body: bytes) -> Told:
        if not body.endswith(b"\n"):
            message = "The bulk request must be terminated by a newline [\\n]"
            return _error(400, "illegal_argument_exception", message)
        lines = iter(body.split(b"\n")[:-1])
        items, ids = [], []
        for line in lines:
            ((action, told),) = json.loads(line).items()
            source = json.loads(next(lines)) if action == "index" else None
            ids.append(told["_id"])
            status, outcome = self._item(index, told, source)
            items.append({action: {"_id": told["_id"], "status": status, **outcome}})
        self.bulks.append(ids)
        return 200, {"errors": any("error" in outcome for item in items for outcome in item.values()), "items": items}

    def _item(self, index: Index, told: dict[str, Any], source: dict[str, Any] | None) -> Told:
        id_, version, held = told["_id"], told["version"], index.held.get(told["_id"])
        assert told["version_type"] == "external_gte"
        if self.busy.get(id_, 0):
            self.busy[id_] -= 1
            return _item_error(429, "rejected_execution_exception", "rejected execution of coordinating operation")
        if not id_ or len(id_.encode()) > _ID_BYTES_MAX:
            return _item_error(400, "illegal_argument_exception", "_id must not be empty, or too long")
        if held is not None and version < held.version:
            why = f"[{id_}]: version conflict, current version [{held.version}] is higher than the one provided"
            return _item_error(409, "version_conflict_engine_exception", f"{why} [{version}]")
        for name, value in (source or {}).items():
            known = index.types.setdefault(name, type(value)) if value is not None else None
            if known is int and isinstance(value, str) and not value.removeprefix("-").isdigit():
                return _item_error(400, "mapper_parsing_exception", f"failed to parse field [{name}] of type [long]")
        index.held[id_] = Held(source, version, next(self._numbers))
        if source is None:
            found = held is not None and held.source is not None
            return (200 if found else 404), {"result": "deleted" if found else "not_found"}
        return 201, {"result": "created"}


def _error(status: int, type_: str, reason: str) -> Told:
    return status, {"error": {"type": type_, "reason": reason}, "status": status}


def _item_error(status: int, type_: str, reason: str) -> Told:
    return status, {"error": {"type": type_, "reason": reason}}


@contextmanager
def opensearch_server(password: str | None = None) -> Iterator[OpensearchServer]:
    """Runs a server, for the user `writer` where there is a password."""
    found = OpensearchServer(password=password)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            parts = urlsplit(self.path)
            path = [unquote(part) for part in parts.path.split("/") if part]
            told: dict[str, Any] | None
            with found.lock:
                if found.statuses:
                    status, told = _error(found.statuses.pop(0), "circuit_breaking_exception", "Data too large")
                elif not self._knows_password():
                    status, told = 401, None
                else:
                    status, told = found.answer(self.command, path, dict(parse_qsl(parts.query)), body)
            text = b"Unauthorized" if told is None else json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def _knows_password(self) -> bool:
            login = base64.b64encode(f"writer:{found.password}".encode()).decode()
            return found.password is None or self.headers.get("Authorization") == f"Basic {login}"

        def log_message(self, *_arguments: object) -> None:
            pass

    for method in ("GET", "PUT", "POST", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.answer)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
