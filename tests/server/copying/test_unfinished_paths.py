"""What a killed server left where COPY writes is gone after the next start, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.time.clock import SystemRandomness
from server.ledgers.unfinished_paths import UnfinishedPaths


@pytest.fixture
def links(tmp_path: Path) -> Path:
    return tmp_path / "data" / "unfinished"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def _begun(links: Path, out: Path) -> tuple[Path, Path]:
    """A file and a directory that is not empty."""
    paths = UnfinishedPaths(links, SystemRandomness())
    file, directory = paths.begin(out, "partial"), paths.begin(out, "pieces")
    file.write_text("half")
    directory.mkdir()
    (directory / "piece").write_text("one")
    return file, directory


def test_what_was_left_is_swept(links: Path, out: Path) -> None:
    _begun(links, out)
    (out / ".headwater-of-another.partial").write_text("kept")
    UnfinishedPaths(links, SystemRandomness()).sweep()
    assert [each.name for each in out.iterdir()] == [".headwater-of-another.partial"]
    assert not list(links.iterdir())


def test_what_ended_is_gone_with_its_link(links: Path, out: Path) -> None:
    file, directory = _begun(links, out)
    paths = UnfinishedPaths(links, SystemRandomness())
    (out / "whole").write_text("before")
    file.replace(out / "whole")
    for path in (file, directory, file, directory):
        paths.end(path)
    assert [(each.name, each.read_text()) for each in out.iterdir()] == [("whole", "half")]
    assert not list(links.iterdir())


def test_links_to_other_things_remove_nothing(links: Path, out: Path) -> None:
    links.mkdir()
    (out / "file").write_text("kept")
    (links / "file").symlink_to(out / "file")
    (links / "token").symlink_to(out)
    (links / "no link").write_text("kept")
    UnfinishedPaths(links, SystemRandomness()).sweep()
    assert (out / "file").read_text() == "kept"
    assert [each.name for each in links.iterdir()] == ["no link"]


def test_a_removal_that_was_cut_short_goes_on(links: Path, out: Path) -> None:
    _, directory = _begun(links, out)
    directory.rename(directory.with_name(f"{directory.name}.ending"))
    UnfinishedPaths(links, SystemRandomness()).sweep()
    assert not list(out.iterdir())


def test_what_can_not_be_removed_stays_noted(links: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _begun(links, out)
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)
    UnfinishedPaths(links, SystemRandomness()).sweep()
    assert len(list(links.iterdir())) == len(list(out.iterdir())) == 1
    monkeypatch.undo()
    UnfinishedPaths(links, SystemRandomness()).sweep()
    assert not list(links.iterdir()) and not list(out.iterdir())


def test_without_links_nothing_is_noted_or_swept(out: Path) -> None:
    paths = UnfinishedPaths(None, SystemRandomness())
    path = paths.begin(out, "pieces")
    path.mkdir()
    paths.sweep()
    assert path.exists()
    paths.end(path)
    assert not list(out.iterdir())
