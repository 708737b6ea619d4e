"""The record of the hearing: what was said aloud in which phase, and to whom it may be read or shown.

Words from a phase that is off the record for somebody, and words that only some were to hear, are open to those who
heard them and from whom they were not taken back. Words from a closed room are open to those to whom it was closed
once they were read out to them, or where the matrix grants the full minutes. All other words are open to everybody,
whether he was there or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from ..model.attendance import ReadOut
from ..model.events import Entered, Reopened, Spoke, Withheld
from ..model.immutable import immutable, replace
from ..model.interruptions import Objected

MOST_READ = 40_000  # characters of a record that somebody is read or shown; what is earlier is left out


@immutable
class RecordEntry:
    """Words that were said aloud. `phase`: the place of their phase; `withheld`: from whom they were taken back;

    `to`: how those are called whom they were said to; `struck`: an objection to them was sustained; `closed_to`: to
    whom the room was closed meanwhile, `read_to`: whom they were read since.
    """

    phase: str
    person: str
    speaker: str
    text: str
    heard_by: tuple[str, ...]
    confined: bool
    withheld: frozenset[str] = frozenset()
    act: str = ""
    to: tuple[str, ...] = ()
    struck: bool = False
    closed_to: frozenset[str] = frozenset()
    read_to: frozenset[str] = frozenset()

    def open_to(self, person: str, *, full: bool) -> bool:
        """Whether a person may be read these words, or shown them later. `full`: those of closed rooms, too."""
        if self.withheld or self.confined:
            return person in self.heard_by and person not in self.withheld
        return full or person not in self.closed_to or person in self.read_to


@immutable
class CourtRecord:
    """All that was said aloud in a case. `began`: place of a phase -> number of entries when it last began."""

    entries: tuple[RecordEntry, ...] = ()
    began: Mapping[str, int] = field(default_factory=dict)

    def kept(self, event: Entered | Reopened | Spoke | Withheld, phase: str) -> CourtRecord:
        """The record after an event in a phase."""
        match event:
            case Spoke():
                to, act = event.to, event.act
                said = (phase, event.person, event.speaker, event.text, event.heard_by, event.confined)
                entry = RecordEntry(*said, act=act, to=to, closed_to=frozenset(event.closed_to))
                return replace(self, entries=(*self.entries, entry))
            case Withheld():
                since = self.began.get(event.phase, 0)
                gone = frozenset(event.persons)
                return replace(
                    self,
                    entries=tuple(
                        replace(entry, withheld=entry.withheld | gone)
                        if number >= since and entry.phase == event.phase
                        else entry
                        for number, entry in enumerate(self.entries)
                    ),
                )
            case Entered() | Reopened():
                return replace(self, began={**self.began, event.place: len(self.entries)})

    def without(self, event: Objected) -> CourtRecord:
        """The record once words were struck: the last that were said so by that person are marked."""
        for at in reversed(range(len(self.entries))):
            entry = self.entries[at]
            if (entry.person, entry.text) == (event.person, event.heard):
                marked = replace(entry, struck=True)
                return replace(self, entries=(*self.entries[:at], marked, *self.entries[at + 1 :]))
        return self

    def read_out(self, event: ReadOut) -> CourtRecord:
        """The record once words of a phase were read to persons: they may read these again."""
        heard = frozenset(event.heard_by)
        read = {id(entry) for person in heard for entry in bounded(self.of(event.phase, person, full=True))[0]}
        entries = (replace(one, read_to=one.read_to | heard) if id(one) in read else one for one in self.entries)
        return replace(self, entries=tuple(entries))

    def of(self, place: str, person: str, *, full: bool) -> tuple[RecordEntry, ...]:
        """What was said in a stage or phase, as far as it is open to a person. `full`: in closed rooms, too."""
        return tuple(
            entry
            for entry in self.entries
            if (entry.phase == place or entry.phase.startswith(f"{place}/")) and entry.open_to(person, full=full)
        )


def bounded(entries: Iterable[RecordEntry]) -> tuple[tuple[RecordEntry, ...], int]:
    """The last of some entries, not longer in all than may be read, and how many earlier ones are left out."""
    found = tuple(entries)
    length, first = 0, len(found)
    while first and length + len(found[first - 1].text) <= MOST_READ:
        first -= 1
        length += len(found[first].text)
    return found[first:], first
