"""Makes a self-signed certificate and its key, for trying TLS, and for machines that know each other."""

from __future__ import annotations

import datetime
import ipaddress
import os
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from model.time.clock import Clock

_DAYS = 397
"""More is refused by some clients."""
_NAME_LENGTH_MAX = 64


def make_certificate(cert: Path, key: Path, hosts: Sequence[str], clock: Clock) -> None:
    """Writes a key (0600) and a certificate of servers with these names or addresses. Raises FileExistsError or
    another OSError, and ValueError for a name that can't be one."""
    secret = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.fromtimestamp(clock.now_ms() // 1000, datetime.UTC)
    signed = _signed(secret, hosts, now).public_bytes(serialization.Encoding.PEM)
    plain = serialization.NoEncryption()
    _write(key, secret.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain), 0o600)
    try:
        _write(cert, signed, 0o644)
    except OSError:
        key.unlink()
        raise


def _signed(secret: ec.EllipticCurvePrivateKey, hosts: Sequence[str], now: datetime.datetime) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0][:_NAME_LENGTH_MAX])])
    public = secret.public_key()
    end = now + datetime.timedelta(days=_DAYS)
    builder = x509.CertificateBuilder(name, name, public, x509.random_serial_number(), now, end)
    extensions: tuple[tuple[x509.ExtensionType, bool], ...] = (
        (x509.SubjectAlternativeName([_general_name(host) for host in hosts]), False),
        # Clients take it for the authority that has signed it, which it is.
        (x509.BasicConstraints(ca=True, path_length=0), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
        (x509.SubjectKeyIdentifier.from_public_key(public), False),
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(secret, hashes.SHA256())


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _write(path: Path, data: bytes, mode: int) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
