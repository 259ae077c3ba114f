"""How tasks have fared decides which ticks may have some: after each failure in succession twice as many ticks go
without, and a process that was killed counts as a failure."""

from __future__ import annotations

import errno
from dataclasses import dataclass

from compute.maintain.task_trust import WITHOUT_MAX, TaskTrust


@dataclass
class Note:
    """A note that may be on a full disk."""

    number: int = 0
    full: bool = False

    def read(self) -> int:
        return self.number

    def put(self, number: int) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, "no space left on device")
        self.number = number


def _until_trusted(trust: TaskTrust) -> int:
    ticks = 0
    while trust.reason:
        trust.went_without()
        ticks += 1
    return ticks


def _tick(trust: TaskTrust, *, fails: bool) -> None:
    assert not trust.reason
    trust.begin()
    if fails:
        trust.failed("LostTask")
    else:
        trust.done()


def test_after_each_failure_in_succession_twice_as_many_ticks_go_without_tasks() -> None:
    trust, gone = TaskTrust(Note()), []
    for _ in range(9):
        _tick(trust, fails=True)
        gone.append(_until_trusted(trust))
    assert gone == [1, 2, 4, 8, 16, 32, WITHOUT_MAX, WITHOUT_MAX, WITHOUT_MAX]
    _tick(trust, fails=False)
    assert trust.reason == ""
    _tick(trust, fails=True)
    assert trust.reason == "tasks that failed (LostTask)"
    assert _until_trusted(trust) == 1, "one that went well made all forgotten"
    _tick(trust, fails=True)
    assert trust.reason == "tasks that failed (LostTask), 2 times in succession"


def test_a_process_that_is_killed_beneath_tasks_counts_as_a_failure() -> None:
    note = Note()
    for killed in (1, 2, 3):
        trust = TaskTrust(note)
        _until_trusted(trust)
        trust.begin()
        assert note.number == killed
    trust = TaskTrust(note)
    assert trust.reason == "tasks that were under way when an earlier process ended, 3 times in succession"
    assert _until_trusted(trust) == 4
    trust.begin()
    trust.undone()
    assert note.number == 3, "what ended this tick was no task"
    _tick(trust, fails=False)
    assert TaskTrust(note).reason == "" and note.number == 0


def test_a_note_that_cannot_be_written_hinders_no_tick() -> None:
    note = Note(full=True)
    trust = TaskTrust(note)
    _tick(trust, fails=True)
    assert _until_trusted(trust) == 1
    _tick(trust, fails=False)
    assert note.number == 0
