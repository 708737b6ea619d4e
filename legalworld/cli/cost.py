"""`lw cost`: what runs will take, and what they took: calls, tokens, money, by role and stage."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import say
from . import completion, options
from .help import Command
from .inputs import say_origin
from .output import DONE, WRONG, code_of, complain, got, here, leave, path_of, remark, wants_json, warn, write_json

if TYPE_CHECKING:
    from ..batch.forecast import Forecast, Lengths
    from ..model.diagnostics import Diagnostic
    from ..models.prices import Price
    from ..runs.call_costs import CallCost, CostSum
    from ..runs.open_run import OpenRun

    Prices = Mapping[str, Price]
    Sums = dict[str, dict[str, CostSum]]

GROUPS = ("role", "stage")


@click.command(cls=Command)
@click.argument("words", metavar="SPEC|RUN...", nargs=-1, required=True, shell_complete=completion.named("specs"))
@options.cases
@options.binding
@options.models
@options.target
@options.chosen
@options.profiles
@options.seeds
@options.prices
@click.option("--reply", "assumed", metavar="KIND:NUMBER", multiple=True)
@click.option("--sample", metavar="N", type=click.IntRange(1, 1000), default=5)
@click.option("--forecast", "again", is_flag=True)
@options.as_json
def cost(words: tuple[str, ...], assumed: Sequence[str], again: bool, **given: Any) -> None:
    from ..batch.forecast import lengths_of
    from ..batch.limit_words import limits_of

    lengths = got(lengths_of(assumed))
    prices = got(limits_of((), (), given.pop("prices"))).prices
    before = given["models"] or given["cases"] or not any(path_of(word).is_dir() for word in words)
    if before and len(words) == 1:
        _before(words[0], lengths, prices, **given)
    else:
        _after(words, lengths, prices, again)


# ---- before ----------------------------------------------------------------------------------------------------------


def _before(spec: str, lengths: Lengths, prices: Prices, *, sample: int, **given: Any) -> None:
    """What runs will take."""
    from ..batch.forecast import forecast_batch
    from ..batch.jobs import BatchRequest, Lineup, PlannedBatch, planned
    from ..language import diagnose
    from ..models.named.profile import prices_of

    chosen, models = options.values_of(given.pop("options")), given.pop("models")
    asked = BatchRequest(spec=spec, lineups=(Lineup(models),), options=chosen, out=path_of(), **given)
    say_origin(spec)
    plan = planned(asked, here())
    if not isinstance(plan, PlannedBatch):
        leave(plan)
    if not plan.live:
        leave((diagnose.cost_without_model("--model"),))
    found = forecast_batch(plan, lengths, sample, lambda left: remark(say("cost.playing", left=left)))
    if not found.played:
        leave(found.failed)
    prices = {**prices_of(plan.calling.profiles), **prices}
    factor = found.runs / len(found.played)
    calls = [call for run in found.played for call in run.calls]
    sums = _sums(calls, prices, factor)
    unknown = _unknown(calls, prices)
    each = _each([run.calls for run in found.played], prices)
    assumed = _assumptions(found, lengths, sum(run.free for run in found.played) * factor)
    if wants_json():
        head = {"forecast": True, "spec": spec, "runs": found.runs, "played": len(found.played)}
        write_json(head | _data(sums, unknown) | {"each": [one.as_data() for one in each], "assumed": list(assumed)})
    else:
        click.echo(say("cost.forecast", spec=spec, runs=found.runs, played=len(found.played)))
        click.echo(_text(sums, unknown))
        if len(each) > 1:
            click.echo(_spread(each))
        click.echo("\n" + say("cost.assumed"))
        for line in assumed:
            click.echo(f"- {line}")
        complain(found.failed)
    sys.exit(code_of(found.failed))


def _assumptions(found: Forecast, lengths: Lengths, free: float) -> Sequence[str]:
    """What a forecast rests on, a sentence each."""
    from ..models.prices import PER_CHARACTER

    said = [
        say("cost.assume_course"),
        say("cost.assume_replies", speech=lengths.speech, document=lengths.document, thought=lengths.thought),
        say("cost.assume_tokens", ascii=PER_CHARACTER[0], other=PER_CHARACTER[1]),
        say("cost.assume_cache"),
        say("cost.assume_price"),
    ]
    if found.runs > len(found.played):
        said.insert(0, say("cost.assume_sample", played=len(found.played), runs=found.runs))
    if free:
        said.append(say("cost.assume_free", calls=f"{free:,.0f}"))
    return said


# ---- after -----------------------------------------------------------------------------------------------------------


def _after(words: Sequence[str], lengths: Lengths, prices: Prices, again: bool) -> None:
    """What runs took; `again`: beside it what would have been forecast."""
    from ..evaluation.run_store import runs_in
    from ..models.named.catalogue import open_catalogue
    from ..models.named.profile import prices_of
    from ..runs.call_costs import calls_of_run
    from ..runs.open_run import open_run

    runs: list[Sequence[CallCost]] = []
    expected: list[CallCost] = []
    problems: list[Diagnostic] = []
    free = 0
    known: dict[str, Price] = {}
    named = open_catalogue(here()).named
    for path in runs_in([path_of(word) for word in words]):
        opened = open_run(path)
        if isinstance(opened, tuple):
            problems += opened
            continue
        calls, unpaid = calls_of_run(opened)
        ours = opened.folder.info.profiles
        known |= prices_of({**ours, **named((*opened.folder.info.models.values(), *ours))})
        runs.append(calls)
        free += unpaid
        if again:
            remark(say("cost.playing_again", run=path))
            expected += _forecast_again(opened, lengths, problems)
    if not runs:
        leave(tuple(problems))
    prices = {**known, **prices}
    every = [call for calls in runs for call in calls]
    sums, unknown = _sums(every, prices), _unknown(every, prices)
    then = _sums(expected, prices) if again else {}
    if wants_json():
        more = {"expected": _data(then, ())} if again else {}
        told = {"forecast": False, "runs": len(runs), "free": free} | _data(sums, unknown) | more
        write_json(told | {"problems": [problem.code for problem in problems]})
    else:
        _tell_spent(sums, then, unknown, _each(runs, prices), free)
        warn(problems)
    sys.exit(WRONG if problems else DONE)


def _forecast_again(opened: OpenRun, lengths: Lengths, problems: list[Diagnostic]) -> Sequence[CallCost]:
    from ..batch.forecast import ForecastRun, forecast_again

    played = forecast_again(opened, lengths)
    if isinstance(played, ForecastRun):
        return played.calls
    problems += played
    return ()


def _tell_spent(sums: Sums, then: Sums, unknown: Sequence[str], each: Sequence[CostSum], free: int) -> None:
    """The tables of what runs took; `then`: what would have been forecast, or nothing."""
    whole = sums["all"][""]
    click.echo(say("cost.took", runs=len(each)))
    if whole.calls:
        click.echo(_text(sums, unknown))
        if len(each) > 1:
            click.echo(_spread(each))
        if then:
            click.echo("\n" + _compared(then, sums))
    if free:
        click.echo(say("cost.free", calls=f"{free:,}"))
    if whole.silent:
        click.echo(say("cost.silent", calls=f"{whole.silent:,.0f}"))
    if whole.calls:
        click.echo(say("cost.unrecorded"))


# ---- sums and tables -------------------------------------------------------------------------------------------------


def _sums(calls: Sequence[CallCost], prices: Prices, factor: float = 1.0) -> Sums:
    """By role, by stage, by model and all together (under "")."""
    from ..runs.call_costs import CostSum, together

    keys: dict[str, Callable[[CallCost], str]] = {
        "role": lambda call: call.role,
        "stage": lambda call: call.stage,
        "model": lambda call: call.model,
        "all": lambda call: "",
    }
    found = {name: together(calls, key, prices) for name, key in keys.items()}
    found["all"] = found["all"] or {"": CostSum()}
    return {name: {key: one.times(factor) for key, one in sums.items()} for name, sums in found.items()}


def _each(runs: Sequence[Sequence[CallCost]], prices: Prices) -> list[CostSum]:
    from ..runs.call_costs import CostSum, together

    return [together(calls, lambda _: "", prices).get("", CostSum()) for calls in runs]


def _unknown(calls: Sequence[CallCost], prices: Prices) -> Sequence[str]:
    from ..runs.call_costs import without_price

    return without_price(calls, prices)


def _data(sums: Sums, unknown: Sequence[str]) -> dict[str, Any]:
    groups = {f"by_{name}": {key: one.as_data() for key, one in sums.get(name, {}).items()} for name in GROUPS}
    models = {key: one.as_data() for key, one in sums.get("model", {}).items()}
    whole = sums["all"][""].as_data() if sums else {}
    return {"total": whole, **groups, "by_model": models, "without_price": list(unknown)}


def _text(sums: Sums, unknown: Sequence[str]) -> str:
    """The tables by role, stage and model, and the sum."""
    from ..wording.columns import table

    heads = [say(f"cost.{name}") for name in ("calls", "prompt", "cached", "completion", "dollars", "uncached")]
    rows: list[list[str]] = []
    for group in (*GROUPS, "model"):
        if group == "model" and len(sums[group]) < 2:
            continue
        rows += [[say(f"cost.by_{group}"), *heads]] if not rows else [[""] * 7, [say(f"cost.by_{group}"), *[""] * 6]]
        rows += [[f"  {key}", *_cells(one)] for key, one in sums[group].items()]
    rows += [[""] * 7, [say("cost.total"), *_cells(sums["all"][""])]]
    lines = list(table(rows, frozenset(range(1, 7))))
    if unknown:
        lines.append(say("cost.no_price", models=", ".join(unknown)))
    return "\n".join(lines)


def _cells(one: CostSum) -> list[str]:
    numbers = [f"{getattr(one, name):,.0f}" for name in ("calls", "prompt", "cached", "completion")]
    return [*numbers, _money(one, one.dollars), _money(one, one.uncached)]


def _money(one: CostSum, dollars: float) -> str:
    """Dollars; where a call has no price, what they are at least, or that nobody knows."""
    if one.calls and one.unpriced >= one.calls:
        return say("cost.unknown")
    return f"{say('cost.at_least') if one.unpriced else ''}{dollars:,.4f}"


def _spread(each: Sequence[CostSum]) -> str:
    """From the cheapest run to the dearest."""
    tokens = sorted(one.prompt + one.completion for one in each)
    counted = sorted(one.calls for one in each)
    numbers = {"least": f"{tokens[0]:,.0f}", "most": f"{tokens[-1]:,.0f}"}
    return say("cost.spread", few=f"{counted[0]:,.0f}", many=f"{counted[-1]:,.0f}", **numbers)


def _compared(expected: Sums, sums: Sums) -> str:
    """What was forecast beside what it was."""
    from ..wording.columns import table

    then, now = expected["all"][""], sums["all"][""]
    rows = [[say(f"cost.{name}") for name in ("compared", "expected", "actual", "ratio")]]
    for name in ("calls", "prompt", "cached", "completion", "dollars"):
        if name == "dollars" and now.unpriced:
            continue
        one, other = getattr(then, name), getattr(now, name)
        form = ",.4f" if name == "dollars" else ",.0f"
        rows.append([say(f"cost.{name}"), f"{one:{form}}", f"{other:{form}}", f"{other / one:.2f}" if one else "-"])
    return "\n".join(table(rows, frozenset(range(1, 4))))
