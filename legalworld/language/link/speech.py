"""Steps in which somebody speaks: their tokens, limits and answers, and who reads their drafts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...model import ast as s
from ...model import plan
from ...model import steps as verbs
from .. import diagnose
from ..schema import StepSurface
from ..sentences.keywords import truth
from ..yaml.nodes import Scalar
from .names import Meanings, Scope

RANGE: Final = (0.0, 5.0)  # of scores, unless the spec says otherwise
DRAFTS: Final = 2
REVIEW: Final = frozenset({"reviewed_by", "reviews", "approve", "scores", "score_range", "drafts"})


class Speech(Meanings):
    """Resolves steps of speech."""

    def _speak(self, info: plan.StepInfo, head: s.SpeakHead, surface: StepSurface, scope: Scope) -> verbs.Speak:
        if head.item is not None and head.item.text not in scope.variables:
            self._report(diagnose.unknown_field(head.item.span, name=head.item.text, among=scope.variables))
        if head.may:
            self._needed(head, diagnose.missing_step_key, {"pass": surface.pass_})
        return verbs.Speak(
            info,
            head.verb,
            tuple(self.actor(actor, scope) for actor in head.actors),
            tuple(self.actor(actor, scope) for actor in head.to),
            head.item.text if head.item is not None else "",
            self._token(surface.pass_),
            self._answer(surface),
        )

    def _moderate(
        self, info: plan.StepInfo, head: s.ModerateHead, surface: StepSurface, scope: Scope
    ) -> verbs.Moderate:
        self._needed(head, diagnose.missing_step_key, {"call": surface.call, "close": surface.close})
        return verbs.Moderate(
            info,
            self.actor(head.chair, scope),
            tuple(self.actor(actor, scope) for actor in head.speakers),
            self._token(surface.call),
            self._token(surface.close),
            self._bound(surface, head),
        )

    def _drive(self, info: plan.StepInfo, head: s.DriveHead, surface: StepSurface, scope: Scope) -> verbs.Drive:
        wanted = {"checklist": surface.checklist, "call": surface.call, "done": surface.done, "close": surface.close}
        self._needed(head, diagnose.missing_construct_key, wanted)
        name = surface.checklist.text if surface.checklist is not None else ""
        if surface.checklist is not None and name not in self.names.checklists:
            self._report(diagnose.unknown_checklist(surface.checklist.span, name=name, among=self.names.checklists))
        return verbs.Drive(
            info,
            self.actor(head.driver, scope),
            tuple(self.actor(actor, scope) for actor in head.participants),
            name,
            self._token(surface.call),
            self._token(surface.done),
            self._token(surface.close),
            self._bound(surface, head),
            self._produces(surface, scope),
        )

    def _converse(
        self, info: plan.StepInfo, head: s.ConverseHead, surface: StepSurface, scope: Scope
    ) -> verbs.Converse:
        until = self._when(surface.until, scope)
        topics = self._topics(surface, scope)
        if until is None and not surface.until and not surface.given & {"topics", "topic"}:
            self._report(diagnose.missing_step_key(head.span, key="until"))
        tokens = until.parts if isinstance(until, plan.AnyOf) else (until,)
        said = tuple(token for token in tokens if isinstance(token, plan.TokenSaid))
        if surface.until is not None and until is not None and len(said) != len(tokens):
            self._report(diagnose.missing_step_key(surface.until.span, key="until"))
        opener, partner = self.actor(head.opener, scope), self.actor(head.partner, scope)
        return verbs.Converse(
            info, opener, partner, said, self._bound(surface, head), self._produces(surface, scope), topics
        )

    def _topics(self, surface: StepSurface, scope: Scope) -> plan.Topics | None:
        """`topics: questions of client`, raised with `topic: 【话题{n}】`."""
        if surface.topics is None and surface.topic is None:
            return None
        for key, word, other in (("topics", surface.topics, surface.topic), ("topic", surface.topic, surface.topics)):
            if word is None and other is not None:
                self._report(diagnose.missing_construct_key(other.span, key=key))
        if surface.topics is None:
            return None
        node, problems = self.parser.field(surface.topics.text, surface.topics.span)
        self.problems += problems
        return plan.Topics(self.reference(node, scope), self._token(surface.topic)) if node is not None else None

    def _produces(self, surface: StepSurface, scope: Scope) -> str:
        if surface.produces is None:
            return ""
        return self._document(s.Name(surface.produces.text, surface.produces.span), scope)

    # ---- who reads drafts --------------------------------------------------------------------------------------------
    def _review(self, surface: StepSurface, scope: Scope) -> plan.Review | None:
        """`reviewed by: supervisor`, with a token that approves or with scores."""
        word = surface.reviewed_by
        if word is None:
            if surface.given & REVIEW:
                self._report(diagnose.missing_construct_key(surface.head.span, key="reviewed by"))
            return None
        if (surface.approve is None) == (not surface.scores):
            self._report(diagnose.conflicting_review_keys(word.span))
        drafts = self._limit(surface.drafts) or DRAFTS
        if surface.drafts is not None and surface.approve is not None and drafts < DRAFTS:
            self._report(diagnose.too_few_drafts(surface.drafts.span))
        node, problems = self.parser.actor(word.text, word.span)
        self.problems += problems
        if node is None:
            return None
        return plan.Review(
            self.actor(node, scope),
            self._actors(surface.reviews, scope) if surface.reviews is not None else (),
            self._token(surface.approve),
            tuple(score.text for score in surface.scores),
            *self._range(surface.score_range),
            drafts,
            word.span,
        )

    def _range(self, word: Scalar | None) -> tuple[float, float]:
        if word is None:
            return RANGE
        found, problems = self.parser.range(word.text, word.span)
        self.problems += problems
        if found is not None and found[0] >= found[1]:
            self._report(diagnose.reversed_score_range(word.span))
        return found or RANGE

    # ---- limits and tokens -------------------------------------------------------------------------------------------
    def _needed(self, head: s.Head, kind: diagnose.OfKey, properties: Mapping[str, Scalar | None]) -> None:
        """Properties without which a step of this kind cannot be."""
        for key, word in properties.items():
            if word is None:
                self._report(kind(head.span, key=key))

    def _bound(self, surface: StepSurface, head: s.ModerateHead | s.DriveHead | s.ConverseHead) -> int:
        """The turns of a loop: one without a bound is refused."""
        limit = self._limit(surface.at_most)
        if not limit:
            self._report(diagnose.missing_turn_limit(head.span))
        return limit

    def _limit(self, word: Scalar | None) -> int:
        if word is None:
            return 0
        limit, problems = self.parser.limit(word.text, word.span)
        self.problems += problems
        return limit or 0

    def _token(self, word: Scalar | None) -> str:
        if word is None:
            return ""
        token, problems = self.parser.token(word.text, word.span)
        self.problems += problems
        return token.text if token is not None else ""

    # ---- answers -----------------------------------------------------------------------------------------------------
    def _declare_answers(self, surfaces: tuple[StepSurface, ...]) -> None:
        for surface in surfaces:
            if surface.answer is not None:
                self._answer(surface, report=False)
            if surface.as_ is not None:
                self._sampled(surface.as_, report=False)
            self._declare_answers(surface.body or ())

    def _answer(self, surface: StepSurface, report: bool = True) -> plan.Answer | None:
        if surface.answer is None:
            return None
        form, problems = self.parser.answer(surface.answer.text, surface.answer.span)
        if report:
            self.problems += problems
        if form is None:
            return None
        choices = tuple(choice.text for choice in form.choices)
        default = surface.default.text if surface.default is not None else ""
        if report and form.form == "choice" and surface.default is not None and default not in choices:
            self._report(diagnose.unknown_choice(surface.default.span, name=default, among=choices))
        if form.form == "yes or no":
            if report and surface.default is not None and truth(default) is None:
                self._report(diagnose.expected_yes_or_no(surface.default.span, found=default))
            default = "yes" if truth(default) else "no"
        return self._declared(plan.Answer(form.name.text, form.form, choices, default, form.span), report)

    def _sampled(self, word: Scalar, report: bool = True) -> str:
        """The name under which a sample is kept: a list like one that somebody answered."""
        name, problems = self.parser.field(word.text, word.span)
        if name is None:
            self.problems += problems if report else ()
            return ""
        return self._declared(plan.Answer(name.field.text, "list", (), "", name.span), report).name

    def _declared(self, answer: plan.Answer, report: bool) -> plan.Answer:
        """An answer of one name has one form everywhere, and shares its name with nothing else."""
        known = self.answers.setdefault(answer.name, answer)
        if report and (known.form, known.choices) != (answer.form, answer.choices):
            self.problems.append(diagnose.duplicate_name(answer.span, name=answer.name, also=(known.span,)))
        if report and answer.name in {*self.names.fields, *self.names.documents, *self.names.roles}:
            self._report(diagnose.duplicate_name(answer.span, name=answer.name))
        return answer
