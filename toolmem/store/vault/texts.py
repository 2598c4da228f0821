"""Load the permanent texts of a chain: roles, freeform overrides, guidance."""

from collections.abc import Iterable

from toolmem.core import limits
from toolmem.core.model import Problem, Scope
from toolmem.core.prompt.build import ScopedText
from toolmem.core.text.prose import section, without_header
from toolmem.errors import InvalidFileError
from toolmem.store.files import layout
from toolmem.store.vault.vault import Vault, decode


class TextReader:
    """Reads texts of a chain and collects problems."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.problems: list[Problem] = []

    def roles(self, chain: Iterable[Scope]) -> list[ScopedText]:
        """Return the ``## Role`` of each profile, broadest scope first."""
        roles = []
        for scope in _broadest_first(chain):
            path = f"{layout.scope_folder(scope)}/{layout.PROFILE}"
            text = self._text(path)
            role = section(without_header(text), "Role") if text else None
            if role and role.strip():
                roles.append(ScopedText(role, scope, path))
        return roles

    def overrides(
        self, project: str | None, agent_type: str | None
    ) -> list[ScopedText]:
        """Return the freeform override of the project for the agent type, if any."""
        if not project or not agent_type:
            return []
        path = layout.override_text(project, agent_type)
        body = without_header(self._text(path) or "")
        scope = Scope("override", project, agent_type)
        return [ScopedText(body, scope, path)] if body.strip() else []

    def guidance(self, chain: Iterable[Scope]) -> list[ScopedText]:
        """Return every guidance file, broadest scope first, then by name."""
        texts = []
        for scope in _broadest_first(chain):
            folder = f"{layout.scope_folder(scope)}/{layout.GUIDANCE}"
            for path, data in self._files(folder):
                body = without_header(data)
                if body.strip():
                    texts.append(ScopedText(body, scope, path))
        return texts

    def _files(self, folder: str) -> Iterable[tuple[str, str]]:
        try:
            listed = self._vault.tree.read_all(folder, ".md", limits.TEXT_FILE_BYTES)
        except InvalidFileError as error:
            self._note(error)
            return
        for path, data in listed:
            try:
                if isinstance(data, InvalidFileError):
                    raise data
                yield path, decode(data, path)
            except InvalidFileError as error:
                self._note(error)

    def _text(self, path: str) -> str | None:
        try:
            return self._vault.text(path)
        except InvalidFileError as error:
            self._note(error)
            return None

    def _note(self, error: InvalidFileError) -> None:
        self.problems.append(
            Problem(error.path, error.line, "unreadable", error.reason)
        )


def _broadest_first(chain: Iterable[Scope]) -> list[Scope]:
    return list(chain)[::-1]
