"""The file of rules, read again while clients come."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import psutil

from catalog.declared.snapshot import RuleStatus
from server.admission.rule_file import read_rules
from server.admission.rule_rows import rule_rows
from server.admission.rules import Address, Here, Nearby, Network, Rule, plain_address
from server.reloading import Unusable


class RuleFile:
    """A file of rules for logins, like pg_hba.conf. `rules` are in force; `rows` are what the file held when it was
    read the last time, wrong lines and all."""

    def __init__(self, path: Path) -> None:
        """Unusable."""
        self.path = path
        self.rows: tuple[RuleStatus, ...] = ()
        self.here = Here()
        self.rules = self._read()

    def reload(self) -> None:
        """Reads the rules again."""
        self.rules = self._read()

    def _read(self) -> tuple[Rule, ...]:
        parsed = read_rules(self.path)
        self.rows = rule_rows(parsed, self.path)
        if parsed.wrong:
            first = parsed.wrong[0]
            raise Unusable(f"{self.path}, line {first.line}: {first.error}")
        if not parsed.rules:
            raise Unusable(f"{self.path} has no rules: nobody could come in")
        if any(isinstance(rule.address, Nearby) for rule in parsed.rules):
            self.here = here_now()
        return parsed.rules


def here_now() -> Here:
    """Returns the addresses that the machine has at this moment."""
    addresses: set[Address] = set()
    networks: list[Network] = []
    for told in psutil.net_if_addrs().values():
        for each in told:
            address = plain_address(each.address)
            if address is None:
                continue
            addresses.add(address)
            if each.netmask:
                networks.append(ipaddress.ip_network(f"{address}/{_bits(each.netmask)}", strict=False))
    return Here(frozenset(addresses), tuple(networks))


def _bits(netmask: str) -> int:
    return int(ipaddress.ip_address(netmask)).bit_count()
