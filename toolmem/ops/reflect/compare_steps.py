"""Propose to compare memories that may say the same in other words."""

from array import array
from collections.abc import Callable, Sequence
from functools import cache

from toolmem.core.memories.memory_text import ParsedMemory, compared_text
from toolmem.core.reflect.memories import MemoryNote, may_be_compared
from toolmem.core.reflect.plan import COMPARE, ProposedSteps, Step
from toolmem.core.reflect.rewording import Rewording, TextSource, rewordings
from toolmem.core.reflect.word_table import WordTable
from toolmem.core.shown import counted
from toolmem.errors import InvalidFileError
from toolmem.ops.memories.memory_scan import ScanResult, read_whole
from toolmem.store.files.tree import Tree
from toolmem.store.index import word_table
from toolmem.store.vault.vault import Vault

_MOST_STEPS = 10
"""Pairs that are proposed at a time: a person reads both memories of each."""


def compare_steps(
    vault: Vault, tree: Tree, scanned: ScanResult, steps: Sequence[Step], folder: str
) -> ProposedSteps:
    """Look for pairs that no other of the ``steps`` concerns.

    With a ``folder``, one of the two must be in it. By the setting
    ``search.semantic``, or without the table of word vectors, nothing is compared.
    """
    if vault.settings["search.semantic"].value == "off":
        return ProposedSteps()
    try:
        table = word_table.table_for(vault.language)
    except InvalidFileError as error:
        return ProposedSteps(remarks=(f"compared without word vectors: {error}",))
    if table is None:
        return ProposedSteps()
    decided = {
        file.path for step in steps if len(step.files) > 1 for file in step.files
    }
    notes = [note for note in scanned.notes if note.path not in decided]

    @cache
    def read(place: int) -> ParsedMemory | None:
        document = read_whole(tree, notes[place].path)
        return document[0] if document else None

    source = _source(notes, scanned.words, read, f"{folder}/" if folder else "")
    pairs = [
        pair
        for pair in rewordings(source, table)
        if not _are_linked(read(pair.one), read(pair.other))
    ]
    proposed = tuple(_step(notes, pair) for pair in pairs[:_MOST_STEPS])
    return ProposedSteps(proposed, len(notes), tuple(_left_out(pairs)))


def _source(
    notes: Sequence[MemoryNote],
    known: WordTable,
    read: Callable[[int], ParsedMemory | None],
    inside: str,
) -> TextSource:
    """Return the texts; those whose path begins with ``inside`` are looked up."""

    def text(place: int) -> str:
        memory = read(place)
        return compared_text(memory) if memory else ""

    return TextSource(
        array("Q", (note.text for note in notes)),
        known,
        text,
        lambda place: _newness(notes[place]),
        lambda place: notes[place].path.startswith(inside),
        lambda ours, other: may_be_compared(notes[ours], notes[other]),
    )


def _newness(note: MemoryNote) -> tuple[str, str]:
    return note.changed, note.path


def _are_linked(memory: ParsedMemory | None, other: ParsedMemory | None) -> bool:
    """Return True if one of two memories names the other, or is no longer there."""
    if memory is None or other is None:
        return True
    ours = {*memory.related_to, *memory.contested_with, *memory.supersedes}
    theirs = {*other.related_to, *other.contested_with, *other.supersedes}
    return other.id in ours or memory.id in theirs


def _step(notes: Sequence[MemoryNote], pair: Rewording) -> Step:
    files = sorted((notes[pair.one], notes[pair.other]), key=_newness, reverse=True)
    both = f"{files[0].id} and {files[1].id}"
    reason = f"{both} may say the same in other words"
    why = f"both have {pair.shared!r}"
    times = f"{pair.times:.1f} times as similar in meaning as to their neighbours"
    return Step(
        COMPARE, f"{reason} ({why}, {times})", tuple(note.version for note in files)
    )


def _left_out(found: Sequence[Rewording]) -> list[str]:
    if len(found) <= _MOST_STEPS:
        return []
    pairs = counted(len(found), "pair")
    said = "may say the same in other words"
    return [f"{pairs} {said}: the {_MOST_STEPS} most likely are proposed"]
