"""What the command line and the transcript say, one TOML file per language."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def _table(locale: str) -> dict[str, dict[str, str]]:
    text = (files(__package__) / f"{locale}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def say(locale: str, section: str, key: str, **values: object) -> str:
    """One sentence in the language, its holes filled; a key that is not there says itself."""
    sentence = _table(locale if locale in ("zh", "en") else "en")[section].get(key, key)
    return sentence.format(**values) if values else sentence
