"""The suite's questions as views, in words that PostgreSQL and DuckDB share.

Times are event times throughout. `bin(seconds)` stands where the two differ: the start of the window that `date_time`
is in. Where the suite leaves ties open, the order here is total, so that every engine has the same answer.
"""

from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    HEADWATER = "headwater"
    DUCKDB = "duckdb"


def queries(engine: Engine) -> dict[str, str]:
    """By name, in the suite's order: q0 to q9, q11, q14 to q22."""
    return {
        name: text.replace("BIN10", _bin(engine, 10)).replace("BIN2", _bin(engine, 2)) for name, text in _TEXTS.items()
    }


def _bin(engine: Engine, seconds: int) -> str:
    function = "date_bin" if engine is Engine.HEADWATER else "time_bucket"
    return f"{function}(INTERVAL '{seconds} seconds', date_time, TIMESTAMP '1970-01-01 00:00:00')"


_BANDS = """count(*) AS total,
  count(*) FILTER (WHERE price < 10000) AS rank1,
  count(*) FILTER (WHERE price >= 10000 AND price < 1000000) AS rank2,
  count(*) FILTER (WHERE price >= 1000000) AS rank3"""


def _distinct(column: str) -> str:
    return f"""count(DISTINCT {column}) AS {column}s,
  count(DISTINCT {column}) FILTER (WHERE price < 10000) AS {column}s1,
  count(DISTINCT {column}) FILTER (WHERE price >= 10000 AND price < 1000000) AS {column}s2,
  count(DISTINCT {column}) FILTER (WHERE price >= 1000000) AS {column}s3"""


_WINNING = """SELECT DISTINCT ON (a.id) a.id, a.item_name, a.seller, a.category, a.expires,
  b.auction, b.bidder, b.price, b.date_time AS bid_time
FROM auction a JOIN bid b ON a.id = b.auction AND b.date_time BETWEEN a.date_time AND a.expires
ORDER BY a.id, b.price DESC, b.date_time, b.bidder"""

_HOPS = ", ".join(f"(INTERVAL '{seconds} seconds')" for seconds in range(0, 10, 2))

