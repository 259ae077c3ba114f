"""What was measured: a table to read now, JSON to compare later."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

RESULTS = Path("benchmarks/results")


@dataclass(frozen=True, slots=True)
class Measure:
    """`value` None: not measured, `note` says why. `target` None: for comparison only. `at_least`: more is better."""

    name: str
    value: float | None
    unit: str
    target: float | None = None
    at_least: bool = True
    note: str = ""

    @property
    def reached(self) -> bool | None:
        if self.target is None or self.value is None:
            return None
        return self.value >= self.target if self.at_least else self.value <= self.target


def show(measures: Sequence[Measure]) -> None:
    table = Table(title="Headwater, measured", title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("measure", "value", "target", ""):
        table.add_column(name, justify="right" if name in ("value", "target") else "left")
    for measure in measures:
        value, target = formatted(measure)
        word = {None: "", True: "[green]reached[/]", False: "[red]missed[/]"}[measure.reached]
        table.add_row(measure.name, value, target, f"{word} {escape(measure.note)}".strip())
    Console().print(table)


def formatted(measure: Measure) -> tuple[str, str]:
    """Its value and its target, in words."""
    value = "-" if measure.value is None else f"{_number(measure.value)} {measure.unit}".strip()
    if measure.target is None:
        return value, ""
    sign = ">=" if measure.at_least else "<="
    return value, f"{sign} {_number(measure.target)} {measure.unit}".strip()


def save(measures: Sequence[Measure]) -> Path:
    """Writes JSON named by the time; gives its path."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC)
    path = RESULTS / f"{now:%Y%m%dT%H%M%SZ}.json"
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "load": os.getloadavg()}
    document = {"at": now.isoformat(), "machine": machine, "measures": [asdict(measure) for measure in measures]}
    path.write_text(json.dumps(document, indent=2) + "\n")
    return path


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"
