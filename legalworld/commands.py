"""The command line: click commands and nothing else. What they do is imported when they do it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import click

from . import __version__

if TYPE_CHECKING:
    from .project import Project
    from .running import Opened, Plan, Result
    from .source import Problem

DONE, WRONG, STOPPED, INTERRUPTED = 0, 2, 3, 130
Locale = Literal["zh", "en"]


def locale() -> Locale:
    """The language of messages: LW_LANG, else the locale of the environment."""
    for name in ("LW_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if word := os.environ.get(name):
            return "zh" if word.lower().startswith("zh") else "en"
    return "en"


def tell(section: str, key: str, **values: object) -> str:
    from .ui import say

    return say(locale(), section, key, **values)


def complain(problems: tuple[Problem, ...], project: Project | None = None, as_json: bool = False) -> None:
    """Show problems: as text on the error stream, or as JSON on the output."""
    from . import diagnostics

    if as_json:
        import json

        click.echo(json.dumps({"problems": diagnostics.as_json(problems, locale())}, ensure_ascii=False, indent=1))
        return

    def text_of(path: str) -> str | None:
        if project is not None and (text := project.sources.read(path)) is not None:
            return text
        try:
            return Path(path).read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return None

    click.echo(diagnostics.render(problems, text_of, locale()), err=True)


def leave(problems: tuple[Problem, ...], project: Project | None = None, as_json: bool = False) -> NoReturn:
    complain(problems, project, as_json)
    sys.exit(WRONG)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="lw")
def lw() -> None:
    """Simulate litigation from specs. 依程序文件模拟诉讼。"""


def _pairs(words: tuple[str, ...], option: str) -> dict[str, str]:
    """NAME=VALUE words as a mapping; a word without = ends the command."""
    from .journal import clean
    from .source import Problem, Span

    wrong = tuple(
        Problem("LW189", Span(option, 0, 0), {"word": word, "option": option}) for word in words if "=" not in word
    )
    if wrong:
        leave(wrong)
    return {name.strip(): value.strip() for name, _, value in (clean(word).partition("=") for word in words)}


def _project(word: str, as_json: bool = False) -> Project:
    """The procedure that was named; a command ends here when it cannot be used. Warnings are shown and passed."""
    from .project import open_project
    from .source import Problem

    project = open_project(word, Path.cwd())
    if isinstance(project, Problem):
        leave((project,), None, as_json)
    if project.procedure is None:
        leave(project.problems, project, as_json)
    return project


_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _case_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options by which a command is given its case."""
    options: tuple[_Decorator, ...] = (
        click.option("--case", "case_word", default="", metavar="FILE[#N]", help="The case. 案件文件。"),
        click.option(
            "--binding", default="", metavar="NAME|FILE", help="How a foreign format is read. 外来格式的对照。"
        ),
        click.option("--target", default="", metavar="ROLE", help="The role under test. 受测角色。"),
        click.option(
            "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the spec. 程序选项。"
        ),
        click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="A field of the case. 案件字段。"),
        click.option("--seed", default=0, show_default=True, help="Of the offline actors. 随机种子。"),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _plan(spec: str, given: dict[str, Any], as_json: bool = False) -> Plan:
    """The plan of a run from a command's options; the command ends here when something is wrong with them."""
    from .project import chosen_models, chosen_options, chosen_target, known_place, open_case
    from .running import Plan
    from .source import Problem, Span

    project = _project(spec, as_json)
    procedure = project.procedure
    assert procedure is not None
    options, problems = chosen_options(procedure, _pairs(given["options"], "--option"))
    target, more = chosen_target(procedure, given["target"])
    problems += more
    models, more = chosen_models(procedure, target, given.get("models", ()))
    problems += more
    if given.get("until"):
        problems += known_place(procedure, given["until"], "--until")
    word = given["case_word"] or procedure.example
    if not word:
        problems += (Problem("LW192", Span("--case", 0, 0), {"spec": spec}),)
    if problems:
        leave(problems, project, as_json)
    opened = open_case(project, word, given["binding"], _pairs(given["fields"], "--set"), Path.cwd())
    if isinstance(opened, tuple):
        leave(opened, project, as_json)
    out = Path(given["out"]) if given.get("out") else None
    seed, until = given["seed"], given.get("until", "")
    return Plan(project, opened, target, models, options, seed, until, out)


