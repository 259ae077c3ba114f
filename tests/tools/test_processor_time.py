"""Files of tests are begun in the order of what they took when it was last recorded, the dearest first."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.processor_time import expected_seconds, read_record, record_text

_ROOT = Path(__file__).parents[2]


def _item(file: str, *marks: str) -> Any:
    return SimpleNamespace(path=_ROOT / file, nodeid=f"{file}::test_it", get_closest_marker=lambda name: name in marks)


def test_every_file_of_the_record_is_there() -> None:
    gone = [name for name in read_record() if not (_ROOT / name).exists()]
    assert not gone, f"take from tests/processor_time.txt, or name as they are called now: {gone}"


def test_the_record_is_believed_before_marks_and_numbers_of_tests() -> None:
    items = [_item("recorded", "slow"), _item("slow", "time_by"), _item("spark", "spark"), *[_item("many")] * 100]
    expected = expected_seconds(items, {"recorded": 7.0, "elsewhere": 100.0})
    assert {path.name: round(seconds, 2) for path, seconds in expected.items()} == {
        "recorded": 7.0,
        "slow": 30.0,
        "spark": 8.0,
        "many": 2.0,
    }


def test_a_run_of_some_files_keeps_what_others_took(tmp_path: Path) -> None:
    for name in ("dear", "cheap", "new"):
        (tmp_path / name).touch()
    recorded = {"dear": 90.0, "cheap": 20.0, "gone": 50.0}
    assert record_text({"cheap": 1.0, "new": 30.4}, recorded, tmp_path) == "90 dear\n30 new\n"
