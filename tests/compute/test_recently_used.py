"""What the replica keeps of what it used last."""

from __future__ import annotations

from compute.replica.running.cache import RecentlyUsed


def test_the_least_recently_used_go_first() -> None:
    cache: RecentlyUsed[int] = RecentlyUsed(2)
    for number in (1, 2):
        cache.put(number, number)
    assert cache.get(1) == 1
    cache.put(3, 3)
    assert (cache.get(1), cache.get(2), cache.get(3)) == (1, None, 3)


def test_heavy_values_make_room_but_the_newest_stays() -> None:
    cache: RecentlyUsed[str] = RecentlyUsed(10, weight_max=100)
    for name in "abc":
        cache.put(name, name, 40)
    assert [cache.get(name) for name in "abc"] == [None, "b", "c"]
    cache.put("d", "d", 500)
    assert [cache.get(name) for name in "bcd"] == [None, None, "d"]


def test_what_is_taken_or_replaced_weighs_nothing() -> None:
    cache: RecentlyUsed[str] = RecentlyUsed(10, weight_max=100)
    cache.put("a", "old", 60)
    cache.put("a", "new", 60)
    cache.put("b", "b", 40)
    assert cache.take("a") == "new" and cache.take("a") is None
    cache.put("c", "c", 60)
    assert [cache.get(name) for name in "bc"] == ["b", "c"]
