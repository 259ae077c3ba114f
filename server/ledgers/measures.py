"""Counts of statements, of their ends and of their durations, since the environment began."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_SESSION_TYPE = "user"
_APPLICATIONS_MAX = 100
_OTHERS = "(others)"
_CANCELED = frozenset({Sqlstate.QUERY_CANCELED, Sqlstate.ADMIN_SHUTDOWN})
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
        self._ends = Counter(
            "mz_adapter_commands",
            f"Statements that have ended, by how, and by application: the first {_APPLICATIONS_MAX} by name.",
            ("command_type", "status", "application_name"),
            registry=self.registry,
        )
        self._by_kind: dict[str, Counter] = {}
        self._by_application: dict[str, dict[str, Counter]] = {}

    def begin_statement(self, kind: str) -> None:
        """Counts a statement; `kind` is the syntax tree's (`select_stmt`)."""
        counter = self._by_kind.get(kind)
        if counter is None:
            counter = self._by_kind[kind] = self._statements.labels(_SESSION_TYPE, kind.removesuffix("_stmt"))
        counter.inc()

    def end_statement(self, application: str, error: SqlError | None) -> None:
        """Counts the end of a statement of an application."""
        status = "success" if error is None else "canceled" if error.sqlstate in _CANCELED else "error"
        counters = self._by_application.get(application)
        if counters is None:
            if len(self._by_application) >= _APPLICATIONS_MAX:
                application = _OTHERS
            counters = self._by_application.setdefault(application, {})
        counter = counters.get(status)
        if counter is None:
            counter = counters[status] = self._ends.labels("execute", status, application)
        counter.inc()

    def end_query(self, seconds: float) -> None:
        """Notes the duration of a query."""
        self._durations.observe(seconds)
