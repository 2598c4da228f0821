"""Load the parser of shell commands."""

from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Parser


@cache
def bash_parser() -> Parser:
    """Return a parser with the grammar of bash, made at the first call."""
    return Parser(Language(tree_sitter_bash.language()))
