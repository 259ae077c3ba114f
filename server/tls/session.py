"""TLS as a state machine without I/O: encrypted bytes in, plain bytes out, and the reverse."""

from __future__ import annotations

import contextlib
import ssl
from dataclasses import dataclass

_READ_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Encryption:
    """The outcome of a handshake. `certificate`: the client's, checked, in DER; `end_point`: the binding of the
    channel."""

    version: str
    cipher: str
    bits: int
    certificate: bytes | None
    end_point: bytes | None


class TlsSession:
    """One connection's TLS. `receive` and `encrypt` leave bytes to send in `take_output`."""

    def __init__(self, context: ssl.SSLContext, *, needs_protocol: bool = False) -> None:
        """`needs_protocol`: the client must have named its protocol (ALPN)."""
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.object = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._needs_protocol = needs_protocol
        self.established = False
        self.ended = False
        """Whether the client has said that nothing more comes."""

    def encryption(self, end_point: bytes | None) -> Encryption:
        """Returns the result of the finished handshake."""
        cipher = self.object.cipher()
        assert self.established and cipher is not None
        name, _, bits = cipher
        certificate = self.object.getpeercert(binary_form=True)
        return Encryption(self.object.version() or "", name, bits, certificate, end_point)

    def receive(self, data: bytes) -> bytes:
        """Returns the decrypted bytes, none during the handshake. Raises SSLError when TLS has failed; the output
        then tells the client why."""
        self._incoming.write(data)
        said: list[bytes] = []
        # It wants more bytes than have come.
        with contextlib.suppress(ssl.SSLWantReadError):
            if not self.established:
                self._shake_hands()
            while piece := self.object.read(_READ_BYTES):
                said.append(piece)
            self.ended = True
        return b"".join(said)

    def _shake_hands(self) -> None:
        self.object.do_handshake()
        if self._needs_protocol and self.object.selected_alpn_protocol() is None:
            raise ssl.SSLError("the client has not named its protocol, as those must who begin with TLS")
        self.established = True

    def encrypt(self, data: bytes | memoryview) -> None:
        """Encrypts data, after the handshake. May raise SSLError."""
        self.object.write(data)

    def end(self) -> None:
        """Tells the client that no more data follows."""
        # It fails where the client has not said so yet, or has said something else first; nobody waits for it.
        with contextlib.suppress(ssl.SSLError):
            self.object.unwrap()

    def take_output(self) -> bytes:
        """Returns the bytes to send now."""
        return self._outgoing.read()
