"""What clients do, and what they saw: bank (transfers keep the sum), ring (swaps keep one cycle), log (appends to two
tables at once), numbers (of a sequence; some are kept in a table). The sums of bank and log are materialized views too,
and an index finds accounts. Every operation is noted with when it was asked and answered, in the simulation's own
time."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum
from tests.simulation.incarnation import SimClient

ACCOUNTS = 4
NODES = 5
FIRST_BALANCE = 100

SETUP = (
    "CREATE TABLE bank (id int, balance int)",
    "CREATE TABLE ring (id int, next int)",
    "CREATE TABLE log_a (n int)",
    "CREATE TABLE log_b (n int)",
    "CREATE TABLE kept (number int GENERATED ALWAYS AS IDENTITY, n int)",
    "INSERT INTO bank VALUES " + ", ".join(f"({i}, {FIRST_BALANCE})" for i in range(ACCOUNTS)),
    "INSERT INTO ring VALUES " + ", ".join(f"({i}, {(i + 1) % NODES})" for i in range(NODES)),
    "CREATE MATERIALIZED VIEW total AS SELECT count(*) AS accounts, sum(balance) AS balance FROM bank",
    "CREATE MATERIALIZED VIEW logged AS SELECT count(*) AS rows, coalesce(sum(n), 0) AS total FROM log_a",
    "CREATE INDEX bank_id ON bank (id)",
)
CHECKS = ("CHECK MATERIALIZED VIEW total", "CHECK MATERIALIZED VIEW logged", "CHECK INDEX bank_id")
OBSERVE = (
    "SELECT 'bank', id, balance, mz_now() FROM bank UNION ALL SELECT 'ring', id, next, mz_now() FROM ring"
    " UNION ALL SELECT 'a', n, 0, mz_now() FROM log_a UNION ALL SELECT 'b', n, 0, mz_now() FROM log_b"
    " UNION ALL SELECT 'total', accounts, balance, mz_now() FROM total"
    " UNION ALL SELECT 'logged', rows, total, mz_now() FROM logged"
)
_KINDS = ("observe", "as_of", "look up", "append", "transfer", "draw", "swap", "come and go")
_WEIGHTS = (4, 1, 2, 4, 3, 4, 2, 1)
_REFUSED = (Sqlstate.SERIALIZATION_FAILURE, Sqlstate.DISK_FULL)
_LOST = (Sqlstate.STATEMENT_COMPLETION_UNKNOWN, Sqlstate.ADMIN_SHUTDOWN)
_LIFE_ENDS = (Sqlstate.SYSTEM_ERROR, Sqlstate.CANNOT_CONNECT_NOW, Sqlstate.IO_ERROR, Sqlstate.QUERY_CANCELED)

Contents = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Appended:
    """`answered` None: the outcome is not known; `refused`: it must never show."""

    n: int
    asked: float
    answered: float | None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Observed:
    """A read of everything at `timestamp`."""

    asked: float
    answered: float
    timestamp: int
    contents: Contents
    as_of: bool = False


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A read of one account at `timestamp`."""

    timestamp: int
    account: int
    balance: int


@dataclass
class Record:
    """What all clients did and saw, in the order in which it ended. `differences`: between what is maintained and what
    it should be, in the end."""

    appended: list[Appended] = field(default_factory=list)
    observed: list[Observed] = field(default_factory=list)
    looked_up: list[LookedUp] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    next_n: int = 0

    def fresh(self) -> int:
        self.next_n += 1
        return self.next_n


async def observe(client: SimClient, record: Record, as_of: int | None = None) -> None:
    asked = _now()
    rows = await client.query(OBSERVE if as_of is None else f"{OBSERVE} AS OF {as_of}")
    contents = tuple(sorted((str(kind), _number(id_), _number(value)) for kind, id_, value, _ in rows))
    timestamp = rows[0][3]
    assert isinstance(timestamp, int)
    record.observed.append(Observed(asked, _now(), timestamp, contents, as_of is not None))


async def look_up(client: SimClient, record: Record, source: random.Random) -> None:
    account = source.randrange(ACCOUNTS)
    ((balance, timestamp),) = await client.query(f"SELECT balance, mz_now() FROM bank WHERE id = {account}")
    record.looked_up.append(LookedUp(_number(timestamp), account, _number(balance)))


