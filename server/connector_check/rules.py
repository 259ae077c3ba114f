"""The rules for programs, a function each, which works with sessions and raises Broken for a wrong answer.

Each rule begins a sink of its own, whose first transaction replaces everything in the destination.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from server.connector_check.program import Broken, Document, Log, NotTried, ProgramSession, Started, document

_MANY = 5_000
A, B, C = document(1, "a", "1.50"), document(2, "b", "-2"), document(3, None)
A2, B2 = document(1, "another", "7"), document(2, "b again", "3.25")
STRANGE = (
    document(-9_223_372_036_854_775_808, "quoted \"'\\ \n\t\r", "123456789012345678901234567890.123456789"),
    document(9_223_372_036_854_775_807, "ünï ⅷ 😀 \u0001", "-0.00000000000000000001"),
    document(0, "", "1e3"),
)


@dataclass(slots=True)
class Tried:
    """A program tested for one rule. Sessions that are still open at the end are killed."""

    started: Started
    name: str
    _sessions: list[ProgramSession] = field(default_factory=list)

    def session(self, log: Log | None = None, *, anew: bool = False, changes: bool = False) -> ProgramSession:
        """Opens a session, without an acknowledgement."""
        log = Log() if log is None else log.copy()
        self._sessions.append(ProgramSession(self.started, self.name, log, anew=anew, changes=changes))
        return self._sessions[-1]

    def begun(self) -> ProgramSession:
        """Returns a session whose destination has the documents A and B, at 10."""
        session = self.session()
        session.acknowledge()
        session.transact(10, new=(A, B))
        if session.found([1]) == {}:
            raise NotTried("it loads nothing, so nobody can tell what it has")
        return session

    def again(self, session: ProgramSession, log: Log | None = None) -> ProgramSession:
        """Returns the sink's next session, acknowledged."""
        following = self.session(session.log if log is None else log)
        following.acknowledge()
        return following

    def end(self) -> None:
        for session in self._sessions:
            session.kill()


Rule = Callable[[Tried], None]
RULES: list[Rule] = []


def rule(work: Rule) -> Rule:
    """Registers a rule, whose docstring says what is kept or broken."""
    RULES.append(work)
    return work


def _require(session: ProgramSession, wanted: Iterable[Document], absent: Iterable[int] = ()) -> None:
    """Requires these documents to exist, and no document with these keys."""
    documents = {each["id"]: each for each in wanted}
    found = session.found([*documents, *absent])
    for number in found.keys() - documents.keys():
        raise Broken(f"it has a document of key {number}, which should be none")
    for number, each in documents.items():
        if number not in found:
            raise Broken(f"it has no document of key {number}")
        if found[number].keys() != each.keys():
            raise Broken(f"its document of key {number} has {sorted(found[number])}, and not {sorted(each)}")
        for name, value in each.items():
            if not _same(found[number][name], value):
                raise Broken(f"its document of key {number} has {name} {found[number][name]!s}, and not {value!s}")


def _same(found: Any, wanted: Any) -> bool:
    """Compares two values. A number may come as a text, because some programs have no exact numbers."""
    if isinstance(wanted, bool) or wanted is None or isinstance(wanted, str):
        return found is wanted or found == wanted
    try:
        return not isinstance(found, bool) and Decimal(str(found)) == Decimal(wanted)
    except InvalidOperation:
        return False


@rule
def opens(tried: Tried) -> None:
    """It opens, and says of a new sink that it is at 0, or null."""
    session = tried.session()
    if session.position != 0:
        raise Broken(f"it opened at {session.position}")
    session.acknowledge()


@rule
def takes_turns(tried: Tried) -> None:
    """It answers each request once, and says nothing while documents are stored."""
    session = tried.session()
    session.acknowledge()
    for frontier in (10, 20, 30):
        session.transact(frontier, new=[document(frontier, "x")])


@rule
def takes_many(tried: Tried) -> None:
    """It takes thousands of documents at once, and is asked for them while it answers."""
    session = tried.session()
    session.acknowledge()
    many = [document(number, f"number {number}" * 10) for number in range(_MANY)]
    session.transact(10, new=many)
    found = session.found(range(_MANY))
    if found and len(found) != _MANY:
        raise Broken(f"it has {len(found)} of {_MANY} documents")


@rule
def loads(tried: Tried) -> None:
    """Checks that a program loads the documents of existing keys, each once, and returns nothing for other keys."""
    session = tried.begun()
    _require(session, (A, B), absent=(3, 4))


@rule
def keeps_values(tried: Tried) -> None:
    """Documents come back as they were, whatever is in them."""
    session = tried.begun()
    session.transact(20, new=STRANGE)
    _require(session, (A, B, *STRANGE))


