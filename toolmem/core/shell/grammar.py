"""Load the parser of shell commands."""

from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

from tree_sitter import Language, Parser

from toolmem.hints import Any


@cache
def bash_parser() -> Parser:
    """Return a parser with the grammar of bash, made at the first call."""
    return Parser(Language(_grammar().language()))


def _grammar() -> Any:
    """Load the grammar's compiled module, without the package around it.

    The package reads its query files through ``importlib.resources``, which takes
    longer to load than the grammar itself and parsing a command.
    """
    package = PathFinder.find_spec("tree_sitter_bash")
    places = package.submodule_search_locations if package else None
    spec = PathFinder.find_spec("tree_sitter_bash._binding", places)
    if spec is None or spec.loader is None:
        import tree_sitter_bash

        return tree_sitter_bash
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
