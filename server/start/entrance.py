"""The entrance for clients: addresses, passwords, rules, certificates. Checked before anything is changed."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import structlog

from model.time.clock import Randomness
from server.admission.gate import WITH_PASSWORD, WITHOUT_PASSWORD, GivenRules, given_rules
from server.admission.kept_rules import RuleFile
from server.options import ServeOptions
from server.pgwire.server import bind, bind_in
from server.reloading import Reloadable, Unusable
from server.start.places import CannotStart, reason_of
from server.tls.files import ReloadableTls

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Entrance:
    """The sockets and the password of a server. `sockets` are for clients, TCP first; `socket_file` is the path of the
    Unix socket, if any. `password` is the password given at the start, if any.
    """

    sockets: list[socket.socket]
    for_http: list[socket.socket]
    socket_file: Path | None
    password: str | None
    rules: RuleFile | GivenRules
    tls: ReloadableTls | None

    @property
    def reloadable(self) -> Mapping[str, Reloadable]:
        """Returns the parts that are read from files that may change, by their names in logs."""
        parts = {"certificates": self.tls, "rules": self.rules}
        return {name: part for name, part in parts.items() if isinstance(part, ReloadableTls | RuleFile)}

    def leave(self) -> None:
        """Takes away what would tell clients that somebody listens."""
        if self.socket_file is not None:
            with contextlib.suppress(OSError):
                self.socket_file.unlink()


def entrance_of(options: ServeOptions) -> Entrance:
    """Binds the sockets; CannotStart. Clients wait until a server accepts connections from the sockets."""
    password, tls = _password(options), _tls(options)
    rules = _rules(options, WITH_PASSWORD if password else WITHOUT_PASSWORD)
    # The address before the fence: who can't listen must not end the server that does.
    sockets, for_http = _sockets(options), _http_sockets(options)
    local = _unix_socket(options, sockets[0].getsockname()[1])
    if local is not None:
        sockets.append(local[0])
    return Entrance(sockets, for_http, None if local is None else local[1], password, rules, tls)


def _password(options: ServeOptions) -> str | None:
    """Returns the password of clients; CannotStart for a file of passwords that is unreadable or empty."""
    try:
        password = options.asked_password
    except OSError as error:
        raise CannotStart(f"cannot read the password file {options.password_file}: {reason_of(error)}") from error
    if options.password_file is not None and not password:
        raise CannotStart(f"the password file {options.password_file} is empty")
    return password


def _rules(options: ServeOptions, otherwise: str) -> RuleFile | GivenRules:
    """Returns the rules of admission; CannotStart for an unusable file of rules."""
    if options.hba_file is None:
        return given_rules(otherwise)
    try:
        return RuleFile(options.hba_file.absolute())
    except Unusable as error:
        raise CannotStart(f"cannot use the rules of who comes in: {error}") from None


def _tls(options: ServeOptions) -> ReloadableTls | None:
    """Returns the server's certificate and key; CannotStart when the files can't be used."""
    if options.tls is None:
        return None
    try:
        return ReloadableTls(options.tls)
    except Unusable as error:
        raise CannotStart(f"cannot speak TLS: {error}") from None


def _sockets(options: ServeOptions) -> list[socket.socket]:
    """Binds sockets to the address of clients; CannotStart when the address is taken or foreign."""
    try:
        return bind(*options.host_and_port)
    except OSError as error:
        raise CannotStart(f"cannot listen on {options.listen}: {reason_of(error)}") from error


def _unix_socket(options: ServeOptions, port: int) -> tuple[socket.socket, Path] | None:
    """Returns a socket in the given directory, and the path of the socket; CannotStart when binding fails."""
    if options.socket_directory is None:
        return None
    try:
        return bind_in(options.socket_directory, port)
    except OSError as error:
        raise CannotStart(f"cannot listen in {options.socket_directory}: {reason_of(error)}") from error


def _http_sockets(options: ServeOptions) -> list[socket.socket]:
    """Returns the sockets for requests over HTTP. CannotStart when the address is taken, or not ours; where nobody has
    asked for it, that is no reason not to start."""
    place = options.http_host_and_port
    if place is None:
        return []
    try:
        return bind(*place)
    except OSError as error:
        if options.http_listen is not None:
            raise CannotStart(f"cannot listen on {options.http_listen}: {reason_of(error)}") from error
        log.warning("nothing is taken over HTTP", listen=f"{place[0]}:{place[1]}", error=reason_of(error))
        return []


def made_password(options: ServeOptions, port: int, role: str, randomness: Randomness) -> str:
    """Returns a new password, which is written into a file that libpq can read and nobody else than the server's own
    user. CannotStart when it can't be written."""
    password = randomness.token()
    name = role.replace("\\", "\\\\").replace(":", "\\:")
    partial = options.pass_file.with_suffix(".partial")
    try:
        partial.unlink(missing_ok=True)
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"*:{port}:*:{name}:{password}\n")
        partial.replace(options.pass_file)
    except OSError as error:
        raise CannotStart(f"cannot write the password file {options.pass_file}: {reason_of(error)}") from error
    return password
