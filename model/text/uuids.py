"""uuid in text: 32 hexadecimal digits, with a hyphen allowed after any four, braces allowed around."""

from __future__ import annotations

import re
import uuid

from model.text.failures import invalid_syntax

_FORM = re.compile(r"(?:[0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}")


def parse_uuid(text: str) -> uuid.UUID:
    body = text[1:-1] if text[:1] == "{" and text[-1:] == "}" else text
    if not _FORM.fullmatch(body):
        raise invalid_syntax("uuid", text)
    return uuid.UUID(int=int(body.replace("-", ""), 16))
