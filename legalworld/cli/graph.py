"""`lw graph`: a procedure as a picture, and what runs came to upon it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..wording import Locale, locale, say, sentences
from . import options
from .explain import DIGEST, read
from .help import Command
from .inputs import run_of
from .output import counted, leave, save, wants_json, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..authoring.graph import Depth, Graph
    from ..authoring.protocol_words import Word
    from ..model.procedure import Procedure
    from ..runs.coverage import Passages

FORMS = {"svg": ".svg", "mermaid": ".mmd", "dot": ".dot"}
DEPTHS = ("stage", "phase", "step")


@click.command(cls=Command)
@options.spec
@click.option("--run", "runs", metavar="RUN", multiple=True)
@click.option("--at", metavar="PLACE", default="")
@click.option("--depth", type=click.Choice(DEPTHS), default=None)
@click.option("--columns", type=click.IntRange(0, 12), default=0)
@click.option("--lang", "language", type=click.Choice(["zh", "en"]), default=None)
@click.option("--format", "form", type=click.Choice([*FORMS]), default=None)
@click.option("--out", metavar="FILE", default="")
@options.as_json
def graph(
    *,
    spec: str,
    runs: tuple[str, ...],
    at: str,
    depth: Depth | None,
    columns: int,
    language: Locale | None,
    form: str | None,
    out: str,
) -> None:
    from ..authoring.graph import graph as grown
    from ..authoring.protocol import protocol
    from ..runs.project import spec_copy

    project, procedure = read(spec)
    errors = counted(project.problems)["errors"] if project.procedure is None else 0
    _check_place(procedure, at)
    passed = _passed(procedure, runs)
    words = language or locale()
    told = protocol(procedure, words, sentences("protocol", words))
    depth = depth or ("step" if at else "phase")
    made = grown(told, depth, at)
    if wants_json():
        write_json({**as_json(made, told.phrases.word), "procedure": procedure.name, "depth": depth, "errors": errors})
        return
    form = form or next((name for name, ending in FORMS.items() if out.lower().endswith(ending)), "svg")
    digest = spec_copy(project).digest[:DIGEST] if not errors else "–"
    subtitle = told.phrases.word("graph_subtitle", name=procedure.name, digest=digest, at=at or procedure.title)
    text = _drawn(made, told.phrases.word, form, (subtitle, passed, columns, at))
    out = out or f"{procedure.name}{FORMS[form]}"
    if out == "-":
        click.echo(text, nl=False)
    else:
        save(out, text.encode("utf-8"))
        click.echo(say("graph.written", path=out))


def _check_place(procedure: Procedure, at: str) -> None:
    """The command ends here where the procedure has no such place."""
    from ..model.procedure import EVENT_MARK
    from ..runs.plan import known_place

    events = [EVENT_MARK + event.id for event in procedure.interruptions]
    if at and at not in events and (problems := known_place(procedure, at, "--at")):
        leave(problems)


def _passed(procedure: Procedure, folders: Sequence[str]) -> Passages | None:
    """The ways that runs took; None where none is named. The command ends here where one is of another procedure."""
    if not folders:
        return None
    from ..language import diagnose
    from ..runs.coverage import passages

    opened = [(folder, run_of(folder, brief=True)) for folder in folders]
    if strange := [(folder, run) for folder, run in opened if run.procedure.name not in procedure.names]:
        leave(
            tuple(
                diagnose.run_of_other_procedure(folder, name=run.procedure.name, procedure=procedure.name)
                for folder, run in strange
            )
        )
    found = passages(procedure, [run.events for _, run in opened])
    if found.elsewhere:
        click.echo(say("graph.elsewhere", count=len(found.elsewhere), places=", ".join(found.elsewhere[:3])), err=True)
    return found


def _drawn(made: Graph, word: Word, form: str, shown: tuple[str, Passages | None, int, str]) -> str:
    if form == "svg":
        from ..authoring.graph_svg import picture

        subtitle, passed, columns, at = shown
        return picture(made, word, subtitle=subtitle, passed=passed, columns=columns, marked=at).file
    from ..authoring import graph_text

    return graph_text.mermaid(made, word) if form == "mermaid" else graph_text.dot(made, word)


def as_json(made: Graph, word: Word) -> dict[str, Any]:
    """The graph for other programs: nodes, edges, and what encloses them."""
    from ..authoring.graph_text import flow

    found = flow(made, word)
    clusters = [{"id": one.id, "place": one.place, "label": one.label, "dashed": one.dashed} for one in found.clusters]
    nodes = [
        {"id": node.id, "kind": node.kind, "place": node.place, "lines": list(node.lines), "inside": list(node.inside)}
        for node in found.nodes
    ]
    edges = [
        {"from": edge.start, "to": edge.end, "branch": edge.branch, "label": edge.label, "dashed": edge.dashed}
        for edge in found.edges
    ]
    return {"title": found.title, "nodes": nodes, "edges": edges, "clusters": clusters}
