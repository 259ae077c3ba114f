"""Each row is in one of the pieces that an answer names, however often a task is run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from compute.protocol.dataflow import LineForm, PieceForm, PiecesAsked
from compute.replica.peeks.pieces import PieceWriter, is_seen
from model.text.copy_options import CheckedCopyOptions
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT4, TEXT

_DESC = RelationDesc((ColumnDesc("a", INT4), ColumnDesc("b", TEXT)))


def _batches(error_at: int | None = None) -> Iterator[pa.RecordBatch]:
    for start in range(0, 9_000, 3_000):
        numbers = list(range(start, start + 3_000))
        errors = ["22012 division by zero" if number == error_at else None for number in numbers]
        columns = {
            "c0": pa.array(numbers, pa.int32()),
            "c1": list(map(str, numbers)),
            "err": pa.array(errors, pa.string()),
        }
        yield pa.RecordBatch.from_pydict(columns)


_LINES = LineForm(CheckedCopyOptions(), False, "UTC", "ISO, MDY", "postgres", 1, "hex")


@pytest.mark.parametrize("form", [*PieceForm, _LINES])
def test_what_an_attempt_wrote_that_does_not_count_is_named_by_nobody(
    tmp_path: Path, form: PieceForm | LineForm
) -> None:
    write = PieceWriter(PiecesAsked(str(tmp_path), _DESC, form), fallible=True)

    def broken() -> Iterator[pa.RecordBatch]:
        yield next(_batches())
        raise ConnectionError

    with pytest.raises(ConnectionError):
        list(write(broken()))
    (first,), (second,) = list(write(_batches())), list(write(_batches()))
    names = [answer.column("file")[0].as_py() for answer in (first, second)]
    assert names[0] != names[1] and len(list(tmp_path.iterdir())) == 3
    assert [answer.column("rows").to_pylist() for answer in (first, second)] == [[9_000]] * 2
    contents = [(tmp_path / name).read_bytes() for name in names]
    assert contents[0] == contents[1]
    if form is PieceForm.PARQUET:
        assert pq.read_table(tmp_path / names[0]).column("a").to_pylist() == list(range(9_000))


def test_failures_are_passed_on(tmp_path: Path) -> None:
    asked = PiecesAsked(str(tmp_path), _DESC, PieceForm.PARQUET)
    answers = list(PieceWriter(asked, fallible=True)(_batches(error_at=4_000)))
    errors = [error for answer in answers for error in answer.column("err").to_pylist() if error]
    assert errors == ["22012 division by zero"]


def test_a_task_without_rows_writes_nothing(tmp_path: Path) -> None:
    assert list(PieceWriter(PiecesAsked(str(tmp_path), _DESC, PieceForm.JSON), fallible=False)([])) == []
    assert not list(tmp_path.iterdir())


def test_a_directory_that_is_gone_ends_the_task(tmp_path: Path) -> None:
    asked = PiecesAsked(str(tmp_path / "gone"), _DESC, PieceForm.PARQUET)
    assert not is_seen(asked)
    with pytest.raises(FileNotFoundError):
        list(PieceWriter(asked, fallible=True)(_batches()))
