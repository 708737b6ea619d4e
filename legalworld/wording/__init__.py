"""What the command line and the transcript say, one TOML file per language."""

from __future__ import annotations

import os
from functools import cache
from typing import Literal

Locale = Literal["zh", "en"]


def locale() -> Locale:
    """The language of messages: LW_LANG, else the locale of the environment."""
    for name in ("LW_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if word := os.environ.get(name):
            return "zh" if word.lower().startswith("zh") else "en"
    return "en"


@cache
def _table(locale: str) -> dict[str, dict[str, str]]:
    import tomllib  # not importlib.resources: it takes longer to import than the whole help to print

    with open(os.path.join(os.path.dirname(__file__), f"{locale}.toml"), "rb") as file:
        return tomllib.load(file)


def say(locale: str, section: str, key: str, **values: object) -> str:
    """One sentence in the language, its holes filled; a key that is not there says itself."""
    sentence = _table(locale if locale in ("zh", "en") else "en")[section].get(key, key)
    return sentence.format(**values) if values else sentence
