"""Makes clients of Amazon's services, and tests whether the services accept the keys. Every blocking call has a time
limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import botocore.config
import botocore.exceptions
import botocore.loaders
import botocore.session

from connectors.aws.settings import ENDPOINT, KEY, KEY_ID, REGION, ROLE, ROLE_SESSION, TOKEN
from connectors.unreachable import Unreachable

AwsFailure = (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError)
"""What a client raises: an `except` of it takes all."""

_ROLE_SESSION = "headwater"
_CONNECT_S, _READ_S = 5, 30
_LOGIN_ATTEMPTS = 4
_loader = botocore.loaders.Loader()
"""What services can be asked is read once: a client that reads it for itself takes 0.1 s of the processor for that."""


def aws_client(service: str, settings: Mapping[str, str], *, attempts: int = 4, connections: int = 10) -> Any:
    """Returns a client of the service `s3`, `sqs`, `kinesis`, …; threads may share the client. Where the settings
    name a role, the role is assumed first, so AwsFailure may be raised here too. A role's credentials end after an
    hour: make a client anew then."""
    return _client(service, settings, aws_login(settings), attempts, connections)


def aws_login(settings: Mapping[str, str]) -> Mapping[str, str]:
    """Returns the settings with keys to use: the settings' own, or temporary ones of the role where a role is to be
    assumed (AwsFailure may be raised then)."""
    if ROLE not in settings:
        return settings
    answer = _client("sts", settings, settings, _LOGIN_ATTEMPTS, 1).assume_role(
        RoleArn=settings[ROLE], RoleSessionName=settings.get(ROLE_SESSION, _ROLE_SESSION)
    )["Credentials"]
    return {KEY_ID: answer["AccessKeyId"], KEY: answer["SecretAccessKey"], TOKEN: answer["SessionToken"]}


def _client(
    service: str, settings: Mapping[str, str], login: Mapping[str, str], attempts: int, connections: int
) -> Any:
    # Buckets in the path: names under other endpoints than Amazon's do not resolve.
    style = {"addressing_style": "path"} if ENDPOINT in settings else {}
    config = botocore.config.Config(
        connect_timeout=_CONNECT_S,
        read_timeout=_READ_S,
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=connections,
        s3=style,
    )
    # Without a session of its own it would share the process's, which is not safe between threads.
    session = botocore.session.Session()
    session.register_component("data_loader", _loader)
    return session.create_client(
        service,
        region_name=settings[REGION],
        endpoint_url=settings.get(ENDPOINT),
        aws_access_key_id=login[KEY_ID],
        aws_secret_access_key=login[KEY],
        aws_session_token=login.get(TOKEN),
        config=config,
    )


def ask_aws(settings: Mapping[str, str]) -> None:
    """Tests the keys by asking the service for the caller's identity. Raises Unreachable when the service does not
    answer, or does not know the keys."""
    try:
        aws_client("sts", settings, attempts=1).get_caller_identity()
    except AwsFailure as failure:
        raise Unreachable(" ".join(str(failure).split())) from None
