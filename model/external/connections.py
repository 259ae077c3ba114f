"""The options of connections: texts, and the secrets that hold texts."""

from __future__ import annotations

from model.ids.global_id import GlobalId

ConnectionValue = str | tuple[str, ...] | GlobalId
"""Text, texts, or the secret that holds the text."""

ConnectionOptions = tuple[tuple[str, ConnectionValue], ...]
"""By name, in capitals; of each name there is one."""
