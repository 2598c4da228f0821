"""Parse the commands that a ban lists: "`git push`, docker stop/kill or `-f`"."""

import re
from typing import NamedTuple

from toolmem.core.guard.derivation.programs import (
    ENGLISH,
    PROGRAMS,
    is_name,
    is_program,
    is_subcommand,
    may_be_program,
    runs,
    spelled,
)
from toolmem.core.guard.derivation.qualifiers import after_fillers
from toolmem.core.guard.derivation.reading.sentence import Ban, is_code
from toolmem.core.shell.operations import CHANGERS
from toolmem.core.shell.programs import TASK_RUNNERS, is_script

_RUN_WORDS = r"run|execut|invok|launch|issu|typ|enter|trigger|fire"
_USE_WORDS = (
    r"use|us|open|touch|call|try|do|pass|perform|rely|reach|add|set|append|supply|give"
)
VERB = re.compile(
    rf"(?i)\s*(?:(?:ever|just|directly|again|please|to|try to|blindly|simply"
    rf"|even|also)\s+)*"
    rf"(?:(?:(?P<run>{_RUN_WORDS})(?:e|s|es|ning|ing|d|ed)?|(?P<use>{_USE_WORDS})"
    rf"(?:e|s|es|d|ed|ing)?(?:\s+(?:on|for))?)(?![\w-])\s*)?"
    r"(?:(?:the|any|a|an|raw|plain|bare|commands?|such as|like|things like|flags?"
    r"|options?|either)\s+|:\s*)*"
)
_BETWEEN = re.compile(
    r"(?i)\s*(?:,?\s*\b(?:or|nor)\b\s*(?:(?:even|also|ever|to)\s+)?"
    rf"(?:(?:{_RUN_WORDS}|{_USE_WORDS})(?:e|s|es|ning|ing)?\s+)?"
    r"|,\s*and\b|,|/|\band\b|&|\+)\s*(?:(?:the|any|a)\s+)?"
)
_WORD = re.compile(
    r"[\w./:@=+~*-]*[\w/*~]|(?:\.\.?|@)(?=$|[\s,;])|--?(?=$|[.,;]|\s+(?:or|and)\b)"
    r"|--(?=\s+[\w-]*[./*~@])"
)
_TOKENS = re.compile(r"[\w./:@=+~*%^,-]+(?:\s+[\w./:@=+~*%^,{}-]+)*")
_PLACEHOLDER = re.compile(r"<[^>]*>|\[[^\]]*\]|\.\.\.|…|\{\w+\}|\$\w+")
_ANY_WORDS = re.compile(r"\s+\*$")
_TAKES_FILES = CHANGERS - {"git"} | {"ls", "cat"}
_PROSE = re.compile(
    r"(?i)(?:in|on|to|for|with|from|against|without|unless|except|if|when|whenever"
    r"|while"
    r"|until|before|after|during|as|so|or|and|nor|but|at|by|via|through|again|please"
    r"|ever|any\w*|here|there|this|that|the|an?|its?|i|you|we|they|my|your|our|instead"
    r"|yourself|now|today|yet|first|twice|alone|commands?|scripts?|files?|use|is|are"
    r"|which|inside|outside|under|over|just|also|even|period|not|no|more|always|never"
    r"|only|because|since"
    r"|where(?:ver|as)?|whether|wh(?:o|om|ose|y)|what(?:ever)?|how(?:ever)?|th[ae]n"
    r"|(?:al)?though|once|lest|bare|raw|plain|itself)\b|\w+ly\b"
)
"""Words after a command that are not part of it."""
_ENDS = re.compile(
    r"\s*(?:$|[,.;:!?)—–]|\s-|\s*\b(?:please|at all|ever|again|here|directly"
    r"|or|nor|and)\b)"
)
_PREDICATE = re.compile(r"(?i)\s+(?:is|are|works?|does|will|can|only|instead)\b")
_FLAG_OF = {
    "--no-verify": ("git commit", "git push", "git merge", "git rebase"),
    "--force": ("git push",), "-f": ("git push",), "--force-with-lease": ("git push",),
    "--amend": ("git commit",), "--author": ("git commit",), "--hard": ("git reset",),
    "--no-gpg-sign": ("git commit",), "--allow-empty": ("git commit",),
    "--mirror": ("git push",), "--privileged": ("docker run",),
    "--break-system-packages": ("pip install",),
    "--legacy-peer-deps": ("npm install",),
    "--dangerously-skip-permissions": ("claude",),
    "--accept-data-loss": ("prisma db push",),
    "--auto-approve": ("terraform apply",),
    "-auto-approve": ("terraform apply",),
    "--no-preserve-root": ("rm",),
}  # fmt: skip
"""Options that identify their command."""
_BLANK = re.compile(r"[ \t]+")
_FORCE = re.compile(r"(?i)force[\s.-]*push(?:es|ing|ed)?\b")
_HOOKS = re.compile(
    r"(?i)(?:skip|bypass|ignor|disabl)\w*\s+(?:the\s+|any\s+)?(?:\S+\s+){0,2}?hooks?"
    r"(?:\s*\([^)]*\)|\s+(?:with|using|via)\s+(?:--no-verify|[\ue200-\ue5ff]))?"
)
_FORCE_ADD = re.compile(r"(?i)force[\s-]add(?:ing)?\b(?: ignored)?(?: files)?")

