"""Whose socket it is at the other end, as the system knows it; what no process has any longer is nobody's."""

from __future__ import annotations

import ipaddress
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.admission.owner import Ends, name_of, owner_in, owner_of, peer_of
from server.admission.rules import plain_address
from server.pgwire.server import bind_in
from tests.missing import lacks

_NOBODY = 65534


@contextmanager
def _connected(host: str, to: str = "") -> Iterator[tuple[socket.socket, socket.socket]]:
    """The two ends of a connection: the client's, and the server's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        with socket.create_connection((to or host, listener.getsockname()[1])) as client:
            accepted, _ = listener.accept()
            with accepted:
                yield client, accepted


def _ends(accepted: socket.socket) -> Ends:
    there, here = accepted.getpeername(), accepted.getsockname()
    client, server = plain_address(there[0]), plain_address(here[0])
    assert client is not None and server is not None
    return (client, there[1]), (server, here[1])


@pytest.mark.parametrize(("host", "to"), [("127.0.0.1", ""), ("::1", ""), ("127.0.0.1", "::ffff:127.0.0.1")])
def test_a_socket_of_this_process_is_its_users(host: str, to: str) -> None:
    with _connected(host, to) as (client, accepted):
        assert owner_of(_ends(accepted)) == os.geteuid()
        (there, port), here = _ends(accepted)
        assert owner_of(((there, port ^ 1), here)) is None
        # Half closed it is still the process's, and not established any longer.
        client.shutdown(socket.SHUT_WR)
        assert owner_of(_ends(accepted)) is None


def test_a_socket_that_its_process_has_closed_is_not_roots() -> None:
    """The system shows it as root's, though anybody may have sent what waits in it."""
    with _connected("127.0.0.1") as (client, accepted):
        client.sendall(b"what waits")
        client.close()
        assert owner_of(_ends(accepted)) is None


def test_a_socket_of_another_user_is_that_users() -> None:
    if os.geteuid() != 0:
        lacks("only root becomes another user")
    script = f"""
import encodings.idna, os, socket, sys
os.setgid({_NOBODY}); os.setuid({_NOBODY})
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))):
    sys.stdin.read()
"""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        line = [sys.executable, "-c", script, str(listener.getsockname()[1])]
        with subprocess.Popen(line, stdin=subprocess.PIPE) as process:
            accepted, _ = listener.accept()
            with accepted:
                assert owner_of(_ends(accepted)) == _NOBODY
            process.communicate(timeout=60)


@pytest.mark.parametrize(
    ("state", "inode", "owner"), [("01", "77", 1000), ("01", "0", None), ("06", "0", None), ("05", "77", None)]
)
def test_only_an_established_socket_of_a_process_counts(state: str, inode: str, owner: int | None) -> None:
    ends = (ipaddress.ip_address("127.0.0.1"), 0x8235), (ipaddress.ip_address("127.0.0.1"), 0x1ADB)
    head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"
    other = "   0: 0100007F:1ADB 0100007F:8235 01 00000000:00000000 00:00000000 00000000     0        0 78 1"
    line = f"   1: 0100007F:8235 0100007F:1ADB {state} 00000000:00000000 00:00000000 00000000  1000        0 {inode} 1"
    if sys.byteorder == "little":
        assert owner_in([head, other, line], ends) == owner


def test_the_peer_of_a_unix_socket_is_known(tmp_path: Path) -> None:
    listener, path = bind_in(tmp_path, 6875)
    with listener, socket.socket(socket.AF_UNIX) as client:
        assert path == tmp_path / ".s.PGSQL.6875" and path.stat().st_mode & 0o777 == 0o777
        client.connect(str(path))
        accepted, _ = listener.accept()
        with accepted:
            assert peer_of(accepted) == os.geteuid()
        with pytest.raises(OSError, match="Address already in use"):
            bind_in(tmp_path, 6875)
    # What a server has left that was killed is in nobody's way.
    again, _ = bind_in(tmp_path, 6875)
    again.close()
    (tmp_path / ".s.PGSQL.1").write_text("no socket")
    with pytest.raises(OSError):
        bind_in(tmp_path, 1)


def test_users_have_names() -> None:
    assert name_of(0) == "root" and name_of(4_000_000_000) is None
