"""Records the judge's answers to the planner's corpus of queries (tests/planner/query/corpus)."""

from __future__ import annotations

from tests.judge import run_judge
from tests.planner.query.recorded_queries import CHANGES, changes, observe, observe_change, queries, save, tables


def main() -> None:
    """Rewrites the answers of all queries."""
    with run_judge() as judge, judge.connect() as connection:
        for statement in tables():
            connection.execute(statement.encode())
        answers = [observe(connection, sql) for sql in queries()]
        changed = [observe_change(connection, table, sql) for table, sql in changes()]
    save(answers)
    save(changed, CHANGES)
    print(f"{len(answers)} answers, {sum(answer.error is not None for answer in answers)} of them errors")


if __name__ == "__main__":
    main()
