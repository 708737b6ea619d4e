"""The studio as a web application: addresses, and which function answers each. Nothing here knows what it sends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from ..files.regular import Stamp
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..wording import Locale, locale
from .follow import MOST_RUNS, MOST_STREAMS, Follower
from .guard import App, Doorway, Guard
from .opened_log import Note, now
from .procedure_pages import LANGUAGES, ProcedureShelf
from .responses import FailurePage
from .responses_run import RunHead
from .run_list import StudioList
from .run_pages import RunPages, damaged_head
from .said import SaidWords
from .shelf import DamagedRun, RunShelf
from .shell import PageName, built, live_page, nothing_here
from .told import problem_of

_TYPES: Final = {"app.js": "text/javascript; charset=utf-8", "app.css": "text/css; charset=utf-8"}


class Studio:
    """The runs below a folder, looked at. `note`: takes down when what a case keeps for scoring was shown."""

    def __init__(self, root: Path, doorway: Doorway, note: Note) -> None:
        self.root, self.doorway, self.note = root, doorway, note
        self.shelf = RunShelf(root)
        self.listing = StudioList(root, self.shelf)
        self.said = SaidWords(root, self.shelf)
        self.procedures = ProcedureShelf(self.shelf)
        self.follower = Follower(self.shelf, self.listing)

    def warm(self) -> None:
        """Open, beside the requests, the run that was played last: what any run needs is read then, and most often its
        procedure too."""
        threading.Thread(target=self._warm, daemon=True, name="studio-warm").start()

    def _warm(self) -> None:
        rows = self.listing.answer({"count": ["200"]}).rows
        written = [(Stamp.of(self.root / row.id / "journal.jsonl").mtime, row.id) for row in rows]
        found = self.shelf.find(max(written)[1]) if written else None
        if isinstance(found, RunPages):
            found.answer("head", {})

    def close(self) -> None:
        """End what goes on beside the requests."""
        self.follower.close()
        self.said.close()
        self.listing.close()

    @property
    def app(self) -> App:
        """The application, guarded."""
        base = self.doorway.base
        routes = [
            Route("/static/{name}", self._static),
            Route(base, self._page("runs")),
            Route(f"{base}runs", self._page("runs")),
            Route(f"{base}run/{{id:path}}", self._page("run")),
            Route(f"{base}procedure/{{id}}", self._page("procedure")),
            Route(f"{base}d/runs", self._answering(self._runs)),
            Route(f"{base}d/said", self._answering(self._said)),
            Route(f"{base}d/procedures", self._answering(self._procedures)),
            Route(f"{base}d/procedure/{{name}}/{{what}}", self._answering(self._procedure)),
            Route(f"{base}d/follow", self._follow),
            Route(f"{base}d/run/{{rest:path}}", self._answering(self._run)),
            Route(f"{base}d/run/{{id:path}}/sealed", self._answering(self._sealed), methods=["POST"]),
        ]
        inner = Starlette(routes=routes, exception_handlers={404: _nothing, 405: _nothing, 500: self._broken})
        inner.router.redirect_slashes = False
        return Guard(inner, self.doorway, _refused, self._busy)

    # ---- pages -------------------------------------------------------------------------------------------------------

    def _page(self, page: PageName) -> Callable[[Request], Response]:
        def shell(request: Request) -> Response:
            identity = request.path_params.get("id", "")
            return HTMLResponse(live_page(page, identity, self.doorway.base, _language(request)))

        return shell

    def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        content = built(name)
        if content is None:
            return Response(nothing_here(), 404, media_type="text/html")
        return Response(content, headers={"content-type": _TYPES[name]})

    # ---- data --------------------------------------------------------------------------------------------------------

    def _answering(self, answer: Callable[[Request], BaseModel | Response]) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            try:
                found = await run_in_threadpool(answer, request)
                return found if isinstance(found, Response) else _json(await run_in_threadpool(found.model_dump_json))
            except ValueError:
                return self._failure(400, diagnose.unreadable_studio_query(str(request.url.query)[:200]))

        return endpoint

    def _runs(self, request: Request) -> BaseModel:
        query = _lists(request)
        if words := "".join(query.pop("said", [])).strip():
            query["run"] = self.said.runs_with(words) or [""]
        return self.listing.answer(query)

    def _said(self, request: Request) -> BaseModel:
        query = request.query_params
        count = min(max(int(query.get("count", 100)), 0), 500)
        return self.said.hits(query.get("words", ""), query.get("run", ""), count)

    def _procedures(self, _: Request) -> BaseModel:
        self.listing.look()
        return self.procedures.listed(self.listing.procedures())

    def _procedure(self, request: Request) -> BaseModel | Response:
        name, what = request.path_params["name"], request.path_params["what"]
        found = self.procedures.answer(name, what, _lists(request))
        if found is None:
            return self._failure(404, diagnose.no_such_studio_page(what, name=name))
        return self._failure(404, found) if isinstance(found, Diagnostic) else found

    def _run(self, request: Request) -> BaseModel | Response:
        identity, address = _split(request.path_params["rest"])
        if identity is None:
            return self._failure(404, diagnose.no_such_studio_page(address, name=address))
        found = self.shelf.find(identity)
        if found is None:
            return self._failure(404, diagnose.studio_run_gone(identity, name=identity))
        if isinstance(found, DamagedRun):
            return self._damaged(found, address)
        page = found.answer(address, dict(request.query_params))
        if page is None:
            return self._failure(404, diagnose.no_such_studio_page(address, name=identity))
        return page

    def _sealed(self, request: Request) -> BaseModel | Response:
        """What a case keeps for scoring: asked for by a click, and noted before it is shown."""
        identity = request.path_params["id"]
        found = self.shelf.find(identity)
        if found is None:
            return self._failure(404, diagnose.studio_run_gone(identity, name=identity))
        if isinstance(found, DamagedRun):
            return self._failure(409, found.problems[0])
        at = now()
        page = found.sealed(at)
        if page is None:
            return self._failure(404, diagnose.no_such_studio_page("sealed", name=identity))
        self.note(at, identity)
        return page

    def _damaged(self, found: DamagedRun, address: str) -> RunHead | Response:
        """The head of a damaged run tells what is wrong; it has nothing else."""
        if address == "head":
            return damaged_head(found.id, tuple(problem_of(one, self.root) for one in found.problems))
        return self._failure(409, found.problems[0])

    async def _follow(self, request: Request) -> Response:
        runs = tuple(dict.fromkeys(request.query_params.getlist("run")))
        if len(runs) > MOST_RUNS or self.follower.streams >= MOST_STREAMS:
            return self._failure(429, diagnose.studio_busy(str(request.url.path)))
        known = [run for run in runs if "\0" not in run]
        stream = self.follower.stream(tuple(known), "list" in request.query_params)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    # ---- what goes wrong ---------------------------------------------------------------------------------------------

    def _failure(self, status: int, problem: Diagnostic) -> Response:
        return _json(FailurePage(error=problem_of(problem, self.root)).model_dump_json(), status)

    async def _broken(self, request: Request, _: Exception) -> Response:
        return self._failure(500, diagnose.studio_error(str(request.url.path).removeprefix(self.doorway.base)))

    async def _busy(self, scope: Any, receive: Any, send: Any) -> None:
        await self._failure(429, diagnose.studio_busy(""))(scope, receive, send)


ADDRESSES: Final = frozenset(
    {"head", "lines", "tools", "conduct", "citations", "checks", "scores", "decisions", "docs", "article"}
)
LONGER: Final = frozenset({"turn", "sight", "prompt", "memory", "words", "doc", "heard", "asked"})


def _split(rest: str) -> tuple[str | None, str]:
    """The run that an address names, and what of it: `batch/1/sight/3` is `sight/3` of `batch/1`."""
    parts = rest.split("/")
    if len(parts) > 2 and parts[-2] in LONGER:
        return "/".join(parts[:-2]), "/".join(parts[-2:])
    if len(parts) > 1 and parts[-1] in ADDRESSES:
        return "/".join(parts[:-1]), parts[-1]
    return None, rest


def _lists(request: Request) -> dict[str, list[str]]:
    query = request.query_params
    return {name: query.getlist(name) for name in query}


def _language(request: Request) -> Locale:
    """The language that an address names, else the one that the browser prefers, else that of the terminal."""
    told = request.query_params.get("lang")
    return "zh" if told == "zh" else "en" if told == "en" else preferred(request.headers.get("accept-language", ""))


def preferred(accepted: str) -> Locale:
    """The language of the pages that a browser likes best, as `Accept-Language` has it; the first of equals."""
    best, found = 0.0, locale()
    for part in accepted.split(","):
        name, _, rest = part.strip().lower().partition(";")
        known = next((one for one in LANGUAGES if name.partition("-")[0] == one), None)
        try:
            weight = float(rest.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if known is not None and weight > best:
            best, found = weight, known
    return found


def _json(text: str, status: int = 200) -> Response:
    return Response(text.encode("utf-8", "replace"), status, media_type="application/json")


async def _nothing(_: Request, __: Exception) -> Response:
    return Response(nothing_here(), 404, media_type="text/html")


async def _refused(scope: Mapping[str, Any], receive: Any, send: Any) -> None:
    await Response(nothing_here(), 404, media_type="text/html")(dict(scope), receive, send)
