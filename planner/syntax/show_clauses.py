"""SHOW of catalog objects, which PostgreSQL's grammar doesn't have.

SHOW objects [FROM schema] [LIKE pattern]       SHOW COLUMNS FROM t       SHOW INDEXES ON t
SHOW CREATE {TABLE | VIEW | MATERIALIZED VIEW | INDEX} name
"""

from __future__ import annotations

from dataclasses import dataclass

from planner.syntax.segments import Segment, Word, name_at, string_of

SHOW_KINDS = frozenset(
    (
        "tables",
        "views",
        "materialized views",
        "schemas",
        "databases",
        "objects",
        "indexes",
        "sources",
        "sinks",
        "clusters",
        "cluster replicas",
        "types",
        "roles",
        "secrets",
        "connections",
        "columns",
        "read holds",
    )
)
_CREATED = ("table", "view", "materialized view", "index")


@dataclass(frozen=True, slots=True)
class ShowObjects:
    """SHOW of catalog objects. `name` is what FROM or CREATE TABLE names, part by part; `create` is SHOW CREATE's;
    with `on`, the name is the relation's whose indexes are wanted."""

    kind: str
    name: tuple[str, ...] = ()
    like: str | None = None
    create: str | None = None
    on: bool = False


def show_of(segment: Segment) -> ShowObjects | None:
    """What a statement that begins with SHOW asks for; None when it is a setting."""
    words = segment.words
    if segment.starts(1, "create"):
        return _show_create(words)
    kind, at = _kind(words, SHOW_KINDS, 1)
    if kind is None:
        return None
    name: tuple[str, ...] = ()
    on = kind == "indexes" and at < len(words) and words[at].lower == "on"
    if on or (at < len(words) and words[at].lower in ("from", "in")):
        name, at = name_at(words, at + 1)
        if not name:
            return None
    like = None
    if at + 1 < len(words) and words[at].lower == "like":
        like = string_of(words[at + 1].text)
        at += 2
    return ShowObjects(kind, name, like, on=on) if at == len(words) else None


def _show_create(words: list[Word]) -> ShowObjects | None:
    created, at = _kind(words, _CREATED, 2)
    name, end = name_at(words, at)
    if created is None or not name or end != len(words):
        return None
    return ShowObjects("create", name, create=created)


def _kind(words: list[Word], kinds: frozenset[str] | tuple[str, ...], at: int) -> tuple[str | None, int]:
    """The kind, of one word or two, that stands at `at`, and where it ends."""
    for length in (2, 1):
        text = " ".join(word.lower for word in words[at : at + length])
        if text in kinds:
            return text, at + length
    return None, at
