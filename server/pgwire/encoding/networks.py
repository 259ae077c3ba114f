"""inet and cidr in binary format: family, prefix, whether it is a cidr, the address's length, the address; macaddr and
macaddr8: their bytes."""

from __future__ import annotations

from collections.abc import Callable

from model.text.addresses.mac_addresses import widened
from model.types.datum import ADDRESS_BITS, Inet, network_of
from server.pgwire.encoding.failures import bad_binary, check_width, short_data

_FAMILIES = {4: 2, 6: 3}
_VERSIONS = {family: version for version, family in _FAMILIES.items()}
_HEAD = 4


def network_sender(*, cidr: bool) -> Callable[[Inet], bytes]:
    def send(value: Inet) -> bytes:
        length = ADDRESS_BITS[value.version] // 8
        head = bytes((_FAMILIES[value.version], value.prefix, cidr, length))
        return head + value.address.to_bytes(length, "big")

    return send


def network_receiver(*, cidr: bool) -> Callable[[bytes], Inet]:
    """Returns the receiver of inet or cidr, which raises 22P03 for wrong bytes, and for a cidr with bits beyond its
    prefix."""
    name = "cidr" if cidr else "inet"

    def receive(data: bytes) -> Inet:
        if len(data) < _HEAD:
            raise short_data()
        version = _VERSIONS.get(data[0])
        if version is None:
            raise bad_binary(f'invalid address family in external "{name}" value')
        if data[1] > ADDRESS_BITS[version]:
            raise bad_binary(f'invalid bits in external "{name}" value')
        if data[3] != ADDRESS_BITS[version] // 8:
            raise bad_binary(f'invalid length in external "{name}" value')
        if len(data) < _HEAD + data[3]:
            raise short_data()
        if len(data) > _HEAD + data[3]:
            raise bad_binary("incorrect binary data format")
        value = network_of(version, int.from_bytes(data[_HEAD:], "big"), data[1])
        if cidr and value.address != value.network:
            raise bad_binary('invalid external "cidr" value', detail="Value has bits set to right of mask.")
        return value

    return receive


def receive_macaddr(data: bytes) -> bytes:
    check_width(data, 6)
    return data


def receive_macaddr8(data: bytes) -> bytes:
    """Decodes a macaddr8; six bytes are read as a macaddr."""
    if len(data) == 6:
        return widened(data)
    check_width(data, 8)
    return data
