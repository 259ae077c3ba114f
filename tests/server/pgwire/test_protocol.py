"""The protocol's laws, spoken in bytes to a connection without a socket."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.pgwire.connection import ConnectionOptions
from tests.server.pgwire import frames
from tests.server.pgwire.toy import ToyBackend
from tests.server.pgwire.wire import HELLO, Wire, connected


def _run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(scenario(), 60)

    asyncio.run(bounded())


def _error(data: bytes) -> dict[str, str]:
    return next(frames.error_fields(body) for kind, body in frames.messages(data) if kind == "E")


def test_startup_says_who_the_server_is_and_becomes_ready() -> None:
    async def scenario() -> None:
        wire = Wire(ToyBackend())
        answer = await wire.exchange(HELLO)
        assert frames.kinds(answer) == "RSSSSSSSSKZ"

    _run(scenario)


def test_encryption_is_refused_once_and_startup_goes_on() -> None:
    async def scenario() -> None:
        wire = Wire(ToyBackend())
        assert await wire.exchange(struct.pack(">ii", 8, 80877103)) == b"N"
        assert await wire.exchange(struct.pack(">ii", 8, 80877104)) == b"N"
        assert frames.kinds(await wire.exchange(HELLO)).endswith("Z")

    _run(scenario)


def test_encryption_asked_twice_is_an_unknown_protocol() -> None:
    async def scenario() -> None:
        wire = Wire(ToyBackend())
        await wire.exchange(struct.pack(">ii", 8, 80877103))
        assert _error(await wire.exchange(struct.pack(">ii", 8, 80877103)))["C"] == "0A000"
        assert wire.transport.closed

    _run(scenario)


@pytest.mark.parametrize(("version", "options"), [(196610, {}), (196608, {"_pq_.novelty": "on"})])
def test_newer_versions_and_options_are_negotiated_down(version: int, options: dict[str, str]) -> None:
    async def scenario() -> None:
        wire = Wire(ToyBackend())
        answer = await wire.exchange(frames.startup({"user": "u", **options}, version))
        negotiated = dict(frames.messages(answer))["v"]
        assert negotiated[:8] == struct.pack(">ii", 3 << 16, len(options))
        assert frames.kinds(answer).endswith("Z")

    _run(scenario)


@pytest.mark.parametrize(
    ("packet", "sqlstate"),
    [
        (frames.startup({"user": "u"}, 2 << 16), "0A000"),
        (frames.startup({"database": "d"}), "28000"),
        (frames.startup({"user": "u", "database": "absent"}), "3D000"),
        (frames.startup({"user": "u", "replication": "yes"}), "0A000"),
        (frames.startup({"user": "u", "replication": "database"}), "0A000"),
        (frames.startup({"user": "u", "replication": "perhaps"}), "22023"),
        (frames.startup({"user": "u", "": "x"}), "08P01"),
        (struct.pack(">i", 100_000), "08P01"),
        (struct.pack(">ii", 9, 196608) + b"x", "08P01"),
        (b"GET / HTTP/1.1\r\n\r\n", "08P01"),
    ],
)
def test_a_startup_that_cannot_be_is_fatal(packet: bytes, sqlstate: str) -> None:
    async def scenario() -> None:
        wire = Wire(ToyBackend())
        error = _error(await wire.exchange(packet))
        assert (error["S"], error["C"]) == ("FATAL", sqlstate)
        assert wire.transport.closed

    _run(scenario)


def test_an_error_stops_the_rest_of_a_simple_query() -> None:
    async def scenario() -> None:
        wire = await connected()
        answer = await wire.exchange(frames.query("SELECT 1; RAISE 22012 zero; SELECT 2"))
        assert frames.kinds(answer) == "TDCEZ"
        assert _error(answer) == {
            "S": "ERROR",
            "V": "ERROR",
            "C": "22012",
            "M": "zero",
            "D": "detail",
            "H": "hint",
            "P": "3",
        }

    _run(scenario)


def test_an_error_in_a_pipeline_skips_to_sync() -> None:
    async def scenario() -> None:
        wire = await connected()
        pipeline = (
            frames.parse("", "SELECT 1")
            + frames.bind("", "")
            + frames.execute("absent")
            + frames.parse("", "SELECT 2")
            + frames.query("SELECT 3")
            + frames.SYNC
            + frames.query("SELECT 4")
        )
        answer = await wire.exchange(pipeline)
        assert frames.kinds(answer) == "12EZTDCZ"
        assert _error(answer)["C"] == "34000"

    _run(scenario)


def test_a_malformed_body_is_an_error_that_sync_ends() -> None:
    async def scenario() -> None:
        backend = ToyBackend()
        wire = await connected(backend)
        answer = await wire.exchange(frames.frame("B", b"no end") + frames.frame("E") + frames.SYNC)
        assert frames.kinds(answer) == "EZ"
        assert _error(answer)["C"] == "08P01"
        assert [error.sqlstate for error in backend.sessions[1].failures] == [Sqlstate.PROTOCOL_VIOLATION]

    _run(scenario)


def test_an_unknown_type_or_length_ends_the_connection() -> None:
    async def scenario() -> None:
        for data in (b"!\0\0\0\4", b"Q\0\0\0\3", frames.frame("S", bytes(20_000))):
            wire = await connected()
            error = _error(await wire.exchange(data))
            assert (error["S"], error["C"]) == ("FATAL", "08P01")
            assert wire.transport.closed

    _run(scenario)


def test_a_portal_gives_its_rows_in_portions() -> None:
    async def scenario() -> None:
        wire = await connected()
        head = frames.parse("", "NUMBERS 5") + frames.bind("", "", result_formats=(1,)) + frames.describe("P", "")
        answer = await wire.exchange(head + frames.execute("", 2) * 3 + frames.SYNC)
        assert frames.kinds(answer) == "12TDDsDDsDCZ"
        rows = [frames.fields(body)[0] for kind, body in frames.messages(answer) if kind == "D"]
        assert rows == [struct.pack(">i", i) for i in range(5)]

    _run(scenario)


def test_a_statement_is_described_with_its_parameters() -> None:
    async def scenario() -> None:
        wire = await connected()
        answer = await wire.exchange(frames.parse("s", "SELECT $1::int8") + frames.describe("S", "s") + frames.FLUSH)
        assert frames.kinds(answer) == "1tT"
        assert dict(frames.messages(answer))["t"] == struct.pack(">hI", 1, 20)
        answer = await wire.exchange(frames.parse("", "BEGIN") + frames.describe("S", "") + frames.SYNC)
        assert frames.kinds(answer) == "1tnZ"

    _run(scenario)


@pytest.mark.parametrize(
    ("message", "sqlstate"),
    [
        (frames.bind("", "", (b"1",)), "08P01"),
        (frames.bind("", "", (b"1", b"2"), (0, 0, 1)), "08P01"),
        (frames.bind("", "", (b"one", b"2")), "22P02"),
        (frames.bind("", "", (b"1", b"2"), (1, 0)), "08P01"),
        (frames.bind("", "", (bytes(8), b"2"), (1, 0)), "22P03"),
        (frames.bind("", "", (b"1", b"\xff")), "22021"),
        (frames.bind("", "", (b"1", b"2"), (), (0, 0, 0)), "08P01"),
        (frames.bind("", "", (b"1", b"2"), (2,)), "22023"),
        (frames.bind("", "absent"), "26000"),
    ],
)
def test_parameters_that_cannot_be_read_are_refused(message: bytes, sqlstate: str) -> None:
    async def scenario() -> None:
        wire = await connected()
        answer = await wire.exchange(frames.parse("", "SELECT $1::int4, $2::text") + message + frames.SYNC)
        assert frames.kinds(answer) == "1EZ"
        assert _error(answer)["C"] == sqlstate

    _run(scenario)


def test_a_failed_transaction_is_told_in_ready_for_query() -> None:
    async def scenario() -> None:
        wire = await connected()
        statuses = []
        for sql in ("BEGIN", "RAISE 22012 x", "SELECT 1", "ROLLBACK"):
            statuses.append((await wire.exchange(frames.query(sql)))[-1:])
        assert statuses == [b"T", b"E", b"E", b"I"]

    _run(scenario)


def test_copy_in_ends_well_or_fails_and_the_session_goes_on() -> None:
    async def scenario() -> None:
        wire = await connected()
        await wire.exchange(frames.query("CREATE t (a int4, b text)"))
        assert frames.kinds(await wire.exchange(frames.query("COPY t FROM STDIN"))) == "G"
        pieces = frames.frame("d", b"1\tx\n2") + frames.SYNC + frames.frame("d", b"\ty\n") + frames.COPY_DONE
        assert frames.kinds(await wire.exchange(pieces)) == "CZ"
        await wire.exchange(frames.query("COPY t FROM STDIN"))
        answer = await wire.exchange(frames.frame("d", b"3\tz\n") + frames.frame("f", b"enough\0"))
        assert (frames.kinds(answer), _error(answer)["M"]) == ("EZ", "COPY from stdin failed: enough")
        await wire.exchange(frames.query("COPY t FROM STDIN"))
        answer = await wire.exchange(frames.frame("d", b"4\tz\nfour\tz\n") + frames.COPY_DONE)
        assert _error(answer)["W"] == 'COPY t, line 2, column a: "four"'
        await wire.exchange(frames.query("COPY t FROM STDIN"))
        answer = await wire.exchange(frames.query("SELECT 1"))
        assert (frames.kinds(answer), _error(answer)["C"]) == ("EZ", "08P01")
        rows = await wire.exchange(frames.query("TABLE t"))
        assert frames.kinds(rows) == "TDDCZ"

    _run(scenario)


def test_copy_in_through_the_extended_protocol_skips_to_sync_on_failure() -> None:
    async def scenario() -> None:
        wire = await connected()
        await wire.exchange(frames.query("CREATE t (a int4, b text)"))
        start = frames.parse("", "COPY t FROM STDIN") + frames.bind("", "") + frames.execute("") + frames.SYNC
        assert frames.kinds(await wire.exchange(start)) == "12G"
        assert frames.kinds(await wire.exchange(frames.frame("d", b"x\ty\n"))) == "E"
        assert frames.kinds(await wire.exchange(frames.frame("d", b"5\ty\n") + frames.COPY_DONE + frames.SYNC)) == "Z"

    _run(scenario)


def test_a_function_call_is_refused_cleanly() -> None:
    async def scenario() -> None:
        wire = await connected()
        answer = await wire.exchange(frames.frame("F", bytes(12)) + frames.query("SELECT 1"))
        assert frames.kinds(answer) == "EZTDCZ"
        assert _error(answer)["C"] == "08P01"

    _run(scenario)


def test_a_defect_fails_its_statement_only() -> None:
    async def scenario() -> None:
        wire = await connected()
        answer = await wire.exchange(frames.query("DEFECT") + frames.query("SELECT 1"))
        assert frames.kinds(answer) == "EZTDCZ"
        assert _error(answer)["C"] == "XX000"

    _run(scenario)


def test_notices_come_before_the_command_is_complete_and_settings_before_the_client_is_ready() -> None:
    async def scenario() -> None:
        wire = await connected()
        assert frames.kinds(await wire.exchange(frames.query("NOTICE hello; SET TimeZone = CET"))) == "NCCSZ"

    _run(scenario)


def test_a_client_that_goes_away_cancels_its_statement_and_closes_its_session() -> None:
    async def scenario() -> None:
        backend = ToyBackend()
        wire = await connected(backend)
        session = backend.sessions[1]
        wire.send(frames.query("SLEEP 1000"))
        await asyncio.sleep(0.01)
        assert session.sleeping is not None
        await wire.leave()
        assert session.closed
        assert backend.sessions == {}

    _run(scenario)


def test_a_cancel_request_reaches_the_statement_only_with_the_right_secret() -> None:
    async def scenario() -> None:
        backend = ToyBackend()
        wire = await connected(backend)
        session = backend.sessions[1]
        wire.send(frames.query("SLEEP 1000"))
        await asyncio.sleep(0.01)
        for secret, running in ((session.secret + 1, True), (session.secret, False)):
            other = Wire(backend)
            assert await other.exchange(struct.pack(">iiII", 16, 80877102, session.pid, secret)) == b""
            assert other.transport.closed
            await asyncio.sleep(0.01)
            assert (session.sleeping is not None) is running
        await wire.settle()
        assert _error(bytes(wire.transport.written))["C"] == "57014"

    _run(scenario)


def test_a_session_can_end_its_connection() -> None:
    async def scenario() -> None:
        backend = ToyBackend()
        wire = await connected(backend)
        backend.sessions[1].client.terminate(SqlError(Sqlstate.IDLE_IN_TRANSACTION_SESSION_TIMEOUT, "too long"))
        await wire.settle()
        error = _error(bytes(wire.transport.written))
        assert (error["S"], error["C"]) == ("FATAL", "25P03")
        assert backend.sessions == {}

    _run(scenario)


def test_a_client_that_never_says_who_it_is_is_dropped() -> None:
    async def scenario() -> None:
        wire = Wire(ToyBackend(), ConnectionOptions(startup_timeout_s=0.01))
        await asyncio.sleep(0.1)
        assert wire.transport.closed
        assert _error(bytes(wire.transport.written))["C"] == "57014"

    _run(scenario)


def test_pipelined_queries_are_answered_in_order_byte_by_byte() -> None:
    async def scenario() -> None:
        wire = await connected()
        data = b"".join(frames.query(f"SELECT {i}") for i in range(20))
        answer = b""
        for place in range(len(data)):
            answer += await wire.exchange(data[place : place + 1])
        values = [frames.fields(body) for kind, body in frames.messages(answer) if kind == "D"]
        assert values == [[str(i).encode()] for i in range(20)]

    _run(scenario)
