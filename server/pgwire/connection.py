"""Connects one client's socket to its session: bytes to the state machine, its events to the session, answers to the
socket.

One task reads events and calls the session. Bytes keep arriving while a statement runs, up to a bound, so that a
disconnecting client is noticed; then the task is cancelled, and the session closed. Output is written once per flush.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Protocol, cast

import structlog

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.strings import parse_name
from model.time.uninterrupted import finish_uninterrupted
from server.admission.gate import WITHOUT_PASSWORD, Gate, Knock, Proof, given_rules
from server.admission.refusals import REFUSALS
from server.admission.rules import network_of, plain_address
from server.pgwire.arriving import Arriving
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.backend import Backend, ClientSession, Credentials, StartupParameters
from server.pgwire.codec import MESSAGE_BYTES_MAX
from server.pgwire.encoding.data_rows import LastEncoder
from server.pgwire.messages import (
    AuthenticationOk,
    AuthenticationSasl,
    AuthenticationSaslContinue,
    AuthenticationSaslFinal,
    BackendKeyData,
    CancelRequest,
    NoticeResponse,
    NotificationResponse,
    PasswordMessage,
    SslRequest,
    StartupMessage,
    Terminate,
)
from server.pgwire.state import Event, Machine, PassedOver, Phase
from server.pgwire.statement_loop import Ended, StatementLoop
from server.tls.files import ReloadableTls, TlsIdentity
from server.tls.session import Encryption
from server.tls.transport import TlsTransport

_READ_AHEAD_BYTES_MAX = 1 << 18
_FLUSH_BYTES = 1 << 16
_LINGER_S = 10.0
_KEPT_BACK_S = 0.02
_MESSAGES_A_TURN = 16
_TLS_HANDSHAKE = 0x16
"""The first byte of a client that begins with TLS; that of a startup packet is 0."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ConnectionOptions:
    """The options of connections of the wire protocol. `message_bytes_max` bounds every message but CopyData, which is
    streamed; `startup_timeout_s` the time from connecting to being authenticated; `tls` is what clients may encrypt
    with, `gate` says what is asked of them."""

    gate: Gate = field(default_factory=lambda: Gate(given_rules(WITHOUT_PASSWORD)))
    authentication: AuthenticationPolicy = field(default_factory=AuthenticationPolicy)
    tls: ReloadableTls | None = None
    message_bytes_max: int = MESSAGE_BYTES_MAX
    startup_timeout_s: float = 60.0


class ClientPlaces(Protocol):
    """Keeps the connections of a server, and knows how much room there is."""

    def arrived(self, connection: ClientConnection) -> None:
        """Notes that a connection is there, and that its `origin` is known."""
        ...

    def admit(self, connection: ClientConnection, *, superuser: bool) -> None:
        """Notes that the client has proved who it is. Raises SqlError when there is no room for another session."""
        ...

    def left(self, connection: ClientConnection) -> None:
        """Notes that the connection has ended."""
        ...


