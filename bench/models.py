"""Sixty turns of a hearing through our adapter, litellm.acompletion, and bare HTTP clients, on the same server.

Three speakers, each call with the full history, an instant OpenAI-compatible server on 127.0.0.1 in a process of its
own; each side in fresh processes, taken in turns. Run: python -m bench.models
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TURNS, ROUNDS, PROCESSES = 60, 5, 3
SPEAKERS = ("审判长", "原告", "被告")
LINE = "本庭已听清，请继续发言。" * 6


def thread(turn: int) -> list[dict[str, str]]:
    """The messages of one call: who the speaker is, then all that was said."""
    said = ({"role": "user", "content": f"{SPEAKERS[number % 3]}：{LINE}"} for number in range(turn))
    return [{"role": "system", "content": f"你是{SPEAKERS[turn % 3]}。" * 40}, *said]


def body(turn: int) -> dict[str, Any]:
    """What a bare client sends for a call."""
    return {"model": "clerk", "messages": thread(turn), "temperature": 0.7, "top_p": 0.95, "max_tokens": 4096}


def address() -> str:
    return os.environ["OPENAI_API_BASE"] + "/chat/completions"


async def bare_httpx() -> list[float]:
    """Milliseconds of a processor per turn, a value per round, of httpx alone."""
    import httpx

    async with httpx.AsyncClient() as client:

        async def hearing() -> None:
            for turn in range(TURNS):
                answer = await client.post(address(), json=body(turn))
                assert answer.json()["choices"][0]["message"]["content"]

        return [await _time(hearing) for _ in range(ROUNDS + 1)][1:]


async def bare_aiohttp() -> list[float]:
    """The same of aiohttp alone."""
    import aiohttp

    async with aiohttp.ClientSession() as client:

        async def hearing() -> None:
            for turn in range(TURNS):
                async with client.post(address(), json=body(turn)) as answer:
                    assert (await answer.json())["choices"][0]["message"]["content"]

        return [await _time(hearing) for _ in range(ROUNDS + 1)][1:]


async def bare_litellm() -> list[float]:
    """The same of what one writes first."""
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
    start = process_time()
    await hearing()
    return (process_time() - start) * 1000 / TURNS


SIDES = {"httpx": bare_httpx, "aiohttp": bare_aiohttp, "litellm": bare_litellm, "ours": ours}


def measure() -> dict[str, list[float]]:
    """Milliseconds of a processor per turn of each side, all rounds of all processes."""
    times: dict[str, list[float]] = {side: [] for side in SIDES}
    server = subprocess.Popen(
        [sys.executable, ROOT / "tests" / "support" / "loopback.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin and server.stdout
    where = {"OPENAI_API_BASE": server.stdout.readline().strip(), "OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1"}
    environment = {**os.environ, **where, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    try:
        for side in list(times) * PROCESSES:
            command = [sys.executable, "-m", "bench.models", side]
            done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
            times[side] += map(float, done.stdout.split())
    finally:
        server.stdin.close()
        server.wait(10)
    return times


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    times = {side: median(values) for side, values in measure().items()}
    ours, httpx = times["ours"], times["httpx"]
    ratio = ours / times["litellm"]
    yield "60 turns through the adapter / bare acompletion loop", f"{ratio:.2f}x", "<= 0.5x", ratio <= 0.5
    yield "the same / bare httpx loop", f"{ours / httpx:.2f}x", "<= 2.2x", ours / httpx <= 2.2
    yield "bare litellm / bare httpx", f"{times['litellm'] / httpx:.2f}x", "", None
    yield "bare aiohttp / bare httpx", f"{times['aiohttp'] / httpx:.2f}x", "", None
    yield "delay of the first call: importing litellm, wall", f"{_delay():.2f} s", "", None


def _delay() -> float:
    """Seconds that a process waits for litellm before its first call."""
    code = "from legalworld.models.wire import quiet_litellm; b = t(); quiet_litellm(); print(t() - b)"
    command = [sys.executable, "-c", f"from time import perf_counter as t; {code}"]
    seconds = (subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout for _ in range(3))
    return median(map(float, seconds))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(*asyncio.run(SIDES[sys.argv[1]]()))
    else:
        for row in rows():
            print(*row)
