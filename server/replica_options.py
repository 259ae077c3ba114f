"""The options of `headwater serve` about replicas: who starts them, on which Spark, with how much memory and state.

ServeReplicaOptions(replicas=2, replica_memory="2g", replica_state="blob")
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, NonNegativeInt, PositiveInt, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from compute.controller.replica_values import (
    REPLICAS_MAX,
    STATE_CACHE_BYTES,
    checked_address,
    checked_master,
    checked_memory,
)
from compute.protocol.link_tls import trusting

Memory = Annotated[str, AfterValidator(checked_memory)]


class ServeReplicaOptions(BaseSettings):
    """The replicas of our own, and the one that somebody else starts. Times in milliseconds."""

    model_config = SettingsConfigDict(env_prefix="HEADWATER_", frozen=True)

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
    replica: Annotated[str, AfterValidator(checked_address)] | None = Field(
        default=None, description="where a replica that somebody else started listens; default one of our own"
    )
    replica_secret: SecretStr = Field(default=SecretStr(""), description="what these replicas were started with")
    replica_ca: Path | None = Field(
        default=None, description="who has signed the certificates that these replicas show by TLS"
    )
    replica_grace_ms: PositiveInt = Field(
        default=60_000, description="how long a replica waits for the next environment"
    )
    standby_hydrates: bool = Field(
        default=True,
        description="whether a standby that can't take over the leader's replicas keeps views and indexes in its own",
    )
    warm_up: bool = Field(
        default=True, description="Spark runs queries of common shapes in its first idle moments, before anybody asks"
    )

    @model_validator(mode="after")
    def _own_replicas(self) -> Self:
        if self.replica is not None and self.replicas > 1:
            raise ValueError("several replicas (replicas) are the server's own: give no address of another (replica)")
        if self.replica_ca is not None and self.replica is not None and self.replica.startswith("unix:"):
            raise ValueError("replica_ca is for replicas at HOST:PORT (replica)")
        if self.replica_ca is not None:
            try:
                trusting(self.replica_ca)
            except OSError as error:
                raise ValueError(f"replica_ca {self.replica_ca} can't be used: {error}") from error
        return self
