"""Proxies that a real broker sends its clients to: through TLS, or behind SASL, neither of which it speaks itself."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import struct
import threading
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from tests.connectors.sources.kafka.certificates import Certificate

_API_VERSIONS, _HANDSHAKE, _AUTHENTICATE = 18, 17, 36
_UNSUPPORTED_MECHANISM, _AUTHENTICATION_FAILED = 33, 58


def tls_of(certificate: Certificate, folder: Path) -> ssl.SSLContext:
    """Of a server that shows the certificate, which is kept in `folder`."""
    held = folder / "server.pem"
    held.write_bytes(certificate.pem + certificate.key_pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(held)
    return context


class BrokerProxy:
    """Listens on a port of the loopback, a free one unless told, by `tls` if there is any, and passes what it hears to
    the broker at `broker_port`, which is to be told."""

    def __init__(self, tls: ssl.SSLContext | None, port: int = 0) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.broker_port = 0
        self._open: set[asyncio.StreamWriter] = set()
        handshake_s = None if tls is None else 5.0
        listening = asyncio.start_server(self._pass, "127.0.0.1", port, ssl=tls, ssl_handshake_timeout=handshake_s)
        self._server = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def _pass(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        async with self._held(to_client):
            async with asyncio.timeout(5.0):
                broker, to_broker = await asyncio.open_connection("127.0.0.1", self.broker_port)
            async with self._held(to_broker):
                await asyncio.gather(self._forward(client, to_broker, to_client), _copy(broker, to_client))

    @contextlib.asynccontextmanager
    async def _held(self, told: asyncio.StreamWriter) -> AsyncIterator[None]:
        """Closes the connection at the end, whatever came of it; the proxy's own end cuts it off before."""
        self._open.add(told)
        try:
            with contextlib.suppress(OSError):
                yield
        finally:
            told.close()
            with contextlib.suppress(OSError):
                await told.wait_closed()
            self._open.remove(told)

    async def _forward(
        self, client: asyncio.StreamReader, to_broker: asyncio.StreamWriter, to_client: asyncio.StreamWriter
    ) -> None:
        """What the client says; the proxy may answer itself."""
        await _copy(client, to_broker)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        """Cuts off what is open until nothing is: a server of asyncio that is closed leaves open what it has accepted
        but not taken up, and a task that is cancelled before its first step closes nothing."""
        for listening in self._server.sockets:
            self._loop.remove_reader(listening)
        await asyncio.sleep(0)
        self._server.close()
        while asyncio.all_tasks() - {asyncio.current_task()}:
            for each in self._open:
                each.transport.abort()
            await asyncio.sleep(0.001)


class SaslProxy(BrokerProxy):
    """Lets in who knows a password of `users`, by the mechanism PLAIN, as Kafka's protocol has it: the client asks for
    versions, says the mechanism (SaslHandshake), and then who it is (SaslAuthenticate). Who asks for anything else
    before that is cut off."""

    def __init__(self, users: Mapping[str, str], tls: ssl.SSLContext | None = None) -> None:
        self.users = dict(users)
        super().__init__(tls)

    async def _forward(
        self, client: asyncio.StreamReader, to_broker: asyncio.StreamWriter, to_client: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                (size,) = struct.unpack(">i", await client.readexactly(4))
                request = await client.readexactly(size)
                kind, version, correlation, client_length = struct.unpack(">hhih", request[:10])
                body = request[10 + max(client_length, 0) :]
                if kind == _API_VERSIONS:
                    to_broker.write(struct.pack(">i", size) + request)
                    continue
                answer, admitted = self._answered(kind, version, body)
                if answer:
                    to_client.write(struct.pack(">ii", 4 + len(answer), correlation) + answer)
                    await to_client.drain()
                if admitted:
                    await _copy(client, to_broker)
                    return
                if not answer or kind == _AUTHENTICATE:
                    break
        to_broker.close()
        to_client.close()

    def _answered(self, kind: int, version: int, body: bytes) -> tuple[bytes, bool]:
        """What is said to a request; nothing where it is not to come now. And whether the client is let in."""
        if kind == _HANDSHAKE:
            known = body[2:] == b"PLAIN"
            return struct.pack(">hi", 0 if known else _UNSUPPORTED_MECHANISM, 1) + _text("PLAIN"), False
        if kind != _AUTHENTICATE:
            return b"", False
        _, user, password = body[4:].decode().split("\0")
        admitted = self.users.get(user) == password
        error = 0 if admitted else _AUTHENTICATION_FAILED
        why = struct.pack(">h", -1) if admitted else _text("Authentication failed: Invalid username or password")
        lifetime = struct.pack(">q", 0) if version else b""
        return struct.pack(">h", error) + why + struct.pack(">i", 0) + lifetime, admitted


def _text(text: str) -> bytes:
    return struct.pack(">h", len(text)) + text.encode()


async def _copy(heard: asyncio.StreamReader, told: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await heard.read(1 << 16):
            told.write(data)
            await told.drain()
    told.close()
