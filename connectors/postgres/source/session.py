"""Streams over one connection: yields the output plugin's messages, and sends status. Never blocks for long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import psycopg
from psycopg import pq, sql

from connectors.postgres.probe import Upstream, connected, reason_of
from connectors.postgres.source.results import await_result, has_input, require_status
from connectors.postgres.source.walsender import Keepalive, PluginMessage, format_lsn, parse_frame, status_frame
from connectors.unreachable import Unreachable

_STREAMS_SINCE = 140_000
_ANSWER_S = 60.0
"""How long a server may take to begin a stream, and to say why it ends one."""


class ReplicationSession:
    """A connection over which upstream sends its stream of changes; `start` must be called before use."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.connection: Upstream = connected(settings, replication=True)

    def start(self, slot: str, publication: str, bound: int) -> None:
        """Streams from `bound` on. psycopg's error when somebody else reads the slot, or it is gone; raises Unreachable
        when the server does not answer."""
        # Before PostgreSQL 14 all transactions arrive whole.
        version = "'2', streaming 'on'" if self.connection.info.server_version >= _STREAMS_SINCE else "'1'"
        named = sql.Literal(_quoted(publication))
        options = sql.SQL("proto_version {}, publication_names {}").format(sql.SQL(version), named)
        command = sql.SQL("START_REPLICATION SLOT {} LOGICAL {} ({})").format(
            sql.Identifier(slot),
            sql.SQL(format_lsn(bound)),
            options,
        )
        self._pg.send_query(command.as_bytes(self.connection))
        require_status(await_result(self._pg, _ANSWER_S), pq.ExecStatus.COPY_BOTH)

    @property
    def _pg(self) -> pq.abc.PGconn:
        return self.connection.pgconn

    def frames(self, wait_s: float) -> Iterator[PluginMessage | Keepalive]:
        """Yields the frames that are there, or arrive within `wait_s`. Raises Unreachable when the connection is
        lost, psycopg's error when the server ends the stream with a reason."""
        has_input(self._pg, wait_s)
        try:
            self._pg.consume_input()
            while True:
                length, data = self._pg.get_copy_data(1)
                if length > 0:
                    yield parse_frame(memoryview(data))
                elif length == 0:
                    return
                else:
                    break
            result = await_result(self._pg, _ANSWER_S)
        except psycopg.OperationalError as failure:
            raise Unreachable(reason_of(failure)) from None
        if result is not None and result.status == pq.ExecStatus.FATAL_ERROR:
            raise psycopg.errors.error_from_result(result)
        raise Unreachable("the server has ended the stream")

    def answer(self, written: int, durable: int, now_us: int) -> None:
        """Tells how far we have come, at a time since 1970. Raises Unreachable when the connection is gone."""
        try:
            self._pg.put_copy_data(status_frame(written, durable, now_us))
            self._pg.flush()
        except psycopg.OperationalError as failure:
            raise Unreachable(reason_of(failure)) from None

    def close(self) -> None:
        self.connection.close()


def _quoted(name: str) -> str:
    """Quotes an identifier within a list."""
    return '"' + name.replace('"', '""') + '"'
