"""Names that a file of a study declares and uses: each use is held against what is declared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..language import diagnose
from ..language.surface_reader import SurfaceReader
from ..language.yaml.nodes import Scalar
from .words import StudyFilter, filter_of

FILTERS = ("FACT is VALUE", "FACT is not VALUE", "FACT is one of VALUE, VALUE")


class NameReader(SurfaceReader):
    """Reads names and one-line phrases; what is wrong is gathered."""

    def listed(self, words: Sequence[Scalar], names: Iterable[str], key: str) -> tuple[str, ...]:
        """Return those of some words that are declared; a name that a comma has cut into pieces is told as such."""
        known, found, index = tuple(names), [], 0
        while index < len(words):
            word = words[index]
            if word.text in known:
                found.append(word.text)
            elif (pieces := _cut(words[index:], known)) > 1:
                name = _joined(words[index : index + pieces], known)
                self.report(diagnose.name_cut_by_comma(word.span, name=name))
                found.append(name)
                index += pieces - 1
            else:
                self.report(diagnose.unknown_study_name(word.span, name=word.text, key=key, known=known, among=known))
            index += 1
        return tuple(found)

    def unreadable(self, word: Scalar, key: str, known: Iterable[str]) -> None:
        """Report that a phrase is none of those that may stand there."""
        told = tuple(known)
        self.report(diagnose.unreadable_study_words(word.span, key=key, found=word.text, known=told, nearest=None))

    def filter(self, word: Scalar | None, *, of_cases: bool = False) -> StudyFilter | None:
        """Return what a filter says; None where there is none, or it cannot be read."""
        if word is None:
            return None
        found = filter_of(word.text, of_cases=of_cases)
        if found is None:
            self.unreadable(word, "only", FILTERS)
        return found


def _cut(words: Sequence[Scalar], known: Sequence[str]) -> int:
    """Of how many of some words one known name was made, 1 for none."""
    return next((n for n in range(2, len(words) + 1) if _joined(words[:n], known)), 1)


def _joined(words: Sequence[Scalar], known: Sequence[str]) -> str:
    whole = ",".join("".join(word.text.split()) for word in words)
    return next((name for name in known if "".join(name.split()) == whole), "")