class ClientConnection(asyncio.Protocol):
    """One client's connection. `arriving` counts the bytes of incomplete messages of all connections. `local`: it came
    over a Unix socket. `origin` is the network that it came from."""

    def __init__(
        self,
        backend: Backend,
        options: ConnectionOptions,
        places: ClientPlaces,
        arriving: Arriving | None = None,
        *,
        local: bool = False,
    ) -> None:
        self._local = local
        self._arriving = arriving or Arriving()
        self.machine = Machine(options.message_bytes_max, tls=options.tls is not None)
        self.encoders = LastEncoder()
        self.task: asyncio.Task[None] | None = None
        self._backend = backend
        self._options = options
        self._places = places
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._heard = False
        self._tls: tuple[TlsTransport, TlsIdentity] | None = None
        self._address = ""
        self._port: int | None = None
        self.origin = ""
        self._more: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None
        self._reading = True
        self._lost = False
        self._flush_scheduled = False
        self._taken = 0
        self._flush_timer: asyncio.TimerHandle | None = None
        self._terminating: SqlError | None = None
        self._leaving: SqlError | None = None
        self._deadline: asyncio.TimerHandle | None = None

    # The transport's side.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not checked: uvloop's transports don't inherit from asyncio's.
        self._transport = cast(asyncio.Transport, transport)
        if self._local:
            self.machine.without_tls()
        elif isinstance(peer := transport.get_extra_info("peername"), tuple):
            self._address, self._port = peer[0], peer[1]
            self.origin = network_of(plain_address(self._address))
        else:
            # A TCP client that reset its connection has no address, though all that it sent can still be read.
            self._lost = True
        self._deadline = self._loop.call_later(self._options.startup_timeout_s, self._give_up)
        self.task = self._loop.create_task(self._run())
        self._places.arrived(self)

    def data_received(self, data: bytes) -> None:
        if not self._heard:
            self._heard = True
            if data[0] == _TLS_HANDSHAKE and self._options.tls is not None and self._port is not None:
                self._begin_tls(self._options.tls, at_once=True).data_received(data)
                return
        self.machine.receive(data)
        self._arriving.note(self, self.machine.buffered_bytes)
        if self._more is not None:
            self._wake()
        elif self.machine.buffered_bytes > _READ_AHEAD_BYTES_MAX:
            self._pause()

    def _begin_tls(self, tls: ReloadableTls, *, at_once: bool) -> TlsTransport:
        """Has all that comes and goes from now on encrypted. `at_once`: the client has not asked before."""
        assert self._transport is not None
        self.machine.encrypted()
        encrypting = TlsTransport(tls.identity.for_clients, self, connected=True, needs_protocol=at_once)
        self._tls = encrypting, tls.identity
        self._transport.set_protocol(encrypting)
        encrypting.connection_made(self._transport)
        self._transport = encrypting
        return encrypting

    def eof_received(self) -> bool:
        """Ends the connection: half-closed connections don't exist in this protocol, and the client is gone."""
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self._arriving.forget(self)
        if self.task is not None:
            self.task.cancel()

    def pause_writing(self) -> None:
        self._writable = self._loop.create_future()

    def resume_writing(self) -> None:
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None

    @property
    def idle(self) -> bool:
        """Tells whether the connection waits for the client."""
        return self._more is not None

    # The session's side: Client.

    def set_parameter(self, name: str, value: str) -> None:
        self.machine.set_parameter(name, value)

    def notify(self, message: NoticeResponse | NotificationResponse) -> None:
        if self.machine.phase is not Phase.CLOSED:
            self.machine.send(message)
            self.flush_soon()

    @property
    def taking(self) -> bool:
        return self._writable is None

    @property
    def sent_bytes(self) -> int:
        return self.machine.sent_bytes

    def terminate(self, error: SqlError) -> None:
        if self._terminating is None:
            error.severity = Severity.FATAL
            self._terminating = error
            self._wake()
            if self._coming_in:
                # It may wait for its turn or for the system. Not at once: its task may not have begun.
                self._loop.call_soon(self.abort)
            if self._writable is not None:
                # A statement whose client takes nothing would never end.
                self._loop.call_later(_LINGER_S, self.abort)

    def leave(self, error: SqlError) -> None:
        """Ends the connection as soon as it is in no transaction, and no statement waits."""
        if self._leaving is None:
            self._leaving = error
            self._wake()

    def abort(self) -> None:
        """Ends the connection at once, whatever runs; the client gets the error passed to `terminate`, if any."""
        if self.task is not None:
            self.task.cancel()

    # The statements' side: Channel.

    async def next_event(self) -> Event:
        while self._terminating is None and not self._lost:
            self._taken += 1
            if self._taken % _MESSAGES_A_TURN == 0 and self.machine.buffered_bytes:
                # Thousands of messages may have come together, none of which waits for anything.
                await asyncio.sleep(0)
            if self.machine.large_is_next:
                event = await self._large_event()
            else:
                event = self.machine.next_event()
                self._arriving.note(self, self.machine.buffered_bytes)
            if event is None and self.machine.phase is not Phase.CLOSED:
                if self._leaving is not None and (self._coming_in or self.machine.between_transactions):
                    self.terminate(self._leaving)
                    break
                await self._wait_idle()
            elif isinstance(event, PassedOver):
                await asyncio.sleep(0)
            elif event is None or isinstance(event, Terminate):
                break
            else:
                return event
        raise Ended

    async def _large_event(self) -> Event | None:
        """Reads a large message in a thread, while nothing else is taken from the client."""
        self._pause()
        event = await asyncio.to_thread(self.machine.next_event)
        self._arriving.note(self, self.machine.buffered_bytes)
        if self.machine.buffered_bytes <= _READ_AHEAD_BYTES_MAX:
            self._resume()
        return event

    def _pause(self) -> None:
        if self._reading and self._transport is not None and not self._lost:
            self._reading = False
            self._transport.pause_reading()

    def _resume(self) -> None:
        if not self._reading and self._transport is not None and not self._lost:
            self._reading = True
            self._transport.resume_reading()

    async def drain(self) -> None:
        if self.machine.output_bytes >= _FLUSH_BYTES:
            self.flush()
        if self._writable is not None:
            await self._writable

    def flush_soon(self) -> None:
        if not self._flush_scheduled:
            self._flush_scheduled = True
            self._loop.call_soon(self._flush_scheduled_now)

    def flush_before_long(self) -> None:
        if self._flush_timer is None:
            self._flush_timer = self._loop.call_later(_KEPT_BACK_S, self.flush)

    def flush(self) -> None:
        """Writes all queued output in one write."""
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        if self.machine.output_bytes:
            for data in self.machine.take_output():
                if self._transport is not None and not self._lost:
                    self._transport.write(data)

    def _flush_scheduled_now(self) -> None:
        self._flush_scheduled = False
        self.flush()

    def _wake(self) -> None:
        if self._more is not None and not self._more.done():
            self._more.set_result(None)

    async def _wait_idle(self) -> None:
        """Writes queued output, then waits for bytes or for the end."""
        self.flush()
        if self._writable is not None:
            await self._writable
        self._resume()
        self._more = self._loop.create_future()
        try:
            await self._more
        finally:
            self._more = None

    @property
    def _coming_in(self) -> bool:
        return self.machine.phase in (Phase.STARTUP, Phase.AUTHENTICATION)

    def _give_up(self) -> None:
        if self._coming_in:
            self.terminate(SqlError(Sqlstate.QUERY_CANCELED, "canceling authentication due to timeout"))

    async def _run(self) -> None:
        """Runs the connection's whole life. Cancelled when the client goes away, or at shutdown."""
        try:
            session = await self._start()
            if session is not None:
                try:
                    await StatementLoop(self, session, self._address).serve()
                finally:
                    # A second cancellation must not cut the release of what the session holds.
                    await finish_uninterrupted(session.close())
        except Ended:
            pass
        except asyncio.CancelledError:
            if not self._lost and self._terminating is None and self.machine.phase is not Phase.CLOSED:
                self._terminating = SqlError(
                    Sqlstate.ADMIN_SHUTDOWN, "terminating connection due to administrator command"
                )
        except Exception:  # noqa: BLE001 - a defect ends this connection, and no other may notice
            _log.exception("connection failed", client=self._address)
        finally:
            self._finish()

    def _finish(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        if self._terminating is not None and self.machine.phase is not Phase.CLOSED:
            self._terminating.severity = Severity.FATAL
            self.machine.fail(self._terminating, "I")
        self.flush()
        self.machine.close()
        if self._transport is not None:
            if self._transport.get_write_buffer_size():
                # A client that takes nothing must not keep the socket for ever.
                self._loop.call_later(_LINGER_S, self._transport.abort)
            self._transport.close()
        self._places.left(self)

    async def _start(self) -> ClientSession | None:
        """Leads from the first byte to ReadyForQuery; None when the client only wanted to cancel."""
        user = ""
        try:
            first = await self.next_event()
            if isinstance(first, SslRequest):
                assert self._options.tls is not None
                self.flush()
                self._begin_tls(self._options.tls, at_once=False)
                first = await self.next_event()
            if isinstance(first, CancelRequest):
                await self._backend.cancel(first.pid, first.secret)
                return None
            assert isinstance(first, StartupMessage)
            parameters = dict(first.parameters)
            user = parse_name(parameters.pop("user"))
            encryption = None if self._tls is None else self._tls[0].encryption(self._tls[1].end_point)
            database = parse_name(parameters.pop("database", "")) or user
            known = await self._authenticate(user, database, encryption)
            self._places.admit(self, superuser=known.superuser)
            startup = StartupParameters(
                user,
                database,
                parameters,
                self._address,
                self._port,
                encryption,
                server=_here(self._transport, self._port),
            )
            session = await self._backend.open_session(startup, self)
        except SqlError as error:
            error.severity = Severity.FATAL
            self.machine.fail(error, "I")
            if error.sqlstate is not Sqlstate.CANNOT_CONNECT_NOW:
                # Of a standby it says nothing: whoever looks for the leader asks it again and again.
                REFUSALS.tell(self._loop.time(), self._address or "[local]", user, error)
            return None
        for name, value in session.parameters.items():
            self.machine.set_parameter(name, value)
        self.machine.tell_parameters()
        self.machine.send(BackendKeyData(session.pid, session.secret))
        self.machine.ready(session.transaction_status)
        return session

    def _knock(self, user: str, database: str, encryption: Encryption | None, known: Credentials) -> Knock:
        assert self._transport is not None
        connection = self._transport.get_extra_info("socket")
        knock = Knock(user, database, connection=connection, roles=known.roles, has_password=known.password is not None)
        if self._port is None:
            return knock
        here = self._transport.get_extra_info("sockname") or ("", 0)
        return replace(knock, there=(self._address, self._port), here=(here[0], here[1]), encryption=encryption)

    async def _authenticate(self, user: str, database: str, encryption: Encryption | None) -> Credentials:
        known = self._backend.credentials(user)
        knock = self._knock(user, database, encryption, known)
        if await self._options.gate.proof(knock) is Proof.PASSWORD:
            await self._options.gate.await_turn(knock)
            # The password may have been changed meanwhile.
            known = self._backend.credentials(user)
            try:
                await self._take_proof(knock, known)
            except SqlError as error:
                if error.sqlstate == Sqlstate.INVALID_PASSWORD:
                    self._options.gate.failed(knock)
                raise
            self._options.gate.came_in(knock)
        self.machine.send(AuthenticationOk())
        self.machine.authenticated()
        return known

    async def _take_proof(self, knock: Knock, known: Credentials) -> None:
        end_point = None if knock.encryption is None else knock.encryption.end_point
        conversation = self._options.authentication.conversation(knock.user, known, end_point)
        self.machine.send(AuthenticationSasl(conversation.mechanisms))
        first = await self.next_event()
        assert isinstance(first, PasswordMessage)
        self.machine.send(AuthenticationSaslContinue(conversation.first(first.body)))
        final = await self.next_event()
        assert isinstance(final, PasswordMessage)
        self.machine.send(AuthenticationSaslFinal(conversation.final(final.body)))


def _here(transport: asyncio.Transport | None, port: int | None) -> tuple[str, int | None]:
    """Returns our address and port; "" and None behind a Unix socket."""
    here = None if transport is None or port is None else transport.get_extra_info("sockname")
    return (here[0], here[1]) if here else ("", None)
