"""A program as driver of a sink, as somebody else would write it: the documents as JSON in a SQLite database, which
says how far they are in the same transactions. It stands on the standard library alone.

    python sqlite_connector.py, with the configuration {"path": "…"}; {"defect": "…"} makes it misbehave for tests.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from typing import Any


def say(kind: str, **body: Any) -> None:
    sys.stdout.write(json.dumps({kind: body}) + "\n")
    sys.stdout.flush()


def misbehave(defect: str | None, at: str) -> None:
    if defect == f"hang at {at}":
        time.sleep(3600)
    if defect == f"crash at {at}":
        sys.exit("it was told to crash")
    if defect == f"flood at {at}":
        while True:
            say("flushed", filler="x" * 1_000_000)
    if defect in (f"nonsense at {at}", f"depths at {at}"):
        sys.stdout.write("this is no JSON\n" if defect.startswith("nonsense") else "[" * 100_000 + "\n")
        sys.stdout.flush()
        time.sleep(3600)


class Connector:
    def open(self, body: dict[str, Any]) -> None:
        self.key = [column["name"] for column in body["columns"] if column["key"]]
        self.name, self.defect = body["name"], body["config"].get("defect")
        self.store_ = sqlite3.connect(body["config"]["path"], timeout=10, isolation_level=None)
        self.store_.execute("BEGIN IMMEDIATE")
        self.store_.execute("CREATE TABLE IF NOT EXISTS documents (key TEXT PRIMARY KEY, doc TEXT)")
        self.store_.execute("CREATE TABLE IF NOT EXISTS progress (name TEXT PRIMARY KEY, fence INT, frontier INT)")
        row = self.store_.execute("SELECT fence, frontier FROM progress WHERE name = ?", (self.name,)).fetchone()
        fence, frontier = row or (0, 0)
        self.fence = fence + 1
        self.replaces = body["anew"] or frontier == 0
        frontier = 0 if self.replaces else frontier
        progress = (self.name, self.fence, frontier)
        self.store_.execute("INSERT OR REPLACE INTO progress VALUES (?, ?, ?)", progress)
        self.store_.execute("COMMIT")
        say("opened", frontier=frontier)

    def acknowledge(self, _body: dict[str, Any]) -> None:
        say("acknowledged")

    def load(self, body: dict[str, Any]) -> None:
        key = self.key_of(body["key"])
        row = self.store_.execute("SELECT doc FROM documents WHERE key = ?", (key,)).fetchone()
        if row is not None:
            say("loaded", doc=json.loads(row[0]))

    def flush(self, _body: dict[str, Any]) -> None:
        say("flushed")

    def store(self, body: dict[str, Any]) -> None:
        self.begin()
        key = self.key_of(body["doc"])
        if body["delete"]:
            self.store_.execute("DELETE FROM documents WHERE key = ?", (key,))
        else:
            self.store_.execute("INSERT OR REPLACE INTO documents VALUES (?, ?)", (key, json.dumps(body["doc"])))

    def start_commit(self, body: dict[str, Any]) -> None:
        self.begin()
        told = (body["frontier"], self.name, self.fence)
        moved = self.store_.execute("UPDATE progress SET frontier = ? WHERE name = ? AND fence = ?", told)
        if moved.rowcount != 1:
            sys.exit("another session has taken over")
        self.store_.execute("COMMIT")
        self.replaces = False
        say("startedCommit")

    def begin(self) -> None:
        if not self.store_.in_transaction:
            self.store_.execute("BEGIN IMMEDIATE")
            if self.replaces:
                self.store_.execute("DELETE FROM documents")

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
        misbehave(getattr(connector, "defect", None), kind)
        answers[kind](body)


main()
