"""Amazon's services, as a connection."""

from __future__ import annotations

import re
from collections.abc import Mapping

from connectors.aws.settings import aws_settings
from connectors.option_values import require_all, secret, text, text_or_secret, url, wrong
from connectors.system import Options, SystemConnection
from model.external.connections import ConnectionValue
from model.ids.global_id import GlobalId

_REGION = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def _region(name: str, value: ConnectionValue) -> str:
    said = text(name, value)
    if not _REGION.fullmatch(said):
        raise wrong(name, "must be the name of a region, such as us-east-1")
    return said


def _check(options: Options) -> None:
    # Without keys it would log in as whatever the server's machine is there, whoever asks for it.
    require_all(options, "an AWS", "ACCESS KEY ID", "SECRET ACCESS KEY")
    if "ASSUME ROLE SESSION NAME" in options and "ASSUME ROLE ARN" not in options:
        raise wrong("ASSUME ROLE SESSION NAME", "needs ASSUME ROLE ARN beside it")


def _ask(options: Options, secrets: Mapping[GlobalId, str], _by_password: bool) -> None:
    from connectors.aws.clients import ask_aws

    ask_aws(aws_settings(options, secrets))


CONNECTION = SystemConnection(
    name="AWS",
    checks={
        "ENDPOINT": url,
        "REGION": _region,
        "ACCESS KEY ID": text_or_secret,
        "SECRET ACCESS KEY": secret,
        "SESSION TOKEN": text_or_secret,
        "ASSUME ROLE ARN": text,
        "ASSUME ROLE SESSION NAME": text,
    },
    check_together=_check,
    ask=_ask,
)
