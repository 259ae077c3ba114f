"""Sessions with a server of MySQL's or MariaDB's, all alike whatever the server's defaults are.

Texts come back as the server writes them, of binary columns bytes: nothing is converted on the way.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import Any, TypeAlias

import pymysql
import pymysql.converters
from pymysql.constants import CLIENT

from connectors.mysql.settings import AUTHORITY, DATABASE, HOST, PASSWORD, PORT, SSL_MODE, USER
from connectors.unreachable import Unreachable

CONNECT_S = 10
MysqlConnection: TypeAlias = pymysql.Connection
"""Of a library without types."""
_MODES = "STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION"
"""What does not fit is an error, and a quote is all that ends a text."""
_SESSION = (
    f"SET sql_mode = '{_MODES}', time_zone = '+00:00', sql_safe_updates = 0",
    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
)
_ENCODERS = {kind: encode for kind, encode in pymysql.converters.encoders.items() if not isinstance(kind, int)}


def connected(
    settings: Mapping[str, str], timeout_s: int = CONNECT_S, *, answer_s: int | None = None
) -> MysqlConnection:
    """Opens a session in autocommit mode, which lasts until a statement BEGIN. Blocks, with a time limit.

    `answer_s` is how many seconds each answer may take once the session is open; None for any time.
    The count of an UPDATE includes rows that the UPDATE finds and does not change: a fence is checked by that count.
    """
    connection: MysqlConnection = pymysql.connect(
        host=settings[HOST],
        port=int(settings[PORT]),
        database=settings[DATABASE],
        user=settings[USER],
        password=settings.get(PASSWORD, "").encode(),
        charset="utf8mb4",
        autocommit=True,
        connect_timeout=timeout_s,
        read_timeout=timeout_s,
        write_timeout=timeout_s,
        client_flag=CLIENT.FOUND_ROWS,
        conv=_ENCODERS,
        program_name="headwater",
        **_encryption(settings),
    )
    try:
        with connection.cursor() as cursor:
            for statement in _SESSION:
                cursor.execute(statement)
        # The library reads them before each answer, and lets nobody change them otherwise.
        connection._read_timeout = connection._write_timeout = answer_s
    except BaseException:
        connection.close()
        raise
    return connection


def reason_of(failure: Exception) -> str:
    """Returns an error's message, the server's or the library's, as one line."""
    said = failure.args[1] if len(failure.args) > 1 else failure
    return " ".join(str(said).split()) or type(failure).__name__


def ask_mysql(settings: Mapping[str, str]) -> None:
    """Raises Unreachable when it does not answer, or does not let us in."""
    try:
        connected(settings).close()
    except (pymysql.Error, OSError) as failure:
        raise Unreachable(reason_of(failure)) from None


def _encryption(settings: Mapping[str, str]) -> dict[str, Any]:
    """Returns the library's arguments for TLS. With `preferred` the session is unencrypted where the server has no
    TLS."""
    mode = settings[SSL_MODE]
    if mode == "disabled":
        return {"ssl_disabled": True}
    if mode == "preferred":
        return {}
    context = ssl.create_default_context(cadata=settings.get(AUTHORITY))
    context.check_hostname = mode == "verify-identity"
    if mode == "required":
        context.verify_mode = ssl.CERT_NONE
    return {"ssl": context}
