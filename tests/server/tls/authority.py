"""An authority that signs certificates of servers and clients, for tests."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_BEGIN = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
_END = datetime.datetime(2046, 1, 1, tzinfo=datetime.UTC)
_PAST = datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)
_PEM = serialization.Encoding.PEM


class Authority:
    """`file` holds its certificate; what it issues lies beside, as NAME.crt and NAME.key."""

    def __init__(self, directory: Path, name: str = "authority") -> None:
        self._directory = directory
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        public = self._key.public_key()
        builder = x509.CertificateBuilder(self._name, self._name, public, 1, _BEGIN, _END)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        self.certificate = builder.sign(self._key, hashes.SHA256())
        self.file = directory / f"{name}.crt"
        self.file.write_bytes(self.certificate.public_bytes(_PEM))

    def issue(
        self,
        file: str,
        *,
        names: Sequence[str] = ("someone",),
        hosts: Sequence[str] = (),
        expired: bool = False,
        for_servers: bool = False,
        signed_with: hashes.SHA256 | hashes.SHA384 | hashes.SHA512 | None = None,
        key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey | None = None,
    ) -> tuple[Path, Path]:
        """Returns the files of a new certificate and its key."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name) for name in names])
        end = _PAST if expired else _END
        serial = x509.random_serial_number()
        builder = x509.CertificateBuilder(self._name, subject, key.public_key(), serial, _BEGIN, end)
        usage = ExtendedKeyUsageOID.SERVER_AUTH if for_servers else ExtendedKeyUsageOID.CLIENT_AUTH
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        if hosts:
            addresses = [x509.IPAddress(ipaddress.ip_address(host)) for host in hosts]
            builder = builder.add_extension(x509.SubjectAlternativeName(addresses), critical=False)
        signed = builder.sign(self._key, signed_with or hashes.SHA256())
        return _written(self._directory / file, signed, key)

    def server(self, file: str = "server", hosts: Sequence[str] = ("127.0.0.1",)) -> tuple[Path, Path]:
        """Returns the files of a server's certificate and key."""
        return self.issue(file, names=("a server",), hosts=hosts, for_servers=True)


def self_signed_ed25519(directory: Path) -> tuple[Path, Path]:
    """Returns the files of a certificate whose signature has no hash of its own."""
    key = ed25519.Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a server")])
    signed = x509.CertificateBuilder(name, name, key.public_key(), 1, _BEGIN, _END).sign(key, None)
    return _written(directory / "ed25519", signed, key)


def _written(
    place: Path, signed: x509.Certificate, key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey
) -> tuple[Path, Path]:
    cert, secret = place.with_suffix(".crt"), place.with_suffix(".key")
    cert.write_bytes(signed.public_bytes(_PEM))
    secret.unlink(missing_ok=True)
    secret.touch(0o600)
    secret.write_bytes(key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return cert, secret