_TEXTS = {
    "q0": "SELECT auction, bidder, price, date_time, extra FROM bid",
    "q1": "SELECT auction, bidder, 0.908 * price AS price, date_time, extra FROM bid",
    "q2": "SELECT auction, price FROM bid WHERE auction % 123 = 0",
    "q3": """SELECT p.name, p.city, p.state, a.id FROM auction a JOIN person p ON a.seller = p.id
WHERE a.category = 10 AND p.state IN ('OR', 'ID', 'CA')""",
    "q4": """SELECT category, avg(final) AS average FROM (
  SELECT a.id, a.category, max(b.price) AS final FROM auction a JOIN bid b ON a.id = b.auction
  WHERE b.date_time BETWEEN a.date_time AND a.expires GROUP BY a.id, a.category) AS finals
GROUP BY category""",
    "q5": f"""WITH counts AS (
  SELECT auction, start, count(*) AS num FROM (
    SELECT auction, BIN2 - back AS start FROM bid, (VALUES {_HOPS}) AS hops (back)
  ) AS hopped GROUP BY auction, start)
SELECT c.auction, c.num, c.start FROM counts c
JOIN (SELECT start, max(num) AS most FROM counts GROUP BY start) AS m ON c.start = m.start AND c.num = m.most""",
    "q6": f"""SELECT seller, avg(price) OVER (
  PARTITION BY seller ORDER BY expires, id ROWS BETWEEN 10 PRECEDING AND CURRENT ROW) AS average
FROM ({_WINNING}) AS won""",
    "q7": """SELECT b.auction, b.price, b.bidder, b.date_time, b.extra
FROM (SELECT *, BIN10 AS start FROM bid) AS b
JOIN (SELECT max(price) AS price, BIN10 AS start FROM bid GROUP BY BIN10) AS m
  ON b.price = m.price AND b.start = m.start""",
    "q8": """SELECT p.id, p.name, p.start FROM
  (SELECT id, name, BIN10 AS start FROM person GROUP BY id, name, BIN10) AS p
  JOIN (SELECT seller, BIN10 AS start FROM auction GROUP BY seller, BIN10) AS a
  ON p.id = a.seller AND p.start = a.start""",
    "q9": _WINNING,
    "q11": """SELECT bidder, count(*) AS bids, min(date_time) AS start, max(date_time) AS stop FROM (
  SELECT bidder, date_time, sum(fresh) OVER (PARTITION BY bidder ORDER BY date_time) AS session FROM (
    SELECT bidder, date_time, CASE WHEN date_time
      <= lag(date_time) OVER (PARTITION BY bidder ORDER BY date_time) + INTERVAL '10 seconds' THEN 0 ELSE 1 END AS fresh
    FROM bid) AS marked) AS numbered
GROUP BY bidder, session""",
    "q14": """SELECT auction, bidder, 0.908 * price AS price,
  CASE WHEN extract(hour FROM date_time) >= 8 AND extract(hour FROM date_time) <= 18 THEN 'day'
    WHEN extract(hour FROM date_time) <= 6 OR extract(hour FROM date_time) >= 20 THEN 'night' ELSE 'other' END AS kind,
  date_time, extra, length(extra) - length(replace(extra, 'c', '')) AS c_counts
FROM bid WHERE 0.908 * price > 1000000 AND 0.908 * price < 50000000""",
    "q15": f"""SELECT CAST(date_time AS date) AS day, {_BANDS},
  {_distinct("bidder")},
  {_distinct("auction")}
FROM bid GROUP BY CAST(date_time AS date)""",
    "q16": f"""SELECT channel, CAST(date_time AS date) AS day, max(date_trunc('minute', date_time)) AS minute, {_BANDS},
  {_distinct("bidder")},
  {_distinct("auction")}
FROM bid GROUP BY channel, CAST(date_time AS date)""",
    "q17": f"""SELECT auction, CAST(date_time AS date) AS day, {_BANDS},
  min(price) AS least, max(price) AS most, avg(price) AS average, sum(price) AS total_price
FROM bid GROUP BY auction, CAST(date_time AS date)""",
    "q18": """SELECT DISTINCT ON (bidder, auction) auction, bidder, price, channel, url, date_time, extra
FROM bid ORDER BY bidder, auction, date_time DESC, price DESC, channel, extra""",
    "q19": """SELECT auction, bidder, price, date_time, place FROM (
  SELECT *, row_number() OVER (PARTITION BY auction ORDER BY price DESC, date_time, bidder) AS place FROM bid) AS ranked
WHERE place <= 10""",
    "q20": """SELECT b.auction, b.bidder, b.price, b.channel, b.url, b.date_time, b.extra,
  a.item_name, a.description, a.initial_bid, a.reserve, a.date_time AS opened, a.expires, a.seller, a.category
FROM bid b JOIN auction a ON b.auction = a.id WHERE a.category = 10""",
    "q21": """SELECT auction, bidder, price, channel, channel_id FROM (
  SELECT auction, bidder, price, channel, CASE lower(channel)
    WHEN 'apple' THEN '0' WHEN 'google' THEN '1' WHEN 'facebook' THEN '2' WHEN 'baidu' THEN '3'
    ELSE CASE WHEN url LIKE '%channel_id=%' THEN split_part(url, 'channel_id=', 2) END END AS channel_id
  FROM bid) AS told WHERE channel_id IS NOT NULL""",
    "q22": """SELECT auction, bidder, price, channel,
  split_part(url, '/', 4) AS dir1, split_part(url, '/', 5) AS dir2, split_part(url, '/', 6) AS dir3 FROM bid""",
}  # fmt: skip
