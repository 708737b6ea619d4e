"""Figures beside those of a release: what is worse by more than a tenth is told on any machine, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import compare
from bench.compare import Release


def told(figure: str, aim: str, before: str, *, machine: float = 1.0) -> bool:
    kept = Release("0.1", 1.0, {"row": before})
    return bool(compare.regressions([("row", figure, aim)], kept, machine))


UNITS = ("s", "ms", "MB", "x", "", "x (340 ms)")


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("times", [0.5, 0.95, 1.0, 1.05, 1.09, 1.11, 1.5, 20])
def test_less_is_wanted(unit: str, times: float) -> None:
    assert told(f"{2 * times:.3f} {unit}", "< 5", f"2.0 {unit}") == (times > 1.1)


@pytest.mark.parametrize("times", [0.05, 0.5, 0.9, 0.92, 1.0, 3])
def test_more_is_wanted(times: float) -> None:
    assert told(f"{2000 * times:,.0f} /s", "> 200 /s", "2,000 /s") == (times < 0.91)


@pytest.mark.parametrize("machine", [0.5, 1.0, 3.0])
def test_times_and_rates_are_scaled_by_the_machine_and_ratios_are_not(machine: float) -> None:
    assert not told(f"{0.5 * machine:.3f} s", "< 5 s", "0.50 s", machine=machine)
    assert told(f"{0.6 * machine:.3f} s", "< 5 s", "0.50 s", machine=machine)
    assert not told(f"{300 / machine:.1f} /s", "> 200 /s", "300 /s", machine=machine)
    assert told(f"{250 / machine:.1f} /s", "> 200 /s", "300 /s", machine=machine)
    assert not told("2.00x", "<= 3x", "2.00x", machine=machine)
    assert told("2.30x", "<= 3x", "2.00x", machine=machine)


@pytest.mark.parametrize(
    ("figure", "aim", "before"),
    [
        ("yes", "no", "no"),
        ("9.0 s", "", "1.0 s"),
        ("0.021", "<= 1.1", "0.005"),  # an exponent near nothing
        ("5 s", "< 9 s", "5 MB"),
        ("5 s", "< 9 s", "none"),
    ],
)
def test_what_cannot_be_compared_is_not_told(figure: str, aim: str, before: str) -> None:
    assert not told(figure, aim, before)


def test_a_rate_that_fell_to_nothing_is_told() -> None:
    assert told("0 /s", "> 200 /s", "300 /s")


def test_figures_are_kept_and_those_of_another_machine_do_not_mix(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    assert compare.release(file) is None
    compare.keep("0.1", 1.0, {"a": "1 s", "b": "2 s"}, file)
    compare.keep("0.2", 1.05, {"b": "3 s"}, file)
    assert compare.release(file) == Release("0.2", 1.05, {"a": "1 s", "b": "3 s"})
    compare.keep("0.3", 2.0, {"b": "6 s"}, file)
    assert compare.release(file) == Release("0.3", 2.0, {"b": "6 s"})
    for text in ("", "[]", "{", '{"version": "0.1"}', '{"version": "1", "yardstick": "x", "figures": {}}'):
        file.write_text(text, "utf-8")
        assert compare.release(file) is None


def test_the_figures_of_the_release_are_there() -> None:
    kept = compare.release()
    assert kept is not None and kept.yardstick > 0
    assert any(compare.read(figure) is not None for figure in kept.figures.values())