@lw.command()
@click.argument("spec")
@_case_options
@click.option("--model", "models", multiple=True, metavar="[ROLE=]NAME", help="A backbone, for all or one role. 模型。")
@click.option("--until", default="", metavar="PLACE", help="Stop just before STAGE[/PHASE[/STEP]]. 停在此处之前。")
@click.option("--out", default="", metavar="DIR", help="The run folder. 运行文件夹。")
@click.option(
    "--deadline", default=600.0, show_default=True, help="Seconds for one call of a model. 单次调用时限（秒）。"
)
@click.option("--follow", is_flag=True, help="Print every word as it is said. 逐句显示。")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on the output. 输出 JSON。")
def run(spec: str, **given: Any) -> None:
    """Play a case through SPEC. 按程序文件进行一个案件。"""
    from . import running
    from .progress import Progress

    as_json = given["as_json"]
    plan = _plan(spec, given, as_json)
    assert plan.project.procedure is not None
    with Progress(plan.project.procedure, plan.models, locale(), as_json, given["follow"]) as progress:
        result = running.start(plan, progress, given["deadline"])
    _report(result, plan.project, as_json)


@lw.command()
@click.argument("folder", metavar="DIR")
@click.option("--until", default="", metavar="PLACE", help="Stop just before a place. 停在此处之前。")
@click.option(
    "--deadline", default=600.0, show_default=True, help="Seconds for one call of a model. 单次调用时限（秒）。"
)
@click.option("--follow", is_flag=True, help="Print every word as it is said. 逐句显示。")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on the output. 输出 JSON。")
def resume(folder: str, until: str, deadline: float, follow: bool, as_json: bool) -> None:
    """Go on with a run that stopped. 继续已中断的运行。"""
    from . import running
    from .progress import Progress

    opened = _opened(folder, as_json)
    with Progress(opened.procedure, opened.folder.info.models, locale(), as_json, follow) as progress:
        result = running.resume(Path(folder), progress, until, deadline)
    _report(result, opened.project, as_json)


