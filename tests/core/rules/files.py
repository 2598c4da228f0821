"""Rule files for the tests, made of keys and values."""

from typing import Any

from toolmem.core.formats.toml_edit import toml_document
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.rules.rule_file import RuleFile, parse_rule_file
from toolmem.store.files import layout


def rule_file(scope: Scope = SYSTEM, name: str = "rule", **keys: Any) -> RuleFile:
    """A file under ``shell`` with these keys; ``id`` is ``x`` unless given."""
    text = toml_document({"id": "x", **keys})
    path = f"{layout.rules_folder(scope, 'shell')}/{name}.toml"
    return parse_rule_file(text, path=path, scope=scope, folder_tool="shell")
