"""Logs in with a driver, asks, and prints the answer: far_client.py DRIVER HOST PORT. The role is in PGUSER, the
password in PGPASSWORD.

With AUTHORITY, the file of an authority's certificate, it insists on TLS with a server that this vouches for.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import sys
from pathlib import Path
from typing import Any

import asyncpg
import pg8000.native
import psycopg
import pyspark
from py4j.java_gateway import JavaGateway

from compute.spark.java import java_from_environment

USER, DATABASE = os.environ.get("PGUSER", ""), "headwater"
AUTHORITY = os.environ.get("AUTHORITY", "")


def _trusting() -> ssl.SSLContext | None:
    return ssl.create_default_context(cafile=AUTHORITY) if AUTHORITY else None


def _psycopg(host: str, port: int, password: str) -> Any:
    place: dict[str, Any] = {
        "host": host,
        "port": port,
        "user": USER,
        "password": password,
        "dbname": DATABASE,
    }
    if AUTHORITY:
        place |= {"sslmode": "verify-full", "sslrootcert": AUTHORITY, "channel_binding": "require"}
    with psycopg.connect(**place) as connection:
        row = connection.execute("SELECT %s::int + 1", (41,)).fetchone()
        return row and row[0]


def _asyncpg(host: str, port: int, password: str) -> Any:
    async def ask() -> Any:
        connection = await asyncpg.connect(
            host=host,
            port=port,
            user=USER,
            password=password,
            database=DATABASE,
            ssl=_trusting() or False,
        )
        try:
            return await connection.fetchval("SELECT $1::int + 1", 41)
        finally:
            await connection.close()

    return asyncio.run(ask())


def _pg8000(host: str, port: int, password: str) -> Any:
    place = {"host": host, "port": port, "password": password, "database": DATABASE}
    connection = pg8000.native.Connection(USER, **place, ssl_context=_trusting())
    (row,) = connection.run("SELECT :n::int + 1", n=41)
    connection.close()
    return row[0]


def _pgjdbc(host: str, port: int, password: str) -> Any:
    """Java's driver, whose jar is in JDBC_JAR: in a JVM that Python calls."""
    (py4j,) = (Path(pyspark.__file__).parent / "jars").glob("py4j-*.jar")
    java = java_from_environment().home / "bin" / "java"
    gateway = JavaGateway.launch_gateway(
        jarpath=str(py4j), classpath=os.environ["JDBC_JAR"], java_path=str(java), die_on_exit=True
    )
    properties = gateway.jvm.java.util.Properties()
    properties.setProperty("user", USER)
    properties.setProperty("password", password)
    if AUTHORITY:
        properties.setProperty("sslmode", "verify-full")
        properties.setProperty("sslrootcert", AUTHORITY)
    driver = gateway.jvm.org.postgresql.Driver()
    connection = driver.connect(f"jdbc:postgresql://{host}:{port}/{DATABASE}", properties)
    statement = connection.prepareStatement("SELECT ?::int + 1")
    statement.setInt(1, 41)
    rows = statement.executeQuery()
    rows.next()
    answer = rows.getInt(1)
    connection.close()
    return answer


_DRIVERS = {"psycopg": _psycopg, "asyncpg": _asyncpg, "pg8000": _pg8000, "pgjdbc": _pgjdbc}

if __name__ == "__main__":
    driver, host, port = sys.argv[1:]
    print(_DRIVERS[driver](host, int(port), os.environ["PGPASSWORD"]))
