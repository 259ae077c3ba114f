"""TLS of the connection to a replica on another host: the replica shows a certificate, the environment checks the
certificate, and gives the secret to a trusted replica alone.
"""

from __future__ import annotations

import ssl
from pathlib import Path


class ReplicaCertificate:
    """The certificate and key of a replica. `context` is for all its connections; `reload` reads the files again for
    later handshakes."""

    def __init__(self, cert: Path, key: Path) -> None:
        """Raises OSError or ssl.SSLError for files that can't be used."""
        self._files = cert, key
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.context.load_cert_chain(cert, key)

    def reload(self) -> None:
        """Raises OSError or ssl.SSLError for files that can't be used, which change nothing."""
        cert, key = self._files
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
        self.context.load_cert_chain(cert, key)


def trusting(authorities: Path) -> ssl.SSLContext:
    """Returns the context of an environment that talks to replicas alone whose certificates these authorities have
    signed for the host's name or address. Raises OSError or ssl.SSLError for a file that can't be used."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_verify_locations(authorities)
    return context
