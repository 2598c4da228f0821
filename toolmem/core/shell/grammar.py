"""Load the parser of shell commands."""

from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Parser


@cache
def bash_parser() -> Parser:
    """Return a parser with the grammar of bash, made at the first call."""
    library, grammar = _compiled("tree_sitter"), _compiled("tree_sitter_bash")
    parser: Parser = library.Parser(library.Language(grammar.language()))
    return parser


def _compiled(name: str) -> Any:
    """Load the compiled module of a package, without the package around it.

    One imports ``typing``. The other reads its query files through
    ``importlib.resources``, which takes longer to load than the grammar itself and
    parsing a command.
    """
    package = PathFinder.find_spec(name)
    places = package.submodule_search_locations if package else None
    spec = PathFinder.find_spec(f"{name}._binding", places)
    if spec is None or spec.loader is None:
        return __import__(name)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
