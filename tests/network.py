"""A network beside the machine's own: what runs in it reaches this machine by an address that is not the loopback."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tests.missing import lacks

_PLACES = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))


@dataclass(frozen=True, slots=True)
class Network:
    """`here` is this machine's address for processes within, `there` is theirs for it."""

    name: str
    here: str
    there: str
    program: str

    def run(
        self, command: Sequence[str], environment: Mapping[str, str], timeout_s: float = 120.0
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command within, with `environment` over this process's own, and waits for its end."""
        line = [self.program, "netns", "exec", self.name, *command]
        variables = {**os.environ, **environment}
        return subprocess.run(line, env=variables, capture_output=True, text=True, timeout=timeout_s, check=False)


@contextmanager
def run_network() -> Iterator[Network]:
    """Makes a namespace and a pair of interfaces that joins it to this machine; both are gone at the end.

    That takes root and `ip`. Without them a test is skipped, but in CI it fails.
    """
    program = shutil.which("ip", path=_PLACES)
    if program is None or os.geteuid() != 0:
        lacks("a network of its own takes root, and ip (Debian: apt-get install iproute2)")
    # Processes of tests that run beside each other have networks of four addresses each, of those for benchmarks.
    number = os.getpid() % (1 << 15)
    begin = f"198.{18 + (number >> 14)}.{number >> 6 & 255}"
    network = Network(
        f"headwater-{number}", f"{begin}.{4 * (number & 63) + 1}", f"{begin}.{4 * (number & 63) + 2}", program
    )
    outside, within = f"hw{number}a", f"hw{number}b"
    _ip(program, "netns", "add", network.name)
    try:
        _ip(program, "link", "add", outside, "type", "veth", "peer", "name", within, "netns", network.name)
        _ip(program, "address", "add", f"{network.here}/30", "dev", outside)
        _ip(program, "link", "set", outside, "up")
        _ip(program, "-n", network.name, "address", "add", f"{network.there}/30", "dev", within)
        for each in (within, "lo"):
            _ip(program, "-n", network.name, "link", "set", each, "up")
        yield network
    finally:
        _ip(program, "netns", "delete", network.name)


def _ip(program: str, *words: str) -> None:
    result = subprocess.run([program, *words], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, f"ip {' '.join(words)}: {result.stderr}"
