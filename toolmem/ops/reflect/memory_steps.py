"""Suggest cleanups of the memories of some scopes."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from toolmem.core.memories.memory_text import compared_text
from toolmem.core.model import Fact, Scope
from toolmem.core.reflect import memories, memory_proposals
from toolmem.core.reflect.cited import by_name
from toolmem.core.reflect.facts import one_value_a_fact, settled_fact
from toolmem.core.reflect.plan import FACT, MERGE, PROMOTE, ProposedSteps, Step
from toolmem.errors import UsageError
from toolmem.ops.memories.change import checked_body
from toolmem.ops.memories.memory_scan import (
    ScanContext,
    ScanResult,
    Usage,
    read_whole,
    scan_memories,
    texts_of,
)
from toolmem.ops.reflect.compare_steps import compare_steps
from toolmem.store.files import layout
from toolmem.store.files.tree import DiskTree, Tree
from toolmem.store.git.diff import Project, project_history
from toolmem.store.vault import model_command as model
from toolmem.store.vault.fact_files import load_facts
from toolmem.store.vault.memory_files import memory_paths
from toolmem.store.vault.vault import Vault
from toolmem.store.vault.visible_tree import VisibleTree

_MERGE_REQUEST = (
    "Merge these notes into one. Keep every distinct fact; where they differ, "
    "prefer the newer and say what changed. Answer with the note alone, in "
    "markdown.\n\n"
    "NEWER:\n{newer}\n\nOLDER:\n{older}\n"
)
"""Prompt for the user's model, if one is configured."""


def memory_steps(
    vault: Vault,
    scopes: Sequence[Scope],
    usage: Usage,
    folder: Path | None,
    helper: model.ModelCommand | None,
    within: str = "",
) -> ProposedSteps:
    """Look at the memories of some scopes.

    ``folder`` is that of a project whose files they may cite; ``helper`` words merged
    texts; ``within`` is the folder of the vault that is cleaned up, if not all. Raises
    ``NotFoundError`` for a folder without history.
    """
    with DiskTree(vault.root) as every:
        tree = VisibleTree(every, vault.audience)
        around = _around(vault, scopes, folder, usage)
        scanned = _scan(vault, tree, scopes, around)
        steps = [*_alone(scanned), *_together(vault, tree, scanned)]
        remarks: tuple[str, ...] = ()
        if helper is not None:
            steps, remarks = _by_model(tree, steps, helper)
        compared = compare_steps(vault, tree, scanned, steps, within)
    steps += compared.steps
    remarks += compared.remarks
    return ProposedSteps(tuple(steps), scanned.looked_at, remarks)


def _scan(
    vault: Vault, tree: Tree, scopes: Sequence[Scope], around: ScanContext
) -> ScanResult:
    paths = tuple(memory_paths(tree, scopes))
    progress = _progress_of(vault, "reading", len(paths))
    return scan_memories(tree, paths, around, progress)


def _around(
    vault: Vault, scopes: Iterable[Scope], folder: Path | None, usage: Usage
) -> ScanContext:
    facts: dict[tuple[Scope, str], Fact] = {}
    for scope in scopes:
        for fact in load_facts(vault, scope)[0]:
            facts.setdefault((scope, fact.key), fact)
    project: Project | None = None
    if folder is not None:
        project = project_history(folder, 0)
    known = (*project.files, *project.changed) if project else ()
    names = by_name(tuple(dict.fromkeys(known)))
    return ScanContext(vault.now, usage, facts, project, names, vault.language)


def _progress_of(vault: Vault, what: str, total: int) -> Callable[[int], None]:
    show = vault.progress

    def step(done: int) -> None:
        if show is not None:
            show(what, done, total)

    return step


def _alone(scanned: ScanResult) -> list[Step]:
    """Return the steps for single memories, with one value for each fact.

    What a memory of the same scope settles is settled for the others.
    """
    settled = {(str(n.scope), line) for n in scanned.notes for line in n.settled}
    steps = [
        step
        for step in scanned.steps
        if step.action != FACT
        or (step.scope, settled_fact(step.key, step.value)) not in settled
    ]
    stating = {file.path for s in steps if s.action == FACT for file in s.files}
    changed = {n.path: n.changed for n in scanned.notes if n.path in stating}
    return one_value_a_fact(steps, changed)


def _together(vault: Vault, tree: Tree, scanned: ScanResult) -> list[Step]:
    """Yield steps for related memories."""
    texts = texts_of(tree)
    report = _progress_of(vault, "comparing", 2 * len(scanned.notes))
    agent_type = vault.setting("agent_type") or _only_type(vault)
    groups = memories.groups(scanned.notes, scanned.words, texts, report)
    return list(memory_proposals.proposals(groups, texts, agent_type))


def _only_type(vault: Vault) -> str:
    types = [s.name for s in layout.all_scopes(vault.tree) if s.kind == "agent-type"]
    return types[0] if len(types) == 1 else ""


def _by_model(
    tree: Tree, steps: Iterable[Step], helper: model.ModelCommand
) -> tuple[list[Step], tuple[str, ...]]:
    """The merged texts in the words of the user's model, where it has any."""
    written, failures = [], set()
    for step in steps:
        if step.action in (MERGE, PROMOTE) and step.text:
            read = (read_whole(tree, file.path) for file in step.files)
            texts = [compared_text(document[0]) for document in read if document]
            request = _MERGE_REQUEST.format(
                newer=texts[0], older="\n\n---\n\n".join(texts[1:])
            )
            answer = model.ask(helper, request)
            if answer.failure:
                failures.add(answer.failure)
            else:
                step = _reworded(step, answer.text, failures)
        written.append(step)
    return written, tuple(
        f"the model command {failure}: merged without it"
        for failure in sorted(failures)
    )


def _reworded(step: Step, text: str, failures: set[str]) -> Step:
    try:
        return step._replace(text=checked_body(text), reason=f"{step.reason}; by model")
    except UsageError as error:
        failures.add(f"wrote a text that cannot be stored ({error})")
        return step
