"""Who stands between a sink's runtime and its driver, and does what a rule says when a message of a kind passes.

    Rule(StartedCommit, CRASH, after=2)     of the first answer of that kind behind two transactions, the driver ends
    Rule(Store, FREEZE, nth=2)              the second message of documents waits until it is thawed
    Rule(Acknowledge, Replay(3))            it is said three times more than the runtime says it

Rules are for one life of a process, and each acts once. A request is held up before the driver has it, a response
before the runtime has it. Of a sink in several ranges of keys all sessions pass here: a rule acts on one message of one
of them, and where the driver ends, it ends with all its sessions, so what one has committed another has not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from connectors.mysql.driver import MysqlDriver
from connectors.postgres.driver import PostgresDriver
from connectors.program.driver import ConnectorDriver
from connectors.redis.driver import RedisDriver
from connectors.sinks.driver import Driver
from connectors.sinks.fences import overlap
from connectors.sinks.messages import (
    ALL_KEYS,
    Acknowledged,
    DriverResponse,
    KeyRange,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
)
from connectors.sqlite.driver import SqliteDriver
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Clock
from model.time.timestamp import Timestamp

_CONNECTED = (SqliteDriver, PostgresDriver, MysqlDriver, RedisDriver, ConnectorDriver)
"""Whose end their destination hears of."""


class Act(Enum):
    """CRASH: the driver ends, and the runtime goes on. DIE: both end. FREEZE: that session waits until `thaw`."""

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


@dataclass(slots=True)
class RangeTold:
    """Of a range of keys: how far it is acknowledged, how far it is committed, and in how many transactions."""

    position: Timestamp
    committed: Timestamp
    acknowledged: int


@dataclass
class Conversation:
    """What a life's sessions have said: `opens` what was asked and answered, `refusals` what drivers raised.
    `last_words`: it ends with what a driver refuses next, or with the next transaction that is committed."""

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
    ranges: dict[KeyRange, RangeTold] = field(default_factory=dict)
    channels: list[InterposedChannel] = field(default_factory=list)

    @property
    def position(self) -> Timestamp:
        """How far all keys are, as the runtime has heard."""
        return min((told.position for told in self.ranges.values()), default=Timestamp(0))

    @property
    def acknowledged(self) -> int:
        """How many transactions are committed of all keys."""
        return min((told.acknowledged for told in self.ranges.values()), default=0)

    def struck(self, message: type) -> Rule | None:
        """What is to happen to a message of a kind."""
        self.heard.append(message)
        return next((rule for rule in self.rules if rule.strikes(message, self.acknowledged)), None)

    def die(self) -> None:
        self.dead = True
        self.on_death()

    def end_driver(self) -> None:
        """It ends with all its sessions."""
        channels, self.channels = self.channels, []
        for channel in channels:
            channel.cut()

    def tell(self, keys: KeyRange, request: Request, responses: tuple[DriverResponse, ...]) -> None:
        """These have passed, in the session of these keys."""
        for response in responses:
            match request, response:
                case Open(), Opened():
                    self.opens.append((request, response))
                    self._opened(keys).committed = response.frontier or request.frontier
                case StartCommit(frontier), StartedCommit():
                    self.ranges[keys].committed = frontier
                    self.ranges[keys].acknowledged += 1
                case _, Acknowledged():
                    self.ranges[keys].position = self.ranges[keys].committed
                    self.said_last()
                case _:
                    pass

    def _opened(self, keys: KeyRange) -> RangeTold:
        """What is known of these keys, which were other ranges' before."""
        known = RangeTold(self.position, Timestamp(0), self.acknowledged)
        self.ranges = {each: told for each, told in self.ranges.items() if each == keys or not overlap(each, keys)}
        return self.ranges.setdefault(keys, known)

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
        self._keys = ALL_KEYS
        conversation.channels.append(self)

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
        if isinstance(request, Open):
            self._keys = request.keys
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
        conversation.tell(self._keys, request, responses)
        return responses

    async def _held_up(self, message: type, request: Request) -> None:
        conversation = self._conversation
        rule = conversation.struck(message)
        match None if rule is None else rule.then:
            case None:
                return
            case Act.CRASH:
                conversation.end_driver()
                raise SqlError(Sqlstate.CONNECTION_FAILURE, "the driver has ended")
            case Act.DIE:
                conversation.end_driver()
                conversation.die()
            case Act.FREEZE:
                await conversation.thawed.wait()
            case Stall(seconds):
                await conversation.clock.sleep(seconds)
            case Replay(times):
                for _ in range(times):
                    tuple(self._driver.answer(request))

    def cut(self) -> None:
        """As the driver's process ends: a connection ends with it, all else stays as it is."""
        self._failed = True
        if isinstance(self._inner, _CONNECTED):
            self._inner.close()

    async def close(self) -> None:
        if self in self._conversation.channels:
            self._conversation.channels.remove(self)
        if not self._conversation.dead:
            self._inner.close()
