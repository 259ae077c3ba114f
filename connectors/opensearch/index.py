"""The index that a sink writes, as the replica is told of it, and the settings of the client."""

from __future__ import annotations

from dataclasses import dataclass

from connectors.client_settings import ClientSettings
from model.ids.global_id import GlobalId

URL, USER, PASSWORD, AUTHORITY = "url", "user", "password", "authority"
OPENSEARCH_SETTINGS = ClientSettings(
    {"URL": URL, "USERNAME": USER, "PASSWORD": PASSWORD, "SSL CERTIFICATE AUTHORITY": AUTHORITY}
)


@dataclass(frozen=True, slots=True)
class OpensearchIndex:
    """An index of OpenSearch.

    `settings`: of the client, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    index: str
