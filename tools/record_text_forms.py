"""Records what PostgreSQL 16 makes of the texts in tests/model/text/text_inputs.json, of mutations of them, and of
random texts of dates, times and intervals.

Run it from the repository root: `.venv/bin/python -m tools.record_text_forms`. It writes text_forms.jsonl beside the
inputs: each line holds a type, whether the value was assigned to a column or cast, the settings, the text, and either
the output or the fields of the error.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg

from tests.judge import run_judge
from tools.random_times import random_time

_INPUTS = Path("tests/model/text/text_inputs.json")
_TARGET = Path("tests/model/text/text_forms.jsonl")
_SEED = 20_240_101
_MUTATIONS_EACH = 2
_RANDOM_TIMES = {"date": 180, "time": 120, "timetz": 120, "timestamp": 180, "timestamptz": 180, "interval": 360}
_STYLES: tuple[Mapping[str, str], ...] = (
    {},
    {"DateStyle": "ISO, DMY"},
    {"DateStyle": "ISO, YMD", "IntervalStyle": "sql_standard"},
)
_OTHER_DIGITS = "٣²"
"""Characters that Python takes for digits, and PostgreSQL does not."""
_ALPHABET = "0123456789-+:./ ,eETZxab'{}\"\\_[]"


def mutated(text: str, random_: random.Random) -> str:
    """One character changed, dropped, doubled or put in."""
    if not text:
        return random_.choice(_ALPHABET)
    place = random_.randrange(len(text))
    match random_.randrange(4):
        case 0:
            return text[:place] + random_.choice(_ALPHABET) + text[place + 1 :]
        case 1:
            return text[:place] + text[place + 1 :]
        case 2:
            return text[:place] + text[place] + text[place:]
        case _:
            return text[:place] + random_.choice(_ALPHABET) + text[place:]


def with_another_digit(text: str, random_: random.Random) -> str | None:
    """One digit changed into a digit of another script; None of a text without digits."""
    places = [place for place, character in enumerate(text) if character in "0123456789"]
    if not places:
        return None
    place = random_.choice(places)
    return text[:place] + random_.choice(_OTHER_DIGITS) + text[place + 1 :]


def cases() -> Iterator[tuple[str, bool, Mapping[str, str], str]]:
    """(type, assigned, settings, text)."""
    random_, of_digits = random.Random(_SEED), random.Random(_SEED)
    inputs = json.loads(_INPUTS.read_text())
    for type_, texts in inputs["cast"].items():
        for text in texts:
            yield type_, False, {}, text
            for _ in range(_MUTATIONS_EACH):
                yield type_, False, {}, mutated(text, random_)
            if (other := with_another_digit(text, of_digits)) is not None:
                yield type_, False, {}, other
    for type_, texts in inputs["assigned"].items():
        for text in texts:
            yield type_, True, {}, text
            yield type_, False, {}, text
    for group in inputs["under_settings"]:
        groups = {type_: inputs["cast"][type_] for type_ in group["types"]} | group.get("texts", {})
        for type_, texts in groups.items():
            for text in texts:
                yield type_, False, group["settings"], text
    for settings in _STYLES:
        for type_, count in _RANDOM_TIMES.items():
            for _ in range(count // len(_STYLES)):
                yield type_, False, settings, random_time(type_, random_)


def record(connection: psycopg.Connection[tuple[object, ...]], type_: str, assigned: bool, text: str) -> dict[str, str]:
    """The output, or the fields of the error."""
    literal = "E'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    try:
        if assigned:
            connection.execute(f"CREATE TEMP TABLE assigned (v {type_})")
            try:
                cursor = connection.execute(f"INSERT INTO assigned VALUES ({literal}) RETURNING v")
            finally:
                connection.execute("DROP TABLE assigned")
        else:
            cursor = connection.execute(f"SELECT {literal}::{type_}")
    except psycopg.Error as error:
        fields = {
            "sqlstate": error.sqlstate,
            "message": error.diag.message_primary,
            "detail": error.diag.message_detail,
            "hint": error.diag.message_hint,
            "context": error.diag.context,
        }
        return {key: value for key, value in fields.items() if value is not None}
    assert cursor.pgresult is not None
    value = cursor.pgresult.get_value(0, 0)
    assert value is not None
    return {"output": value.decode()}


def main() -> None:
    lines: dict[str, None] = {}
    with run_judge() as judge, judge.connect() as connection:
        present: Mapping[str, str] = {}
        for type_, assigned, settings, text in cases():
            if settings != present:
                connection.execute("RESET ALL")
                connection.execute("SET TimeZone = 'UTC'")
                for name, value in settings.items():
                    connection.execute(f"SET {name} = '{value}'")
                present = settings
            result = record(connection, type_, assigned, text)
            case = {"type": type_, "assigned": assigned, "settings": dict(settings), "text": text}
            lines[json.dumps(case | result, ensure_ascii=False)] = None
    _TARGET.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
