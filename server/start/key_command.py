"""`headwater rotate-secrets-key`."""

from __future__ import annotations

import sys
from pathlib import Path

from model.time.clock import SystemRandomness
from server.options import keys_path_beside
from server.secrets.key_file import rotate_keys


def rotate(data_dir: Path, file: Path | None) -> int:
    """Returns the process's exit code."""
    path = (file or keys_path_beside(data_dir)).absolute()
    try:
        count = rotate_keys(path, SystemRandomness())
    except (OSError, ValueError) as error:
        print(f"headwater rotate-secrets-key: {path}: {error}", file=sys.stderr)
        return 1
    print(f"{path} has a new key, and {count - 1} older.")
    print("Start the server again: it encrypts all secrets with the new one.")
    print("Once it has, the older lines may be taken out.")
    return 0
