"""The options of `headwater serve`, from the command line or HEADWATER_* in the environment."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, Field, NonNegativeInt, PositiveInt, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from catalog.durable.rows import SUPERUSER
from compute.controller.replica_values import REPLICAS_MAX, STATE_CACHE_BYTES, checked_master, checked_memory
from server.http.limits import HttpLimits
from server.ledgers.statement_log import STATEMENTS_DEFAULT, STATEMENTS_MAX
from server.subscription.limits import BufferLimits
from server.tls.files import TlsFiles
from storage.persist.location import BLOB_DIRECTORY, CONSENSUS_FILE
from timeline.lease import LEASE_MS

DEFAULT_RETAIN_HISTORY_MS = 10 * 60 * 1000

SECRET_VARIABLES = ("HEADWATER_PASSWORD", "HEADWATER_REPLICA_SECRET", "HEADWATER_SECRETS_KEY", "HEADWATER_CONSENSUS")
"""Those that no other process is to have, nor this one any longer once they are read."""

NOWHERE = "none"
"""As the address of the HTTP port: there is none."""

_NAME_BYTES_MAX = 63
_ADDRESS = re.compile(r"(?:\[[0-9a-fA-F:.%\w]+\]|[^\s:\[\]]*):(\d{1,5})")
_LEASE_MS_MIN = 300
_PORT_MAX = 65_535


def _address(value: str) -> str:
    match = _ADDRESS.fullmatch(value)
    if match is None or int(match[1]) > _PORT_MAX:
        raise ValueError(f"an address is HOST:PORT, such as 127.0.0.1:6875, not {value!r}")
    return value


def _http_address(value: str) -> str:
    return value if value == NOWHERE else _address(value)


def _replica(value: str) -> str:
    if value.startswith("unix:/"):
        return value
    match = _ADDRESS.fullmatch(value)
    if match is None or not 0 < int(match[1]) <= _PORT_MAX or value.startswith(":"):
        raise ValueError(f"a replica's address is HOST:PORT or unix:/PATH, not {value!r}")
    return value


def _superuser(value: str) -> str:
    if not value or value.startswith("pg_") or value in ("public", "none") or len(value.encode()) > _NAME_BYTES_MAX:
        raise ValueError(f"{value!r} is no name of a role")
    return value


def _consensus(value: str) -> str:
    if not re.match(r"postgres(ql)?://|sqlite:.", value):
        # Whatever it is, it may hold a password.
        scheme = value.partition(":")[0]
        raise ValueError(f"consensus is sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE, not {scheme}:…")
    return value


def _blob(value: str) -> str:
    if not value or ("://" in value and not re.match(r"s3://[^/]+|file:///", value)):
        raise ValueError(f"blob is a directory or s3://BUCKET/PREFIX, not {value!r}")
    return value


def read_password(file: Path) -> str:
    """Returns the file's first line; OSError when it can't be read."""
    return file.read_text().partition("\n")[0]


Memory = Annotated[str, AfterValidator(checked_memory)]


def keys_path_beside(data_dir: Path) -> Path:
    """Returns the default place of the keys for secrets: `data` has them in `data.secrets-key`."""
    whole = data_dir.absolute()
    return whole.with_name(f"{whole.name}.secrets-key")


class ServeOptions(BaseSettings):
    """Times in milliseconds unless the name says otherwise. Pydantic's ValidationError for what can't be."""

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
    data_dir: Path = Path(".headwater")
    consensus: Annotated[str, AfterValidator(_consensus)] | None = Field(
        default=None, description="sqlite:///path or postgresql://…; default SQLite in the data dir"
    )
    blob: Annotated[str, AfterValidator(_blob)] | None = Field(
        default=None, description="a directory or s3://bucket/prefix; default a directory in the data dir"
    )
    spark_master: Annotated[str, AfterValidator(checked_master)] = "local[8]"
    replica_memory: Memory = "4g"
    replicas: int = Field(
        default=1, ge=1, le=REPLICAS_MAX, description="how many replicas of our own maintain every view and index"
    )
    replica_state: Literal["disk", "blob"] = Field(
        default="disk", description="where replicas of our own keep the state of views and indexes"
    )
    replica_state_cache_bytes: NonNegativeInt = Field(
        default=STATE_CACHE_BYTES, description="of state in blob, on the disk of each replica at most"
    )
    executor_memory: Memory = Field(default="1g", description="each executor's heap, on a cluster")
    replica: Annotated[str, AfterValidator(_replica)] | None = Field(
        default=None, description="where a replica that somebody else started listens; default one of our own"
    )
    replica_secret: SecretStr = Field(default=SecretStr(""), description="what that replica was started with")
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
    superuser: Annotated[str, AfterValidator(_superuser)] = Field(
        default=SUPERUSER, description="what the superuser of a new data directory is called"
    )
    server_files: bool = Field(default=True, description="whether COPY, sources and sinks may use the server's files")
    server_programs: bool = Field(default=True, description="whether sinks may start programs")
    secrets_key: SecretStr | None = Field(default=None, description="the key for secrets, in base64")
    secrets_key_file: Path | None = Field(
        default=None, description="the file that keeps it; default beside the data dir, made at the first start"
    )
    retain_history_ms: NonNegativeInt = DEFAULT_RETAIN_HISTORY_MS
    keep_alive_ms: PositiveInt = 1_000
    replica_grace_ms: PositiveInt = Field(
        default=60_000, description="how long a replica waits for the next environment"
    )
    standby: bool = Field(default=False, description="whether the server waits until nobody leads before it serves")
    lease_ms: int = Field(
        default=LEASE_MS, ge=_LEASE_MS_MIN, description="how long standbys wait for a leader that shows no life"
    )
    warm_up: bool = Field(
        default=True, description="Spark runs queries of common shapes in its first idle moments, before anybody asks"
    )
    max_connections: PositiveInt = 500
    max_prepared_transactions: NonNegativeInt = Field(
        default=0, description="what PREPARE TRANSACTION may leave at once; 0 refuses it"
    )
    authentication_timeout_ms: PositiveInt = 60_000
    statement_log: NonNegativeInt = Field(
        default=STATEMENTS_DEFAULT,
        le=STATEMENTS_MAX,
        description="statements that mz_recent_activity_log keeps; 0 keeps none",
    )
    subscribe_memory_bytes: PositiveInt = Field(
        default=BufferLimits().memory_bytes, description="what waits in memory for one SUBSCRIBE's reader"
    )
    subscribe_spill_bytes: NonNegativeInt = Field(
        default=BufferLimits().spill_bytes, description="what waits for it in files beyond, before it is disconnected"
    )

    @model_validator(mode="after")
    def _one_password(self) -> Self:
        if self.password is not None and self.password_file is not None:
            raise ValueError("give a password or a password file, not both")
        return self

    @model_validator(mode="after")
    def _own_replicas(self) -> Self:
        if self.replica is not None and self.replicas > 1:
            raise ValueError("several replicas (replicas) are the server's own: give no address of another (replica)")
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
    def secrets(self) -> tuple[str, ...]:
        """The option values to keep out of logs and errors, because libraries that get them may repeat them."""
        told = (self.replica_secret, self.secrets_key)
        found = [each.get_secret_value() for each in told if each is not None]
        place = urlsplit(self.consensus_url)
        return (*found, unquote(place.password)) if place.password else (*found,)

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        if self.secrets_key is not None and self.secrets_key_file is not None:
            raise ValueError("give a key for secrets or a key file, not both")
        if self.keys_path.is_relative_to(self.data_dir.absolute()):
            raise ValueError("the key file must be outside the data directory, which it protects")
        return self

    @property
    def keys_path(self) -> Path:
        """The file of the keys for secrets."""
        return (self.secrets_key_file or keys_path_beside(self.data_dir)).absolute()

    @property
    def host_and_port(self) -> tuple[str, int]:
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]") or "127.0.0.1", int(port)

    @property
    def pass_file(self) -> Path:
        """Where a password goes that the server has made itself."""
        return self.data_dir / "pgpass"

    @property
    def http_host_and_port(self) -> tuple[str, int] | None:
        """Returns the address on which HTTP listens; None when HTTP shall not listen."""
        if self.http_listen == NOWHERE:
            return None
        host, port = self.host_and_port
        if self.http_listen is not None:
            host, _, given = self.http_listen.rpartition(":")
            return host.strip("[]") or "127.0.0.1", int(given)
        return host, port + 1 if 0 < port < _PORT_MAX else 0

    @property
    def http_names(self) -> tuple[str, ...]:
        """The names of the HTTP port's host."""
        place = self.http_host_and_port
        given = [name.strip() for name in self.http_host.split(",")]
        return tuple(name for name in (*given, "" if place is None else place[0]) if name)

    @property
    def http_limits(self) -> HttpLimits:
        return HttpLimits(self.http_connections, self.http_body_bytes, self.http_requests_per_second)

    @property
    def consensus_url(self) -> str:
        return self.consensus or f"sqlite:///{(self.data_dir / CONSENSUS_FILE).absolute()}"

    @property
    def blob_url(self) -> str:
        blob = self.blob or str(self.data_dir / BLOB_DIRECTORY)
        return blob if "://" in blob else str(Path(blob).absolute())
