"""Values of every type in tables: kept through kill -9, read at a past time, keys of what is grouped and joined."""

from __future__ import annotations

from tests.server.world import World, fails, now_of, simulated, value

_TEXTS = {
    "time": ("24:00:00", "00:00:00"),
    "time[]": ("{24:00:00,NULL}", "{00:00:00}"),
    "timetz": ("12:00:00.5+01", "24:00:00-03:30"),
    "inet": ("10.1.2.3/8", "2001:db8::1"),
    "cidr": ("10.0.0.0/8", "::/0"),
    "macaddr": ("08:00:2b:01:02:03", "ff:ff:ff:ff:ff:ff"),
    "macaddr8": ("08:00:2b:01:02:03:04:05", "00:00:00:00:00:00:00:00"),
    "vector(3)": ("[1,2,3]", "[-0.5,1e+10,0]"),
    "point": ("(1,2)", "(-0.5,NaN)"),
    "box": ("(3,4),(1,2)", "(0,0),(-1,-1e+300)"),
    "lseg": ("[(1,2),(3,4)]", "[(0,0),(0,0)]"),
    "circle": ("<(1,2),3>", "<(0,0),Infinity>"),
    "int2vector": ("1 2 3", "-1"),
    "oidvector": ("4 5", "1"),
    "money": ("-$1,000.50", "$0.00"),
    "bit(3)": ("101", "000"),
    "varbit": ("", "1010101010"),
    "uint2": ("0", "65535"),
    "uint4": ("1", "4294967295"),
    "uint8": ("2", "18446744073709551615"),
    "timetz[]": ("{12:00:00+00,NULL}", "{}"),
    "inet[]": ("{10.1.2.3,::1}", "{NULL}"),
    "uint8[]": ("{18446744073709551615}", "{0,NULL}"),
    "int list": ("{1,NULL}", "{}"),
    "numeric(5,2) list": ("{1.50,NULL,-0.25}", "{0.00}"),
    "text list list": ('{{a,NULL},{"b c"},NULL}', "{{}}"),
    "map[text=>int]": ("{a=>1,b=>NULL}", "{}"),
    "map[text=>interval list]": ('{"a,b"=>{00:00:01},c=>{}}', '{a=>{"1 mon"}}'),
}

_WITHOUT_EQUALITY = ("point", "box", "lseg", "circle")


async def _fill(world: World) -> list[tuple[object, ...]]:
    client = world.client()
    columns = ", ".join(f"c{i} {type_}" for i, type_ in enumerate(_TEXTS))
    await client.query(f"CREATE TABLE kept (id int, {columns})")
    for place in (0, 1):
        values = ", ".join(f"'{texts[place]}'" for texts in _TEXTS.values())
        await client.query(f"INSERT INTO kept VALUES ({place}, {values})")
    nulls = ", ".join("NULL" for _ in _TEXTS)
    await client.query(f"INSERT INTO kept VALUES (2, {nulls})")
    return await _written(world)


async def _written(world: World, at: str = "") -> list[tuple[object, ...]]:
    texts = ", ".join(f"format('%s', c{i})" for i in range(len(_TEXTS)))
    return sorted(await world.client().query(f"SELECT id, {texts} FROM kept{at}"))


@simulated
async def test_values_survive_a_restart_and_are_read_at_a_past_time(world: World) -> None:
    rows = await _fill(world)
    assert rows[:2] == [(place, *(texts[place] for texts in _TEXTS.values())) for place in (0, 1)]
    time = await now_of(world.client())
    await world.client().query("DELETE FROM kept WHERE id = 1")
    await world.restart()
    assert await _written(world) == [rows[0], rows[2]]
    assert await _written(world, f" AS OF {time}") == rows


@simulated
async def test_values_are_keys(world: World) -> None:
    await _fill(world)
    client = world.client()
    for i, type_ in enumerate(_TEXTS):
        if type_ in _WITHOUT_EQUALITY:
            assert await fails(client, f"SELECT DISTINCT c{i} FROM kept") == "42883", type_
            continue
        assert await value(client, f"SELECT count(*) FROM kept a JOIN kept b ON a.c{i} = b.c{i}") == 2, type_
        assert await value(client, f"SELECT count(*) FROM (SELECT c{i} FROM kept GROUP BY c{i}) g") == 3, type_
        least, _, greatest = await client.query(f"SELECT c{i} FROM kept ORDER BY c{i}")
        assert greatest == (None,) and least != (None,), type_


