"""The page of a protocol: its headings, sentences and tables, which `publication` writes as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.plan import Answer, Step
from ..model.procedure import Conduct, Document, Interruption, Phase, Procedure, Role, Stage
from ..publication.page import Facts, PageBlock, PageSection, PublishedPage
from ..publication.page import Lines as Texts
from ..publication.tables import PublishedTable, TableCell, TableHead
from .protocol import Protocol
from .protocol_course import Course, ProtocolLine, runs_out
from .protocol_matrix import SeenCell, SeenMatrix
from .protocol_steps import room
from .protocol_words import Phrases, coming_in

_SUPERSCRIPTS = str.maketrans("0123456789,", "⁰¹²³⁴⁵⁶⁷⁸⁹˒")
_SIGNED = "signature"
_INDENT = "› "


def page(protocol: Protocol, digest: str, errors: int = 0) -> PublishedPage:
    """The protocol as people read it; `digest`: of the files that it was made of. `errors`: how many there are in them,
    and so much may be missing: then nobody is asked to sign."""
    procedure, phrases = protocol.procedure, protocol.phrases
    title = phrases.word("title", title=procedure.title)
    count = {"stages": len(procedure.stages), "steps": len(protocol.lines)}
    subtitle = phrases.word("subtitle", name=procedure.name, digest=digest, files=len(procedure.files), **count)
    parts = _ProtocolParts(procedure, phrases, protocol.course, protocol.matrix)
    sections = [one for one in parts.sections() if not (errors and one.anchor == _SIGNED)]
    if errors:
        blocks = (Texts((phrases.word("partial", errors=errors),), warn=True),)
        sections.insert(0, PageSection("partial", phrases.word("part_partial"), blocks))
    return PublishedPage(title, subtitle, tuple(sections))


class _ProtocolParts:
    """The sections of the page, each left out where there is nothing to say in it."""

    def __init__(self, procedure: Procedure, phrases: Phrases, course: Course, seen: SeenMatrix) -> None:
        self.procedure = procedure
        self.phrases = phrases
        self.word = phrases.word
        self.course = course
        self.coming = coming_in(procedure)
        self.seen = seen

    def sections(self) -> Iterator[PageSection]:
        made = {
            "head": self._head(),
            "people": self._people(),
            "choices": self._choices(),
            "ends": self._ends(),
            "silence": self._silence(),
        }
        for anchor, blocks in made.items():
            if blocks:
                yield PageSection(anchor, self.word(f"part_{anchor}"), blocks)
        for at, stage in enumerate(self.procedure.stages):
            yield PageSection(
                f"stage-{at + 1}", self.word("stage", n=at + 1, title=stage.title), self._stage(at, stage)
            )
        later = {
            "events": self._events(),
            "sight": self._sight(),
            "documents": self._documents(),
            "decisions": self._decisions(),
            "dates": self._dates(),
            "conduct": self._conduct(),
            "aids": self._aids(),
            _SIGNED: (Texts((self.word("signature"), self.word("reservations"))),),
        }
        for anchor, blocks in later.items():
            if blocks:
                yield PageSection(anchor, self.word(f"part_{anchor}"), blocks)

    # ---- before the course -------------------------------------------------------------------------------------------
    def _head(self) -> tuple[PageBlock, ...]:
        procedure = self.procedure
        law_at = [self.phrases.dotted(field, key) for field, key in procedure.law_at]
        rows = {
            "head_source": procedure.source,
            "head_law": self.phrases.listed(procedure.law),
            "head_law_at": self.phrases.listed(law_at),
            "head_targets": self.phrases.listed([self.phrases.role(role) for role in procedure.targets]),
            "head_parents": self.phrases.listed(procedure.lineage),
        }
        return (
            Facts(tuple((self.word(key), text) for key, text in rows.items() if text)),
            Texts((self.word("how_to"),)),
        )

    def _people(self) -> tuple[PageBlock, ...]:
        rows = [
            (self.phrases.role(role.id), self._stands_for(role), self._letter(role), self._about_role(role))
            for role in self.procedure.roles.values()
        ]
        return self._table("people", rows)

    def _stands_for(self, role: Role) -> str:
        return self.phrases.role(role.represents) if role.represents else role.side

    def _letter(self, role: Role) -> str:
        return self.procedure.kinds.get(role.kind, "")

    def _about_role(self, role: Role) -> str:
        word, told = self.word, []
        if role.title and role.title not in self.phrases.role(role.id):
            told.append(word("role_called", title=role.title))
        if role.assigned:
            told.append(word("role_assigned"))
        if role.assigned and not (role.title or role.formerly):
            told.append(word("role_silent"))
        if role.formerly:
            told.append(word("role_formerly" if role.title else "role_formerly_alone", word=role.formerly))
        if role.alongside:
            told.append(word("role_alongside"))
        if role.each:
            told.append(word("role_each", field=self.phrases.called(role.each)))
        if role.persons:
            told.append(word("role_persons", count=role.persons))
        if role.named:
            told.append(word("role_named", field=self.phrases.called(role.named)))
        if role.when is not None:
            told.append(word("only_if", condition=self.phrases.condition(role.when)))
        if role.absence is not None:
            stages = self.phrases.listed([self.phrases.called(name) for name in role.absence.stages])
            values = {
                "condition": self.phrases.condition(role.absence.condition),
                "stages": stages or word("all_stages"),
            }
            told.append(word("role_absent", **values))
        acts = [
            str(n)
            for n, stage in enumerate(self.procedure.stages, 1)
            if stage.id in self.phrases.stages_of.get(role.id, ())
        ]
        told.append(word("role_acts", stages=_numbers(acts)) if acts else word("role_idle"))
        return self.phrases.joined(told)

    def _choices(self) -> tuple[PageBlock, ...]:
        rows = []
        for option in self.procedure.options.values():
            choices = " / ".join(map(self.phrases.yes_or_no, option.choices)) or self.word("form_yes_or_no")
            number = self.phrases.option_numbers[option.name]
            rows.append((number, option.title or option.name, choices, self.phrases.yes_or_no(option.default)))
        return self._table("choices", rows)

    def _ends(self) -> tuple[PageBlock, ...]:
        rows = []
        for number in dict.fromkeys(self.course.ends.values()):
            for line in self.course.ended_at(number):
                way = " → ".join(line.path) or self.word("path_always")
                document = self.phrases.called(line.step.document) if line.step.document else "–"  # type: ignore[attr-defined]
                rows.append((number, line.step.info.cue, line.number, way, document))
        if runs_out(self.procedure):
            rows.append(("–", self.word("next_over"), "–", self.word("path_last"), "–"))
        return self._table("ends", rows)

    def _silence(self) -> tuple[PageBlock, ...]:
        """What is put down where nobody gives a readable answer, question by question."""
        found: dict[tuple[str, str, str], list[str]] = {}
        for line in self.course.lines:
            for answer in _asked(line.step):
                decides = "yes" if answer.name in self.phrases.deciding else "no"
                key = (answer.called, self.phrases.silence(answer), self.phrases.yes_or_no(decides))
                found.setdefault(key, []).append(line.number)
        rows = [(*key, _numbers(numbers)) for key, numbers in found.items()]
        return (Texts((self.word("silence_read"),), warn=True), *self._table("silence", rows)) if rows else ()

    # ---- the course --------------------------------------------------------------------------------------------------
    def _stage(self, at: int, stage: Stage) -> tuple[PageBlock, ...]:
        blocks: list[PageBlock] = []
        if about := tuple(self._about_stage(stage)):
            blocks.append(Texts(about))
        for number, phase in enumerate(stage.phases):
            told = self.phrases.joined(list(self._about_phase(stage, phase)))
            if told or phase.title:
                blocks.append(Texts((told,) if told else (), title=phase.title or phase.id))
            blocks += self._steps(self.course.phase(at, number))
        if closing := self._steps(self.course.closing(at)):
            blocks += (Texts((), title=self.word("closing")), *closing)
        return tuple(blocks)

    def _about_stage(self, stage: Stage) -> Iterator[str]:
        word, phrases = self.word, self.course.local(stage)
        if stage.when is not None:
            yield word("only_if", condition=phrases.condition(stage.when))
        if stage.basis:
            yield word("basis", basis=phrases.listed(stage.basis))
        if stage.present:
            yield word("stage_present", who=phrases.actors(stage.present))
        if stage.closed_to:
            yield word("stage_closed", who=phrases.actors(stage.closed_to))
        if stage.budget:
            yield word("stage_budget", count=stage.budget)
        if stage.minutes:
            yield word("stage_minutes", who=phrases.actors(stage.minutes))
        if stage.on:
            yield word("on_day", date=phrases.called(stage.on))

    def _about_phase(self, stage: Stage, phase: Phase) -> Iterator[str]:
        word, phrases = self.word, self.course.local(stage)
        if phase.when is not None:
            yield word("only_if", condition=phrases.condition(phase.when))
        if phase.basis:
            yield word("basis", basis=phrases.listed(phase.basis))
        if phase.off_record is not None:
            key = "off_record_if" if phase.off_record.condition is not None else "off_record"
            condition = phrases.condition(phase.off_record.condition) if phase.off_record.condition is not None else ""
            yield word(key, who=phrases.actors(phase.off_record.actors), condition=condition)
        yield from room(phase.room, phrases)
        if phase.recalls is not None:
            yield word("recalls", what=phrases.listed([phrases.called(name) for name in phase.recalls]))
        if phase.on:
            yield word("on_day", date=phrases.called(phase.on))
        coming = [
            f"{self.course.event_number(n)} {event.title or event.id}"
            for n, event in enumerate(self.procedure.interruptions, 1)
            if (event.id, stage.id, phase.id) in self.coming
        ]
        if coming:
            yield word("may_come", events=phrases.listed(coming))

    def _steps(self, lines: Sequence[ProtocolLine]) -> tuple[PageBlock, ...]:
        rows = []
        for line in lines:
            what = self.phrases.joined(line.what)
            what = self.word("otherwise", what=what) if line.otherwise else what
            basis = self.phrases.listed(line.basis) or "–"
            limit = self.phrases.joined(line.limit) or "–"
            rows.append((line.number, line.who or "–", _INDENT * line.depth + what, limit, basis, line.next))
        return self._table("steps", rows)

    def _events(self) -> tuple[PageBlock, ...]:
        blocks: list[PageBlock] = []
        for number, event in enumerate(self.procedure.interruptions, 1):
            told = self.phrases.joined(list(self._about_event(event)))
            blocks.append(Texts((told,), title=f"{self.course.event_number(number)} {event.title or event.id}"))
            blocks += self._steps(self.course.event(event))
        return tuple(blocks)

    def _about_event(self, event: Interruption) -> Iterator[str]:
        word, phrases = self.word, self.phrases
        for token in dict.fromkeys(said.token for said in event.raised):
            who = phrases.actors([said.actor for said in event.raised if said.token == token])
            yield word("raised", who=who, token=phrases.token(token))
        if event.whenever is not None:
            yield word("whenever", condition=phrases.condition(event.whenever))
        if event.when is not None:
            yield word("only_if", condition=phrases.condition(event.when))
        where = [
            f"{phrases.called(stage)}{'/' if phase else ''}{self._phase_title(stage, phase)}"
            for stage, phase in event.during
        ]
        yield word("during", where=phrases.listed(where) or word("anywhere"))
        yield word("times", count=event.limit)
        if event.basis:
            yield word("basis", basis=phrases.listed(event.basis))

    def _phase_title(self, stage: str, phase: str) -> str:
        phases = (one for each in self.procedure.stages if each.id == stage for one in each.phases)
        return next((one.title for one in phases if one.id == phase and one.title), phase)

    # ---- behind the course -------------------------------------------------------------------------------------------
    def _sight(self) -> tuple[PageBlock, ...]:
        stages = self.procedure.stages
        rows = [(row.title, *(_shown(row.cells, stage.id) for stage in stages)) for row in self.seen.rows]
        heads = tuple(TableHead(f"{n} {stage.title or stage.id}") for n, stage in enumerate(stages, 1))
        cells = tuple(tuple(TableCell(text, words=True) for text in row) for row in rows)
        notes = tuple(f"{str(n).translate(_SUPERSCRIPTS)} {note}" for n, note in enumerate(self.seen.notes, 1))
        letters = self.phrases.joined([self._kind(kind, letter) for kind, letter in self.procedure.kinds.items()])
        lists = [one.title or one.name for one in self.procedure.fields.values() if one.items]
        everybody = self.word("everybody", names=self.phrases.listed(lists)) if lists else ""
        unseen = self.word("unseen", names=self.phrases.listed(self.seen.unseen)) if self.seen.unseen else ""
        scoring = self.word("scoring", names=self.phrases.listed(self.seen.scoring)) if self.seen.scoring else ""
        table = PublishedTable("sight", "", self.word("sight_corner"), heads, cells)
        legend = self.word("sight_legend", letters=letters)
        return (Texts((legend,)), table, Texts((*notes, *filter(None, (everybody, unseen, scoring))))) if rows else ()

    def _kind(self, kind: str, letter: str) -> str:
        roles = [self.phrases.role(role.id) for role in self.procedure.roles.values() if role.kind == kind]
        return f"{letter} = {self.phrases.listed(roles) or kind}"

    def _documents(self) -> tuple[PageBlock, ...]:
        rows = []
        for document in self.procedure.documents.values():
            made = [line.number for line in self.course.lines if document.name in line.step.document_names]
            basis = self.phrases.listed(document.basis) or "–"
            row = (document.title or document.name, _numbers(made) or "–", self._holds(document), basis)
            rows.append(row)
        return self._table("documents", rows)

    def _holds(self, document: Document) -> str:
        word, phrases, told = self.word, self.phrases, []
        if document.sections:
            told.append(word("document_sections", names=phrases.listed(document.sections)))
        if document.required:
            told.append(word("document_required", names=phrases.listed([" / ".join(one) for one in document.required])))
        if document.holds:
            told.append(word("document_holds", names=phrases.listed([phrases.called(name) for name in document.holds])))
        if document.follows:
            told.append(
                word("document_follows", names=phrases.listed([phrases.called(one) for one in document.follows]))
            )
        return phrases.joined(told) or "–"

    def _decisions(self) -> tuple[PageBlock, ...]:
        rows = []
        for decision in self.procedure.decisions.values():
            papers = self.phrases.listed([self.phrases.called(name) for name in decision.documents])
            for name in decision.answers:
                at = [line.number for line in self.course.lines if name in line.step.answer_names]
                numbers = _numbers(at) or "–"
                rows.append((decision.title or decision.name, self.phrases.called(name), numbers, papers))
        return self._table("decisions", rows)

    def _dates(self) -> tuple[PageBlock, ...]:
        rows = [(rule.title or rule.name, self.phrases.date(rule)) for rule in self.procedure.dates.values()]
        return self._table("dates", rows)

    def _conduct(self) -> tuple[PageBlock, ...]:
        return self._table("conduct", [self._rule(rule) for rule in self.procedure.conduct])

    def _rule(self, rule: Conduct) -> tuple[str, ...]:
        phrases = self.phrases
        stages = phrases.listed([phrases.called(name) for name in rule.stages]) or self.word("all_stages")
        papers = phrases.listed([phrases.called(name) for name in rule.documents])
        who = phrases.kind(rule.kind) if rule.kind else self.word("everyone")
        where = phrases.joined([stages, papers])
        return (rule.title or rule.id, who, where, phrases.check(rule.check))

    def _aids(self) -> tuple[PageBlock, ...]:
        procedure, phrases, word = self.procedure, self.phrases, self.word
        rows = [(tool.title or tool.name, tool.does, self._given_to(tool.who)) for tool in procedure.tools.values()]
        for memory in procedure.memory.values():
            fields = phrases.listed([field.title or field.name for field in memory.fields.values()])
            condition = word("only_if", condition=phrases.condition(memory.when)) if memory.when is not None else ""
            rows.append((word("memory"), phrases.joined([fields, condition]), phrases.kind(memory.kind)))
        rows += [
            (skill.title or skill.name, word("skill"), self._given_to(skill.who)) for skill in procedure.skills.values()
        ]
        return self._table("aids", rows)

    def _given_to(self, who: Sequence[str]) -> str:
        names = [self.phrases.kind(one) if one in self.procedure.kinds else self.phrases.role(one) for one in who]
        return self.phrases.listed(names) or self.word("everyone")

    def _table(self, name: str, rows: Sequence[tuple[str, ...]]) -> tuple[PageBlock, ...]:
        """A table whose heads are `HEADS_NAME` of the wording, with a bar between them; nothing without rows."""
        if not rows:
            return ()
        corner, *heads = self.word(f"heads_{name}").split("|")
        cells = tuple(tuple(TableCell(text, words=True) for text in row) for row in rows)
        return (PublishedTable(name, "", corner, tuple(map(TableHead, heads)), cells),)


def _shown(cells: Sequence[SeenCell], stage: str) -> str:
    """The kinds that see something in a stage, with their footnotes: a second way in which it is open to a kind
    stands behind a stroke, and a way without a footnote needs no other."""
    ways: dict[str, list[tuple[int, ...]]] = {}
    for cell in cells:
        if cell.stage == stage:
            ways.setdefault(cell.letter, []).append(cell.notes)
    open_ = {letter: [()] if () in notes else notes for letter, notes in ways.items()}
    most = max(map(len, open_.values()), default=0)
    groups = [
        " ".join(letter + _raised(notes[n]) for letter, notes in open_.items() if n < len(notes)) for n in range(most)
    ]
    return " / ".join(groups) or "–"


def _raised(notes: Sequence[int]) -> str:
    return ",".join(map(str, notes)).translate(_SUPERSCRIPTS)


def _asked(step: Step) -> Iterator[Answer]:
    """The answers that somebody is asked for in a step, a ruling on objections included."""
    answer = getattr(step, "answer", None)
    if isinstance(answer, Answer) and step.answerers and step.turn_slots:
        yield answer
    if step.info.objection is not None:
        yield step.info.objection.ruling


def _numbers(numbers: Sequence[str]) -> str:
    """Numbers of steps, with blanks at which a line may be broken."""
    return ", ".join(dict.fromkeys(numbers))
