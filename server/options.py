"""What `headwater serve` can be told, on the command line or as HEADWATER_* in the environment."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

DEFAULT_RETAIN_HISTORY_MS = 10 * 60 * 1000


class ServeOptions(BaseSettings):
    """Times in milliseconds unless the name says otherwise."""

    model_config = SettingsConfigDict(env_prefix="HEADWATER_", frozen=True)

    listen: str = "127.0.0.1:6875"
    data_dir: Path = Path(".headwater")
    consensus: str | None = Field(
        default=None, description="sqlite:///path or postgresql://…; default SQLite in the data dir"
    )
    blob: str | None = Field(
        default=None, description="a directory or s3://bucket/prefix; default a directory in the data dir"
    )
    spark_master: str = "local[8]"
    replica_memory: str = "4g"
    password: str | None = Field(default=None, description="asked of clients that don't come over loopback")
    retain_history_ms: int = DEFAULT_RETAIN_HISTORY_MS
    keep_alive_ms: int = 1_000
    replica_grace_ms: int = Field(default=60_000, description="how long a replica waits for the next environment")
    max_connections: int = 500

    @property
    def host_and_port(self) -> tuple[str, int]:
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]") or "127.0.0.1", int(port)

    @property
    def consensus_url(self) -> str:
        return self.consensus or f"sqlite:///{(self.data_dir / 'consensus.sqlite').absolute()}"

    @property
    def blob_url(self) -> str:
        return self.blob or str((self.data_dir / "blob").absolute())
