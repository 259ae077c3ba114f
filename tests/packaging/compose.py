"""docker-compose.yml without Docker: its services' commands and environment, to run as processes of this machine."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

_DEFAULTED = re.compile(r"\$\{\w+:-([^}]*)\}")
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Service:
    """`places` of `run` replace what only exists between containers: host names, folders of an image."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    profiles: tuple[str, ...]
    volumes: tuple[str, ...]

    def line(self, places: Mapping[str, str]) -> list[str]:
        """The command line, started with this Python where the image starts its own."""
        words = [_placed(word, places) for word in self.command]
        match words:
            case ["headwater", *rest]:
                return [sys.executable, "-m", "server.cli", *rest]
            case ["python", *rest]:
                return [sys.executable, *rest]
            case _:
                return words

    def variables(self, places: Mapping[str, str]) -> dict[str, str]:
        """The environment's variables."""
        return {name: _placed(value, places) for name, value in self.environment.items()}


def _placed(text: str, places: Mapping[str, str]) -> str:
    text = _DEFAULTED.sub(lambda match: match[1], text)
    for old, new in places.items():
        text = text.replace(old, new)
    return text


def services() -> dict[str, Service]:
    """All services of the compose file, by name."""
    document = yaml.safe_load((_ROOT / "docker-compose.yml").read_text())
    return {
        name: Service(
            name,
            tuple(service.get("command", ())),
            {key: str(value) for key, value in service.get("environment", {}).items()},
            tuple(service.get("profiles", ())),
            tuple(service.get("volumes", ())),
        )
        for name, service in document["services"].items()
    }
