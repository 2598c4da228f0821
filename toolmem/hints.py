"""Names of ``typing`` for annotations, without its import.

``typing`` takes a tenth of the time of a hook to load, and nothing there looks at an
annotation. For a type checker these are the names of ``typing``; at run time they can
be written wherever those can, and mean nothing. Code that is not on the way of a hook
imports ``typing``. Types of the parser of shell commands are here, too: it is loaded
for few calls.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Annotated as Annotated
    from typing import Any as Any
    from typing import BinaryIO as BinaryIO
    from typing import Literal as Literal
    from typing import NoReturn as NoReturn
    from typing import Protocol as Protocol
    from typing import Self as Self
    from typing import TextIO as TextIO
    from typing import TypeVar as TypeVar
    from typing import cast as cast

    from tree_sitter import Node as Node
    from tree_sitter import Parser as Parser
else:

    class _Hint:
        def __class_getitem__(cls, _):
            return cls

    def _hint(name):
        return type(name, (_Hint,), {})

    class _TypeVariable:
        def __init__(self, *_, **__): ...

        def __typing_subst__(self, argument):
            return argument

        def __or__(self, _):
            return self

        __ror__ = __or__

    def _cast(_, value):
        return value

    class _Pair:
        """A type and its declaration."""

        def __class_getitem__(cls, given):
            return given

    Any, BinaryIO, Literal, NoReturn, Protocol, Self, TextIO, Node, Parser = map(
        _hint, "Any BinaryIO Literal NoReturn Protocol Self TextIO Node Parser".split()
    )
    Annotated, TypeVar, cast = _Pair, _TypeVariable, _cast
