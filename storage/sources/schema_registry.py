"""What a Confluent schema registry answers over HTTP."""

from __future__ import annotations

import base64
import http.client
import ssl
import urllib.error
import urllib.request

from storage.sources.unreachable import Unreachable

_ANSWER_BYTES_MAX = 16 << 20


class _Refusal(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: what logs in here is for this place alone."""

    def redirect_request(self, *_arguments: object) -> None:
        return None


def ask_registry(url: str, login: tuple[str, str] | None, authority: str | None, path: str, timeout_s: float) -> bytes:
    """The answer's body; Unreachable for any but 200, and when there is none. `authority` signs its certificate (PEM).

    It blocks: never call it on the event loop."""
    request = urllib.request.Request(f"{url.rstrip('/')}/{path}")
    request.add_header("Accept", "application/vnd.schemaregistry.v1+json, application/json")
    if login is not None:
        token = base64.b64encode(":".join(login).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {token}")
    try:
        context = ssl.create_default_context(cadata=authority)
        opener = urllib.request.build_opener(_Refusal(), urllib.request.HTTPSHandler(context=context))
        with opener.open(request, timeout=timeout_s) as answer:
            body: bytes = answer.read(_ANSWER_BYTES_MAX)
            return body
    except urllib.error.HTTPError as error:
        with error:
            raise Unreachable(f"HTTP {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise Unreachable(str(error.reason)) from None
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(str(error) or type(error).__name__) from None