@rule
def replaces_and_deletes(tried: Tried) -> None:
    """A document takes the place of the one of its key, goes when it is deleted, and may come back."""
    session = tried.begun()
    session.transact(20, old=(A2,), gone=(B,))
    _require(session, (A2,), absent=(2,))
    session.transact(30, new=(B2,))
    _require(session, (A2, B2))


@rule
def remembers_how_far(tried: Tried) -> None:
    """It is as far as its last transaction, also where that had no documents."""
    session = tried.begun()
    session.transact(20)
    session.kill()
    following = tried.session(session.log)
    if following.position != 20:
        raise Broken(f"it opened at {following.position}, behind a transaction up to 20")
    following.acknowledge()
    _require(following, (A, B))


@rule
def stores_whole(tried: Tried) -> None:
    """Killed while documents are stored, it shows none of them (or says partial)."""
    session = tried.begun()
    session.flush()
    session.store((A2,), exists=True)
    session.store((C,))
    session.pause()
    session.kill()
    following = tried.session(session.log)
    following.acknowledge()
    if following.partial:
        following.transact(20, old=(A2, C))
        _require(following, (A2, B, C))
        return
    _require(following, (A, B), absent=(3,))
    following.transact(20, new=(C,), old=(A2,))
    _require(following, (A2, B, C))


@rule
def ends_with_its_input(tried: Tried) -> None:
    """When its input ends within a transaction, nothing of that is there."""
    session = tried.begun()
    session.flush()
    session.store((C,))
    session.end_input()
    following = tried.session(session.log)
    following.acknowledge()
    if not following.partial:
        _require(following, (A, B), absent=(3,))


@rule
def ends_when_idle(tried: Tried) -> None:
    """When its input ends while nothing is under way, it ends by itself, with code 0."""
    session = tried.session()
    session.acknowledge()
    code = session.end_input()
    if code != 0:
        raise Broken("it did not end" if code is None else f"it ended with code {code}")


@rule
def knows_its_commit(tried: Tried) -> None:
    """Kills a program that has started a commit missing from the log: the program must be before the transaction, or
    behind.
    """
    session = tried.begun()
    session.flush()
    session.store((A2,), exists=True)
    session.start_commit(20)
    session.kill()
    following = tried.again(session)
    if following.position == 20:
        _require(following, (A2, B))
    elif following.partial:
        following.transact(20, old=(A2,))
        _require(following, (A2, B))
    elif following.position == session.position:
        _require(following, (A, B))
        following.transact(20, old=(A2,))
        _require(following, (A2, B))
    else:
        raise Broken(f"it opened at {following.position}, which is neither {session.position} nor 20")


@rule
def applies_what_the_log_has(tried: Tried) -> None:
    """Killed when the log has its commit, it has applied that when the next session acknowledges, and once."""
    session = tried.begun()
    session.flush()
    session.store((A2,), exists=True)
    session.store((C,))
    log = session.start_commit(20)
    session.kill()
    for _ in range(3):
        following = tried.again(session, log)
        if following.position != 20:
            raise Broken(f"it opened at {following.position}, where the log has a transaction up to 20")
        following.kill()
    following = tried.again(session, log)
    _require(following, (A2, B, C))


@rule
def is_taken_over(tried: Tried) -> None:
    """A session that another has taken over from commits nothing that shows."""
    zombie = tried.begun()
    live = tried.again(zombie)
    live.transact(20, old=(A2,))
    with contextlib.suppress(Broken):
        zombie.flush()
        zombie.store((C,))
        zombie.start_commit(30)
    zombie.kill()
    last = tried.again(live)
    if last.partial:
        raise NotTried("it says partial: who is killed, and who is not, it can't tell apart")
    if last.position != live.position:
        raise Broken(f"it opened at {last.position}, where the session that took over was at {live.position}")
    _require(last, (A2, B), absent=(3,))


@rule
def begins_anew(tried: Tried) -> None:
    """Told to begin anew, it is at 0, and its next transaction takes the place of all that is there, and of no less."""
    session = tried.begun()
    session.kill()
    following = tried.session(session.log, anew=True)
    if following.position != 0:
        raise Broken(f"it opened at {following.position}")
    following.acknowledge()
    following.transact(40, new=(B2, C))
    _require(following, (B2, C), absent=(1,))


@rule
def takes_changes(tried: Tried) -> None:
    """Without a key it takes changes, each with a timestamp and a diff."""
    try:
        session = tried.session(changes=True)
        session.acknowledge()
        session.flush()
        for each, time, diff in ((A, 9, 1), (B, 9, 2), (A, 12, -1)):
            session.say("store", {"doc": each, "timestamp": time, "diff": diff})
        session.log = session.start_commit(13)
        session.acknowledge()
    except Broken as broken:
        raise NotTried(f"it takes none: {broken}") from None


def told(work: Rule) -> str:
    """Returns the text of a rule."""
    return " ".join((work.__doc__ or "").split())
