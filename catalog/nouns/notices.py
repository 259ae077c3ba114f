"""Notices that statements send to clients."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors.sqlstate import Sqlstate


@dataclass(frozen=True, slots=True)
class Notice:
    """Severity NOTICE, in PostgreSQL's fields."""

    sqlstate: Sqlstate
    message: str
    detail: str | None = None


def skipping(sqlstate: Sqlstate, message: str) -> Notice:
    return Notice(sqlstate, f"{message}, skipping")
