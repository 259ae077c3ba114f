"""Hides secrets of the command line, which every user of the machine can read: the process starts itself again with the
secrets in its environment, readable by its own user alone.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence

_VARIABLES = {"--password": "HEADWATER_PASSWORD", "--consensus": "HEADWATER_CONSENSUS"}
_WITH_PASSWORD = re.compile(r"\w+://[^/@]*:[^/@]*@")


def without_secrets(arguments: Sequence[str]) -> tuple[list[str], Mapping[str, str]]:
    """Returns the arguments without secrets, and environment variables in their place. A consensus URL counts as a
    secret when it has a password.

    >>> without_secrets(["serve", "--password", "x", "--listen=:1"])
    (['serve', '--listen=:1'], {'HEADWATER_PASSWORD': 'x'})
    """
    seen: list[str] = []
    hidden: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        name, equals, value = argument.partition("=")
        if name in _VARIABLES and not equals and rest:
            value = rest[0]
        if name in _VARIABLES and value and (name == "--password" or _WITH_PASSWORD.match(value)):
            hidden[_VARIABLES[name]] = value
            del rest[: 0 if equals else 1]
        else:
            seen.append(argument)
    return seen, hidden


def hide_secrets() -> None:
    """Starts the process again without secrets on its command line, and so does not return; returns when there are
    none."""
    arguments = sys.argv[1:]
    seen, hidden = without_secrets(arguments)
    if hidden:
        program = sys.orig_argv[: len(sys.orig_argv) - len(arguments)]
        os.execve(sys.executable, [*program, *seen], {**os.environ, **hidden})
