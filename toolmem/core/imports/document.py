"""Import instructions for an agent: sentences about tools as rules, the rest as text.

A file that a person wrote is not a chat message: nothing in it is about one task only,
quotation marks at the margin only set a text off, and tags only group it. A sentence
becomes a rule if it is a ban or a demand and clearly names a tool; a line with nothing
else is removed from the text.
"""

import re
from collections.abc import Iterator, Sequence

from toolmem.core import limits
from toolmem.core.capture.decree import BACK
from toolmem.core.capture.detect.candidates import Candidate, find_candidates
from toolmem.core.capture.text.words import tokenize, word_set
from toolmem.core.imports.header import (
    ImportHeader,
    globs_of,
    is_always_on,
    read_lenient,
)
from toolmem.core.imports.items import ImportedContent, ImportNote, RuleItem, TextItem
from toolmem.core.imports.own_text import without_own_text
from toolmem.core.imports.ruled import Toolbox, tools_ruled
from toolmem.core.imports.sections import (
    Section,
    fits_guidance,
    has_text,
    headings,
    split_sections,
    tidied,
)
from toolmem.core.memories.summary import needs_summary
from toolmem.core.text.safetext import one_line
from toolmem.core.text.textlines import closes_fence, fence, heading

_TAG_LINE = re.compile(r"^[ \t]*</?[A-Za-z][\w.:-]*(?:[ \t][^<>\n]*)?>[ \t]*$", re.M)
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+(?:\[![A-Z]+\][ \t]*)?", re.M)
_STRONG = re.compile(r"\*\*|__(?=\w)|(?<=\w)__(?!\w)")
_LEFT = re.compile(r"^[\s\-*+>.\d()\[\]_#:,;!?|✅❌⚠️]*$")
_MENTION = re.compile(r"[ \t]*(?:[-*+][ \t]+)?@(~?[\w./-]+\.\w+|~?/[\w./-]+)")
_INCLUDING = ("claude", "gemini", "goose")
"""Programs that replace a line ``@path`` with the content of that file."""
_CONDITION = re.compile(
    r"(?i)(?:when|whenever|if|in|on|for|during|before|after|while|until|unless|with"
    r"|without|as long as)\b"
)
"""Beginnings of headings that limit the text under them: "In production"."""
_HABITS = word_set("always whenever everytime strictly exclusively")
_ORDERS = word_set("use prefer only run must ensure")
"""First words of an order."""
_SECTION_DEPTH = 2
_KNOWN = (
    "description", "globs", "paths", "applyTo", "alwaysApply", "trigger", "tags",
)  # fmt: skip


def read_document(
    text: str, name: str, box: Toolbox, program: str = ""
) -> ImportedContent:
    """Import the instructions of an agent; ``name`` is the default title.

    ``text`` has LF line ends and no byte order mark; ``program`` reads the file.
    """
    header = read_lenient(text)
    body, own = without_own_text(header.body)
    notes = [*header.notes, *_own_notes(own, header.line)]
    if program in _INCLUDING:
        notes += _mentions(body, header.line)
    rules, rest = take_rules(body, header.line, box)
    rest = tidied(rest)
    texts = tuple(_texts(rest, header, name)) if has_text(rest) else ()
    return ImportedContent(tuple(rules), texts, tuple(notes))


def take_rules(text: str, first_line: int, box: Toolbox) -> tuple[list[RuleItem], str]:
    """Return the rules of a text, and the text without the lines of rules only."""
    shown = _as_prose(text)
    limits_of = _conditions(shown)
    spans: list[tuple[int, int]] = []
    rules: list[RuleItem] = []
    line = done = 0
    for find in sorted(find_candidates(shown), key=lambda one: one.start):
        line += shown.count("\n", done, find.start)
        done = find.start
        rule = _rule(find, limits_of[line], box)
        if rule is not None:
            rules.append(rule._replace(line=first_line + line))
            spans.append((find.start, find.end))
    return rules, _without_lines(text, spans)


def _conditions(text: str) -> list[str]:
    """Return for each line the heading above it, if that is a condition."""
    lines = text.split("\n")
    found = {at: title for at, _, title in headings(lines)}
    above, result = "", []
    for at in range(len(lines)):
        title = found.get(at)
        if title is not None:
            above = title if _CONDITION.match(title) else ""
        result.append(above)
    return result


def _rule(find: Candidate, condition: str, box: Toolbox) -> RuleItem | None:
    """Return the rule of a candidate under its condition; its line is set later."""
    text = _STRONG.sub("", one_line(find.text)).strip(" *_")
    text = f"{condition}: {text}" if condition and text else text
    if find.kind == BACK or len(text) > limits.RULE_CHARS or not _is_order(find):
        return None
    if text.endswith(":"):
        return None  # meaningless without the next line
    polarity = "ban" if find.kind == "ban" else "demand"
    tools = tools_ruled(text, polarity, box)
    if not tools or not text:
        return None
    return RuleItem(text, tools, polarity, 0, one_line(find.sentence.text))


def _is_order(find: Candidate) -> bool:
    words = [token.word for token in tokenize(find.text)]
    return find.kind == "ban" or bool(_HABITS & set(words) or _ORDERS & set(words[:1]))


def _as_prose(text: str) -> str:
    """Return the text as prose, with all offsets unchanged."""
    shown = _TAG_LINE.sub(_blank, text)
    return _QUOTED.sub(_blank, shown)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _without_lines(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Remove the lines that consist of the spans only."""
    parts: list[str] = []
    done = 0
    for start, end in spans:
        if start < done:
            continue
        begin = text.rfind("\n", 0, start) + 1
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop + 1
        left = text[max(begin, done) : start] + text[end:stop]
        if begin >= done and _LEFT.match(left) and "```" not in left:
            parts.append(text[done:begin])
            done = stop
    parts.append(text[done:])
    return "".join(parts)


def _own_notes(lines: Sequence[int], first_line: int) -> list[ImportNote]:
    notice = "written by toolmem: not imported again"
    return [ImportNote(first_line + line - 1, "own-text", notice) for line in lines]


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
    found = heading(first)
    if found and found[0] == 1 and found[1] and has_text(rest):
        return found[1], rest.strip("\n")
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
