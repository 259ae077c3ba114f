"""Serves one client over HTTP/1.1: its requests one after the other, each within limits of size and time."""

from __future__ import annotations

import asyncio
import contextlib
import select
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import h11
import structlog

from server.http.exchange import Routes
from server.http.heads import require_plain_head
from server.http.limits import HttpLimits
from server.http.repeated import KnownHead, RepeatedRequest, known_head, read_repeated, whole_answer
from server.http.request import Answer, ClientGone, HttpPeer, Refused, RequestHead, head_of
from server.http.switched import SwitchedConnection
from server.tls.transport import TlsTransport

T = TypeVar("T")

_log = structlog.get_logger()

_READ_BYTES = 64 << 10
_PIECES_AT_ONCE = 100
_PIECES_MAX, _PIECE_BYTES_MIN = 1_000, 16
"""Chunks are dear: from so many on they have so many bytes on average."""
_LINGER_BYTES = 1 << 20
_LINGER_S = 2.0
_LOOK_S = 2.0
_UNSENT_BYTES_MAX = 16 << 10
_SWITCHING, _TOO_LARGE, _ENCODING, _DEFECT = 101, 413, 415, 500


class HttpHost(Protocol):
    """The server, as one of its connections sees it."""

    def wait_for(self, connection: HttpConnection) -> None: ...

    def heard(self, connection: HttpConnection) -> None: ...

    def hold(self, size: int) -> bool: ...

    def let_go(self, size: int) -> None: ...


