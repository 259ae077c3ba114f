"""Completes the records of a session's statements: times of planning, results, ends."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from server.ledgers.measures import Measures
from server.ledgers.statement_log import LoggedSession, StatementLog, StatementRecord
from server.pgwire.backend import Client, Command, CopyOut, Rows, StatementResult
from server.transactions.transaction import Transaction


class StatementHistory:
    """The statement of a session that runs, if any, in the log of all; each end is counted, with or without a log."""

    def __init__(self, log: StatementLog, measures: Measures, client: Client, session: LoggedSession) -> None:
        self._log = log
        self._measures = measures
        self._application: str | None = None
        self._client = client
        self._session = session
        self._arrived_ns = 0
        self._record: StatementRecord | None = None
        self._own_text = ""
        self._result: StatementResult | None = None
        self._bytes_before = 0

    def arrived(self) -> None:
        """Notes that a text, or the execution of a prepared statement, has come."""
        if self._log.kept:
            self._arrived_ns = self._log.now_ns()

    def begin(self, sql: str, own_text: str, type_: str, role: int, application: str, *, at_once: bool) -> None:
        """Begins the record of a statement, and ends the one before it. `sql` is the whole message, `own_text` the
        statement's part of the message; `at_once`: nothing was done since the message came."""
        if self._application is not None:
            self.end(None)
        self._application = application
        log = self._log
        if not log.kept:
            return
        arrived_ns = self._arrived_ns
        begun_ns = arrived_ns if at_once else log.now_ns()
        self._record = StatementRecord(self._session, role, application, sql, type_, arrived_ns, begun_ns)
        self._own_text = own_text
        log.begin(self._record)
        self._bytes_before = self._client.sent_bytes

    def planned(self) -> None:
        """Notes that the statement is planned; after a conflict with another commit, perhaps again."""
        if self._record is not None:
            self._record.planned_ns = self._log.now_ns()

    def returned(self, result: StatementResult, transaction: Transaction | None) -> None:
        """Notes that the statement has returned a result; rows may still be to come."""
        if self._record is not None:
            self._result = result
            if transaction is not None and transaction.reads.at is not None:
                self._record.read_ts = int(transaction.reads.at)

    def end(self, error: SqlError | None) -> None:
        """Notes that the statement has ended, and the result is told; or that the statement has failed."""
        application, self._application = self._application, None
        if application is not None:
            self._measures.end_statement(application, error)
        record, self._record = self._record, None
        if record is None:
            return
        own_text, self._own_text = self._own_text, ""
        record.ended_ns = self._log.now_ns()
        record.bytes = self._client.sent_bytes - self._bytes_before
        result, self._result = self._result, None
        if error is not None:
            record.sqlstate = error.sqlstate.value
            return
        match result:
            case Rows(whole=whole) if whole is not None:
                record.rows = len(whole)
            case Command(tag=tag):
                record.rows = _count(tag)
            case Rows() | CopyOut():
                record.rows = _count(result.tag())
        self._log.ended(record, own_text)


def _count(tag: str) -> int | None:
    """Returns the number of rows in a tag: 3 in "INSERT 0 3"."""
    last = tag.rpartition(" ")[2]
    return int(last) if last.isdigit() else None
