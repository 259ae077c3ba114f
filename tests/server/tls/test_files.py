"""Files of TLS that can't be used are named, and change nothing while the server runs."""

from __future__ import annotations

import asyncio
import os
import ssl
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from model.time.clock import SystemClock
from server.reloading import Reloading, Unusable
from server.tls.files import ReloadableTls, TlsFiles, common_name, facts_of, line_of, read_identity, server_context
from server.tls.self_signed import make_certificate
from tests.server.tls.authority import Authority, self_signed_ed25519


def _encrypt_key(files: TlsFiles) -> None:
    key = serialization.load_pem_private_key(files.key.read_bytes(), None)
    secret = serialization.BestAvailableEncryption(b"a passphrase")
    files.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, secret))


def _other_key(files: TlsFiles) -> None:
    files.key.write_bytes(Authority(files.key.parent, "other").server("of-another")[1].read_bytes())


def _directory(files: TlsFiles) -> None:
    files.cert.unlink()
    files.cert.mkdir()


def _pipe(files: TlsFiles) -> None:
    files.cert.unlink()
    os.mkfifo(files.cert)


def _no_authority(files: TlsFiles) -> None:
    assert files.client_ca is not None
    files.client_ca.unlink()


_SPOILED: dict[str, tuple[Callable[[TlsFiles], object], str]] = {
    "no certificate": (lambda files: files.cert.unlink(), "No such file"),
    "no key": (lambda files: files.key.unlink(), "No such file"),
    "empty certificate": (lambda files: files.cert.write_bytes(b""), "cannot use"),
    "half a certificate": (lambda files: files.cert.write_bytes(files.cert.read_bytes()[:200]), "cannot use"),
    "a key of another": (_other_key, "key values mismatch"),
    "an encrypted key": (_encrypt_key, "passphrase"),
    "a key for all to read": (lambda files: files.key.chmod(0o644), "0600"),
    "a directory": (_directory, "cannot use"),
    "a pipe for a certificate": (_pipe, "no file"),
    "no authority": (_no_authority, "authorities"),
    "noise for an authority": (lambda files: files.client_ca and files.client_ca.write_text("noise"), "authorities"),
}


@pytest.mark.parametrize("spoiled", _SPOILED)
def test_files_that_cannot_be_used_are_named_and_change_nothing(tmp_path: Path, spoiled: str) -> None:
    authority = Authority(tmp_path)
    files = TlsFiles(*authority.server(), authority.file)
    tls = ReloadableTls(files)
    before = tls.identity
    spoil, told = _SPOILED[spoiled]
    spoil(files)
    with pytest.raises(Unusable, match=told):
        tls.reload()
    assert tls.identity is before
    with pytest.raises(Unusable, match=told):
        ReloadableTls(files)


def test_the_channel_is_bound_with_the_hash_that_signed_the_certificate(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    for signed_with in (hashes.SHA256(), hashes.SHA384(), hashes.SHA512()):
        files = TlsFiles(*authority.issue("server", for_servers=True, signed_with=signed_with))
        certificate = x509.load_pem_x509_certificate(files.cert.read_bytes())
        assert read_identity(files).end_point == certificate.fingerprint(signed_with)
    assert read_identity(TlsFiles(*self_signed_ed25519(tmp_path))).end_point is None


@pytest.mark.parametrize(
    ("names", "found"), [(("someone",), "someone"), ((), None), (("one", "two"), None), (("é, x=y",), "é, x=y")]
)
def test_a_certificate_names_one_owner_or_nobody(tmp_path: Path, names: tuple[str, ...], found: str | None) -> None:
    cert, _ = Authority(tmp_path).issue("client", names=names)
    assert common_name(ssl.PEM_cert_to_DER_cert(cert.read_text())) == found


def test_what_a_certificate_does_not_say_readably_is_left_out(tmp_path: Path) -> None:
    cert, _ = Authority(tmp_path).issue("client", names=("abcdefgh",))
    made = ssl.PEM_cert_to_DER_cert(cert.read_text())
    assert facts_of(made).subject is not None
    # In T.61, as old authorities write names; not in UTF-8; of a version that there is not.
    for spoiled in (
        made.replace(b"\x0c\x08abcdefgh", b"\x14\x08ab\xe9defgh"),
        made.replace(b"abcdefgh", b"abcdefg\xff"),
        made.replace(b"\xa0\x03\x02\x01\x02", b"\xa0\x03\x02\x01\x07"),
    ):
        assert spoiled != made and facts_of(spoiled).subject is None and common_name(spoiled) is None
    subject = facts_of(made.replace(b"abcdefgh", b"ab\x00\ndefg")).subject
    assert subject is not None and line_of(subject) == "/CN=ab\\00\\0Adefg"


def test_a_certificate_that_is_changed_while_it_is_read_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its channel would be bound by another's hash, and nobody could come in by it."""
    authority = Authority(tmp_path)
    files = TlsFiles(*authority.server())
    tls = ReloadableTls(files)

    def change(given: TlsFiles, *protocols: str) -> ssl.SSLContext:
        made = server_context(given, *protocols)
        authority.server()
        return made

    monkeypatch.setattr("server.tls.files.server_context", change)
    with pytest.raises(Unusable, match="changed while it was read"):
        tls.reload()


async def test_a_defect_in_one_part_keeps_no_other_from_being_read() -> None:
    class Defective:
        def reload(self) -> None:
            raise ZeroDivisionError

    class Sound:
        read = 0

        def reload(self) -> None:
            self.read += 1

    sound = Sound()
    reloading = Reloading({"defective": Defective(), "sound": sound})
    reloading.ask()
    await reloading.done()
    assert sound.read == 1


def test_a_certificate_is_made_for_names_and_addresses(tmp_path: Path) -> None:
    files = TlsFiles(tmp_path / "made.crt", tmp_path / "made.key")
    clock = SystemClock()
    make_certificate(files.cert, files.key, ["localhost", "127.0.0.1", "::1", "db.example.com"], clock)
    assert files.key.stat().st_mode & 0o777 == 0o600
    assert read_identity(files).end_point is not None
    trusting = ssl.create_default_context(cafile=files.cert)
    assert trusting.cert_store_stats()["x509_ca"] == 1
    made = files.key.read_bytes()
    with pytest.raises(FileExistsError):
        make_certificate(files.cert, files.key, ["localhost"], clock)
    assert files.key.read_bytes() == made
    # Nor does a key stay whose certificate could not be written.
    with pytest.raises(FileExistsError):
        make_certificate(files.cert, tmp_path / "other.key", ["localhost"], clock)
    assert sorted(os.listdir(tmp_path)) == ["made.crt", "made.key"]


async def test_files_are_read_once_more_when_they_are_asked_for_meanwhile() -> None:
    class Slow:
        def __init__(self) -> None:
            self.begun, self.go_on, self.read = threading.Event(), threading.Event(), 0

        def reload(self) -> None:
            self.read += 1
            self.begun.set()
            assert self.go_on.wait(20)

    slow = Slow()
    reloading = Reloading({"it": slow})
    reloading.ask()
    assert await asyncio.to_thread(slow.begun.wait, 20)
    for _ in range(1000):
        reloading.ask()
    slow.go_on.set()
    await reloading.done()
    assert slow.read == 2
    reloading.ask()
    await reloading.done()
    assert slow.read == 3
