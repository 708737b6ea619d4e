"""The pages as HTML: a shell that holds nothing of a run, which the script fills; and the page for a wrong address."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final, Literal

from ..model.version import __version__
from ..publication.page import filled
from ..wording import Locale, read_toml, say
from .responses import Boot, BootWords

SECTIONS: Final = (
    *("browser", "studio", "act", "refused", "citation", "violation", "audit", "coverage", "singular", "score"),
)
"""The sections of the text store that pages take words from; `browser` holds those of the pages alone."""
_PARTS: Final = {"score": "gap_"}
"""Of a section, how the names begin that pages use, where they do not use all."""

BUILT: Final = ("app.js", "app.css")
"""The files that `web/` is built to."""

PageName = Literal["runs", "run", "procedure"]


@cache
def words() -> BootWords:
    """Every word of the pages, by `SECTION.NAME`."""
    return BootWords(zh=_words("zh"), en=_words("en"))


def _words(language: Locale) -> dict[str, str]:
    store = read_toml(f"{language}.toml")
    return {
        f"{section}.{name}": sentence
        for section in SECTIONS
        for name, sentence in store.get(section, {}).items()
        if isinstance(sentence, str) and name.startswith(_PARTS.get(section, ""))
    }


@cache
def built(name: str) -> bytes | None:
    """A built file; None where the package has none of this name."""
    if name not in BUILT:
        return None
    try:
        return (files(__package__) / "static" / name).read_bytes()
    except OSError:
        return None


def digest(name: str) -> str:
    """By what a browser knows that a built file is another one."""
    return sha256(built(name) or b"").hexdigest()[:16]


def boot(page: PageName, identity: str, base: str, language: Locale, *, pack: str = "", chosen: bool = True) -> Boot:
    """What a page is begun with."""
    source: Literal["live", "packed"] = "packed" if pack else "live"
    return Boot(
        source=source,
        base=base,
        page=page,
        id=identity,
        language=language,
        chosen=chosen,
        words=words(),
        version=__version__,
        pack=pack,
    )


def embedded(value: Boot) -> str:
    """JSON as it may stand in a script element: nothing in it ends the element, whatever others wrote."""
    text = json.dumps(value.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))
    for mark, written in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("\u2028", "\\u2028")):
        text = text.replace(mark, written)
    return text.encode("utf-8", "replace").decode("utf-8")


def live_page(page: PageName, identity: str, base: str, language: Locale) -> str:
    """The shell of a live page."""
    return filled(
        _own("page.html"),
        **_common(language, embedded(boot(page, identity, base, language))),
        title=say("studio.title", language),
        policy="",
        script="",
        style="",
        script_at=f"/static/app.js?{digest('app.js')}",
        style_at=f"/static/app.css?{digest('app.css')}",
    )


def packed_page(begun: Boot) -> str:
    """A published page: script, style and data in one file; its policy lets its own script and style run by digests."""
    script, style = ((built(name) or b"").decode() for name in BUILT)
    allowed = f"script-src '{_allowed(script)}'; style-src '{_allowed(style)}'; img-src data:"
    return filled(
        _own("page.html"),
        **_common(begun.language, embedded(begun)),
        title=say("studio.title", begun.language),
        policy=f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'",
        script=script,
        style=style,
        script_at="",
        style_at="",
    )


def _allowed(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode("ascii")


def _common(language: Locale, boot_text: str) -> dict[str, object]:
    return {
        "language": "zh-CN" if language == "zh" else "en",
        "boot": boot_text,
        "old": [say("studio.old_browser", "zh"), say("studio.old_browser", "en")],
    }


@cache
def nothing_here() -> bytes:
    """The page of every address that is none, the same whatever was wrong with it."""
    told = [say("studio.other_token", "zh"), say("studio.other_token", "en")]
    return filled(_own("nothing.html"), told=told).encode()


@cache
def _own(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
