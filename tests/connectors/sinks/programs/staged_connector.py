"""A program as driver of a sink whose destination has no transactions: a file of JSON, which is replaced as a whole.

What a transaction stores is staged in a file of its own, which the server's recovery log comes to name; once it does,
it is applied, and once only, since the file says which of them it has. The standard library alone.

    python staged_connector.py, with the configuration {"path": "a directory that is there"}
"""

from __future__ import annotations

import json
import os
import sys
import uuid
from pathlib import Path
from typing import Any


def say(kind: str, **body: Any) -> None:
    sys.stdout.write(json.dumps({kind: body}) + "\n")
    sys.stdout.flush()


def write(path: Path, value: Any) -> None:
    """All of it, or nothing."""
    hidden = path.with_name(f".{uuid.uuid4()}")
    with hidden.open("w") as file:
        json.dump(value, file)
        file.flush()
        os.fsync(file.fileno())
    hidden.replace(path)


class Connector:
    def open(self, body: dict[str, Any]) -> None:
        self.key = [column["name"] for column in body["columns"] if column["key"]]
        self.directory = Path(body["config"]["path"])
        self.file = self.directory / "documents.json"
        self.replaces = body["anew"] or body["frontier"] == 0
        self.staged = None if self.replaces else body["state"].get("staged")
        self.changes: list[Any] = []
        self.version: tuple[int, int] | None = None
        say("opened", frontier=None)

    def acknowledge(self, _body: dict[str, Any]) -> None:
        held = self.held()
        if self.staged is not None and self.staged not in held["applied"]:
            staged = json.loads((self.directory / self.staged).read_text())
            documents = {} if staged["replaces"] else held["documents"]
            for key, document in staged["changes"]:
                documents[key] = document
            there = {key: document for key, document in documents.items() if document is not None}
            write(self.file, {"documents": there, "applied": [self.staged]})
        if self.staged is not None:
            (self.directory / self.staged).unlink(missing_ok=True)
        self.staged = None
        say("acknowledged", state={"staged": None})

    def load(self, body: dict[str, Any]) -> None:
        document = self.held()["documents"].get(self.key_of(body["key"]))
        if document is not None:
            say("loaded", doc=document)

    def flush(self, _body: dict[str, Any]) -> None:
        say("flushed")

    def store(self, body: dict[str, Any]) -> None:
        self.changes.append([self.key_of(body["doc"]), None if body["delete"] else body["doc"]])

    def start_commit(self, _body: dict[str, Any]) -> None:
        self.staged = f"staged-{uuid.uuid4()}"
        write(self.directory / self.staged, {"replaces": self.replaces, "changes": self.changes})
        self.changes, self.replaces = [], False
        say("startedCommit", state={"staged": self.staged})

    def held(self) -> Any:
        """What the file has; it is read again once it was replaced, by whomever."""
        if not self.file.exists():
            return {"documents": {}, "applied": []}
        there = self.file.stat()
        if self.version != (there.st_ino, there.st_mtime_ns):
            self.version = there.st_ino, there.st_mtime_ns
            self.read = json.loads(self.file.read_text())
        return self.read

    def key_of(self, document: dict[str, Any]) -> str:
        return json.dumps([document[name] for name in self.key])


def main() -> None:
    connector = Connector()
    answers = {
        "open": connector.open,
        "acknowledge": connector.acknowledge,
        "load": connector.load,
        "flush": connector.flush,
        "store": connector.store,
        "startCommit": connector.start_commit,
    }
    for line in sys.stdin:
        # A number with decimals stays the text that it is: a float would not be exact.
        ((kind, body),) = json.loads(line, parse_float=str).items()
        answers[kind](body)


main()
