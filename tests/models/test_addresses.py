"""Where requests go: to the address that the user's variable names, or nowhere; of all providers that litellm knows."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, dead_url, say

from legalworld.model.events import Message, Reply
from legalworld.model.procedure import ModelDefaults
from legalworld.models.endpoint import Endpoint
from legalworld.models.failures import ModelFailed
from legalworld.models.litellm_client import Models, access
from legalworld.models.wire import quiet_litellm

pytestmark = pytest.mark.usefixtures("no_keys")
FORMS = ("{}_API_BASE", "{}_BASE_URL", "{}_API_BASE_URL")
CARDS = "huggingface.co"  # litellm looks up the public card of an unknown model there, without any key


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """The other hosts that somebody wanted to reach; nothing leaves this machine."""
    sought: list[str] = []
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def looked_up(host: Any, *more: Any, **named: Any) -> Any:
        if (name := host.decode() if isinstance(host, bytes) else host) not in ("127.0.0.1", "localhost", None):
            sought.append(name)
            raise socket.gaierror(socket.EAI_NONAME, "not from here")
        return look_up(host, *more, **named)

    def connected(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1"):
            sought.append(address[0])
            raise OSError("not from here")
        connect(self, address)

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    monkeypatch.setattr(socket.socket, "connect", connected)
    monkeypatch.setenv("HOME", str(tmp_path))
    yield sought


def providers() -> list[str]:
    """All that litellm knows, those of its JSON registry too."""
    listed = {str(getattr(one, "value", one)) for one in quiet_litellm().provider_list}
    from litellm.llms.openai_like.json_loader import JSONProviderRegistry

    return sorted(listed | set(JSONProviderRegistry.list_providers()))


def variable(provider: str, form: str) -> str:
    return form.format(provider.upper().replace("-", "_"))


def asked(model: str, **more: Any) -> Reply | ModelFailed:
    async def call() -> Reply:
        async with Models(delay=0.0) as models:
            endpoint = Endpoint(model, attempts=1, deadline=20, **more)
            return await models.complete(endpoint, [Message(role="user", content="?")], ModelDefaults(), seed=1)

    try:
        return asyncio.run(call())
    except ModelFailed as failed:
        return failed


@pytest.mark.parametrize("shift", range(len(FORMS)))
def test_a_variable_named_after_the_provider_says_where_its_requests_go(
    shift: int, hosts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No list of ours: what litellm makes of each provider is asked of litellm."""
    reached, wrong = 0, {}
    turns = cycle(FORMS)
    for _ in range(shift):
        next(turns)
    with Loopback([say("好。")]) as server:
        for provider, form in zip(providers(), turns, strict=False):
            hosts.clear()
            before = len(server.calls)
            with monkeypatch.context() as patch:
                patch.setenv(variable(provider, form), server.url)
                patch.setenv(variable(provider, "{}_API_KEY"), "geheim")
                outcome = asked(f"{provider}/clerk")
            reached += len(server.calls) > before
            if strayed := {host for host in hosts if host != CARDS}:
                wrong[provider] = (strayed, str(outcome))
    assert wrong == {}
    assert reached > 80


def test_an_address_of_the_models_file_is_kept_to_as_well(hosts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_KEY", "geheim")
    with Loopback([say("好。")]) as server:
        for provider in providers():
            asked(f"{provider}/clerk", address=server.url, key_variable="OWN_KEY")
        assert len(server.calls) > 80
    assert set(hosts) <= {CARDS}


@pytest.mark.parametrize("model", ["bytez/clerk", "replicate/clerk"])  # held back on the wire; known beforehand
def test_a_provider_that_passes_over_the_address_is_refused(
    model: str, hosts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = model.partition("/")[0]
    monkeypatch.setenv(variable(provider, FORMS[0]), dead_url())
    monkeypatch.setenv(variable(provider, "{}_API_KEY"), "geheim")
    failed = asked(model)
    assert isinstance(failed, ModelFailed)
    assert (failed.kind, failed.problem.code, hosts) == ("config", "LW699", [])


ADDRESSES = ("http://127.0.0.1:8001/v1", "http://127.0.0.1:8002/v1")
AGREEING = (
    {"MISTRAL_API_BASE": ADDRESSES[0]},
    {"mistral_base_url": ADDRESSES[0]},
    {"MISTRAL_API_BASE": ADDRESSES[0], "MISTRAL_BASE_URL": ADDRESSES[0] + "/"},
    {"MISTRAL_API_BASE": ADDRESSES[0], "MISTRAL_AZURE_API_BASE": ADDRESSES[0]},
    {"MISTRAL_API_BASE": ADDRESSES[0], "MISTRAL_BASE_URL": "", "OPENAI_API_BASE": ADDRESSES[1]},
    {"MISTRAL_API_BASE": ADDRESSES[0], "CODESTRAL_API_BASE": ADDRESSES[1], "NOT_MISTRAL_API_BASE": ADDRESSES[1]},
)
CONFLICTING = (
    {"MISTRAL_API_BASE": ADDRESSES[0], "MISTRAL_BASE_URL": ADDRESSES[1]},
    {"MISTRAL_API_BASE": ADDRESSES[0], "MISTRAL_AZURE_API_BASE": ADDRESSES[1]},
)


@pytest.mark.parametrize("environment", AGREEING)
def test_variables_that_agree(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert access(Endpoint("mistral/clerk")).address.rstrip("/") == ADDRESSES[0]


@pytest.mark.parametrize("environment", CONFLICTING)
@pytest.mark.parametrize("turned", [False, True])
def test_variables_that_disagree_are_told(
    environment: dict[str, str], turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in zip(environment, list(environment.values())[:: -1 if turned else 1], strict=True):
        monkeypatch.setenv(name, value)
    with pytest.raises(ModelFailed) as caught:
        access(Endpoint("mistral/clerk"))
    assert caught.value.problem.code == "LW698"
    assert all(name in str(caught.value.problem.values["variable"]) for name in environment)


@pytest.mark.parametrize("value", [" ", "127.0.0.1:8000", "http://u:geheim@127.0.0.1/v1"])
@pytest.mark.parametrize("form", FORMS)
def test_a_variable_that_holds_no_address_is_named(form: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable("mistral", form), value)
    with pytest.raises(ModelFailed) as caught:
        access(Endpoint("mistral/clerk"))
    assert (caught.value.problem.code, caught.value.message) == ("LW164", variable("mistral", form))


def test_without_a_variable_litellm_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", "geheim")
    assert access(Endpoint("mistral/clerk")).address == ""
