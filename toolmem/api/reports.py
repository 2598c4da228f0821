"""Doctor, reflect and report, and the search index."""

from pathlib import Path
from typing import NamedTuple

from toolmem.api.access import Access, Operations, bounded
from toolmem.core import finding as finding_
from toolmem.core.reflect import plan as plans
from toolmem.errors import Arg, NotAllowedError, NotFoundError, ToolmemError, UsageError
from toolmem.ops.doctor import installation as doctor_install
from toolmem.ops.doctor import run as doctor_
from toolmem.ops.reflect import apply as reflect_apply
from toolmem.ops.reflect import plan as reflect_plan
from toolmem.ops.reports import report as report_
from toolmem.ops.setup import activation
from toolmem.store.files import outside
from toolmem.store.index import index as indexing
from toolmem.store.vault import library
from toolmem.store.vault.vault import Vault


class Diagnosis(NamedTuple):
    """Findings of doctor, the vault (or why there is none), and applied fixes."""

    vault: Vault | ToolmemError
    findings: "tuple[finding_.Finding, ...]"
    fixed: "tuple[doctor_.FixResult, ...]" = ()

    @property
    def is_well(self) -> bool:
        """True if there are only notes."""
        return all(finding.severity == "note" for finding in self.findings)


class VaultReport(NamedTuple):
    """Figures of a vault; the vault is needed for the page."""

    figures: "report_.Figures"
    vault: Vault
    base_url: str = ""

    @property
    def page(self) -> str:
        """Return the figures as one page of HTML."""
        return report_.report_page(self.vault, self.figures, self.base_url)


@bounded()
class Reports(Operations):
    """Checks and figures of the vault as a whole."""

    def reflect(
        self,
        *,
        folder: str = "",
        apply: str = "",
        plan: str | None = None,
        model: bool = False,
        output: str = "",
    ) -> "reflect_plan.Reflection | tuple[reflect_apply.StepResult, ...]":
        """Propose what to retire, merge, promote or review, and why.

        ``folder`` contains the project's own files, in git; with ``model`` the user's
        model command writes merged texts; the plan is written to the file ``output``.
        Instead, ``apply`` names a plan to carry out (``plan`` is its text). Raises
        ``UsageError`` and ``NotFoundError``.
        """
        given = bool(apply) or plan is not None
        if given and (output or model or folder):
            raise UsageError(Arg("apply"), " allows no other option")
        if given:
            vault = self._access.whole(write=True)
            text = _text(self._access, apply) if plan is None else plan
            wanted = plans.parse_plan(text, apply or "standard input")
            return tuple(reflect_apply.apply_plan(vault, wanted, self._access.new_id))
        target = _target(self._access, output)
        place = self._access.file(folder) if folder else None
        project = self._access.flags.get("project") or ""
        vault = self._access.whole()
        reflection = reflect_plan.reflect(
            vault, reflect_plan.ReflectRequest(project, place, model)
        )
        if target:
            outside.write_text(target, plans.plan_text(reflection.plan))
        return reflection

    def doctor(self, *, deep: bool = False) -> "Diagnosis":
        """Diagnose the installation, the vault, hooks, git and the disk.

        ``deep`` reads every page, object and text. Nothing is changed.
        """
        vault: Vault | ToolmemError
        try:
            vault = self._access.whole()
        except NotAllowedError:
            raise
        except ToolmemError as error:
            vault = error
        findings = doctor_.examine(vault, surroundings(self._access.cwd), deep=deep)
        return Diagnosis(vault, findings)

    def report(self, *, output: str = "", base_url: str = "") -> "VaultReport":
        """Return the figures of the vault; ``.page`` is the HTML for ``output``.

        ``base_url`` is the address of the repository on its host, to which files and
        commits are linked; with ``{path}`` in it, it is that of a file. Raises
        ``UsageError`` for anything but an http address, and ``StorageError`` if the
        file cannot be written.
        """
        target = _target(self._access, output)
        vault = self._access.whole()
        written = VaultReport(report_.figures(vault), vault, base_url)
        if target:
            outside.write_text(target, written.page)
        return written


def _target(access: Access, output: str) -> Path | None:
    """Return the file to write, if any; its errors come before the work."""
    if output in ("", "-"):
        return None
    access.require_writable()
    return access.output(output)


def _text(access: Access, name: str) -> str:
    text = outside.read_text(access.file(name))
    if text is None:
        raise NotFoundError(f"{name}: no such file")
    return text


def surroundings(cwd: Path) -> "doctor_.DoctorContext":
    """Return the places that doctor checks besides the vault."""
    places = activation.InstallPlaces.of(cwd)
    return doctor_.DoctorContext(doctor_install.this_place(), places)


@bounded("index")
class SearchIndex(Operations):
    """Operations on the index of a vault."""

    def status(self) -> "indexing.IndexStatus":
        """Return whether the index exists and is up to date."""
        return library.index_of(self._access.read()).status()

    def rebuild(self) -> "indexing.IndexStatus":
        """Rebuild the index from every file.

        Raises ``LockedError`` and ``StorageError``.
        """
        self._access.require_writable()
        return library.index_of(self._access.read()).rebuild()
