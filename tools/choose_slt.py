"""Chooses the recorded queries that Spark answers in each run of the tests: python -m tools.choose_slt."""

from __future__ import annotations

from tests.slt.choice import CHOSEN, asked_in_memory, choose


def main() -> None:
    """Writes the choice anew."""
    for asked in asked_in_memory():
        text = choose(asked)
    changed = not CHOSEN.exists() or text != CHOSEN.read_text()
    CHOSEN.write_text(text)
    print(f"{CHOSEN.name}: {len(text.split())} words{', changed' if changed else ''}")


if __name__ == "__main__":
    main()
