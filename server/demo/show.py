"""Headings, questions, progress and results for a person's eyes."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg
from rich import box
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from model.time.clock import SystemClock

Connection = psycopg.Connection[tuple[object, ...]]
console = Console(highlight=False)
clock = SystemClock()


def scene(title: str) -> None:
    console.print(f"\n[bold cyan]{title}[/]")


def say(text: str) -> None:
    console.print(f"  {text}")


def rows(title: str, names: Sequence[str], values: Sequence[Sequence[object]], seconds: float) -> None:
    """Shows a result as a table, numbers to the right."""
    table = Table(
        title=title, title_justify="left", box=box.SIMPLE_HEAD, caption=f"{seconds:.2f} s", caption_justify="right"
    )
    for index, name in enumerate(names):
        numeric = values and not isinstance(values[0][index], str)
        table.add_column(name, justify="right" if numeric else "left")
    for row in values:
        table.add_row(*(_text(value) for value in row))
    console.print(table)


def _text(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value)


def loading() -> Progress:
    """Shows a bar for each file that is loaded."""
    return Progress(
        TextColumn("  {task.description:<10}"),
        BarColumn(),
        DownloadColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[rows]}"),
        console=console,
    )


def ask(connection: Connection, title: str, question: str) -> list[tuple[object, ...]]:
    """Asks, and shows the answer."""
    began = clock.now_ms()
    cursor = connection.execute(question.encode())
    values = cursor.fetchall()
    rows(title, [column.name for column in cursor.description or ()], values, since(began))
    return values


def since(began_ms: int) -> float:
    """Returns the seconds since a moment, never 0."""
    return max(clock.now_ms() - began_ms, 1) / 1000
