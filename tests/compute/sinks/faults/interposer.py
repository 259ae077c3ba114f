"""Who stands between a sink's runtime and its driver, and does what a rule says when a message of a kind passes.

    Rule(StartedCommit, CRASH, after=2)     of the first answer of that kind behind two transactions, the driver ends
    Rule(Store, FREEZE, nth=2)              the second message of documents waits until it is thawed
    Rule(Acknowledge, Replay(3))            it is said three times more than the runtime says it

Rules are for one life of a process, and each acts once. A request is held up before the driver has it, a response
before the runtime has it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from model.clock import Clock
from model.errors import SqlError
from model.sqlstate import Sqlstate
from model.timestamp import Timestamp
from storage.sinks.driver import Driver
from storage.sinks.drivers.connector import ConnectorDriver
from storage.sinks.drivers.mysql import MysqlDriver
from storage.sinks.drivers.postgres import PostgresDriver
from storage.sinks.drivers.redis import RedisDriver
from storage.sinks.drivers.sqlite import SqliteDriver
from storage.sinks.messages import Acknowledged, DriverResponse, Open, Opened, Request, StartCommit, StartedCommit

_CONNECTED = (SqliteDriver, PostgresDriver, MysqlDriver, RedisDriver, ConnectorDriver)
"""Whose end their destination hears of."""


class Act(Enum):
    """CRASH: the driver ends, and the runtime goes on. DIE: both end. FREEZE: nothing goes on until `thaw`."""

    CRASH = "crash"
    DIE = "die"
    FREEZE = "freeze"


CRASH, DIE, FREEZE = Act.CRASH, Act.DIE, Act.FREEZE


@dataclass(frozen=True, slots=True)
class Stall:
    """The message waits."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Replay:
    """The request is carried out so many times more; only the last answer is heard."""

    times: int


@dataclass(slots=True)
class Rule:
    """`after`: so many transactions of this life were acknowledged before. `nth`: of such messages from then on."""

    on: type[Request] | type[DriverResponse]
    then: Act | Stall | Replay
    nth: int = 1
    after: int = 0
    fired: bool = False

    def strikes(self, message: type, acknowledged: int) -> bool:
        if self.fired or message is not self.on or acknowledged < self.after:
            return False
        self.nth -= 1
        self.fired = self.nth == 0
        return self.fired


@dataclass
class Conversation:
    """What a life's sessions have said: `opens` what was asked and answered, `refusals` what drivers raised,
    `acknowledged` how many transactions were, and `position` how far they are. `last_words`: it ends with what a driver
    refuses next, or with the next transaction that is committed."""

    clock: Clock
    rules: tuple[Rule, ...] = ()
    wrap: Callable[[Driver], Driver] = lambda driver: driver
    on_death: Callable[[], None] = lambda: None
    look: Callable[[], None] = lambda: None
    dead: bool = False
    last_words: bool = False
    thawed: asyncio.Event = field(default_factory=asyncio.Event)
    heard: list[type] = field(default_factory=list)
    opens: list[tuple[Open, Opened]] = field(default_factory=list)
    refusals: list[Exception] = field(default_factory=list)
    acknowledged: int = 0
    position: Timestamp = Timestamp(0)  # noqa: RUF009 - a number
    _committed: Timestamp = Timestamp(0)  # noqa: RUF009 - a number

    def struck(self, message: type) -> Rule | None:
        """What is to happen to a message of a kind."""
        self.heard.append(message)
        return next((rule for rule in self.rules if rule.strikes(message, self.acknowledged)), None)

    def die(self) -> None:
        self.dead = True
        self.on_death()

    def tell(self, request: Request, responses: tuple[DriverResponse, ...]) -> None:
        """These have passed."""
        for response in responses:
            match request, response:
                case Open(), Opened():
                    self.opens.append((request, response))
                    self._committed = response.frontier or request.frontier
                case StartCommit(frontier), StartedCommit():
                    self._committed = frontier
                    self.acknowledged += 1
                case _, Acknowledged():
                    self.position = self._committed
                    self.said_last()
                case _:
                    pass

    def said_last(self) -> None:
        if self.last_words:
            self.die()

    @property
    def unfired(self) -> Iterator[Rule]:
        """Rules that nothing has come of."""
        return (rule for rule in self.rules if not rule.fired)


class InterposedChannel:
    """One session's."""

    def __init__(self, driver: Driver, conversation: Conversation) -> None:
        self._inner = driver
        self._driver = conversation.wrap(driver)
        self._conversation = conversation
        self._turn = asyncio.Lock()
        self._failed = False

    async def ask(self, request: Request) -> tuple[DriverResponse, ...]:
        async with self._turn:
            if self._failed:
                raise SqlError(Sqlstate.CONNECTION_FAILURE, "the driver has failed before")
            try:
                return await self._answer(request)
            except Exception:
                self._failed = True
                raise

    async def _answer(self, request: Request) -> tuple[DriverResponse, ...]:
        conversation = self._conversation
        await self._held_up(type(request), request)
        if conversation.dead:
            await asyncio.Event().wait()
        try:
            responses = tuple(self._driver.answer(request))
        except Exception as error:
            conversation.refusals.append(error)
            conversation.said_last()
            raise
        conversation.look()
        for response in responses:
            await self._held_up(type(response), request)
        conversation.tell(request, responses)
        return responses

    async def _held_up(self, message: type, request: Request) -> None:
        conversation = self._conversation
        rule = conversation.struck(message)
        match None if rule is None else rule.then:
            case None:
                return
            case Act.CRASH:
                self._cut()
                raise SqlError(Sqlstate.CONNECTION_FAILURE, "the driver has ended")
            case Act.DIE:
                self._cut()
                conversation.die()
            case Act.FREEZE:
                await conversation.thawed.wait()
            case Stall(seconds):
                await conversation.clock.sleep(seconds)
            case Replay(times):
                for _ in range(times):
                    tuple(self._driver.answer(request))

    def _cut(self) -> None:
        """As the driver's process ends: a connection ends with it, all else stays as it is."""
        if isinstance(self._inner, _CONNECTED):
            self._inner.close()

    async def close(self) -> None:
        if not self._conversation.dead:
            self._inner.close()
