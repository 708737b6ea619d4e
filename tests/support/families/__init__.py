"""Imitations of the providers that models are reached by: real HTTP on loopback, each in its own form and strictness.

provider = Provider(DEEPSEEK, script)     # a script says what is answered to what was asked
with Loopback(provider) as server:
    environ.update(variables(DEEPSEEK, server))     # litellm finds it
assert provider.refusals == []            # what it would not have taken
"""

from loopback import Loopback

from families.anthropic_form import ANTHROPIC
from families.exchange import Asked, Family, Provider, Refusal, Said, Script, ToolCall, Turn
from families.gemini_form import GEMINI
from families.ollama_form import OLLAMA
from families.openai_form import AZURE, DEEPSEEK, KIMI, MISTRAL, OPENAI, QWEN, VLLM

FAMILIES = (ANTHROPIC, OPENAI, DEEPSEEK, GEMINI, QWEN, MISTRAL, KIMI, VLLM, OLLAMA, AZURE)

__all__ = ["FAMILIES", "Asked", "Family", "Provider", "Refusal", "Said", "Script", "ToolCall", "Turn", "variables"]


def variables(family: Family, server: Loopback) -> dict[str, str]:
    """The environment in which litellm finds the server."""
    address = server.url.removesuffix("/v1")
    return {name: value.format(url=address) for name, value in family.environment.items()}
