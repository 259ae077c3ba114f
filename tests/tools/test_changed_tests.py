"""A change chooses the tests that it can alter."""

from __future__ import annotations

from tests.tidy.sources import ROOT
from tools.changed_tests import chosen_tests


def test_what_imports_a_changed_module_is_chosen_also_by_others() -> None:
    chosen = chosen_tests(["timeline/timestamp_selection.py"], ROOT)
    assert "tests/timeline/test_timestamp_selection.py" in chosen
    assert "tests/simulation" in chosen
    assert "tests/storage/test_conformance.py" not in chosen, "imports go down: storage knows nothing of timelines"


def test_a_room_of_servers_is_chosen_by_its_name() -> None:
    assert "tests/server/locking" in chosen_tests(["server/writes/locking/waiting.py"], ROOT)


def test_a_room_of_one_system_chooses_what_speaks_of_the_system() -> None:
    chosen = chosen_tests(["connectors/redis/driver.py"], ROOT)
    assert {"tests/connectors/sinks/test_redis.py", "tests/connectors/sinks/test_drivers.py"} <= set(chosen)
    assert not {"tests/planner/query/test_queries_against_postgres.py", "tests/server/pgwire"} & set(chosen)
    assert "tests/connectors/sources/test_avro.py" not in chosen


def test_a_changed_test_runs_and_so_do_those_that_share_a_changed_helper() -> None:
    assert "tests/timeline/test_failures.py" in chosen_tests(["tests/timeline/test_failures.py"], ROOT)
    assert "tests/server/test_drivers.py" in chosen_tests(["tests/judge.py"], ROOT)


def test_words_alone_choose_the_tidy_tests() -> None:
    assert chosen_tests(["docs/sinks.md"], ROOT) == ["tests/tidy"]


def test_recorded_answers_choose_the_tests_of_their_folder() -> None:
    assert "tests/slt" in chosen_tests(["tests/slt/joins.slt"], ROOT)
