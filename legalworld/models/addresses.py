"""Where the requests of a provider go, when the user has an environment variable say so.

A provider called `mistral` has `MISTRAL_API_BASE`, `MISTRAL_BASE_URL` or `MISTRAL_API_BASE_URL`, whatever litellm
reads: it knows some of them, passes over others, and then sends the user's key to an address that he did not mean.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from ..model.immutable import immutable

_VARIABLE: Final = re.compile(r"(?i)(.+?)_(?:API_BASE|BASE_URL|API_BASE_URL)")


@immutable
class Access:
    """How a model is reached. `key`: "" where litellm finds its own; `address`: the only one that requests may go to,
    "" where litellm decides."""

    provider: str
    key: str = ""
    address: str = ""

    @property
    def options(self) -> dict[str, Any]:
        """Return it as litellm's calls take it."""
        return {
            **({"api_key": self.key} if self.key else {}),
            **({"api_base": self.address} if self.address else {}),
        }


def named_addresses(model: str, provider: str, found: str) -> dict[str, str]:
    """Return the addresses that the environment names for a provider, by variable: at most one where all is well.

    The provider as `model` writes it comes before what litellm makes of it (`cohere` before `cohere_chat`). `found`:
    the address that litellm would use; where that is from another variable of the provider's, that is among them.
    """
    written = model.partition("/")[0] if "/" in model else ""
    for name in dict.fromkeys((written, provider)):
        if name and (named := _named(name)):
            elsewhere = _others(name, found) if _plain(found) not in map(_plain, named.values()) else {}
            one_of_each = {_plain(value): variable for variable, value in sorted({**elsewhere, **named}.items())}
            return {variable: {**elsewhere, **named}[variable].strip() for variable in one_of_each.values()}
    return {}


def _named(provider: str) -> dict[str, str]:
    """The variables of a provider that hold anything."""
    names = {name: _VARIABLE.fullmatch(name) for name, value in os.environ.items() if value}
    return {name: os.environ[name] for name, own in names.items() if own and _bare(own[1]) == _bare(provider)}


def _others(provider: str, found: str) -> Mapping[str, str]:
    """The variables of another form, named after the provider, that hold the address that was found."""
    if not found:
        return {}
    same = {name: value for name, value in os.environ.items() if _plain(value) == _plain(found)}
    return {name: value for name, value in same.items() if _bare(provider).startswith(_bare(name.split("_")[0]))}


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _plain(address: str) -> str:
    return address.strip().rstrip("/")


def is_address(url: str) -> bool:
    """Whether a request can go there: scheme, host, a port in range; a name and password would clash with the key."""
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
        )
    except ValueError:
        return False


def is_loopback(url: str) -> bool:
    """Whether an address is of this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
