"""The options of `headwater serve` about its doors: where clients come in, by which proof, and how many.

ServeDoorOptions(listen="127.0.0.1:0", password="s3cret").http_host_and_port   # ("127.0.0.1", 0)
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, Field, PositiveInt, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from model.process.addresses import ADDRESS, PORT_MAX
from server.http.limits import HttpLimits
from server.tls.files import TlsFiles

NOWHERE = "none"
"""As the address of the HTTP port: there is none."""


def _address(value: str) -> str:
    match = ADDRESS.fullmatch(value)
    if match is None or int(match[1]) > PORT_MAX:
        raise ValueError(f"an address is HOST:PORT, such as 127.0.0.1:6875, not {value!r}")
    return value


def _http_address(value: str) -> str:
    return value if value == NOWHERE else _address(value)


def read_password(file: Path) -> str:
    """Returns the file's first line; raises OSError when it can't be read."""
    return file.read_text().partition("\n")[0]


class ServeDoorOptions(BaseSettings):
    """The doors by which clients come in: addresses, passwords, certificates, rules and bounds."""

    model_config = SettingsConfigDict(env_prefix="HEADWATER_", frozen=True)

    listen: Annotated[str, AfterValidator(_address)] = "127.0.0.1:6875"
    http_listen: Annotated[str, AfterValidator(_http_address)] | None = Field(
        default=None, description="for SQL and webhook sources over HTTP; default the port after that of `listen`"
    )
    http_host: str = Field(
        default="", description="names by which clients reach that port, with commas between, beside its addresses"
    )
    http_connections: PositiveInt = 500
    http_body_bytes: PositiveInt = Field(default=HttpLimits().body_bytes_max, description="of a request")
    http_requests_per_second: PositiveInt | None = Field(
        default=None, description="to each webhook source; default any"
    )
    password: SecretStr | None = Field(
        default=None, description="asked of every client; without one only those of the loopback are let in"
    )
    password_file: Path | None = Field(default=None, description="a file whose first line is the password")
    socket_directory: Path | None = Field(
        default=None, description="of a Unix socket that is listened on, too; default none"
    )
    hba_file: Path | None = Field(
        default=None, description="rules of who comes in, as pg_hba.conf; default by whether there is a password"
    )
    tls_cert: Path | None = Field(
        default=None, description="the server's certificate, and those that signed it, in PEM"
    )
    tls_key: Path | None = Field(default=None, description="the certificate's key, in PEM, which nobody else may read")
    tls_client_ca: Path | None = Field(default=None, description="the authorities of clients' certificates, in PEM")
    max_connections: PositiveInt = 500
    authentication_timeout_ms: PositiveInt = 60_000

    @model_validator(mode="after")
    def _one_password(self) -> Self:
        if self.password is not None and self.password_file is not None:
            raise ValueError("give a password or a password file, not both")
        return self

    @model_validator(mode="after")
    def _whole_tls(self) -> Self:
        if (self.tls_cert is None) is not (self.tls_key is None):
            raise ValueError("give both a certificate and its key (tls-cert, tls-key)")
        if self.tls_client_ca is not None and self.tls_cert is None:
            raise ValueError("clients' certificates (tls-client-ca) need one of the server's (tls-cert, tls-key)")
        return self

    @property
    def tls(self) -> TlsFiles | None:
        """Returns the files for TLS, with absolute paths; None when the server encrypts nothing."""
        if self.tls_cert is None or self.tls_key is None:
            return None
        client_ca = self.tls_client_ca and self.tls_client_ca.absolute()
        return TlsFiles(self.tls_cert.absolute(), self.tls_key.absolute(), client_ca)

    @property
    def asked_password(self) -> str | None:
        """The password that clients must prove; raises OSError when its file can't be read."""
        if self.password_file is None:
            return None if self.password is None else self.password.get_secret_value()
        return read_password(self.password_file)

    @property
    def host_and_port(self) -> tuple[str, int]:
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]") or "127.0.0.1", int(port)

    @property
    def http_host_and_port(self) -> tuple[str, int] | None:
        """Returns the address on which HTTP listens; None when HTTP shall not listen."""
        if self.http_listen == NOWHERE:
            return None
        host, port = self.host_and_port
        if self.http_listen is not None:
            host, _, given = self.http_listen.rpartition(":")
            return host.strip("[]") or "127.0.0.1", int(given)
        return host, port + 1 if 0 < port < PORT_MAX else 0

    @property
    def http_names(self) -> tuple[str, ...]:
        """The names of the HTTP port's host."""
        place = self.http_host_and_port
        given = [name.strip() for name in self.http_host.split(",")]
        return tuple(name for name in (*given, "" if place is None else place[0]) if name)

    @property
    def http_limits(self) -> HttpLimits:
        return HttpLimits(self.http_connections, self.http_body_bytes, self.http_requests_per_second)