@simulated
async def test_numbers_beyond_a_types_range_are_refused(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE n (a uint2, b uint4, c uint8)")
    await client.query("INSERT INTO n VALUES (65535, 4294967295, 18446744073709551615), (0, 0, 0)")
    for refused in ("a + 1::uint2", "b * 2::uint4", "c + 1::uint8", "0::uint8 - c", "a::int2", "b::int4", "c::int8"):
        assert await fails(client, f"SELECT {refused} FROM n") == "22003", refused
    assert await fails(client, "SELECT a / 0::uint2 FROM n") == "22012"
    assert await fails(client, "INSERT INTO n (a) VALUES (-1)") == "22003"
    assert await fails(client, "SELECT '-1'::mz_timestamp") == "22003"
    assert await client.query("SELECT sum(a), sum(b), sum(c)::text, avg(a)::text FROM n") == [
        (65535, 4294967295, "18446744073709551615", "32767.500000000000")
    ]


@simulated
async def test_unsigned_and_signed_integers_meet_in_a_type_that_holds_both(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE n (a uint2, b uint4, c uint8, i int)")
    await client.query("INSERT INTO n VALUES (65535, 4294967295, 18446744073709551615, -1)")
    sums = "a + i, b + i, (c + i)::text, b - 4294967296, i < b, b = i, coalesce(b, i), b << i + 2"
    assert await client.query(f"SELECT {sums} FROM n") == [
        (65534, 4294967294, "18446744073709551614", -1, True, False, 4294967295, 4294967294)
    ]
    sums = "1::uint2 + 1::int2, 1::uint4 + 1, 1::uint2 * 2::bigint, 1::uint8 + 1, 1::uint4 + 1::uint2"
    types = ", ".join(f"pg_typeof({each})::text" for each in sums.split(", "))
    assert await client.query(f"SELECT {types}") == [("integer", "bigint", "bigint", "numeric", "uint4")]


@simulated
async def test_materializes_words_for_types_are_understood(world: World) -> None:
    client = world.client()
    words = {"string": "text", "bytes": "bytea", "double": "double precision"}
    for word, name in words.items():
        assert await value(client, f"SELECT pg_typeof('1'::{word})::text") == name
        assert await fails(client, f"SELECT '1'::pg_catalog.{word}") == "42704"


@simulated
async def test_attributes_stay_where_an_expression_of_a_table_names_their_type(world: World) -> None:
    client = world.client()
    await client.query("CREATE TYPE pair AS (x int, a text)")
    await client.query("CREATE TABLE given (i text DEFAULT (row(7, 'q')::pair).a, j int)")
    assert await fails(client, "ALTER TYPE pair DROP ATTRIBUTE a") == "0A000"
    assert await fails(client, "ALTER TYPE pair ADD ATTRIBUTE b int") == "0A000"
    await client.query("INSERT INTO given (j) VALUES (1)")
    assert await client.query("SELECT * FROM given") == [("q", 1)]
    await client.query("ALTER TABLE given ALTER i DROP DEFAULT")
    await client.query("ALTER TYPE pair ADD ATTRIBUTE b int")


@simulated
async def test_attributes_keep_their_names_where_an_expression_may_name_them(world: World) -> None:
    client = world.client()
    await client.query("CREATE TYPE pair AS (x int, a text); CREATE TYPE outer_pair AS (p pair)")
    await client.query("CREATE TABLE given (i text DEFAULT (row(7, 'q')::pair).a, j int)")
    await client.query(
        "CREATE TABLE made (j int, i int GENERATED ALWAYS AS ((row(row(j, 'q'))::outer_pair).p.x) STORED)"
    )
    await client.query("CREATE DOMAIN defaulted AS text DEFAULT (row(7, 'q')::pair).a")
    assert await fails(client, "ALTER TYPE pair RENAME ATTRIBUTE a TO b") == "0A000"
    assert await fails(client, "ALTER TYPE pair RENAME ATTRIBUTE x TO y") == "0A000"
    await client.query("INSERT INTO given (j) VALUES (1); INSERT INTO made (j) VALUES (2)")
    assert await client.query("SELECT g.i, m.i FROM given g, made m") == [("q", 2)]
    await client.query("DROP TABLE given; DROP TABLE made")
    assert await fails(client, "ALTER TYPE pair ADD ATTRIBUTE b int") == "0A000"
    assert await fails(client, "ALTER TYPE pair RENAME ATTRIBUTE a TO b") == "0A000"
    await client.query("DROP DOMAIN defaulted; ALTER TYPE pair RENAME ATTRIBUTE a TO b")
