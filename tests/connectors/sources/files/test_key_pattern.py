"""Patterns of keys, as those of paths."""

from __future__ import annotations

import glob
import random
from pathlib import Path

import pytest

from connectors.files.source.key_pattern import KeyPattern


@pytest.mark.parametrize("seed", range(20))
def test_a_pattern_means_of_keys_what_it_means_of_paths(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    keys = set()
    for _ in range(30):
        directory = tmp_path.joinpath(*(chance.choice("ab") for _ in range(chance.randrange(4))))
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / f"{chance.choice('xy')}.{chance.choice(['csv', 'gz'])}"
        path.touch()
        keys.add(str(path.relative_to(tmp_path)))
    for _ in range(20):
        segments = [chance.choice(["**", "*", "a", "?", "[b]"]) for _ in range(chance.randrange(3))]
        pattern = "/".join([*segments, chance.choice(["*.csv", "x.*", "[!x].?z", "**", "*"])])
        found = {key for key in keys if KeyPattern(pattern).matches(key)}
        wanted = (Path(path) for path in glob.iglob(pattern, root_dir=tmp_path, recursive=True))
        assert found == {str(path) for path in wanted if (tmp_path / path).is_file()}, pattern
        assert all(key.startswith(KeyPattern(pattern).prefix) for key in found)


def test_a_long_pattern_of_stars_takes_no_time() -> None:
    assert not KeyPattern("*a" * 1_000 + "b").matches("a" * 1_024)
    assert not KeyPattern("**/*a*/" * 300 + "b").matches("a/" * 500)
