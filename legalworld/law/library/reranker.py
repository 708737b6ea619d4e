"""Reordering search hits by a model, with litellm's embedding or rerank calls. Optional; off unless named.

    ranker = ranker_of("embedding:openai/text-embedding-3-small")      # or "rerank:cohere/rerank-v3.5"

Anything with `scores` is a ranker.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable

MAX_TEXT = 2000  # characters of a text that are sent
DEADLINE = 60.0  # seconds of one call


class Ranker(Protocol):
    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text fits the query, the higher the better. Raises RankingFailed."""
        ...


class RankingFailed(Exception):
    """There is no order by the model; `problem` says why."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.code)
        self.problem = problem


def ranker_of(word: str) -> Ranker | None:
    """The ranker that `embedding:MODEL` or `rerank:MODEL` names; None for anything else."""
    kind, _, model = word.partition(":")
    match kind:
        case "embedding" if model:
            return Embedding(model)
        case "rerank" if model:
            return Reranking(model)
        case _:
            return None


@immutable
class _ModelRanker:
    model: str
    deadline: float = DEADLINE

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One for each text, all finite. A call that does not end in time is left to itself."""
        from ...models import endpoint, failures, litellm_client, wire

        outcome: list[list[float] | Exception] = []

        def work() -> None:
            try:
                way = litellm_client.access(endpoint.Endpoint(self.model))
                options = {"model": self.model, "timeout": self.deadline + 1, "num_retries": 0, "max_retries": 0}
                litellm = wire.quiet_litellm()
                litellm.DEFAULT_MAX_RETRIES = 0  # its embedding takes max_retries=0 for no word and asks three times
                options |= way.options
                scores = self._ask(litellm, options, query, [text[:MAX_TEXT] for text in texts])
                if not all(map(math.isfinite, scores)):
                    raise ValueError("not a number")
                outcome.append(scores)
            except Exception as error:  # litellm lets IndexError, KeyError and the like out of broken answers
                outcome.append(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(self.deadline)
        match outcome:
            case [list() as scores]:
                return scores
            case [failures.ModelFailed() as failed]:
                pass
            case [Exception() as error]:
                failed = failures.failure_of(error).raised(self.model, 1)
            case _:
                slow = diagnose.model_deadline_exceeded(
                    self.model, model=self.model, seconds=f"{self.deadline:g}", attempts=1
                )
                failed = failures.ModelFailed("deadline", slow)
        raise RankingFailed(replace(failed.problem, severity="warning"))

    def _ask(self, litellm: Any, options: dict[str, Any], query: str, texts: list[str]) -> list[float]:
        """One call. Raises whatever litellm raises, or what comes of a broken answer."""
        raise NotImplementedError


class Embedding(_ModelRanker):
    """Cosine of the query's vector and each text's."""

    def _ask(self, litellm: Any, options: dict[str, Any], query: str, texts: list[str]) -> list[float]:
        answer = litellm.embedding(input=[query, *texts], **options)
        rows = sorted(answer.data, key=lambda row: int(row["index"]))
        vectors = [[float(number) for number in row["embedding"]] for row in rows]
        if len(vectors) != len(texts) + 1 or len({len(vector) for vector in vectors}) != 1:
            raise ValueError(f"{len(vectors)} vectors for {len(texts) + 1} texts")
        return [_cosine(vectors[0], vector) for vector in vectors[1:]]


class Reranking(_ModelRanker):
    """The relevance that a reranking model gives."""

    def _ask(self, litellm: Any, options: dict[str, Any], query: str, texts: list[str]) -> list[float]:
        answer = litellm.rerank(query=query, documents=texts, top_n=len(texts), **options)
        relevance = {int(row["index"]): float(row["relevance_score"]) for row in answer.results}
        return [relevance[at] for at in range(len(texts))]


def _cosine(first: Sequence[float], second: Sequence[float]) -> float:
    lengths = math.hypot(*first) * math.hypot(*second)
    return sum(a * b for a, b in zip(first, second, strict=True)) / lengths if lengths else 0.0
