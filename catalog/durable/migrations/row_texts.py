"""Rows of the catalog: a kind, a key, and a value as jsonb in PostgreSQL's canonical text."""

from __future__ import annotations

import json
from typing import Any

Rows = list[tuple[str, str, str]]


def canonical(value: Any) -> str:
    """Prints PostgreSQL's canonical text: keys by length, then bytes."""
    return json.dumps(_ordered(value), ensure_ascii=False, separators=(", ", ": "))


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value, key=lambda key: (len(key.encode()), key.encode()))}
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    return value
