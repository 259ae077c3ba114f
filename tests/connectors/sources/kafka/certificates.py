"""Certificates of servers, for tests of TLS."""

from __future__ import annotations

import datetime
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Certificate:
    """One that signs itself, for a server of this address."""

    def __init__(self, address: str) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a broker")])
        begin = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
        builder = x509.CertificateBuilder(name, name, key.public_key(), 1, begin, begin.replace(year=2046))
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
        signed = builder.add_extension(names, critical=False).sign(key, hashes.SHA256())
        plain = serialization.NoEncryption()
        self.pem = signed.public_bytes(serialization.Encoding.PEM)
        self.key_pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
