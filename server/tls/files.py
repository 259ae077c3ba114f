"""The server's certificate and key and the authorities of clients, read from the files of the options.

The files may change while the server runs. `ReloadableTls.reload` reads the files again: later handshakes use the new
content, existing connections keep the old. Files that can't be used change nothing.
"""

from __future__ import annotations

import os
import re
import ssl
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes

from server.reloading import Unusable

CLIENT_PROTOCOL = "postgresql"
HTTP_PROTOCOL = "http/1.1"
_KEY_OF_OWNER = stat.S_IRWXG | stat.S_IRWXO
_KEY_OF_ROOT = stat.S_IWGRP | stat.S_IXGRP | stat.S_IRWXO
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_WEAK = (hashes.MD5, hashes.SHA1)


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The server's certificate and key. `client_ca` holds the authorities of the certificates that clients may show;
    None asks for no certificates."""

    cert: Path
    key: Path
    client_ca: Path | None = None


@dataclass(frozen=True, slots=True)
class TlsIdentity:
    """Contexts for handshakes. `end_point`: the binding of the channel (RFC 5929, tls-server-end-point); None for a
    certificate whose signature has no hash of its own, such as Ed25519's."""

    for_clients: ssl.SSLContext
    for_http: ssl.SSLContext
    end_point: bytes | None


class ReloadableTls:
    """TLS material that can be read again. `identity` is used by the next handshake."""

    def __init__(self, files: TlsFiles) -> None:
        """Unusable."""
        self._files = files
        self.identity = read_identity(files)

    def reload(self) -> None:
        """Reads the files again."""
        self.identity = read_identity(self._files)


def read_identity(files: TlsFiles) -> TlsIdentity:
    """Reads an identity."""
    for path in (files.cert, files.key, files.client_ca):
        if path is not None:
            _require_file(path)
    _require_private(files.key)
    before = _bytes_of(files.cert)
    identity = TlsIdentity(
        server_context(files, CLIENT_PROTOCOL),
        # Who writes to a webhook source is checked by that source.
        server_context(TlsFiles(files.cert, files.key), HTTP_PROTOCOL),
        _end_point(files.cert, before),
    )
    if _bytes_of(files.cert) != before:
        raise Unusable(f"{files.cert} was changed while it was read")
    return identity


def server_context(files: TlsFiles, *protocols: str) -> ssl.SSLContext:
    """Returns a context for the server's side, which checks a client's certificate if the client has one. May raise
    Unusable."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # Renegotiation is work that a client can ask for again and again. Nobody keeps sessions to resume.
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_TICKET | ssl.OP_CIPHER_SERVER_PREFERENCE
    context.num_tickets = 0
    if protocols:
        context.set_alpn_protocols(list(protocols))
    try:
        context.load_cert_chain(files.cert, files.key, _no_passphrase)
    except (OSError, ValueError) as error:
        raise Unusable(f"cannot use {files.cert} with the key {files.key}: {_reason(error)}") from None
    if files.client_ca is not None:
        try:
            context.load_verify_locations(files.client_ca)
        except (OSError, ValueError) as error:
            raise Unusable(f"cannot use the authorities in {files.client_ca}: {_reason(error)}") from None
        context.verify_mode = ssl.CERT_OPTIONAL
    return context


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """The facts of a certificate; None for a part that can't be read, though OpenSSL has accepted the certificate."""

    subject: x509.Name | None = None
    issuer: x509.Name | None = None
    serial: int | None = None


def facts_of(certificate: bytes) -> CertificateFacts:
    """Returns the facts of a certificate in DER."""
    try:
        read = x509.load_der_x509_certificate(certificate)
        serial = read.serial_number
    except (ValueError, x509.InvalidVersion):
        return CertificateFacts()
    return CertificateFacts(_name_of(lambda: read.subject), _name_of(lambda: read.issuer), serial)


def _name_of(read: Callable[[], x509.Name]) -> x509.Name | None:
    # Old authorities write names in character sets that the library does not decode.
    try:
        return read()
    except ValueError:
        return None


def common_name(certificate: bytes) -> str | None:
    """Returns the common name (CN) of a certificate's owner; None when there is none that can be read, or more than
    one."""
    subject = facts_of(certificate).subject
    names = () if subject is None else subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    return str(names[0].value) if len(names) == 1 else None


def line_of(name: x509.Name) -> str:
    """Returns a name as OpenSSL writes it on a line: /C=DE/CN=someone, control characters by their numbers."""
    line = "".join(f"/{part.rfc4514_attribute_name}={part.value!s}" for part in name)
    return _CONTROL.sub(lambda found: f"\\{ord(found[0]):02X}", line)


def _require_file(path: Path) -> None:
    """Raises Unusable for a pipe, of which a reader would wait for ever, and for what else is no file."""
    if path.exists() and not path.is_file():
        raise Unusable(f"cannot use {path}: it is no file")


def _require_private(key: Path) -> None:
    """Raises Unusable when others than the owner may read the key; a key of root's may be readable by a group."""
    try:
        status = key.stat()
    except OSError as error:
        raise Unusable(f"cannot read the key {key}: {_reason(error)}") from None
    if status.st_mode & (_KEY_OF_ROOT if status.st_uid == 0 else _KEY_OF_OWNER):
        raise Unusable(f"others may read the key {key}: its permissions are to be 0600 (0640 when it is root's)")


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unusable(f"cannot use {path}: {_reason(error)}") from None


def _end_point(cert: Path, data: bytes) -> bytes | None:
    try:
        first = x509.load_pem_x509_certificates(data)[0]
        used = first.signature_hash_algorithm
    except ValueError as error:
        raise Unusable(f"cannot read {cert}: {_reason(error)}") from None
    if used is None:
        return None
    return first.fingerprint(hashes.SHA256() if isinstance(used, _WEAK) else used)


def _no_passphrase() -> str:
    """Refuses to ask for a passphrase: called where a key is encrypted, else OpenSSL would ask on the terminal."""
    raise ValueError("the key is encrypted, and there is nobody to ask for its passphrase")


def _reason(error: OSError | ValueError) -> str:
    match error:
        case ssl.SSLError(reason=str() as reason):
            return reason.lower().replace("_", " ")
        case OSError(errno=int() as number) if not isinstance(error, ssl.SSLError):
            return os.strerror(number)
        case _:
            return str(error)
