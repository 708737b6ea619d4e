"""In what a system differs from a paper's: sentences that are held against the procedure and its prompts.

"option order is published"      "judge is not offered search_cases"      "judge sees facts at FIT"
"stages include mediation"       "prompts/zh/j1/x.j2 says WORDS"          "CI/hearing ends after 100 turns"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from re import Match
from typing import Final

from ..language.sentences.keywords import as_choice
from ..model.equipment import OPERATIONS, Tool
from ..model.immutable import immutable
from ..model.procedure import Procedure, Role, steps_in
from .definition import StudyPoint
from .words import matched, meant

CLAUSES: Final = (
    "option NAME is VALUE",
    "ROLE is offered TOOL at STAGE",
    "ROLE is not offered TOOL",
    "ROLE sees FIELD at STAGE",
    "ROLE does not see FIELD",
    "stages include STAGE",
    "prompts/FILE says WORDS",
    "prompts/FILE does not say WORDS",
    "STAGE/PHASE ends after N turns",
)
_KINDS: Final = ("shown_option", "shown_says", "shown_include", "shown_ends", "shown_offered", "shown_sees")

Reading = Callable[[str], str | None]
"""Path of a prompt -> its text, None where there is none."""


@immutable
class ShownClause:
    """A sentence that shows a difference: of what `kind` it is, and its parts as they were written."""

    kind: str
    found: Match[str]

    def part(self, name: str) -> str:
        """Return a part of it; "" where it is not said."""
        return (self.found.groupdict().get(name) or "").strip()

    @property
    def negated(self) -> bool:
        return bool(self.part("not"))


def clause_of(text: str) -> ShownClause | None:
    """Read a sentence that shows a difference; None where it is none of those that can be checked."""
    for kind in _KINDS:
        found = matched(kind, text)
        if found is not None:
            return ShownClause(kind, found)
    return None


def otherwise(clause: ShownClause, procedure: Procedure, point: StudyPoint, read: Reading) -> str | None:
    """Return what is so instead, None where a sentence holds of a procedure as it is played at a point of a study;
    "" where a thing that it names is not there at all."""
    match clause.kind:
        case "shown_option":
            return _option(clause, procedure, point)
        case "shown_says":
            return _says(clause, read)
        case "shown_include":
            return _included(clause, procedure)
        case "shown_ends":
            return _ends(clause, procedure)
        case "shown_offered":
            return _offered(clause, procedure)
    return _sees(clause, procedure)


def _option(clause: ShownClause, procedure: Procedure, point: StudyPoint) -> str | None:
    option = procedure.options.get(clause.part("name"))
    if option is None:
        return ""
    value = as_choice(point.fact(f"option {option.name}") or option.default, option.choices)
    return None if value == as_choice(clause.part("value"), option.choices) else f"{option.name}={value}"


def _says(clause: ShownClause, read: Reading) -> str | None:
    text = read(clause.part("name"))
    if text is None:
        return ""
    there = "".join(clause.part("value").split()) in "".join(text.split())
    return None if there is not clause.negated else clause.part("name")


def _included(clause: ShownClause, procedure: Procedure) -> str | None:
    known: dict[str, Iterable[str]] = {
        "stages": (stage.id for stage in procedure.stages),
        "roles": procedure.roles,
        "documents": procedure.documents,
        "options": procedure.options,
        "tools": procedure.tools,
    }
    names = tuple(known[meant("included", clause.part("kind")) or "stages"])
    return None if (clause.part("name") in names) is not clause.negated else ", ".join(names)


def _ends(clause: ShownClause, procedure: Procedure) -> str | None:
    name, _, phase = clause.part("name").partition("/")
    limits = [
        step.most_turns
        for stage in procedure.stages
        for one in stage.phases
        if stage.id == name and phase in ("", one.id)
        for step in steps_in(one)
        if hasattr(step, "most_turns") and step.most_turns
    ]
    if not limits:
        return ""
    return None if int(clause.part("count")) in limits else ", ".join(map(str, dict.fromkeys(limits)))


def _offered(clause: ShownClause, procedure: Procedure) -> str | None:
    role, tool = procedure.roles.get(clause.part("role")), procedure.tools.get(clause.part("name"))
    known = tool is not None or (clause.negated and clause.part("name").replace("_", " ") in OPERATIONS)
    if role is None or not known:
        return ""
    there = tool is not None and _is_for(tool, role, clause.part("stage"))
    return None if there is not clause.negated else ", ".join(_tools(procedure, role)) or "-"


def _is_for(tool: Tool, role: Role, stage: str) -> bool:
    mine = not tool.who or bool({role.id, role.kind}.intersection(tool.who))
    return mine and (not stage or not tool.stages or stage in tool.stages)


def _tools(procedure: Procedure, role: Role) -> list[str]:
    return [tool.name for tool in procedure.tools.values() if _is_for(tool, role, "")]


def _sees(clause: ShownClause, procedure: Procedure) -> str | None:
    role, name, stage = procedure.roles.get(clause.part("role")), clause.part("name"), clause.part("stage")
    known = {*procedure.fields, *procedure.documents, *procedure.answers}
    if role is None or name not in known or (stage and all(one.id != stage for one in procedure.stages)):
        return ""
    grants = [one for one in procedure.grants if one.what == name and one.kind == role.kind]
    there = [one.stage for one in grants if stage in ("", one.stage)]
    return None if bool(there) is not clause.negated else ", ".join(dict.fromkeys(one.stage for one in grants)) or "-"