@lw.command()
@click.argument("folder", metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on the output. 输出 JSON。")
def replay(folder: str, as_json: bool) -> None:
    """Play a run again from its journal alone and make its files anew. 只凭运行记录重放。"""
    from . import running

    result = running.replay(Path(folder))
    if isinstance(result, tuple):
        leave(result, None, as_json)
    if as_json:
        _report(result, None, True)
    from .journal import AnswerLine, load

    lines = load(Path(folder) / "journal.jsonl").lines
    answers = sum(isinstance(line, AnswerLine) for line in lines)
    click.echo(tell("run", "replay_good", events=len(lines) - answers, answers=answers))


@lw.command()
@click.argument("folder", metavar="DIR")
@click.option("--at", required=True, metavar="PLACE", help="Just before STAGE[/PHASE[/STEP[#N]]]. 在此处之前。")
@click.option("--replace", required=True, metavar="DOCUMENT[@SIDE]=FILE", help="The document put in. 替换的文书。")
@click.option("--model", "models", multiple=True, metavar="[ROLE=]NAME", help="A backbone from there on. 此后的模型。")
@click.option("--out", default="", metavar="DIR", help="The new run folder. 新的运行文件夹。")
@click.option(
    "--deadline", default=600.0, show_default=True, help="Seconds for one call of a model. 单次调用时限（秒）。"
)
@click.option("--follow", is_flag=True, help="Print every word as it is said. 逐句显示。")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on the output. 输出 JSON。")
def fork(folder: str, at: str, replace: str, models: tuple[str, ...], out: str, **given: Any) -> None:
    """Begin as another run did, replace a document, go on from there. 从一次运行分出，替换文书后继续。"""
    from . import running
    from .journal import clean
    from .progress import Progress
    from .project import chosen_models, known_place
    from .source import Problem, Span

    as_json = given["as_json"]
    opened = _opened(folder, as_json)
    ((name, file),) = _pairs((replace,), "--replace").items()
    document, _, side = name.partition("@")
    if problems := known_place(opened.procedure, at, "--at"):
        leave(problems, None, as_json)
    try:
        text = clean(Path(file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        leave((Problem("LW194", Span(file, 0, 0), {"file": file}),), None, as_json)
    chosen, problems = chosen_models(opened.procedure, opened.folder.info.target, models)
    if problems:
        leave(problems, None, as_json)
    change = running.Change(at, document, side, text)
    made = running.fork(Path(folder), change, Path(out) if out else None, chosen if models else None)
    if isinstance(made, tuple):
        leave(made, None, as_json)
    if not as_json:
        title = opened.procedure.documents[document].title
        click.echo(tell("run", "forked", parent=folder, place=at, title=title), err=True)
    with Progress(opened.procedure, chosen, locale(), as_json, given["follow"]) as progress:
        result = running.resume(made, progress, "", given["deadline"])
    _report(result, None, as_json)


def _opened(folder: str, as_json: bool = False) -> Opened:
    """A run folder, read with its own copies."""
    from .runfolder import RunFolder
    from .running import reopen

    found = RunFolder.open(Path(folder))
    if not isinstance(found, RunFolder):
        leave(found, None, as_json)
    opened = reopen(found)
    if isinstance(opened, tuple):
        leave(opened, None, as_json)
    return opened


def _report(result: Result | tuple[Problem, ...], project: Project | None, as_json: bool) -> None:
    """How a run stands, and the command's exit."""
    if isinstance(result, tuple):
        leave(result, project, as_json)
    if as_json:
        import json

        from . import diagnostics

        click.echo(
            json.dumps(
                {
                    "run": str(result.folder),
                    "status": result.status,
                    "outcome": result.outcome,
                    "place": result.place,
                    "turns": result.turns,
                    "tokens": result.tokens,
                    "documents": list(result.documents),
                    "violations": result.violations,
                    "problems": diagnostics.as_json(result.problems, locale()),
                },
                ensure_ascii=False,
            )
        )
    else:
        _report_words(result, project)
    sys.exit({"ended": DONE, "paused": DONE, "stopped": STOPPED, "interrupted": INTERRUPTED}[result.status])


def _report_words(result: Result, project: Project | None) -> None:
    path = str(result.folder)
    if result.problems:
        complain(result.problems, project)
    match result.status:
        case "ended" if result.outcome:
            click.echo(tell("run", "done", outcome=tell("outcome", result.outcome)))
        case "ended":
            click.echo(tell("run", "done_plain"))
        case "paused" | "stopped":
            click.echo(tell("run", result.status, place=result.place, path=path))
        case "interrupted":
            click.echo(tell("run", "interrupted", path=path))
    click.echo(tell("run", "transcript", path=f"{path}/transcript.md"))
    if result.documents:
        click.echo(tell("run", "documents", paths="  ".join(f"{path}/{name}" for name in result.documents)))
    if result.violations:
        click.echo(tell("run", "violations", count=result.violations, path=path))


@lw.command()
@click.argument("spec")
@click.option("--json", "as_json", is_flag=True, help="Problems as JSON. 以 JSON 列出问题。")
def check(spec: str, as_json: bool) -> None:
    """Find every mistake in SPEC without running it. 不运行，查出程序文件的全部问题。"""
    from .project import open_project
    from .source import Problem

    project = open_project(spec, Path.cwd())
    if isinstance(project, Problem):
        leave((project,), None, as_json)
    errors = sum(problem.severity == "error" for problem in project.problems)
    if project.problems or as_json:
        complain(project.problems, project, as_json)
    if errors or project.procedure is None:
        if not as_json:
            click.echo(tell("run", "check_bad", errors=errors, warnings=len(project.problems) - errors), err=True)
        sys.exit(WRONG)
    if not as_json:
        from .procedure import steps_of

        stages = project.procedure.stages
        steps = sum(1 for stage in stages for _ in steps_of(stage))
        counts = {"stages": len(stages), "steps": steps, "templates": len(project.templates.homes)}
        click.echo(tell("run", "check_good", path=project.path, **counts))


@lw.command()
@click.argument("folder", metavar="RUN")
@click.option("--turn", default=0, metavar="N", help="One call only. 只看第 N 次。")
@click.option("--prompt", is_flag=True, help="What the agent was sent, word for word. 逐字显示提示。")
@click.option("--view", "seen", is_flag=True, help="What the agent could see. 该角色所见。")
@click.option("--tokens", is_flag=True, help="How much of the prompts a provider can cache. 提示前缀的稳定度。")
@click.option("--violations", is_flag=True, help="Rules of conduct that were broken. 违反的言行规则。")
def show(folder: str, turn: int, prompt: bool, seen: bool, tokens: bool, violations: bool) -> None:
    """What happened in a run, turn by turn. 逐次查看一次运行。"""
    from . import showing

    opened = _opened(folder)
    if tokens:
        click.echo(showing.tokens(opened, locale()))
    elif violations:
        click.echo(showing.violations(opened, locale()))
    elif turn or prompt or seen:
        text = showing.turn(opened, turn or 1, prompt=prompt, view=seen, locale=locale())
        if not isinstance(text, str):
            leave((text,))
        click.echo(text)
    else:
        click.echo(showing.turns(opened, locale()))


@lw.command()
@click.argument("spec")
@click.option("--as", "role", required=True, metavar="ROLE", help="Whose eyes. 以谁的眼睛看。")
@click.option("--at", "until", required=True, metavar="PLACE", help="Just before STAGE[/PHASE[/STEP]]. 在此处之前。")
@_case_options
def view(spec: str, role: str, **given: Any) -> None:
    """What a role may see at a place of SPEC, for a case. 某角色在某处能看到什么。"""
    from . import showing

    plan = _plan(spec, given)
    text = showing.sight(plan, role, locale())
    if isinstance(text, tuple):
        leave(text, plan.project)
    click.echo(text)


@lw.command()
@click.argument("spec")
@click.option("--as", "role", required=True, metavar="ROLE", help="Whose prompt. 谁的提示。")
@click.option(
    "--at", "until", required=True, metavar="PLACE", help="The first call at or after it. 此处起的第一次调用。"
)
@_case_options
def prompt(spec: str, role: str, **given: Any) -> None:
    """The next prompt of a role, with the file each part comes from. 某角色的下一份提示，及各部分出自何处。"""
    from . import showing

    plan = _plan(spec, given)
    text = showing.preview(plan, role, locale())
    if isinstance(text, tuple):
        leave(text, plan.project)
    click.echo(text)


@lw.command()
@click.argument("folder", metavar="DIR")
def init(folder: str) -> None:
    """Copy the experts' folders out for editing. 复制出可编辑的各文件夹。"""
    from .files import init as copy
    from .source import Problem

    copied = copy(Path(folder))
    if isinstance(copied, Problem):
        leave((copied,))
    click.echo(tell("run", "init_done", written=len(copied.written), same=len(copied.same), path=folder))
    if copied.kept:
        click.echo(tell("run", "init_kept", files="\n".join(f"  {name}" for name in copied.kept)))


def main() -> None:
    """The entry of `lw`: an error that is ours is said in one line; LW_DEBUG=1 shows where."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        lw.main(standalone_mode=True)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(DONE)
    except Exception as error:
        if os.environ.get("LW_DEBUG"):
            raise
        from .source import Problem, Span

        complain((Problem("LW199", Span("lw", 0, 0), {"error": f"{type(error).__name__}: {error}"[:300]}),))
        sys.exit(1)
