"""Import instructions for an agent: sentences about tools as rules, the rest as text.

A file that a person wrote is not a chat message: nothing in it is about one task only,
quotation marks at the margin only set a text off, and tags only group it. A sentence
becomes a rule if it is a ban or a demand and clearly names a tool; a line with nothing
else is removed from the text.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolmem.core.imports.conditional import take_rules
from toolmem.core.imports.conditions import FileContext
from toolmem.core.imports.header import (
    ImportHeader,
    file_conditions,
    globs_of,
    is_always_on,
    is_on_request,
    read_lenient,
)
from toolmem.core.imports.items import ImportedContent, ImportNote, RuleItem, TextItem
from toolmem.core.imports.own_text import without_own_text
from toolmem.core.imports.ruled import Toolbox
from toolmem.core.imports.sections import (
    Section,
    fits_guidance,
    has_text,
    split_sections,
    tidied,
)
from toolmem.core.memories.summary import needs_summary
from toolmem.core.text.textlines import closes_fence, fence, heading

_MENTION = re.compile(r"[ \t]*(?:[-*+][ \t]+)?@(~?[\w./-]+\.\w+|~?/[\w./-]+)")
_INCLUDING = ("claude", "gemini", "goose")
"""Programs that replace a line ``@path`` with the content of that file."""
_SECTION_DEPTH = 2
_KNOWN = (
    "description", "globs", "paths", "applyTo", "alwaysApply", "trigger", "tags",
)  # fmt: skip


class FileParts(NamedTuple):
    """Front matter of a file, and the text below it without what toolmem printed.

    ``rest`` is the text without the lines of the rules.
    """

    header: ImportHeader
    text: str
    rules: tuple[RuleItem, ...]
    rest: str
    notes: tuple[ImportNote, ...]


def read_parts(
    text: str,
    box: Toolbox,
    *,
    names: Iterable[str] = (),
    titled: bool = False,
    always: bool = True,
) -> FileParts:
    """Split a file; ``text`` has LF line ends and no byte order mark.

    ``names`` are words that name the file or its project. ``titled``: the title in its
    front matter is a heading. ``always`` as in `read_lenient`.
    """
    header = read_lenient(text, always=always)
    body, own = without_own_text(header.body)
    notice = "written by toolmem: not imported again"
    notes = [ImportNote(header.line + line - 1, "own-text", notice) for line in own]
    title = header.text("title") if titled else ""
    context = FileContext(
        file_conditions(header), frozenset(names), (title,) if title else ()
    )
    rules: list[RuleItem] = []
    rest = body
    if not is_on_request(header):
        rules, rest = take_rules(body, header.line, box, context)
    elif has_text(body):
        notice = "read only on request by its program: memories, without rules"
        notes.append(ImportNote(1, "on-request", notice))
    return FileParts(header, body, tuple(rules), rest, (*header.notes, *notes))


def read_document(
    text: str,
    name: str,
    box: Toolbox,
    program: str = "",
    project: str = "",
    *,
    always: bool = True,
) -> ImportedContent:
    """Import the instructions of an agent; ``name`` is the default title.

    ``text`` has LF line ends and no byte order mark; ``program`` reads the file, at all
    times if ``always`` and its front matter does not say otherwise. ``project`` is the
    name of the project that the whole file is about.
    """
    names = re.findall(r"\w+", project.lower())
    parts = read_parts(text, box, names=names, always=always)
    header, notes = parts.header, [*parts.notes]
    if program in _INCLUDING:
        notes += _mentions(parts.text, header.line)
    rest = tidied(parts.rest)
    texts = tuple(_texts(rest, header, name)) if has_text(rest) else ()
    return ImportedContent(parts.rules, texts, tuple(notes))


def _mentions(text: str, first_line: int) -> Iterator[ImportNote]:
    """Yield notes on files that the agent would read in place of a line."""
    opened = ""
    for number, line in enumerate(text.split("\n"), first_line):
        bare = line.lstrip(" \t")
        if opened:
            opened = "" if closes_fence(bare, opened) else opened
            continue
        opened = fence(bare)
        match = _MENTION.match(line)
        if match:
            notice = f"refers to {match[1]}: import that file as well"
            yield ImportNote(number, "reference", notice)


def _texts(rest: str, header: ImportHeader, name: str) -> Iterator[TextItem]:
    """Yield the rest of the instructions: whole if it is short, else by section."""
    globs = globs_of(header)
    always = is_always_on(header)
    fields = _fields(header, globs)
    title = header.text("description") or name
    if (always and fits_guidance(rest)) or not needs_summary(rest):
        title, rest = _titled(rest.strip("\n"), title)
        sections = [Section((), rest, header.line)]
    else:
        sections = split_sections(rest, first_line=header.line, depth=_SECTION_DEPTH)
    topic = _topic_of(globs)
    for section in sections:
        yield TextItem(
            section.title or title,
            section.body,
            section.line,
            " / ".join(section.trail),
            topic,
            header.listed("tags"),
            always=always and len(sections) == 1,
            fields=fields,
        )


def _titled(text: str, title: str) -> tuple[str, str]:
    """Split off the heading at the beginning of a text; without one, use the title."""
    first, _, rest = text.partition("\n")
    first_title = heading(first)
    if first_title and first_title[0] == 1 and first_title[1] and has_text(rest):
        return first_title[1], rest.strip("\n")
    return title, text


def _fields(header: ImportHeader, globs: tuple[str, ...]) -> dict[str, object]:
    fields: dict[str, object] = {}
    if header.text("description"):
        fields["description"] = header.text("description")
    if globs:
        fields["paths"] = list(globs)
    more = {key: value for key, value in header.fields.items() if key not in _KNOWN}
    return fields | more


def _topic_of(globs: tuple[str, ...]) -> str:
    """Return the common folder of globs: ``src/api`` for ``src/api/**/*.ts``."""
    folders = []
    for glob in globs:
        fixed = re.split(r"[*?{\[]", glob, maxsplit=1)[0]
        folders.append(fixed.rpartition("/")[0].strip("./"))
    return folders[0] if folders and len(set(folders)) == 1 else ""
