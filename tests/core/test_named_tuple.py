"""The project's ``NamedTuple`` behaves like that of ``typing``."""

import copy
import pickle
import typing
from typing import Any, NamedTuple

import pytest


class Ours(NamedTuple):
    """A class with fields of each sort."""

    name: str
    size: int = 3
    parts: tuple[str, ...] = ()

    @property
    def double(self) -> int:
        return self.size * 2

    @classmethod
    def of(cls, name: str) -> "Ours":
        return cls(name)


class Theirs(typing.NamedTuple):
    """The same class made by ``typing``."""

    name: str
    size: int = 3
    parts: tuple[str, ...] = ()


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("a",), {}),
    (("a", 1), {}),
    (("a", 1, ("b",)), {}),
    ((), {"name": "a"}),
    (("a",), {"parts": ("b",)}),
    (("a",), {"parts": ("b",), "size": 2}),
]
WRONG: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    ((), {"size": 1}),
    (("a", 1, (), 2), {}),
    (("a",), {"name": "b"}),
    (("a",), {"other": 1}),
]


@pytest.mark.parametrize("times", [1, 200])
@pytest.mark.parametrize(("given", "named"), CALLS)
def test_an_instance_has_the_same_fields(given, named, times):
    wanted = Theirs(*given, **named)
    for _ in range(times):
        found = Ours(*given, **named)
    assert type(found) is Ours
    assert tuple(found) == tuple(wanted)
    assert (found.name, found.size, found.parts) == tuple(wanted)
    assert hash(found) == hash(wanted)
    assert found._asdict() == wanted._asdict()
    assert repr(found) == repr(wanted).replace("Theirs", "Ours")
    assert (found.double, Ours.of("x")) == (2 * wanted.size, ("x", 3, ()))


@pytest.mark.parametrize("times", [1, 200])
@pytest.mark.parametrize(("given", "named"), WRONG)
def test_a_call_that_fits_no_fields_is_an_error(given, named, times):
    for _ in range(times):
        Ours("a", size=4)
    for made in (Ours, Theirs):
        with pytest.raises(TypeError):
            made(*given, **named)


def test_the_class_says_what_it_has():
    names = ("_fields", "_field_defaults", "__match_args__")
    assert [getattr(Ours, one) for one in names] == [
        getattr(Theirs, one) for one in names
    ]
    assert Ours.__doc__ == "A class with fields of each sort."
    assert Ours._make(["a", 1, ()]) == ("a", 1, ())


def test_an_instance_is_replaced_matched_and_copied():
    one = Ours("a")
    assert one._replace(size=5) == ("a", 5, ())
    assert type(one._replace(size=5)) is Ours
    assert (copy.copy(one), pickle.loads(pickle.dumps(one))) == (one, one)
    match one:
        case Ours(name, size):
            assert (name, size) == ("a", 3)
    with pytest.raises(AttributeError):
        one.size = 4  # type: ignore[misc]


def test_a_field_without_a_default_cannot_follow_one_with():
    make: Any = type(NamedTuple)
    fields = {"__annotations__": {"a": 1, "b": 2}, "a": 1}
    with pytest.raises(TypeError):
        make("X", (NamedTuple,), fields)


@pytest.mark.parametrize("times", [1, 200])
def test_a_copy_has_other_values_of_the_fields_that_were_named(times):
    for _ in range(times):
        Ours("a", size=4)
    first = Ours("a", 1)
    copied = first._replace(size=2, parts=("b",))
    assert type(copied) is Ours
    assert (copied, first) == (Ours("a", 2, ("b",)), Ours("a", 1))
    assert first._replace() == first
    with pytest.raises((TypeError, ValueError)):
        Theirs("a")._replace(other=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Ours has no field other"):
        first._replace(other=1)  # type: ignore[call-arg]
