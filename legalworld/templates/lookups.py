"""Where the parts of a prompt are looked for: candidates from special to general, for `TemplateSet.find`."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.immutable import immutable


@immutable
class Speaker:
    """By what a template is looked up: the role held, its kind, the stage and phase."""

    role: str
    kind: str
    stage: str
    phase: str


def who(speaker: Speaker) -> tuple[str, ...]:
    return (
        f"who/{speaker.role}.{speaker.stage}",
        f"who/{speaker.role}",
        f"who/{speaker.kind}.{speaker.stage}",
        f"who/{speaker.kind}",
        "who/default",
    )


def stage_brief(speaker: Speaker) -> tuple[str, ...]:
    return (f"where/{speaker.stage}", "where/default")


def phase_brief(speaker: Speaker) -> tuple[str, ...]:
    return (f"where/{speaker.stage}.{speaker.phase}", f"where/phase.{speaker.phase}", "where/phase")


def today() -> tuple[str, ...]:
    return ("today",)


def document(name: str) -> tuple[str, ...]:
    """Names of the form of a document."""
    return (f"documents/{name}",)


def minutes(stage: str) -> tuple[str, ...]:
    return (f"documents/minutes.{stage}", "documents/minutes")


def shown_part(whose: str, name: str, stage: str) -> tuple[str, ...]:
    """The home of something granted: of a field, document or answer as told in a stage, or of the minutes of one."""
    if whose == "minutes":
        return (f"know/minutes.{name}", "know/minutes")
    return (f"know/{name}.{stage}", f"know/{name}", "know/default")


def act(folder: str, verb: str, prompt: str, speaker: Speaker) -> tuple[str, ...]:
    """Homes of an instruction (`act`) or of a scripted actor's words (`offline`), special to general."""
    named = (f"{folder}/{verb}.{prompt}",) if prompt else ()
    return (
        *named,
        f"{folder}/{verb}.{speaker.role}.{speaker.stage}",
        f"{folder}/{verb}.{speaker.role}",
        f"{folder}/{verb}.{speaker.kind}.{speaker.stage}",
        f"{folder}/{verb}.{speaker.kind}",
        f"{folder}/{verb}",
    )


def form_homes(locale: str, folders: Sequence[str], file: str) -> tuple[str, ...]:
    """Where a file beside the forms (`layout.yaml`) is looked for: a procedure's folders, then what all share."""
    return (*(f"documents/{locale}/{folder}/{file}" for folder in folders), f"documents/{locale}/{file}")


def particular(candidate: str, role: str, kind: str) -> bool:
    """Whether a name holds that of a step, a stage, a phase or a field: then it is one procedure's.

    What is named after an act, a role or a kind is any procedure's, and so is the form of a document.
    """
    folder, _, name = candidate.partition("/")
    words = name.split(".")
    match folder:
        case "act" | "offline":
            return len(words) > 2 or (len(words) == 2 and words[1] not in (role, kind))
        case "where" | "know":
            return name not in ("default", "phase", "minutes")
        case _:
            return len(words) > 1
