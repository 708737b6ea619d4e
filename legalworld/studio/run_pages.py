"""All that pages are told of one run, by address: `sight/96`, `doc/final_judgment`; the same for a server and a file.

pages = RunPages(run, live=False)
pages.answer("sight/96", {})            # SightPage; None for what the run does not have
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final

from pydantic import BaseModel

from ..model.events import Entered, Spoke
from ..model.json_text import read_json
from ..model.outcome import Ended
from ..runs.adjustments import adjustments, adjustments_text
from ..runs.call_costs import calls_of_run, priced_call
from ..runs.gaps import gaps, gaps_text
from ..runs.show.calendar import calendar_data
from ..runs.show.changed import changes_data, changes_text
from .assessed import (
    article_page,
    asked_page,
    check_list,
    citation_list,
    conduct_list,
    decision_list,
    score_list,
    scored_turns,
)
from .calls import heard_page, memory_page, prompt_page, tool_list, turn_page
from .documents import Documents
from .lines import Transcript
from .responses import Problem, TwoLanguages
from .responses_assessed import CheckList, CitationList, ConductList, DecisionList, ScoreList, SealedPage, ToolList
from .responses_run import CalendarRow, ChangeRow, ModelRow, PersonRow, RunHead
from .sights import Sights
from .studio_run import StudioRun
from .told import in_both

PARTS: Final = ("tools", "conduct", "citations", "checks", "scores", "decisions", "docs")
"""The parts of a run that stand at an address of their own, in the order of their tabs."""

OWNERS: Final = ("prompts", "names", "asked", "sealed")
"""What the owner sees, and a published page where it was asked for; never what is `sealed`, or a grader was `asked`."""

BY_TURN: Final = ("turn", "sight", "prompt", "memory")
MOST_LINES: Final = 1000


class RunPages:
    """`live`: somebody is playing the run now."""

    def __init__(self, run: StudioRun, *, live: bool = False) -> None:
        self.run, self.live = run, live

    def answer(self, address: str, query: Mapping[str, str]) -> BaseModel | None:
        """What stands at an address below a run's; None where nothing does. Raises ValueError for a query that cannot
        be read."""
        what, _, rest = address.partition("/")
        if what in BY_TURN or what == "words":
            return self._of_turn(what, rest, query)
        if what == "lines" and not rest:
            first = int(query.get("from", 0))
            return self.transcript.lines(first, min(int(query.get("count", 400)), MOST_LINES))
        if what == "doc":
            return self.documents.page(rest)
        if what == "asked":  # in no published page: a question may quote what is sealed
            return asked_page(self.run, rest)
        if what == "heard":
            return heard_page(self.run, rest) if rest in self.run.persons else None
        if what == "article" and not rest:
            return article_page(query.get("law", ""), query.get("article", ""), query.get("at", ""), self.run.root)
        part = self._parts.get(address)
        return part() if part is not None else None

    def _of_turn(self, what: str, rest: str, query: Mapping[str, str]) -> BaseModel | None:
        if not rest.isascii() or not rest.isdigit() or not 1 <= int(rest[:9]) <= len(self.run.calls) or len(rest) > 9:
            return None
        turn = int(rest)
        match what:
            case "turn":
                return turn_page(self.run, turn, self.transcript.line_of(turn))
            case "sight":
                return self.sights.at(turn)
            case "prompt":
                return prompt_page(self.run, turn)
            case "memory":
                return memory_page(self.run, turn)
            case _:
                return self.transcript.words(turn, max(int(query.get("from", 0)), 0))

    @cached_property
    def _parts(self) -> Mapping[str, Callable[[], BaseModel]]:
        return {
            "head": lambda: self.head,
            "tools": lambda: self.tools,
            "conduct": lambda: self.conduct,
            "citations": lambda: self.citations,
            "checks": lambda: self.checks,
            "scores": lambda: self.scores,
            "decisions": lambda: self.decisions,
            "docs": self.documents.listed,
        }

    # ---- parts -------------------------------------------------------------------------------------------------------

    @cached_property
    def scores(self) -> ScoreList:
        return score_list(self.run)

    @cached_property
    def transcript(self) -> Transcript:
        return Transcript(self.run, scored_turns(self.scores))

    @cached_property
    def documents(self) -> Documents:
        return Documents(self.run, {line.doc: line.n for line in self.transcript.rows if line.doc})

    @cached_property
    def sights(self) -> Sights:
        return Sights(self.run)

    @cached_property
    def tools(self) -> ToolList:
        return tool_list(self.run)

    @cached_property
    def conduct(self) -> ConductList:
        return conduct_list(self.run)

    @cached_property
    def citations(self) -> CitationList:
        return citation_list(self.run, self.transcript, self.documents)

    @cached_property
    def checks(self) -> CheckList:
        return check_list(self.run, self.documents)

    @cached_property
    def decisions(self) -> DecisionList:
        return decision_list(self.run, self.documents)

    # ---- the head ----------------------------------------------------------------------------------------------------

    @cached_property
    def head(self) -> RunHead:
        """What is known of the run as a whole."""
        run, opened = self.run, self.run.opened
        info, procedure = opened.folder.info, opened.procedure
        ended = next((event for event in run.events if isinstance(event, Ended)), None)
        entered = [event.place for event in run.events if isinstance(event, Entered)]
        return RunHead(
            id=run.id,
            status="ended" if ended is not None else "unfinished",
            live=self.live,
            torn=opened.loaded.torn,
            procedure=procedure.name,
            procedure_title=procedure.title,
            locale=procedure.locale,
            case=info.case,
            case_title=opened.case.title,
            target=info.target,
            seed=info.seed,
            options=dict(info.options),
            option_titles={one.name: one.title for one in procedure.options.values() if one.title},
            models=tuple(self._models()),
            people=tuple(self._people()),
            parts=self.transcript.parts,
            calendar=tuple(CalendarRow(**row) for row in calendar_data(opened)),
            outcome=ended.outcome if ended is not None else "",
            ending=ended.title if ended is not None else "",
            place=entered[-1] if entered else "",
            turns=sum(isinstance(event, Spoke) for event in run.events),
            calls=len(run.calls),
            lines=len(self.transcript.rows),
            tokens=tokens_of(run),
            cost=cost_of(run),
            lacking=_sentences(lambda: gaps_text(gaps(procedure, run.events))),
            adjusted=_sentences(lambda: adjustments_text(adjustments(opened.folder.times))),
            changes=tuple(self._changes()),
            has=self._has,
            problems=(),
            names=True,
        )

    def _models(self) -> list[ModelRow]:
        roles = self.run.procedure.roles
        played = self.run.opened.played
        return [
            ModelRow(role=role, title=roles[role].title if role in roles else "", model=name)
            for role, name in played.items()
        ]

    def _people(self) -> list[PersonRow]:
        run, played = self.run, self.run.opened.played
        found = []
        for person in run.people[1]:
            known = run.persons[person.id]
            found.append(
                PersonRow(
                    id=person.id,
                    role=known.role,
                    title=person.title,
                    name=person.name,
                    kind=known.kind,
                    letter=run.letters.get(known.kind, known.kind),
                    side=known.side,
                    model=played.get(known.role, ""),
                )
            )
        return found

    def _changes(self) -> list[ChangeRow]:
        rows = changes_data(self.run.opened)
        texts = _sentences(lambda: changes_text(rows))
        return [ChangeRow(turn=row["from_turn"], text=text) for row, text in zip(rows, texts, strict=True)]

    @cached_property
    def _has(self) -> tuple[str, ...]:
        """Which parts have anything in them."""
        filled = {
            "tools": bool(self.tools.calls),
            "conduct": bool(self.conduct.violations),
            "citations": bool(self.transcript.cited["citations"]),
            "checks": bool(self.run.procedure.decisions),
            "scores": bool(self.scores.evaluations or self.scores.problems),
            "decisions": bool(self.run.procedure.decisions),
            "docs": self.documents.any,
        }
        owners = (part for part in OWNERS if part != "sealed" or self.run.opened.folder.info.sealed_sum)
        return (*(part for part in PARTS if filled[part]), *owners)

    def sealed(self, at: str) -> SealedPage | None:
        """What the case keeps for scoring; None where there is nothing. Whoever asks for it notes that before."""
        folder = self.run.opened.folder
        told = folder.sealed_json() if folder.info.sealed_sum else None
        return SealedPage(at=at, value=read_json(told)) if isinstance(told, str) and told else None


def _sentences(words: Callable[[], Iterable[str]]) -> tuple[TwoLanguages, ...]:
    """Sentences that the program words for a terminal, each in both languages."""
    joined = in_both(lambda: "\0".join(words()))
    if not joined.zh:
        return ()
    pairs = zip(joined.zh.split("\0"), joined.en.split("\0"), strict=True)
    return tuple(TwoLanguages(zh=zh, en=en) for zh, en in pairs)


def tokens_of(run: StudioRun) -> int | None:
    """The tokens that providers counted; None where nobody did."""
    counted = [
        number
        for reply in run.answers.values()
        for number in (reply.prompt_tokens, reply.completion_tokens)
        if number is not None
    ]
    return sum(counted) if counted else None


def cost_of(run: StudioRun) -> float | None:
    """What the calls cost in US dollars; None where no price of any is known, or nobody was called."""
    calls, _ = calls_of_run(run.opened)
    costs = [priced_call(call) for call in calls]
    priced = [cost for cost in costs if not cost.unpriced]
    return sum(cost.dollars for cost in priced) if priced else None


def damaged_head(identity: str, problems: tuple[Problem, ...]) -> RunHead:
    """The head of a run that cannot be looked at: what is wrong with it."""
    return RunHead(
        id=identity,
        status="damaged",
        live=False,
        torn=False,
        procedure="",
        procedure_title="",
        locale="",
        case="",
        case_title="",
        target="",
        seed=0,
        options={},
        option_titles={},
        models=(),
        people=(),
        parts=(),
        calendar=(),
        outcome="",
        ending="",
        place="",
        turns=0,
        calls=0,
        lines=0,
        tokens=None,
        cost=None,
        lacking=(),
        adjusted=(),
        changes=(),
        has=(),
        problems=problems,
        names=True,
    )
