"""Sets up the log of a process: what a line looks like, and that none shows a secret or a local variable."""

from __future__ import annotations

import logging
import sys

import structlog
from structlog.typing import EventDict, Processor, ProcessorReturnValue, WrappedLogger

from model.process.redaction import redacted


def set_up_log(*, for_reader: bool) -> None:
    """Lines go to standard error: for somebody who reads along, or as JSON.

    Traces show no local variables: what they hold, secrets and users' rows, is nobody's who reads a log."""
    plain = structlog.dev.plain_traceback
    # Where a value is quoted, what stands before a secret may be part of an escaped sign: it is cut before.
    traced = structlog.processors.format_exc_info
    drawn: list[Processor] = [traced, _values_without_secrets, structlog.processors.JSONRenderer()]
    if for_reader:
        console = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)
        drawn = [_values_without_secrets, console]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            *drawn,
            _without_secrets,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _values_without_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    return {name: redacted(value) if isinstance(value, str) else value for name, value in event.items()}


def _without_secrets(_logger: WrappedLogger, _method: str, line: EventDict | str) -> ProcessorReturnValue:
    assert isinstance(line, str), "a renderer goes before"
    return redacted(line)
