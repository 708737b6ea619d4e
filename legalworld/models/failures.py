"""Why a model gave no reply: what an exception out of litellm means, in the provider's words without any key."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from email.utils import parsedate_to_datetime
from json import loads
from typing import Final, Literal

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from .stream import BrokenStream
from .wire import quiet_litellm

DETAIL_LIMIT = 300  # characters of a provider's own words in a failure
DETAIL_SOURCE = 10_000  # characters of them that are looked through for keys
TOO_LONG = "context_length_exceeded"  # litellm knows some servers' sentences, not this code
POLICY = ("content_policy_violation", "content_filter", "data_inspection_failed")  # codes of a refusal by content
QUOTA = ("insufficient_quota", "insufficient_balance", "billing_hard_limit", "Insufficient Balance", "Arrearage")
PASSING = (408, 409, 425, 429)  # 4xx that a later attempt may overcome

_REFUSED: Final[Mapping[int, diagnose.AnyKind]] = {
    401: diagnose.rejected_api_key,
    403: diagnose.rejected_api_key,
    404: diagnose.unknown_model,
}

Kind = Literal["transient", "refused", "silent", "deadline", "malformed", "config", "budget"]


class ModelFailed(Exception):
    """No reply, as a `problem` of the model; `message` is the provider's words without keys.

    transient: worth another run later; refused: the provider said no; silent: there was nothing in the reply, or what
    there was had been filtered; malformed: it did not answer as a chat model
    does; config: no request was made, or none can succeed before the user changes something;
    budget: none is to be made.
    """

    def __init__(self, kind: Kind, problem: Diagnostic) -> None:
        self.kind = kind
        self.problem = problem
        self.message = str(problem.values.get("detail") or problem.values.get("variable") or "")
        self.attempts = int(str(problem.values.get("attempts", 0)))
        super().__init__(f"{problem.code} {kind}: {self.message}")

    def at(self, place: str) -> Diagnostic:
        """The problem, of the option or file that named the model."""
        return replace(self.problem, span=Span(place, 0, 0))


@immutable
class Failure:
    """One attempt's failure. `says` is told model, status, attempts and detail, whichever of them its sentence names.

    `again`: another attempt may succeed; `after`: seconds the provider asks to wait.
    """

    kind: Kind
    says: diagnose.AnyKind
    detail: str
    status: int = 0
    again: bool = False
    after: float = 0.0

    def raised(self, model: str, attempts: int) -> ModelFailed:
        values = {"model": model, "status": self.status, "attempts": attempts, "detail": self.detail}
        return ModelFailed(self.kind, self.says(model, **values))


def failure_of(error: Exception) -> Failure:
    """What an exception out of litellm means. Its own classes and statuses are not enough: it calls a refused
    connection a 500, and a 500 a status that no server sent."""
    import httpx

    if isinstance(error, quiet_litellm().exceptions.MidStreamFallbackError) and error.original_exception is not None:
        error = error.original_exception
    causes = tuple(_causes(error))
    detail = _detail(error)
    if isinstance(causes[-1], ImportError) or "Provider config not found" in str(error):
        return Failure("config", diagnose.uncallable_model, detail)
    if isinstance(error, BrokenStream) or any(isinstance(cause, httpx.TransportError) for cause in causes):
        return Failure("transient", diagnose.failed_connection, detail, again=True)
    status = getattr(error, "status_code", None)
    answered = any(isinstance(cause, httpx.HTTPStatusError) for cause in causes)
    if isinstance(status, int) and (answered or status not in (200, 500)):
        return _by_status(error, status, detail)
    if not type(error).__module__.startswith("litellm."):  # an IndexError from within: its text alone says nothing
        detail = f"{type(error).__name__}: {detail}"
    return Failure("malformed", diagnose.malformed_model_answer, detail, again=True)


def _by_status(error: Exception, status: int, detail: str) -> Failure:
    detail = detail or f"HTTP {status}"
    if any(code in str(error) for code in QUOTA):
        return Failure("refused", diagnose.exhausted_quota, detail, status)
    if status in PASSING or status >= 500:
        says = diagnose.rate_limited if status == 429 else diagnose.failed_service
        return Failure("transient", says, detail, status, again=True, after=_retry_after(error))
    litellm = quiet_litellm()
    if isinstance(error, litellm.ContextWindowExceededError) or TOO_LONG in str(error):
        refused: diagnose.AnyKind = diagnose.context_too_long
    elif isinstance(error, litellm.ContentPolicyViolationError) or any(code in str(error) for code in POLICY):
        refused = diagnose.refused_content
    else:
        refused = _REFUSED.get(status, diagnose.refused_request)
    return Failure("refused", refused, detail, status)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and those it came from."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _retry_after(error: Exception) -> float:
    """Seconds of a Retry-After header, which may be a date; 0 where there is none."""
    for source in (error, getattr(error, "response", None)):
        headers = getattr(source, "litellm_response_headers", None) or getattr(source, "headers", None) or {}
        value = (headers.get("retry-after") or "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return float(value)
        if value:
            with suppress(ValueError, TypeError):
                return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    return 0.0


def _detail(error: Exception) -> str:
    """The provider's words on one line: no wrapping by litellm, no key, no address with a password or a query."""
    text = str(error).partition("Traceback (most recent call last)")[0]
    text = re.sub(r"^(litellm\.\w+: )*([\w :]{,80}Exception - )?", "", text).strip()
    with suppress(ValueError, TypeError, KeyError):
        text = str(loads(text)["error"]["message"])
    text = text[:DETAIL_SOURCE]
    for name, value in os.environ.items():
        if len(value) >= 8 and re.search(r"(KEY|TOKEN|SECRET|PASSWORD)$", name):
            text = text.replace(value, "***")
    text = re.sub(r"\b(sk|pk|key)-[\w*.-]{4,}", "***", text)
    text = re.sub(r"(?i)\b(bearer) \S+", r"\1 ***", text)
    text = re.sub(r"(://)[^/\s@]+@", r"\1", text)
    text = re.sub(r"(://[^\s?]+)\?\S*", r"\1", text)
    text = re.sub(r" ssl:<[^>]*>", "", text)  # the address of an object
    return " ".join(text.split())[:DETAIL_LIMIT]
