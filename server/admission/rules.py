"""Rules of who comes in, as pg_hba.conf has them, and which one is an attempt's: the first that fits it.

>>> from dataclasses import replace
>>> from server.admission.rule_file import parse_rules
>>> rules = parse_rules("hostssl all +staff 10.0.0.0/8 scram-sha-256\\nlocal all all peer").rules
>>> attempt = Attempt("ada", "headwater", ipaddress.ip_address("10.1.2.3"), True, frozenset({"ada", "staff"}))
>>> matching(rules, attempt, Here()).method.value
'scram-sha-256'
>>> matching(rules, replace(attempt, encrypted=False), Here()) is None
True
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Range = ipaddress.IPv4Interface | ipaddress.IPv6Interface
"""An address and how many bits of it count."""


class ConnectionKind(StrEnum):
    """Kinds of connections: over a Unix socket, or TCP with or without encryption."""

    LOCAL = "local"
    HOST = "host"
    HOST_SSL = "hostssl"
    HOST_NO_SSL = "hostnossl"
    HOST_GSS = "hostgssenc"
    HOST_NO_GSS = "hostnogssenc"


class ProofMethod(StrEnum):
    """Ways to prove a name. OWNER is our own: the Unix user of the server's own process comes in as any role that
    has no password, and others prove one."""

    TRUST = "trust"
    REJECT = "reject"
    SCRAM = "scram-sha-256"
    MD5 = "md5"
    CERT = "cert"
    PEER = "peer"
    IDENT = "ident"
    OWNER = "owner"


class Nearby(Enum):
    """Addresses that are not written down but looked up."""

    ALL = "all"
    SAME_HOST = "samehost"
    SAME_NETWORK = "samenet"


@dataclass(frozen=True, slots=True)
class Word:
    """A name, or, when it was not quoted, perhaps a keyword."""

    text: str
    quoted: bool = False

    def is_keyword(self, keyword: str) -> bool:
        return not self.quoted and self.text == keyword


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of pg_hba.conf. `line` is where the rule begins in its file. `address` is None for a rule of Unix
    sockets."""

    line: int
    place: ConnectionKind
    databases: tuple[Word, ...]
    users: tuple[Word, ...]
    address: Range | Nearby | None
    method: ProofMethod
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A client's attempt to log in. `address` is None over a Unix socket; `roles` are the names of the user's roles:
    the user and all roles that have the user as a member.
    """

    user: str
    database: str
    address: Address | None
    encrypted: bool
    roles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Here:
    """The machine's own addresses, and the networks that these are of."""

    addresses: frozenset[Address] = frozenset()
    networks: tuple[Network, ...] = ()


def matching(rules: Iterable[Rule], attempt: Attempt, here: Here) -> Rule | None:
    """Returns the first rule that fits; None when there is none."""
    for rule in rules:
        if (
            _place_fits(rule.place, attempt)
            and _address_fits(rule.address, attempt.address, here)
            and any(_database_fits(word, attempt) for word in rule.databases)
            and any(_user_fits(word, attempt) for word in rule.users)
        ):
            return rule
    return None


def plain_address(text: str) -> Address | None:
    """Returns an address without its zone, and an IPv6-mapped IPv4 address as IPv4; None if the text is no address,
    like the name of a Unix socket.
    """
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def network_of(address: Address | None) -> str:
    """Returns the name under which a client's failures and connections are counted. A client may have all addresses of
    its IPv6 network, so all have one name. Empty for a Unix socket.
    """
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return "" if address is None else str(address)


def _place_fits(place: ConnectionKind, attempt: Attempt) -> bool:
    match place:
        case ConnectionKind.LOCAL:
            return attempt.address is None
        case ConnectionKind.HOST_SSL:
            return attempt.address is not None and attempt.encrypted
        case ConnectionKind.HOST_NO_SSL:
            return attempt.address is not None and not attempt.encrypted
        case ConnectionKind.HOST_GSS:
            return False
        case ConnectionKind.HOST | ConnectionKind.HOST_NO_GSS:
            return attempt.address is not None


def _address_fits(wanted: Range | Nearby | None, address: Address | None, here: Here) -> bool:
    if address is None or wanted is None:
        return address is None and wanted is None
    match wanted:
        case Nearby.ALL:
            return True
        case Nearby.SAME_HOST:
            return address.is_loopback or address in here.addresses
        case Nearby.SAME_NETWORK:
            return address.is_loopback or _within(address, here.networks)
        case ipaddress.IPv4Interface() | ipaddress.IPv6Interface():
            return _within(address, (wanted.network,))


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def _database_fits(word: Word, attempt: Attempt) -> bool:
    if word.is_keyword("all"):
        return True
    if word.is_keyword("sameuser"):
        return attempt.database == attempt.user
    if word.is_keyword("samerole") or word.is_keyword("samegroup"):
        return attempt.database in attempt.roles
    # Nobody comes for replication.
    return not word.is_keyword("replication") and word.text == attempt.database


def _user_fits(word: Word, attempt: Attempt) -> bool:
    if word.is_keyword("all"):
        return True
    if not word.quoted and word.text.startswith("+"):
        return word.text[1:] in attempt.roles
    return word.text == attempt.user
