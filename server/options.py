"""The options of `headwater serve`, from the command line or HEADWATER_* in the environment."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, Field, NonNegativeInt, PositiveInt, SecretStr, model_validator
from pydantic_settings import SettingsConfigDict

from catalog.durable.rows import SUPERUSER
from server.door_options import ServeDoorOptions
from server.ledgers.statement_log import STATEMENTS_DEFAULT, STATEMENTS_MAX
from server.replica_options import ServeReplicaOptions
from server.subscription.limits import BufferLimits
from storage.persist.location import BLOB_DIRECTORY, CONSENSUS_FILE
from timeline.lease import LEASE_MS

DEFAULT_RETAIN_HISTORY_MS = 10 * 60 * 1000

SECRET_VARIABLES = ("HEADWATER_PASSWORD", "HEADWATER_REPLICA_SECRET", "HEADWATER_SECRETS_KEY", "HEADWATER_CONSENSUS")
"""Those that no other process is to have, nor this one any longer once they are read."""

_NAME_BYTES_MAX = 63
_LEASE_MS_MIN = 300


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


def keys_path_beside(data_dir: Path) -> Path:
    """Returns the default place of the keys for secrets: `data` has them in `data.secrets-key`."""
    whole = data_dir.absolute()
    return whole.with_name(f"{whole.name}.secrets-key")


class ServeOptions(ServeDoorOptions, ServeReplicaOptions):
    """Times in milliseconds unless the name says otherwise. Pydantic's ValidationError for what can't be."""

    model_config = SettingsConfigDict(env_prefix="HEADWATER_", frozen=True)

    data_dir: Path = Path(".headwater")
    consensus: Annotated[str, AfterValidator(_consensus)] | None = Field(
        default=None, description="sqlite:///path or postgresql://…; default SQLite in the data dir"
    )
    blob: Annotated[str, AfterValidator(_blob)] | None = Field(
        default=None, description="a directory or s3://bucket/prefix; default a directory in the data dir"
    )
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
    standby: bool = Field(default=False, description="whether the server waits until nobody leads before it serves")
    lease_ms: int = Field(
        default=LEASE_MS, ge=_LEASE_MS_MIN, description="how long standbys wait for a leader that shows no life"
    )
    max_prepared_transactions: NonNegativeInt = Field(
        default=0, description="what PREPARE TRANSACTION may leave at once; 0 refuses it"
    )
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
    def pass_file(self) -> Path:
        """Returns where a password goes that the server has made itself."""
        return self.data_dir / "pgpass"

    @property
    def consensus_url(self) -> str:
        return self.consensus or f"sqlite:///{(self.data_dir / CONSENSUS_FILE).absolute()}"

    @property
    def blob_url(self) -> str:
        blob = self.blob or str(self.data_dir / BLOB_DIRECTORY)
        return blob if "://" in blob else str(Path(blob).absolute())
