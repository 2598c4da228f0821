"""Names for annotations can be written wherever those of ``typing`` can."""

import typing
from collections.abc import Callable, Mapping

import pytest

from toolmem import hints

FORMS = """
dict[str, Any]
Any | None
"Mapping[str, Any]"
Callable[[Any], NoReturn]
Literal["a", "b"]
Literal["a"] | None
Mapping[str, Found]
Mapping[str, Mapping[str, Found]][int]
Found | None
None | Found
type[Found]
tuple[Self, ...]
BinaryIO | None
cast("int", 7)
"""


@pytest.mark.parametrize("form", FORMS.strip().splitlines())
def test_a_form_of_typing_is_one_of_hints(form):
    for module in (typing, hints):
        names = {**vars(module), "Found": module.TypeVar("Found", bound=int)}
        eval(form, {**names, "Callable": Callable, "Mapping": Mapping})


def test_a_class_can_follow_a_protocol():
    class Reads(hints.Protocol):
        def read(self) -> bytes: ...

    class File(Reads):
        def read(self) -> bytes:
            return b"x"

    assert File().read() == b"x"
