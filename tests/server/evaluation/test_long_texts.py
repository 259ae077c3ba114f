"""What is left behind while long texts are planned goes, however many come one after the other."""

from __future__ import annotations

import gc
import time
import weakref

import pytest

from server.coordinator import long_texts
from server.coordinator.long_texts import beside


class _Circle:
    def __init__(self) -> None:
        self.itself = self


async def test_python_s_collector_does_not_rest_as_long_as_long_texts_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(long_texts, "_LONG_TEXTS", long_texts._LongTexts())
    monkeypatch.setattr(long_texts, "_RESTED_MAX_S", 0.1)
    left: list[weakref.ref[_Circle]] = []

    def work() -> None:
        left.append(weakref.ref(_Circle()))
        time.sleep(0.01)

    try:
        for _ in range(50):
            await beside(work)
        assert sum(each() is not None for each in left) < 25
    finally:
        gc.unfreeze()
        gc.enable()
