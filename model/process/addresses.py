"""Addresses of processes as users write them: `127.0.0.1:6875`, `[::1]:6875`, `:6875`, where all networks are meant."""

from __future__ import annotations

import re

ADDRESS = re.compile(r"(?:\[[0-9a-fA-F:.%\w]+\]|[^\s:\[\]]*):(\d{1,5})")
"""HOST:PORT; the group is the port."""
PORT_MAX = 65_535
