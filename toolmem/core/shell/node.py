"""The type of a parsed text's nodes, for annotations: the parser is not loaded."""

from toolmem.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Node as Node
else:
    Node = Any