Line = tuple[str, ...]
_IDIOMS: tuple[tuple[re.Pattern[str], tuple[Line, ...]], ...] = (
    (_FORCE, (("git", "push", "--force"),)),
    (_FORCE_ADD, (("git", "add", "--force"),)),
    (_HOOKS, (("git", "commit", "--no-verify"), ("git", "push", "--no-verify"))),
)


class Items(NamedTuple):
    """Command lines at the beginning of a ban, and their end in its text.

    ``certain``: one of them is a command whatever follows.
    """

    lines: tuple[Line, ...]
    end: int
    certain: bool = False


def items_in(ban: Ban) -> Items:
    """Return the commands that a ban lists; no lines if it names none."""
    verb = VERB.match(ban.text)
    at = verb.end() if verb else 0
    kind = (verb.lastgroup or "") if verb else ""
    kind = kind or ("use" if ban.is_noun or ban.wanted else "")
    reader = _Reader(ban, kind)
    while True:
        named = len(reader.lines)
        after = reader.item(at)
        if after < 0 or (named and _PREDICATE.match(ban.text, after)):
            del reader.lines[named:]  # "avoid `x`, `y` is fine"
            break
        reader.end = after
        between = _BETWEEN.match(ban.text, after)
        if not between:
            break
        at = between.end()
        reader.after_comma = between[0].strip() == ","
    # A dot alone is the end of a sentence.
    lines = tuple(line for line in dict.fromkeys(reader.lines) if line != (".",))
    if verb and "touch" in verb[0].lower():  # a file that is a script is no command
        lines = tuple(line for line in lines if not is_script(line[0]))
    return Items(lines, reader.end, reader.certain)


