"""Clauses of indexes and materialized views that PostgreSQL's grammar doesn't have.

    CREATE DEFAULT INDEX [name] [IN CLUSTER c] ON t
    CREATE [OR REPLACE] MATERIALIZED VIEW v [IN CLUSTER c] …
    ALTER {MATERIALIZED VIEW | VIEW | TABLE | INDEX} a SWAP WITH b
    CHECK {VIEW | MATERIALIZED VIEW | INDEX} v
    EXPLAIN … [FOR] {VIEW | MATERIALIZED VIEW | INDEX} v
    … {WITH | SET} (…, RETAIN HISTORY [=] FOR '1h', …)        … RESET (RETAIN HISTORY)

Each is cut out, or replaced by PostgreSQL's words for something of the same shape.
"""

from __future__ import annotations

from planner.syntax.segments import Segment, identifier_of, string_of

_KINDS = {("materialized", "view"): "materialized view", ("view",): "view", ("index",): "index"}
_STAND_IN_KEY = b" (x)"


def take_default_index(segment: Segment) -> bool:
    """CREATE DEFAULT INDEX becomes CREATE INDEX with a stand-in for the key, in the bytes that DEFAULT leaves."""
    if not segment.starts(0, "create", "default", "index"):
        return False
    default, last = segment.words[1], segment.words[-1]
    moved = segment.data[default.end : last.end] + _STAND_IN_KEY
    segment.blank(default.start, last.end)
    segment.data[default.start : default.start + len(moved)] = moved
    return True


def take_or_replace(segment: Segment) -> bool:
    if not segment.starts(0, "create", "or", "replace", "materialized", "view"):
        return False
    segment.replace(1, 2)
    return True


def take_cluster(segment: Segment) -> str | None:
    """IN CLUSTER name, of what is being created."""
    if not segment.starts(0, "create"):
        return None
    at = segment.top_level("in", "cluster", before="as")
    if at is None or at + 2 >= len(segment.words):
        return None
    name = identifier_of(segment.words[at + 2].text)
    segment.replace(at, at + 2)
    return name


def take_swap(segment: Segment) -> bool:
    """SWAP WITH becomes RENAME TO."""
    at = segment.top_level("swap", "with") if segment.starts(0, "alter") else None
    if at is None:
        return False
    segment.replace(at, at + 1, b"RENAME TO")
    return True


def take_check(segment: Segment) -> str | None:
    """CHECK VIEW v becomes TABLE v; the kind that was written."""
    return _take_table(segment, 1) if segment.starts(0, "check") else None


def take_explained_object(segment: Segment, start: int) -> str | None:
    """VIEW v, of which a plan is to be explained, becomes TABLE v; `start` is a byte before it that is blank."""
    kind = _kind_at(segment, 0)
    if kind is None:
        return None
    words = segment.words
    segment.blank(start, words[len(kind.split()) - 1].end)
    segment.data[start : start + 5] = b"TABLE"
    del words[: len(kind.split())]
    return kind


def _take_table(segment: Segment, at: int) -> str | None:
    kind = _kind_at(segment, at)
    if kind is not None:
        segment.replace(0, at + len(kind.split()) - 1, b"TABLE")
    return kind


def _kind_at(segment: Segment, at: int) -> str | None:
    return next((kind for words, kind in _KINDS.items() if segment.starts(at, *words)), None)


def take_retain_history(segment: Segment) -> tuple[bool, str | None]:
    """(whether the clause is there, its interval)."""
    words = segment.words
    for index in range(2, len(words)):
        if not segment.starts(index, "retain", "history") or words[index - 1].text not in ("(", ","):
            continue
        opener = _opener(segment, index)
        command = words[opener - 1].lower if opener > 0 else ""
        if command == "reset" and segment.starts(index + 2, ")"):
            segment.replace(index, index + 1, b"x")
            return True, None
        end = index + (3 if segment.starts(index + 2, "=") else 2)
        history = string_of(words[end + 1].text) if segment.starts(end, "for") and end + 1 < len(words) else None
        if history is None or command not in ("with", "set"):
            continue
        _cut_item(segment, opener, index, end + 1, command)
        return True, history
    return False, None


def _opener(segment: Segment, at: int) -> int:
    """The parenthesis of a flat list that the word at `at` stands in."""
    while at > 0 and segment.words[at].text != "(":
        at -= 1
    return at


def _cut_item(segment: Segment, opener: int, first: int, last: int, command: str) -> None:
    """Takes an item out of a list in parentheses, and the list too when nothing else is in it."""
    if segment.starts(last + 1, ","):
        segment.replace(first, last + 1)
    elif first - 1 > opener:
        segment.replace(first - 1, last)
    elif command == "set":
        segment.replace(opener - 1, last + 1, b"RESET (x)")
    else:
        segment.replace(opener - 1, last + 1)
