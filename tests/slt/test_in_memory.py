"""Headwater answers as PostgreSQL did, with the interpreter in Spark's place; Spark is asked what shows it all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.slt.choice import BY_SPARK, InMemory, asked_in_memory, in_memory, is_stale, load_choice, records_of, unseen
from tests.slt.records import Query, files


@pytest.fixture(scope="module")
def asked() -> Iterator[InMemory]:
    yield from asked_in_memory()


@pytest.mark.slow
@pytest.mark.parametrize("path", in_memory(), ids=lambda path: path.stem)
def test_headwater_answers_as_postgres_did(asked: InMemory, path: Path) -> None:
    differences = asked.differences(path)
    assert not differences, f"{len(differences)} differ\n" + "\n".join(map(str, differences))


@pytest.mark.timeout(600)
def test_spark_is_shown_all_that_any_query_shows(asked: InMemory) -> None:
    missing = unseen(asked, load_choice())
    told = "\n".join(f"{each}: {at}" for each, at in missing.items())
    print(told)
    assert not is_stale(asked, missing), f"python -m tools.choose_slt\n{told}"


@pytest.mark.timeout(600)
def test_a_query_that_is_not_chosen_any_more_is_missed(asked: InMemory) -> None:
    choice = load_choice()
    fewer = {stem: hashes for stem, hashes in choice.items() if stem != "aggregates"}
    assert is_stale(asked, unseen(asked, fewer))


def test_what_the_interpreter_is_not_asked_is_there() -> None:
    assert BY_SPARK.keys() <= {path.stem for path in files()}


def test_answers_of_each_file_are_looked_at() -> None:
    assert all(any(isinstance(record, Query) for record in records_of(path)) for path in in_memory())
