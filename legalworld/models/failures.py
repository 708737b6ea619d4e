"""Why a model gave no reply: what an exception out of litellm means, in the provider's words without any key."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import Final, Literal

from ..files.secrets import echoes
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from ..model.text import clean
from .complaint import Complaint, complaint
from .stream import BrokenStream
from .wire import Exchange, quiet_litellm

DETAIL_LIMIT = 300  # characters of a provider's own words in a failure
DETAIL_SOURCE = 10_000  # characters of them that are looked through for keys
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

    `again`: another attempt may succeed; `after`: seconds the provider asks to wait; `complaint`: what the server said
    of a request that it did not take.
    """

    kind: Kind
    says: diagnose.AnyKind
    detail: str
    status: int = 0
    again: bool = False
    after: float = 0.0
    complaint: Complaint | None = None

    def raised(self, model: str, attempts: int) -> ModelFailed:
        values = {"model": model, "status": self.status, "attempts": attempts, "detail": self.detail}
        return ModelFailed(self.kind, self.says(model, **values))


def failure_of(
    error: Exception, exchange: Exchange | None = None, wordings: Mapping[str, Sequence[str]] | None = None
) -> Failure:
    """What an exception out of litellm means. Its own classes and statuses are not enough: it calls a refused
    connection a 500, and a 500 a status that no server sent. `exchange`: what went over the wire; `wordings`: kind of a
    refusal -> a server's words for it."""
    import httpx

    if isinstance(error, quiet_litellm().exceptions.MidStreamFallbackError) and error.original_exception is not None:
        error = error.original_exception
    if exchange is not None and exchange.strayed:
        return Failure("config", diagnose.strayed_request, exchange.strayed)
    causes = tuple(_causes(error))
    detail = _detail(error)
    if isinstance(causes[-1], ImportError) or "Provider config not found" in str(error):
        return Failure("config", diagnose.uncallable_model, detail)
    if isinstance(error, BrokenStream) or any(isinstance(cause, httpx.TransportError) for cause in causes):
        return Failure("transient", diagnose.failed_connection, detail, again=True)
    status = getattr(error, "status_code", None)
    answered = any(isinstance(cause, httpx.HTTPStatusError) for cause in causes)
    if isinstance(status, int) and (answered or status not in (200, 500)):
        return _by_status(error, status, _complaint(error, status, exchange or Exchange()), wordings or {})
    if not type(error).__module__.startswith("litellm."):  # an IndexError from within: its text alone says nothing
        detail = f"{type(error).__name__}: {detail}"
    return Failure("malformed", diagnose.malformed_model_answer, detail, again=True)


def _complaint(error: Exception, status: int, exchange: Exchange) -> Complaint:
    """What the server said: its own answer where it went over our connection, else what is left of it in the error."""
    body = exchange.body if exchange.status >= 400 else b""
    if body.strip():
        return complaint(exchange.status, body.decode("utf-8", "replace"))
    response = getattr(error, "response", None)
    sources = (getattr(error, "body", None), getattr(response, "text", None), _unwrapped(error))
    return complaint(status, next((source for source in sources if source), ""))


def _by_status(error: Exception, status: int, said: Complaint, wordings: Mapping[str, Sequence[str]]) -> Failure:
    detail = shown(said.text) or f"HTTP {status}"
    kind = said.kind(wordings)
    if kind == "quota":
        return Failure("refused", diagnose.exhausted_quota, detail, status)
    if kind == "passing":
        return Failure("malformed", diagnose.malformed_model_answer, detail, status, again=True)
    if status in PASSING or status >= 500:
        says = diagnose.rate_limited if status == 429 else diagnose.failed_service
        no_tools = kind == "tools" and status >= 500
        failed = Failure("transient", says, detail, status, again=True, after=_retry_after(error), complaint=said)
        return replace(failed, kind="refused", says=diagnose.unsupported_tools, again=False) if no_tools else failed
    litellm = quiet_litellm()
    if kind == "content":
        refused: diagnose.AnyKind = diagnose.refused_content
    elif kind == "overflow":
        refused = diagnose.context_too_long
    elif kind == "tools" and status not in (401, 403):
        refused = diagnose.unsupported_tools
    elif kind is None and isinstance(error, litellm.ContentPolicyViolationError):
        refused = diagnose.refused_content
    elif kind is None and isinstance(error, litellm.ContextWindowExceededError):
        refused = diagnose.context_too_long
    else:
        refused = _REFUSED.get(status, diagnose.refused_request)
    return Failure("refused", refused, detail, status, complaint=said)


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


def _unwrapped(error: Exception) -> str:
    """The text of an exception without what litellm puts before it."""
    text = str(error).partition("Traceback (most recent call last)")[0]
    return re.sub(r"^(litellm\.\w+: )*([\w :]{,80}Exception - )?", "", text).strip()


def _detail(error: Exception) -> str:
    """The provider's words on one line: no wrapping by litellm, no key, no address with a password or a query."""
    text = _unwrapped(error)
    return shown(complaint(0, text).text or text)


def shown(text: str) -> str:
    """Words of a provider as they may be shown: on one line, without keys, passwords and queries of addresses."""
    text = text[:DETAIL_SOURCE]
    for name, value in os.environ.items():
        if len(value) >= 8 and re.search(r"(KEY|TOKEN|SECRET|PASSWORD)$", name):
            text = text.replace(value, "***")
    text = re.sub(r"\b(sk|pk|key)-[\w*.-]{4,}", "***", text)
    text = re.sub(r"(?i)\b(bearer) \S+", r"\1 ***", text)
    text = re.sub(r"(://)[^/\s@]+@", r"\1", text)
    text = re.sub(r"(://[^\s?]+)\?\S*", r"\1", text)
    text = re.sub(r" ssl:<[^>]*>", "", text)  # the address of an object
    if echoes(text):  # in another form, or in pieces
        return "***"
    return clean(" ".join(text.split())[:DETAIL_LIMIT])
