"""Rules as pg_hba_file_rules shows them."""

from __future__ import annotations

from pathlib import Path

from catalog.declared.snapshot import RuleStatus
from server.admission.rule_file import ParsedRules
from server.admission.rules import Nearby, Rule


def rule_rows(parsed: ParsedRules, path: Path | None) -> tuple[RuleStatus, ...]:
    """Returns a row for each rule and each line that is none, by lines; `path` is None for rules of no file."""
    file = None if path is None else str(path)
    wrong = [RuleStatus(None, file, each.line, error=each.error) for each in parsed.wrong]
    right = [_row(rule, number, file) for number, rule in enumerate(parsed.rules, 1)]
    return tuple(sorted((*right, *wrong), key=lambda row: row.line))


def _row(rule: Rule, number: int, file: str | None) -> RuleStatus:
    address = netmask = None
    if isinstance(rule.address, Nearby):
        address = rule.address.value
    elif rule.address is not None:
        address, netmask = str(rule.address.ip), str(rule.address.netmask)
    return RuleStatus(
        number,
        file,
        rule.line,
        rule.place.value,
        tuple(word.text for word in rule.databases),
        tuple(word.text for word in rule.users),
        address,
        netmask,
        rule.method.value,
        tuple(f"{name}={value}" for name, value in rule.options.items()) or None,
    )