class HttpConnection:
    """One client's connection, and the exchange under way. `run` is the connection's task, and ends with the client, or
    at the first request after which reading can't go on.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        routes: Routes,
        limits: HttpLimits,
        host: HttpHost,
        *,
        busy: bool = False,
    ) -> None:
        """`busy`: the server is overloaded; the client is told so, whatever it asks."""
        self._reader = reader
        self._writer = writer
        self._routes = routes
        self._limits = limits
        self._host = host
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=limits.head_bytes_max)
        self._busy = busy
        self._held = 0
        self._head: RequestHead | None = None
        self._repeated: RepeatedRequest | None = None
        """The request under way, if h11 knows nothing of it."""
        self._known: KnownHead | None = None
        self._begun = False
        self._cancelled_when_gone: asyncio.Task[Any] | None = None
        self._look: asyncio.TimerHandle | None = None
        self._gone = False
        self._switched: SwitchedConnection | None = None
        self.proven: object = None
        self.session: object = None
        self.peer = _peer_of(writer)

    def abort(self) -> None:
        """Ends the connection at once."""
        self._writer.transport.abort()

    def stop(self) -> None:
        """Has a connection that speaks another protocol end soon."""
        if self._switched is not None:
            self._switched.when_stopping()

    async def run(self) -> None:
        try:
            if self._busy:
                await self._within(
                    self._send(Answer(429, "too many requests at once", retry=True)), self._limits.head_s
                )
                await self._linger()
                return
            seconds = self._limits.head_s
            while await self._serve(seconds):
                seconds = self._limits.idle_s
                self._host.wait_for(self)
                # Requests that come at once are answered without waiting for anything: others have their turn between.
                await asyncio.sleep(0)
        except (ClientGone, OSError):
            pass
        finally:
            self.abort()

    async def _serve(self, seconds: float) -> bool:
        """Handles one request; tells whether another may follow."""
        try:
            request = await self._within(self._request(), seconds)
            if not isinstance(request, h11.Request | RepeatedRequest):
                return False
            answer = await self._answered(request)
        except h11.RemoteProtocolError as error:
            answer = Answer(error.error_status_hint, str(error))
        finally:
            self._host.let_go(self._held)
            self._held = 0
        if self._switched is not None:
            await self._linger()
            return False
        self._host.heard(self)
        if answer is None:
            await self._write(self._http.send(h11.EndOfMessage()))
        elif self._repeated is not None:
            await self._send_whole(answer)
            self._repeated = None
            return True
        else:
            await self._within(self._send(answer), self._limits.head_s)
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
            return True
        await self._linger()
        return False

    async def _answered(self, request: h11.Request | RepeatedRequest) -> Answer | None:
        """Returns the answer of the request's handler; None when the handler has sent the answer."""
        self._begun = False
        try:
            self._head = request.known.head if isinstance(request, RepeatedRequest) else head_of(request)
            return await self._routes.handler_of(self._head).answer(self)
        except Refused as refused:
            self._require_unbegun()
            return refused.answer
        except (ClientGone, h11.RemoteProtocolError):
            raise
        except Exception as error:  # noqa: BLE001  (it is told, and logged without what the request held)
            _log.error("a defect kept a request from being answered", path=self._path, error=type(error).__name__)
            self._require_unbegun()
            return Answer(_DEFECT, "internal error")

    def _require_unbegun(self) -> None:
        """Raises ClientGone when a part of an answer is sent already: the connection ends before the answer does."""
        if self._begun:
            raise ClientGone

    @property
    def _path(self) -> str:
        return "" if self._head is None else self._head.path

    # A handler's side: Exchange.

    @property
    def head(self) -> RequestHead:
        assert self._head is not None, "a handler is called once the head is read"
        return self._head

    async def body(self) -> bytes:
        if self.head.headers.value("content-encoding", as_bytes=True) not in (None, b"identity"):
            raise Refused(_ENCODING, "the body must come without content encoding")
        if self._repeated is not None:
            body = self._repeated.body
            self._require_length(len(body))
            self._receive(len(body))
        else:
            body = await self._within(self._body(), self._limits.body_s)
        self._host.heard(self)
        return body

    async def begin(self, status: int, content_type: str) -> None:
        self._begun = True
        self._tell_h11()
        head = h11.Response(status_code=status, headers=[("content-type", content_type)])
        await self._within(self._write(self._http.send(head)), self._limits.idle_s)

    async def write(self, data: bytes) -> None:
        await self._within(self._write(self._http.send(h11.Data(data=data))), self._limits.idle_s)

    async def switch(self, headers: Sequence[tuple[str, str]]) -> SwitchedConnection:
        switching = h11.InformationalResponse(status_code=_SWITCHING, headers=list(headers))
        self._begun = True
        self._tell_h11()
        self._host.wait_for(self)
        await self._within(self._write(self._http.send(switching)), self._limits.head_s)
        self._switched = SwitchedConnection(self._reader, self._writer, self._http.trailing_data[0], self)
        return self._switched

    @contextlib.contextmanager
    def cancelled_with_client(self) -> Iterator[None]:
        if self._gone:
            raise ClientGone
        self._cancelled_when_gone = asyncio.current_task()
        self._look_later()
        try:
            yield
        finally:
            self._cancelled_when_gone = None
            if self._look is not None:
                self._look.cancel()

    def client_is_gone(self) -> None:
        """Notes that the client sends nothing more."""
        self._gone = True
        if self._cancelled_when_gone is not None:
            self._cancelled_when_gone.cancel()

    def _look_later(self) -> None:
        """Asks the system now and then whether the client has gone, as long as a task is to be cancelled then. Where
        more has been sent than is read, the client's end would be met only once all before it has been read."""
        self._look = asyncio.get_running_loop().call_later(_LOOK_S, self._look_now)

    def _look_now(self) -> None:
        if self._cancelled_when_gone is None or self._gone:
            return
        socket = self.peer.socket
        if socket is None or self._writer.transport.is_closing() or _sends_nothing_more(socket.fileno()):
            self.client_is_gone()
        else:
            self._look_later()

    # The side of another protocol: SwitchedHost.

    def is_known(self) -> None:
        """Notes that the client is authenticated: a silent connection is then kept longer."""
        self._host.heard(self)

    def hold(self, size: int) -> bool:
        return self._host.hold(size)

    def let_go(self, size: int) -> None:
        self._host.let_go(size)

    async def _body(self) -> bytes:
        """Reads the body; raises Refused as soon as it is known to be too large."""
        announced = self.head.headers.value("content-length", as_bytes=True)
        self._require_length(int(announced or 0))
        if self._http.they_are_waiting_for_100_continue:
            await self._write(self._http.send(h11.InformationalResponse(status_code=100, headers=[])))
        body = bytearray()
        pieces = 0
        while isinstance(event := await self._next(), h11.Data):
            pieces += 1
            self._require_length(len(body) + len(event.data))
            if pieces > _PIECES_MAX and len(body) < pieces * _PIECE_BYTES_MIN:
                raise Refused(400, "the body comes in too many pieces")
            self._receive(len(event.data))
            body += event.data
            if pieces % _PIECES_AT_ONCE == 0:
                await asyncio.sleep(0)
        return bytes(body)

    def _require_length(self, length: int) -> None:
        """Raises Refused for a body that is too long."""
        if length > self._limits.body_bytes_max:
            raise Refused(_TOO_LARGE, f"a body has at most {self._limits.body_bytes_max} bytes")

    def _receive(self, length: int) -> None:
        """Takes room for so many bytes of a body; raises Refused where there is none."""
        if not self._host.hold(length):
            raise Refused(429, "too much is being received at once", retry=True)
        self._held += length

    async def _request(self) -> h11.Event | RepeatedRequest | type[h11.PAUSED]:
        """Reads the next request: one with a known head whole, of others the head."""
        if self._http.their_state is h11.IDLE and not self._http.trailing_data[0]:
            received = await self._reader.read(_READ_BYTES)
            self._repeated = read_repeated(received, self._known)
            if self._repeated is not None:
                return self._repeated
            self._http.receive_data(received)
            request = await self._next()
            self._known = known_head(received, request) if isinstance(request, h11.Request) else None
            return request
        return await self._next()

    def _tell_h11(self) -> None:
        """Has h11 read a repeated request, whose answer is not a whole one."""
        repeated, self._repeated = self._repeated, None
        if repeated is not None:
            self._http.receive_data(repeated.received)
            while not isinstance(self._http.next_event(), h11.EndOfMessage):
                pass

    async def _next(self) -> h11.Event | type[h11.PAUSED]:
        while True:
            if self._http.their_state is h11.IDLE:
                require_plain_head(self._http.trailing_data[0])
            event = self._http.next_event()
            if isinstance(event, h11.Event) or event is h11.PAUSED:
                return event
            self._http.receive_data(await self._reader.read(_READ_BYTES))

    async def _send_whole(self, answer: Answer) -> None:
        """Answers a repeated request, and waits for the client where much is unsent."""
        if self._writer.transport.is_closing():
            raise ClientGone
        self._writer.write(whole_answer(answer))
        if self._writer.transport.get_write_buffer_size() > _UNSENT_BYTES_MAX:
            await self._within(self._writer.drain(), self._limits.head_s)

    async def _send(self, answer: Answer) -> None:
        if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            raise ClientGone
        content = answer.content
        headers = [("content-type", answer.content_type), ("content-length", str(len(content))), *answer.headers]
        if answer.retry:
            headers.append(("retry-after", "1"))
        if self._http.their_state is not h11.DONE:
            headers.append(("connection", "close"))
        sent = self._http.send(h11.Response(status_code=answer.status, headers=headers)) or b""
        if content and not self._is_for_head():
            sent += self._http.send(h11.Data(data=content)) or b""
        await self._write(sent + (self._http.send(h11.EndOfMessage()) or b""))

    def _is_for_head(self) -> bool:
        """Tells whether the answer is sent without a body, since the request is HEAD."""
        return self._head is not None and self._head.method == "HEAD"

    async def _write(self, data: bytes | None) -> None:
        if self._writer.transport.is_closing():
            # uvloop's transport raises RuntimeError, which tells of a defect elsewhere.
            raise ClientGone
        self._writer.write(data or b"")
        await self._writer.drain()

    async def _within(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Awaits work with the client; raises ClientGone when it takes longer than `seconds`, or the client is gone."""
        try:
            async with asyncio.timeout(seconds):
                return await work
        except (TimeoutError, OSError):
            raise ClientGone from None

    async def _linger(self) -> None:
        """Lingers: a socket that is closed with bytes unread is reset, and the client loses the answer: so our half
        ends first, and a little more is read."""
        self._host.wait_for(self)
        with contextlib.suppress(OSError, TimeoutError, RuntimeError):
            self._writer.write_eof()
            left = _LINGER_BYTES
            async with asyncio.timeout(_LINGER_S):
                while left > 0 and (data := await self._reader.read(_READ_BYTES)):
                    left -= len(data)


def _sends_nothing_more(descriptor: int) -> bool:
    """Tells whether a socket's peer has closed its half or the whole of the connection, whatever is unread."""
    poll = select.poll()
    poll.register(descriptor, select.POLLRDHUP)
    return bool(poll.poll(0))


def _peer_of(writer: asyncio.StreamWriter) -> HttpPeer:
    there, here = (writer.get_extra_info(name) or ("", 0) for name in ("peername", "sockname"))
    transport: object = writer.transport
    encryption = transport.encryption(None) if isinstance(transport, TlsTransport) else None
    return HttpPeer((there[0], there[1]), (here[0], here[1]), writer.get_extra_info("socket"), encryption)
