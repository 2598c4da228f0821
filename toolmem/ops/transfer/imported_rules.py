"""Rules that were imported before: known by their texts, whatever their tools."""

import re
from collections.abc import Iterator

from toolmem.core import limits
from toolmem.core.comparison.same import same_text
from toolmem.core.imports.text_file import IMPORTED
from toolmem.core.model import SYSTEM, Rule, Scope
from toolmem.core.rules.rule_file import parse_rule_file
from toolmem.errors import InvalidFileError
from toolmem.ops.capture.context import CaptureContext
from toolmem.ops.memories.restore import files_in
from toolmem.store.files import layout
from toolmem.store.vault.vault import Vault

_PLACE = re.compile(r" \(([^()]+):\d+\)$")
"""Return the place of an imported rule, for the end of its evidence."""


class ImportedRules:
    """The imported rules of a scope, in use and in the archive."""

    def __init__(self, vault: Vault, scope: Scope, known: CaptureContext) -> None:
        self._vault = vault
        self._scope = scope
        self._known = known
        self._retired: tuple[str, ...] | None = None

    def reading(self, text: str) -> Iterator[Rule]:
        """The imported rules of the scope that read so."""
        for known in self._known.every():
            rule = self._known.rule(known.id)
            is_here = rule.scope == self._scope and IMPORTED in rule.tags
            if is_here and same_text(rule.rule, text):
                yield rule

    def is_retired(self, text: str) -> bool:
        """Return whether an imported rule of the scope with this text is archived."""
        if self._retired is None:
            self._retired = tuple(self._archived_texts())
        return any(same_text(text, retired) for retired in self._retired)

    def _archived_texts(self) -> Iterator[str]:
        folder = layout.archived(layout.scope_folder(self._scope))
        for path in files_in(self._vault.tree, f"{folder}/{layout.RULES}"):
            try:
                text = self._vault.text(path, limits.RULE_FILE_BYTES) or ""
                file = parse_rule_file(text, path=path, scope=SYSTEM, folder_tool="")
            except InvalidFileError:
                continue
            if IMPORTED in file.stated.get("tags", ()) and "rule" in file.stated:
                yield file.stated["rule"]


def imported_from(rule: Rule) -> str:
    """The file that an imported rule came from; empty for any other rule."""
    place = _PLACE.search(rule.evidence or "") if IMPORTED in rule.tags else None
    return place[1] if place else ""
