"""Reads the variables that a client sets when it connects: start-up parameters, and `options=-c name=value`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from model.text.networks import parse_inet
from model.types.datum import Inet

_NOT_VARIABLES = ("options", "replication")
_SPLIT = re.compile(r"(?:\\.|\S)+")


def startup_settings(options: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields (name, value) in the order in which they apply; `--name=value` and `-cname=value` are accepted too."""
    words = [re.sub(r"\\(.)", r"\1", word) for word in _SPLIT.findall(options.get("options", ""))]
    while words:
        word = words.pop(0)
        if word == "-c" and words:
            word = words.pop(0)
        elif word.startswith("-c"):
            word = word[2:]
        elif word.startswith("--"):
            word = word[2:].replace("-", "_")
        else:
            continue
        name, _, value = word.partition("=")
        yield name, value
    for name, value in options.items():
        if name not in _NOT_VARIABLES and not name.startswith("_pq_."):
            yield name, value


def client_inet(address: str) -> Inet | None:
    """Returns a client's address; None for a client without one, and for an address with a zone, which inet can't
    hold."""
    return None if not address or "%" in address else parse_inet(address)
