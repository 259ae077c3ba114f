"""The list of PostgreSQL's commands is the one that its own psql prints."""

from __future__ import annotations

import re
import subprocess

from tests.judge import Judge
from tools.statement_forms import postgresql_forms


def test_every_command_of_postgresql_has_a_form(judge: Judge) -> None:
    printed = subprocess.run(
        [judge.binaries / "psql", judge.dsn(), "-X", "-c", r"\h"], capture_output=True, text=True, check=True
    ).stdout
    # Columns of one width: the longest name fills its own but for a space.
    lines = [line[2:] for line in printed.splitlines()[1:]]
    first = re.match(r"ABORT +", lines[0])
    assert first is not None
    width = first.end()
    commands = {line[at : at + width].strip() for line in lines for at in range(0, len(line), width)} - {""}
    assert len(commands) > 180
    assert commands == {form.command for form in postgresql_forms()}
