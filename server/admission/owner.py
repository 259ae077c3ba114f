"""Whose process it is that has connected: what the system knows of a Unix socket's other end, and of a TCP port on the
loopback, where the other end is a socket of this machine as well."""

from __future__ import annotations

import ipaddress
import pwd
import socket
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

from server.admission.rules import Address

_TABLES = {4: Path("/proc/self/net/tcp"), 6: Path("/proc/self/net/tcp6")}
_ESTABLISHED = "01"
_CREDENTIALS = struct.Struct("3i")
Ends = tuple[tuple[Address, int], tuple[Address, int]]
"""A connection by address and port: the client's, and the server's."""


def peer_of(connection: socket.socket) -> int | None:
    """Returns the uid of the process at a Unix socket's other end, when it connected."""
    try:
        data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    except OSError:
        return None
    _, uid, _ = _CREDENTIALS.unpack(data)
    return int(uid)


def owner_of(ends: Ends) -> int | None:
    """Returns the uid of the socket that has connected from this machine; None when it is not to be found."""
    (address, _), _ = ends
    for version, mapped in ((address.version, False), (6, True)):
        if mapped and address.version == 6:
            break
        try:
            with _TABLES[version].open() as table:
                found = owner_in(table, ends, mapped=mapped)
        except OSError:
            continue
        if found is not None:
            return found
    return None


def owner_in(table: Iterable[str], ends: Ends, *, mapped: bool = False) -> int | None:
    """Returns the uid of the client's socket in a table of /proc/net; `mapped`: the table writes IPv4 addresses as IPv6
    addresses.

    A socket that has lost its process is listed as root's, though another user may have sent its bytes. A socket counts
    only while established and with an inode.
    """
    wanted = [_written(address, port, mapped=mapped) for address, port in ends]
    for line in table:
        fields = line.split()
        if fields[1:3] == wanted:
            return int(fields[7]) if fields[3] == _ESTABLISHED and fields[9] != "0" else None
    return None


def name_of(uid: int) -> str | None:
    """Returns the name of the Unix user; None when there is no such user."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return None


def _written(address: Address, port: int, *, mapped: bool) -> str:
    """Writes an address and a port in the kernel's form: words of the machine's byte order, in hexadecimal."""
    if mapped and isinstance(address, ipaddress.IPv4Address):
        address = ipaddress.IPv6Address(b"\0" * 10 + b"\xff\xff" + address.packed)
    packed = address.packed
    words = [packed[i : i + 4] for i in range(0, len(packed), 4)]
    if sys.byteorder == "little":
        words = [word[::-1] for word in words]
    return f"{b''.join(words).hex().upper()}:{port:04X}"