async def check(client: SimClient, record: Record) -> None:
    twice = await client.query("SELECT number FROM kept GROUP BY number HAVING count(*) > 1")
    record.differences += [f"two rows have number {number!r}" for (number,) in twice]
    for statement in CHECKS:
        record.differences += [f"{statement}: {row}" for row in await client.query(statement)]


async def append(client: SimClient, record: Record) -> None:
    n, asked = record.fresh(), _now()
    try:
        await client.query(f"BEGIN; INSERT INTO log_a VALUES ({n}); INSERT INTO log_b VALUES ({n}); COMMIT")
    except SqlError as error:
        record.appended.append(Appended(n, asked, None, refused=error.sqlstate in _REFUSED))
        raise
    except BaseException:
        record.appended.append(Appended(n, asked, None))
        raise
    record.appended.append(Appended(n, asked, _now()))


async def draw(client: SimClient, record: Record, source: random.Random) -> None:
    """What a client is told counts, whatever becomes of its transaction."""
    match source.choice(["take", "keep", "roll back"]):
        case "take":
            rows = await client.query("SELECT nextval('kept_number_seq')")
        case "keep":
            rows = await client.query("INSERT INTO kept (n) VALUES (1) RETURNING number")
        case _:
            await client.query("BEGIN")
            rows = await client.query("INSERT INTO kept (n) VALUES (2) RETURNING number")
            await client.query("ROLLBACK")
    record.drawn += [_number(number) for (number,) in rows]


async def transfer(client: SimClient, source: random.Random) -> None:
    a, b = source.sample(range(ACCOUNTS), 2)
    amount = source.randrange(1, 20)
    if source.random() < 0.5:
        await client.query(
            f"UPDATE bank SET balance = balance + CASE id WHEN {a} THEN -{amount} ELSE {amount} END"
            f" WHERE id IN ({a}, {b})"
        )
        return
    await client.query("BEGIN")
    ((first,),) = await client.query(f"SELECT balance FROM bank WHERE id = {a}")
    ((second,),) = await client.query(f"SELECT balance FROM bank WHERE id = {b}")
    assert isinstance(first, int) and isinstance(second, int)
    await client.query(f"UPDATE bank SET balance = {first - amount} WHERE id = {a}")
    await client.query(f"UPDATE bank SET balance = {second + amount} WHERE id = {b}")
    await client.query("COMMIT")


async def swap(client: SimClient, source: random.Random) -> None:
    """a -> b -> c -> d becomes a -> c -> b -> d."""
    a = source.randrange(NODES)
    await client.query("BEGIN")
    rows = await client.query("SELECT id, next FROM ring")
    following = {_number(node): _number(target) for node, target in rows}
    b = following[a]
    c = following[b]
    d = following[c]
    for node, target in ((a, c), (c, b), (b, d)):
        await client.query(f"UPDATE ring SET next = {target} WHERE id = {node}")
    await client.query("COMMIT")


async def come_and_go(client: SimClient, record: Record) -> None:
    """A table for a moment: of those that were dropped nothing is to be left."""
    table = f"moment_{record.fresh()}"
    await client.query(f"CREATE TABLE {table} (n int); INSERT INTO {table} VALUES (1)")
    await client.query(f"DROP TABLE {table}")


async def act(client: SimClient, record: Record, source: random.Random) -> None:
    """One operation; what the system may answer with an error is no failure."""
    kind = source.choices(_KINDS, _WEIGHTS)[0]
    try:
        match kind:
            case "observe":
                await observe(client, record)
            case "as_of":
                earlier = [o.timestamp for o in record.observed]
                if earlier:
                    await observe(client, record, source.choice(earlier))
            case "look up":
                await look_up(client, record, source)
            case "append":
                await append(client, record)
            case "transfer":
                await transfer(client, source)
            case "draw":
                await draw(client, record, source)
            case "swap":
                await swap(client, source)
            case _:
                await come_and_go(client, record)
    except SqlError as error:
        if error.sqlstate not in (*_REFUSED, *_LOST, *_LIFE_ENDS):
            raise
        if client.session.transaction_status != "I":
            await client.query("ROLLBACK")


def _number(datum: Datum) -> int:
    assert isinstance(datum, int)
    return datum


def _now() -> float:
    return asyncio.get_running_loop().time()
