"""What tokens cost, by the price list that comes with litellm."""

from __future__ import annotations

from .wire import quiet_litellm


def cost(model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    """US dollars; None for a model that the list does not have."""
    try:
        prices = quiet_litellm().cost_per_token(
            model=model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens
        )
    except Exception:  # whatever litellm raises for a name that it does not know
        return None
    return float(sum(prices))
