"""Texts with statements and clauses of our own, and what breaks when a token of them is missing, doubled or another.

Each is parsed as it was when it was recorded: its statements, their places, what was taken out of them, or the error
and where it stands. `python -m tests.planner.syntax.test_recorded_own_syntax` records anew: look at what changes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.errors.sql_error import SqlError
from planner.syntax.parse import ParsedStatement, parse

_RECORDED = Path(__file__).parent / "own_syntax.jsonl"


def test_texts_are_parsed_as_they_were() -> None:
    changed = []
    for line in _RECORDED.read_text().splitlines():
        sql, parsed = json.loads(line)
        if (now := _parsed(sql)) != parsed:
            changed.append((sql, parsed, now))
    assert changed == []


def _parsed(sql: str) -> list[str]:
    try:
        return [_summary(statement) for statement in parse(sql)]
    except SqlError as error:
        return [error.sqlstate.value, error.message, str(error.position)]


def _summary(statement: ParsedStatement) -> str:
    digest = hashlib.sha1(json.dumps(_plain(statement)).encode(), usedforsecurity=False).hexdigest()
    return f"{statement.kind} {statement.offset} {digest[:12]}"


def _plain(value: Any) -> Any:
    """Frozen nodes and syntax trees as JSON has them, without what follows from the rest."""
    if hasattr(value, "SerializeToString"):
        return value.SerializeToString(deterministic=True).hex()
    if dataclasses.is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in dataclasses.fields(value) if each.compare}
    if isinstance(value, Mapping):
        return [[key, _plain(each)] for key, each in sorted(value.items())]
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


if __name__ == "__main__":
    texts = [json.loads(line)[0] for line in _RECORDED.read_text().splitlines()]
    _RECORDED.write_text("".join(json.dumps([sql, _parsed(sql)], ensure_ascii=False) + "\n" for sql in texts))
