"""A chat completion by litellm below its client wrapper, which reckons costs, metadata and logs that lw keeps.

The wrapper takes half of the processor time of a call. What lies below it does all that concerns a provider: requests,
answers, streams, tools and errors. Where a version of litellm cannot be called so, its public function is.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Final

from ..model.immutable import immutable
from .wire import quiet_litellm

Call = Callable[..., Awaitable[Any]]
# What litellm itself raises when it is called otherwise than it expects; a provider's refusal is none of these.
_PROGRAM_ERRORS: Final = (TypeError, AttributeError, NameError, AssertionError, LookupError, ImportError)
# What a user of the Python door may have hooked into litellm: the wrapper serves it.
_CALLBACKS: Final = (
    "callbacks",
    "input_callback",
    "success_callback",
    "failure_callback",
    "_async_success_callback",
    "_async_failure_callback",
)
UNAVAILABLE: Final = "acompletion.__wrapped__"


@immutable
class _Below:
    """The coroutine function below the wrapper, and what makes the Logging object without which it fails."""

    call: Call
    setup: Callable[..., tuple[Any, dict[str, Any]]]
    rules: Any

    async def __call__(self, **arguments: Any) -> Any:
        """Return the answer or stream of `acompletion`; raises what it raises."""
        given = {**arguments, "litellm_call_id": str(uuid.uuid4())}
        log, given = self.setup("acompletion", self.rules, datetime.datetime.now(), **given)
        return await self.call(**{**given, "litellm_logging_obj": log})


@cache
def below() -> Call | None:
    """Return how litellm is called below its wrapper; None for a version that has no such function."""
    quiet_litellm()
    try:
        from litellm import main, utils

        return _Below(main.acompletion.__wrapped__, utils.function_setup, utils.Rules())
    except _PROGRAM_ERRORS:
        return None


def hooked() -> bool:
    """Whether something waits for what the wrapper tells."""
    litellm = quiet_litellm()
    if litellm.cache is not None or litellm.max_budget:
        return True
    # A store of answers that litellm once made leaves its mark among these: what counts is whether there is one now.
    return any(one != "cache" for name in _CALLBACKS for one in getattr(litellm, name, None) or ())


def program_error(error: BaseException) -> str | None:
    """Return the program error at the root of a failure, in a line; None where there is none."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return f"{type(error).__name__}: {error}"[:200] if isinstance(error, _PROGRAM_ERRORS) else None
