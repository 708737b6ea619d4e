"""Traces sent by OTLP over HTTP, to where the environment says: OTEL_EXPORTER_OTLP_ENDPOINT and its kin.

OpenTelemetry's SDK is imported when it is needed; it is no part of what is always installed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.version import __version__
from ..runs.open_run import open_run
from ..runs.project import Problems
from .traces import OWN, Trace, TraceSpan, trace_of

EXPORTER: Final = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
SCHEMA: Final = "https://opentelemetry.io/schemas/1.41.0"
BLOCK: Final = 512  # spans in one request


def lacking_otlp(option: str) -> Diagnostic | None:
    """What is to be installed, where it is not."""
    try:
        import_module("opentelemetry.sdk.trace")
        import_module(EXPORTER)
    except ImportError:
        return diagnose.missing_optional_library(option, library="opentelemetry-sdk", extra="otel")
    return None


def otlp_exporter() -> Any:
    """The exporter as the environment sets it up: address, headers, time limit. It waits and tries again by itself."""
    for name in ("opentelemetry.exporter", "opentelemetry.sdk"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what could not be sent, we say
    return import_module(EXPORTER).OTLPSpanExporter()


def readable(trace: Trace) -> Iterator[Any]:
    """The spans of a trace as those of the SDK."""
    api, sdk = import_module("opentelemetry.trace"), import_module("opentelemetry.sdk.trace")
    scope_of = import_module("opentelemetry.sdk.util.instrumentation").InstrumentationScope
    resources = import_module("opentelemetry.sdk.resources")
    resource = resources.Resource({"service.name": OWN, "service.version": __version__}).merge(
        resources.OTELResourceDetector().detect()
    )
    scope = scope_of(OWN, __version__, SCHEMA)
    kinds = {"internal": api.SpanKind.INTERNAL, "client": api.SpanKind.CLIENT}

    def context(number: int) -> Any:
        return api.SpanContext(trace.id, number, is_remote=False, trace_flags=api.TraceFlags(api.TraceFlags.SAMPLED))

    def made(span: TraceSpan) -> Any:
        failed = {"error.type": span.error} if span.error else {}
        return sdk.ReadableSpan(
            span.name,
            context=context(span.id),
            parent=context(span.parent) if span.parent else None,
            resource=resource,
            attributes=span.attributes | failed,
            kind=kinds[span.kind],
            instrumentation_scope=scope,
            status=api.Status(api.StatusCode.ERROR if span.error else api.StatusCode.UNSET),
            start_time=span.start,
            end_time=span.end,
        )

    return map(made, trace.spans)


def send(path: Path, exporter: Any) -> int | Problems:
    """Send the trace of the run in a folder: how many spans there were, or why it was not sent."""
    opened = open_run(path)
    if isinstance(opened, tuple):
        return opened
    trace = trace_of(opened)
    if isinstance(trace, Diagnostic):
        return (trace,)
    success = import_module("opentelemetry.sdk.trace.export").SpanExportResult.SUCCESS
    spans = tuple(readable(trace))
    for begin in range(0, len(spans), BLOCK):
        if exporter.export(spans[begin : begin + BLOCK]) is not success:
            return (diagnose.trace_not_sent(str(path), path=str(path)),)
    return len(spans)


class TraceSender:
    """Sends runs from a thread of its own, one after the other, so that nobody waits for it but who leaves."""

    def __init__(self, warn: Callable[[Problems], None]) -> None:
        self._warn = warn
        self._exporter = otlp_exporter()
        self._thread = ThreadPoolExecutor(1, "traces")
        self._sent: list[Future[int | Problems]] = []

    def send(self, path: Path) -> None:
        """Send the trace of a run when those before it are sent."""
        self._sent.append(self._thread.submit(send, path, self._exporter))

    def close(self) -> None:
        """Wait until all are sent, and tell what could not be."""
        self._thread.shutdown()
        self._exporter.shutdown()
        for one in self._sent:
            result = one.result()
            if isinstance(result, tuple):
                self._warn(result)
