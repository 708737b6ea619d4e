"""Sixty turns of a hearing through our adapter and through a bare loop of litellm.acompletion, on the same server.

Three speakers, each call with the full history, an instant OpenAI-compatible server on 127.0.0.1 in a process of its
own; each side in fresh processes, taken in turns. Run: python -m bench.models
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TURNS, ROUNDS, PROCESSES = 60, 5, 2
TARGET = 0.5
SPEAKERS = ("审判长", "原告", "被告")
LINE = "本庭已听清，请继续发言。" * 6


def thread(turn: int) -> list[dict[str, str]]:
    """The messages of one call: who the speaker is, then all that was said."""
    said = ({"role": "user", "content": f"{SPEAKERS[number % 3]}：{LINE}"} for number in range(turn))
    return [{"role": "system", "content": f"你是{SPEAKERS[turn % 3]}。" * 40}, *said]


async def bare() -> list[float]:
    """Milliseconds per turn, a value per round, of what one writes first."""
    import litellm

    async def hearing() -> None:
        for turn in range(TURNS):
            answer = await litellm.acompletion(
                "openai/clerk", thread(turn), temperature=0.7, top_p=0.95, max_tokens=4096
            )
            assert answer.choices[0].message.content

    return [await _time(hearing) for _ in range(ROUNDS + 1)][1:]


async def ours() -> list[float]:
    """The same through `legalworld.models.litellm_client`."""
    from legalworld.model.events import Message
    from legalworld.model.procedure import ModelDefaults
    from legalworld.models.endpoint import Endpoint
    from legalworld.models.litellm_client import Models

    async with Models() as models:

        async def hearing() -> None:
            for turn in range(TURNS):
                messages = [Message.model_validate(message) for message in thread(turn)]
                reply = await models.complete(Endpoint("openai/clerk"), messages, ModelDefaults(), seed=turn)
                assert reply.text

        return [await _time(hearing) for _ in range(ROUNDS + 1)][1:]


async def _time(hearing: Any) -> float:
    start = perf_counter()
    await hearing()
    return (perf_counter() - start) * 1000 / TURNS


def measure() -> dict[str, list[float]]:
    """Milliseconds per turn of both sides, all rounds of all processes."""
    times: dict[str, list[float]] = {"bare": [], "ours": []}
    server = subprocess.Popen(
        [sys.executable, ROOT / "tests" / "support" / "loopback.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin and server.stdout
    address = {"OPENAI_API_BASE": server.stdout.readline().strip(), "OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1"}
    environment = {**os.environ, **address, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    try:
        for side in list(times) * PROCESSES:
            command = [sys.executable, "-m", "bench.models", side]
            done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
            times[side] += map(float, done.stdout.split())
    finally:
        server.stdin.close()
        server.wait(10)
    return times


def main() -> None:
    times = {side: median(values) for side, values in measure().items()}
    ratio = times["ours"] / times["bare"]
    print(f"{TURNS} turns, three speakers, full history   ms/turn   ratio   target")
    print(f"litellm.acompletion, bare loop              {times['bare']:7.2f}    1.00")
    print(f"legalworld.models.litellm_client            {times['ours']:7.2f}   {ratio:5.2f}   <= {TARGET}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(*asyncio.run({"bare": bare, "ours": ours}[sys.argv[1]]()))
    else:
        main()
