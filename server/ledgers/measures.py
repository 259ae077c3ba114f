"""Counts of statements and their durations, since the environment began."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram

_SESSION_TYPE = "user"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Measures:
    """Counts within `registry`, by which a scrape finds the counts. Kinds of statements are the grammar's."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._statements = Counter(
            "mz_query",
            "Statements that were begun, by kind.",
            ("session_type", "statement_type"),
            registry=self.registry,
        )
        self._durations = Histogram(
            "headwater_query_duration_seconds",
            "From the arrival of a query, or of the execution of a prepared statement, until the end of its work.",
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._by_kind: dict[str, Counter] = {}

    def begin_statement(self, kind: str) -> None:
        """Counts a statement; `kind` is the syntax tree's (`select_stmt`)."""
        counter = self._by_kind.get(kind)
        if counter is None:
            counter = self._by_kind[kind] = self._statements.labels(_SESSION_TYPE, kind.removesuffix("_stmt"))
        counter.inc()

    def end_query(self, seconds: float) -> None:
        """Notes the duration of a query."""
        self._durations.observe(seconds)
