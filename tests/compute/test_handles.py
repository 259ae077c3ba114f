"""Python's collector is run for the sake of what Java holds: after some work, not after all."""

from compute.spark.handles import HandleCollector


def test_handles_are_collected_after_some_work_and_some_time() -> None:
    now = [0.0]
    collected: list[float] = []

    def collect() -> None:
        collected.append(now[0])

    collector = HandleCollector(lambda: now[0], collect)
    for _ in range(15):
        now[0] += 1
        collector.worked()
    assert collected == []
    collector.worked()
    assert collected == [15]
    for _ in range(100):
        now[0] += 0.005
        collector.worked()
    assert collected == [15], "half a second later"
    now[0] += 1
    collector.worked()
    assert len(collected) == 2
