"""What was seen in the calls of a run, kept in the user's cache: to be looked at again, it need not be played again.

    book = kept_book(opened) or collected(opened)

A book is found by the sums of all that it was made of: the record, the bound case, the procedure, and the files of the
package that play it. What lies in the cache is private to the user, bears its own sum, and may be lost at any time.
"""

from __future__ import annotations

import json
import os
import zlib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ..files.template_shelf import VARIABLE, TemplateShelf, cache_folder, private_folder, stamp_of
from ..model.events import Offer
from ..model.json_text import read_json
from ..runs.open_run import OpenRun
from ..runs.run_info import run_yaml
from .responses_run import FieldState
from .sight_book import SeenInCall, SightBook

_ROOMS: Final = ("engine", "figures", "language", "model", "runs", "studio", "templates")
"""The rooms whose files decide what a role sees, and how it is kept."""

_QUICK: Final = 1  # level of deflation: what is kept is read more often than it is written, and both are waited for


def kept_book(opened: OpenRun) -> SightBook | None:
    """Return what is kept of a run; None where nothing is, or it cannot be read."""
    shelf = _shelf(os.getpid(), os.environ.get(VARIABLE))
    found = shelf.get(_key(opened)) if shelf is not None else None
    if not isinstance(found, bytes):
        return None
    try:
        return _unfolded(read_json(zlib.decompress(found)))
    except (ValueError, KeyError, TypeError, IndexError, zlib.error):
        return None


def keep_book(opened: OpenRun, book: SightBook) -> None:
    """Keep a book; where there is no place for it, nothing happens."""
    shelf = _shelf(os.getpid(), os.environ.get(VARIABLE))
    if shelf is not None:
        text = json.dumps(_folded(book), ensure_ascii=False, separators=(",", ":"))
        shelf.put(_key(opened), zlib.compress(text.encode("utf-8", "surrogatepass"), _QUICK))
        shelf.flush()


@cache
def _shelf(_: int, told: str | None) -> TemplateShelf | None:
    folder = cache_folder() if told is None else Path(told) if told else None
    try:
        place = private_folder(folder / "sights") if folder is not None else None
    except OSError:
        return None
    return TemplateShelf(place / f"{stamp_of(_ROOMS)}.sqlite3") if place is not None else None


def _key(opened: OpenRun) -> bytes:
    """By what a run is known: `run.yaml`, which holds the sums of all copies, and the sum of its record's last line."""
    text = run_yaml(opened.folder.info) + opened.loaded.chain
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _folded(book: SightBook) -> dict[str, Any]:
    """A book with each state of a field once."""
    states: dict[int, int] = {}
    pool: list[Any] = []
    offers: list[Any] = []
    calls: dict[str, Any] = {}
    known: dict[int, int] = {}
    for request, seen in book.items():
        for state in seen.states:
            if id(state) not in states:
                states[id(state)] = len(pool)
                pool.append(state.model_dump(mode="json"))
        if id(seen.offered) not in known:
            known[id(seen.offered)] = len(offers)
            offers.append([[one.name, one.description, dict(one.schema)] for one in seen.offered])
        rest = [states[id(state)] for state in seen.states], sorted(map(list, seen.opened)), known[id(seen.offered)]
        calls[request] = [seen.stage, seen.today, *rest]
    return {"states": pool, "offers": offers, "calls": calls}


def _unfolded(told: Any) -> SightBook:
    """A book as it was kept. Raises ValueError, KeyError, TypeError, IndexError for what is none."""
    states = [FieldState(**one) for one in told["states"]]
    offers = [tuple(Offer(name, words, schema) for name, words, schema in one) for one in told["offers"]]
    return {
        request: SeenInCall(
            stage,
            today,
            tuple(states[number] for number in numbers),
            frozenset((what, whose) for what, whose in opened),
            offers[offered],
        )
        for request, (stage, today, numbers, opened, offered) in told["calls"].items()
    }
