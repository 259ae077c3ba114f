"""EXPLAIN as Materialize writes it: which plan, how it is shown, and of what.

    EXPLAIN [RAW | [LOCALLY] OPTIMIZED | PHYSICAL] PLAN [WITH (option, …)] [AS [VERBOSE] TEXT] FOR statement
    EXPLAIN TIMESTAMP [AS TEXT] FOR statement         EXPLAIN {VIEW | MATERIALIZED VIEW | INDEX} name

The options change what Materialize's plans show, and these have none of it, so they are taken and do nothing.
"""

from __future__ import annotations

from model.errors import NotSupported
from planner.syntax.segments import Segment

_STAGES = {
    ("raw", "plan"): "raw",
    ("locally", "optimized", "plan"): "optimized",
    ("optimized", "plan"): "optimized",
    ("physical", "plan"): "physical",
    ("decorrelated", "plan"): None,
    ("plan",): "optimized",
    ("physical", "for"): "physical",
    ("timestamp",): "timestamp",
}
_OPTIONS = frozenset(
    (
        "arity",
        "cardinality",
        "column names",
        "equivalences",
        "filter pushdown",
        "humanized expressions",
        "join implementations",
        "keys",
        "linear chains",
        "no fast path",
        "no notices",
        "node identifiers",
        "non negative",
        "raw plans",
        "raw syntax",
        "redacted",
        "subtree size",
        "timing",
        "types",
        "verbose syntax",
    )
)
_OBJECTS = (("view",), ("materialized", "view"), ("index",))


def take_explain(segment: Segment) -> str | None:
    """The stage that is asked for, in words that PostgreSQL does not know, which are taken away; None when it knows
    them. 0A000 for plans that there are not, and for other formats than text."""
    if not segment.starts(0, "explain"):
        return None
    form = next((form for form in _STAGES if segment.starts(1, *form)), ())
    stage = _STAGES.get(form, "optimized")
    at = 1 + len(form) - (form[-1:] == ("for",))
    at = _past_format(segment, _past_options(segment, at))
    if segment.starts(at, "for") and at > 1:
        at += 1
    elif not any(segment.starts(at, *kind) for kind in _OBJECTS) and (form or at == 1):
        return None
    if stage is None:
        raise NotSupported("EXPLAIN DECORRELATED PLAN", hint="RAW and OPTIMIZED show the plan before and after.")
    segment.replace(0, at - 1)
    return stage


def _past_options(segment: Segment, at: int) -> int:
    """Behind `WITH (option, …)`, if all are known."""
    if not segment.starts(at, "with", "("):
        return at
    options, option = [], list[str]()
    for end in range(at + 2, len(segment.words)):
        word = segment.words[end].lower
        if word in (",", ")"):
            options.append(" ".join(option))
            option = []
        else:
            option.append(word)
        if word == ")":
            return end + 1 if _OPTIONS.issuperset(options) else at
    return at


def _past_format(segment: Segment, at: int) -> int:
    for form in (("as", "text"), ("as", "verbose", "text")):
        if segment.starts(at, *form):
            return at + len(form)
    if segment.starts(at, "as", "json"):
        raise NotSupported("EXPLAIN AS JSON")
    return at