class _Reader:
    """One pass over the items; ``kind`` is the forbidden use: run or use."""

    def __init__(self, ban: Ban, kind: str) -> None:
        self.ban = ban
        self.kind = kind
        self.lines: list[Line] = []
        self.end = 0
        self.certain = False
        self.after_comma = False

    def item(self, at: int) -> int:
        """Return the end of the item that begins at a place; −1 without one."""
        text = self.ban.text
        for pattern, lines in _IDIOMS:
            phrase = pattern.match(text, at)
            if phrase:
                self.certain = True
                self.lines += lines
                return phrase.end()
        if at < len(text) and is_code(text[at]):
            named = self._code(self.ban.code(text[at]))
            self.lines += named
            return at + 1 if named else -1
        return self._bare(at)

    def _code(self, code: str) -> list[Line]:
        code = code.removeprefix("$ ").strip()
        first, _, second = code.partition(" | ")
        if second:
            lines = [self._code(part) for part in (first, second)]
            return [(*one, "|", *two) for one in lines[0] for two in lines[1]]
        words = _PLACEHOLDER.split(code)[0].split() or code.split()
        files = words[0] in _TAKES_FILES or words[:2] == ["git", "add"]
        if not files:
            words = _ANY_WORDS.sub("", " ".join(words)).split()
        if not words or not _TOKENS.fullmatch(" ".join(words)):
            return []
        if words[0].startswith("-"):
            return self._flags(words)
        if is_program(words[0]) or is_script(words[0]):
            self.certain = self.certain or len(words) > 1 or self.kind == "run"
            return [tuple(words)]
        return self._unknown(words)

    def _unknown(self, words: list[str]) -> list[Line]:
        """Read an unknown program or the name of a script."""
        first = words[0]
        if len(words) == 1 and ":" in first and self.kind in ("run", "use"):
            return [(*runner, first) for runner in TASK_RUNNERS]
        if (
            self.lines
            and len(words) == 1
            and is_subcommand(list(self.lines[-1][:1]), first)
        ):
            return [(*self.lines[-1][:1], first)]
        if not may_be_program(first):
            return []
        if len(words) > 1 and self.kind in ("run", "use"):
            self.certain = True
            return [tuple(words)]
        if self.kind == "run":
            return [(first,), *((*runner, first) for runner in TASK_RUNNERS)]
        return []

    def _flags(self, words: list[str]) -> list[Line]:
        """Read options alone: of the preceding command, or of the one known to have
        them."""
        known = _FLAG_OF.get(words[0])
        if known and len(words) == 1:
            self.certain = True
            return [(*command.split(), words[0]) for command in known]
        if not self.lines:
            return []
        last = self.lines[-1]
        start = [last[0]]
        for word in last[1:]:
            if word.startswith("-") or not is_subcommand(start, word):
                break
            start.append(word)
        return [(*start, *words)]

    def _bare(self, at: int) -> int:
        """Read words without code style: a known program, or the path of one."""
        text = self.ban.text
        first = _WORD.match(text, at)
        if not first:
            return -1
        if first[0].startswith("-"):
            lines = self._flags([first[0]])
            self.lines += lines
            return first.end() if lines else -1
        names = [spelled(part) for part in first[0].split("/")]
        if len(names) > 1 and all(name in PROGRAMS for name in names):
            self.lines += [(name,) for name in names]
            return first.end()
        words = self._start(first[0], text[first.end() :])
        if not words:
            return -1
        return self._further(words, first.end())

    def _start(self, word: str, after: str) -> list[str]:
        name = spelled(word)
        if self._is_script(word):
            return [word]
        last = list(self.lines[-1][:1]) if self.lines else []
        elided = last and not is_program(name) and is_subcommand(last, word)
        if elided and (not self.after_comma or _ENDS.match(after)):
            return [*last, word]
        ends = _ENDS.match(after) or (
            name not in ENGLISH and _ENDS.match(after, after_fillers(after))
        )
        if after.startswith(" -") or (self.kind and ends):
            return [name] if is_program(name) and is_name(name) else []
        if self.kind == "run" and name in ENGLISH and is_program(name):
            return [name]
        return [name] if name in PROGRAMS and name not in ENGLISH else []

    def _further(self, words: list[str], end: int) -> int:
        """Read the subcommands, options and paths after a program."""
        text = self.ban.text
        others: list[Line] = []
        while (blank := _BLANK.match(text, end)) and (
            token := _WORD.match(text, blank.end())
        ):
            word = token[0]
            names = word.split("/")
            if word == "/":
                break
            if len(names) > 1 and names[0] and is_subcommand(words, names[0]):
                others = [(*words, name) for name in names[1:]]
                words.append(names[0])
            elif self._continues(words, word):
                words.append(word)
            else:
                break
            end = token.end()
        self.certain = self.certain or len(words) > 1
        self.lines += [tuple(words), *others]
        return end

    def _continues(self, words: list[str], word: str) -> bool:
        """Return True if a word belongs to the command before it."""
        if is_subcommand(words, word) or re.match(r"[~.]*/", word):
            return True
        if _PROSE.fullmatch(word):
            return False
        marked = not word.isalpha() and not word.isdecimal()
        return marked or self.kind == "run" or self._is_script(words[0]) or runs(words)

    def _is_script(self, word: str) -> bool:
        return bool(self.kind) and is_script(word)
