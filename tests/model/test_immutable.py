"""`@immutable` makes what `dataclass(frozen=True, slots=True)` makes: the same questions are put to both."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import KW_ONLY, FrozenInstanceError, dataclass, field, fields
from typing import Any

import pytest

from legalworld.model.immutable import immutable, names_of, replace

MAKERS: dict[str, Callable[[type], type]] = {
    "immutable": immutable,
    "dataclass": dataclass(frozen=True, slots=True),
}


@immutable
class Claim:
    """A claim, at module level so that it can be pickled."""

    payee: str
    sum: int = 0
    notes: list[str] = field(default_factory=list, compare=False)


@immutable
class Interest(Claim):
    rate: str = "LPR"


@immutable
class Nothing:
    pass


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[[type], Any]:
    return MAKERS[request.param]


def party(make: Callable[[type], Any]) -> Any:
    @make
    class Party:
        name: str
        role: str = "plaintiff"
        seat: int | None = field(default=None, repr=False)
        nick: str = field(default="", compare=False)
        tags: tuple[str, ...] = field(default_factory=tuple, hash=False)

    return Party


def test_equal_and_hashed_by_its_compared_fields(make: Callable[[type], Any]) -> None:
    party_of = party(make)
    assert party_of("A", nick="x") == party_of("A", nick="y") != party_of("B")
    assert hash(party_of("A", tags=("t",))) == hash(party_of("A", nick="z"))
    assert party_of("A") != party(make)("A")  # another class of the same look
    assert party_of("A").__eq__("A") is NotImplemented


def test_one_field_is_compared_as_a_value(make: Callable[[type], Any]) -> None:
    @make
    class One:
        only: tuple[int, ...]

    assert One((1, 2)) == One((1, 2)) != One((1,))
    assert {One((1,)): "found"}[One((1,))] == "found"


def test_shown_with_its_fields(make: Callable[[type], Any]) -> None:
    told = repr(party(make)("A", seat=3))
    assert told.endswith("Party(name='A', role='plaintiff', nick='', tags=())")


def test_a_value_that_holds_itself_is_shown(make: Callable[[type], Any]) -> None:
    @make
    class Ring:
        parts: list[Any]

    ring = Ring([])
    ring.parts.append(ring)
    assert repr(ring).endswith("Ring(parts=[...])")


def test_cannot_be_changed(make: Callable[[type], Any]) -> None:
    one = party(make)("A")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        one.name = "B"
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del one.name
    assert not hasattr(one, "__dict__")
    assert one.name == "A"


def test_copied_and_matched(make: Callable[[type], Any]) -> None:
    party_of = party(make)
    one = party_of("A", seat=2)
    assert copy.copy(one) == copy.deepcopy(one) == one
    match one:
        case party_of(name, role):
            assert (name, role) == ("A", "plaintiff")
    assert [each.name for each in fields(one)] == ["name", "role", "seat", "nick", "tags"]


@pytest.mark.parametrize("change", [replace, dataclasses.replace])
def test_the_same_but_for_what_is_changed(make: Callable[[type], Any], change: Callable[..., Any]) -> None:
    @make
    class Sum:
        payee: str
        yuan: int = 0
        notes: list[str] = field(default_factory=list)

        def __post_init__(self) -> None:
            if self.yuan < 0:
                raise ValueError("less than nothing")

    @make
    class Awarded(Sum):
        _: KW_ONLY
        rate: str = "LPR"

    one, more = Sum("A", 3, ["seen"]), Awarded("A", 3, ["seen"], rate="1.5")
    assert change(one, payee="B", notes=[]) == Sum("B", 3)
    assert change(one) == one
    assert change(one, yuan=4).notes is one.notes
    assert change(more, yuan=4) == Awarded("A", 4, ["seen"], rate="1.5") == change(change(more, yuan=4), rate="1.5")
    assert change(more) == more != change(more, rate="LPR")
    with pytest.raises(ValueError, match="less than"):
        change(one, yuan=-1)
    with pytest.raises(TypeError, match="payer"):
        change(one, payer="B")


def test_each_instance_has_its_own_of_a_factory(make: Callable[[type], Any]) -> None:
    @make
    class Bag:
        held: list[int] = field(default_factory=list)

    first, second = Bag(), Bag()
    first.held.append(1)
    assert second.held == []
    assert Bag(None).held is None  # what is given is taken, whatever it is


def test_named_fields_only_by_name(make: Callable[[type], Any]) -> None:
    @make
    class Asked:
        spec: str
        _: KW_ONLY
        seed: int
        case: str = "x"

    assert Asked("civil", seed=1) == Asked("civil", case="x", seed=1)
    with pytest.raises(TypeError):
        Asked("civil", 1)
    with pytest.raises(TypeError, match="seed"):
        Asked("civil")


def test_what_follows_its_making_is_called(make: Callable[[type], Any]) -> None:
    @make
    class Span:
        start: int
        end: int

        def __post_init__(self) -> None:
            if self.end < self.start:
                raise ValueError("ends before it starts")

    assert Span(1, 2).end == 2
    with pytest.raises(ValueError, match="ends before"):
        Span(2, 1)


def test_a_field_without_a_default_after_one_with(make: Callable[[type], Any]) -> None:
    with pytest.raises(TypeError, match="non-default argument 'late' follows"):

        @make
        class Wrong:
            early: int = 0
            late: int


def test_methods_of_its_own_stay(make: Callable[[type], Any]) -> None:
    @make
    class Folded:
        word: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Folded) and self.word.lower() == other.word.lower()

        def __hash__(self) -> int:
            return hash(self.word.lower())

        def __repr__(self) -> str:
            return "folded"

    assert Folded("A") == Folded("a")
    assert len({Folded("A"), Folded("a")}) == 1
    assert repr(Folded("A")) == "folded"


def test_pickled_and_inherited() -> None:
    claim = Claim("A", 3, ["seen"])
    again = pickle.loads(pickle.dumps(claim))
    assert (again, again.notes) == (claim, ["seen"])
    interest = Interest("A", rate="1.5")
    assert pickle.loads(pickle.dumps(interest)) == interest != Claim("A")
    assert names_of(Interest) == names_of(interest) == ("payee", "sum", "notes", "rate")
    assert Nothing() == pickle.loads(pickle.dumps(Nothing()))
    assert hash(Nothing()) == hash(Nothing())


def test_a_traceback_names_the_class() -> None:
    with pytest.raises(TypeError, match=r"Claim\.__init__\(\)"):
        Claim()  # type: ignore[call-arg]
