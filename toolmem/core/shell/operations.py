"""Uses of files by commands: reading, changing or deleting.

``change`` covers every modification, including deleting and moving. An unknown program
counts as reading its files.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.shell.argv import take_apart
from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import GAP, NAME_GAP, SimpleCommand, Word

READ = frozenset(("read",))
CHANGE = frozenset(("change",))
DELETE = frozenset(("change", "delete"))
RESTORE = frozenset(("restore",))
"""Bringing a committed version of a file; a guard on changes includes it."""
MODE = frozenset(("mode",))
"""Changing who may use a file, and those below a folder; its content stays."""
NOTHING: frozenset[str] = frozenset()

_NO_READ = frozenset(
    """ls dir find fd stat test [ [[ cd pushd echo printf which basename dirname
    realpath readlink file tree du exa eza for export alias type command true false
    :""".split()
)
REMOVERS = frozenset(
    ("rm", "rmdir", "unlink", "shred", "trash", "trash-put", "rimraf", "srm", "del")
)
_WHOLE = frozenset(("trash", "trash-put", "rimraf"))
_WRITERS = frozenset(
    ("tee", "truncate", "touch", "sponge", "dos2unix", "unix2dos", "rustfmt", "ed",
     "ex", "vi", "vim", "nvim", "nano", "emacs", "black", "isort", "patch", "mkdir",
     "fallocate", "mkfifo", "pyupgrade", "swiftformat")
)  # fmt: skip
_COPIERS = frozenset(("cp", "install", "scp", "rsync", "ln", "split", "csplit"))
_WRITES_SED = re.compile(r"(?:^|[;{}\n\d$/])\s*[wW]\s+([^\s;}]+)")
_MOVERS = frozenset(("mv", "rename"))
_MODES = frozenset(("chmod", "chown", "chgrp", "chattr", "setfacl"))
_MODE_OPTIONS = {
    "chmod": re.compile(r"--reference.*|-[rwxXst]+"),
    "chown": re.compile(r"--reference.*"),
    "chgrp": re.compile(r"--reference.*"),
    "chattr": re.compile(r"-[aAcCdDeFijmPsStTux]+"),
}
"""Programs whose first operand is no file, and options in place of it."""
_IN_PLACE = {
    **dict.fromkeys(("sed", "gsed"), r"-[a-zA-Z]*i.*|--in-place.*"),
    **dict.fromkeys(("perl", "ruby"), r"-\w*i.*"),
    **dict.fromkeys(("prettier", "biome"), r"-w|--write|--apply|--fix"),
    **dict.fromkeys(("gofmt", "goimports", "gofumpt", "shfmt", "codespell"), r"-w"),
    **dict.fromkeys(("clang-format", "autopep8", "autoflake"), r"-i.*|--in-place"),
    **dict.fromkeys(("eslint", "stylelint", "markdownlint", "oxlint"), r"--fix"),
    **dict.fromkeys(("ruff", "sqlfluff"), r"format|fix|--fix.*"),
    **dict.fromkeys(("cargo", "go", "terraform", "dprint", "dart", "mix"), r"fmt|fix"),
    **dict.fromkeys(("awk", "yq"), r"-i.*|--inplace"),
    "rubocop": r"-[aA]|--auto.*",
    "ktlint": r"-F|--format",
}
FORMATTERS = frozenset(
    """autoflake autopep8 biome black cargo clang-format codespell dart dprint eslint go
    gofmt gofumpt goimports isort ktlint markdownlint mix oxlint prettier pyupgrade
    rubocop ruff shfmt sqlfluff stylelint swiftformat terraform""".split()
)
"""Programs that write the files below a folder in place."""
_ONLY_CHECKS = re.compile(
    r"--?(?:check|diff|check-only|dry-run|list-different|recheck)|-c|-l"
)
_OUTPUTS = {
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document", "-P", "--directory-prefix"),
    "find": ("-fprint", "-fprintf", "-fls"), "docker": ("-v", "--volume"),
    "sort": ("-o", "--output"), "tar": ("-C", "--directory"), "unzip": ("-d",),
    "cp": ("-t", "--target-directory"), "mv": ("-t", "--target-directory"),
    **dict.fromkeys(("gcc", "cc", "clang", "gpg", "pandoc", "go", "rustc"), ("-o",)),
    "openssl": ("-out",),
}  # fmt: skip
_MOUNTS = ("-v", "--volume")
_NAMED_OUTPUTS = ("--output", "--out", "--outfile", "--out-file", "--output-file")
UNPACKERS = frozenset(
    "tar bsdtar gtar unzip 7z 7za 7zr 7zz unrar unar jar cpio".split()
)
CHANGERS = (
    REMOVERS | _WRITERS | _COPIERS | _MOVERS | set(_IN_PLACE) | set(_OUTPUTS)
    | _MODES | {"dd", "git", "find", "fd", "fdfind", "sqlite3"} | UNPACKERS
)  # fmt: skip
"""Programs that may change files, besides those that run code."""
_FILTERS = (
    "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex",
    "-newer", "-mtime", "-mmin", "-size", "-empty", "-user", "-group", "-perm",
)  # fmt: skip
_DRY_RUN = re.compile(r"-[a-z]*n[a-z]*|--dry-run")
_WRITES_SQL = re.compile(
    r"\b(?:insert|update|delete|drop|replace|alter|create)\b", re.IGNORECASE
)
_EXECS = frozenset(
    ("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch")
)


class Use(NamedTuple):
    """A word that names a file, and the use of the file.

    ``tree``: with everything below it. ``unsure``: the use is only possible.
    """

    word: Word
    operations: frozenset[str]
    tree: bool = False
    unsure: bool = False


def uses_of(command: SimpleCommand) -> tuple[Use, ...]:
    """Return the files that one command uses, without its redirects."""
    words = command.argv
    name = program_name(words[0].text) if words else ""
    if name == "git":
        return tuple(_git(words))
    if name in ("find", "fd"):
        return tuple(_find(words))
    return tuple(_plain(name, words))


def start_uses(source: SimpleCommand, operations: frozenset[str]) -> Iterator[Use]:
    """Yield the uses of files that one command lists and another one receives."""
    finds = bool(source.argv) and program_name(source.argv[0].text) == "find"
    words: list[Word] = []
    for word in source.argv[1:]:
        if not word.text.startswith("-"):
            words.append(word)
        elif finds and words:
            break
    yield from _matched(words, operations, source.argv)


def _plain(name: str, words: Sequence[Word]) -> Iterator[Use]:
    operands = list(_operands(words))
    texts = [word.text for word in words[1:]]
    outputs = _OUTPUTS.get(name, ())
    yield from _outputs(name, words)
    if name in REMOVERS:
        tree = name in _WHOLE or any(re.match(r"-\w*[rR]|--rec", t) for t in texts)
        yield from (Use(word, DELETE, tree) for word in operands)
    elif name in _COPIERS:
        last = operands[-1:] if not any(t in outputs for t in texts) else []
        last = last if len(operands) > 1 or "split" not in name else []
        aliased = name == "ln"  # another name, by which it may be changed
        operations = CHANGE | READ if aliased else READ
        for word in operands[: -1 if last else None]:
            yield Use(word, operations, unsure=aliased)
        deletes = name == "rsync" and any(t.startswith("--del") for t in texts)
        yield from (Use(w, DELETE if deletes else CHANGE, deletes) for w in last)
    elif name in _MOVERS:
        last = operands[-1:] if not any(t in outputs for t in texts) else []
        sources = operands[: -1 if last else None]
        yield from (Use(word, DELETE | READ, tree=True) for word in sources)
        yield from (Use(word, CHANGE) for word in last)
    elif name == "dd":
        yield from _dd(operands)
    elif name == "zip":
        yield from (Use(word, CHANGE) for word in operands[:1])
        moved = DELETE if {"-m", "--move"} & set(texts) else READ
        yield from (Use(word, moved, tree=True) for word in operands[1:])
    elif name in _MODES:
        files = operands[1:] if _begins_with_mode(name, texts) else operands
        yield from (Use(word, MODE, tree=True) for word in files)
    else:
        files = operands[:1] if name == "sqlite3" else operands
        yield from (Use(word, _written(name, texts)) for word in files)


def _begins_with_mode(name: str, texts: Sequence[str]) -> bool:
    """Return True if the first operand is a mode or an owner, and no file."""
    options = _MODE_OPTIONS.get(name)
    return options is not None and not any(map(options.fullmatch, texts))


def _outputs(name: str, words: Sequence[Word]) -> Iterator[Use]:
    """Yield the files that options, programs of ``sed`` and copies name as written."""
    texts = [word.text for word in words]
    spelled = take_apart(words).spelled
    for option in (*_OUTPUTS.get(name, ()), *_NAMED_OUTPUTS):
        values = [after for text, after in pairwise(texts) if text == option]
        for value in {*values, *spelled.get(option, ())} - {""}:
            file = value.partition(":")[0] if option in _MOUNTS else value
            yield Use(Word(file), CHANGE)
    if name == "sed":
        written = (word for text in texts for word in _WRITES_SED.findall(text))
        yield from (Use(Word(word), CHANGE) for word in written)
    if name in ("docker", "podman", "kubectl", "oc") and "cp" in texts:
        yield from (Use(word, CHANGE) for word in words[-1:])


def _written(name: str, texts: Sequence[str]) -> frozenset[str]:
    """Return the use of its operands by a program that may write them in place."""
    if name == "sqlite3":
        changes = len(texts) < 2 or any(map(_WRITES_SQL.search, texts))
    else:
        changes = writes_in_place(name, texts)
    if changes:
        return CHANGE | READ
    return NOTHING if name in _NO_READ else READ


def writes_in_place(name: str, texts: Sequence[str]) -> bool:
    """Return True if a program with these words writes its operands."""
    if name in FORMATTERS and any(map(_ONLY_CHECKS.fullmatch, texts)):
        return False
    return name in _WRITERS or (
        name in _IN_PLACE and any(re.fullmatch(_IN_PLACE[name], t) for t in texts)
    )


def _dd(operands: Sequence[Word]) -> Iterator[Use]:
    for word in operands:
        key, _, value = word.text.partition("=")
        if key in ("of", "if") and value:
            yield Use(Word(value), CHANGE if key == "of" else READ)


def _git(words: Sequence[Word]) -> Iterator[Use]:
    texts = [word.text for word in words]
    at = _subcommand(texts)
    verb, rest = texts[at] if at < len(texts) else "", words[at + 1 :]
    flags = {text for text in texts if text.startswith("-")}
    operands = [word for word in rest if not word.text.startswith("-")]
    marks = [n for n, word in enumerate(rest) if word.text == "--"]
    paths = [_pathspec(w) for w in (rest[marks[0] + 1 :] if marks else operands)]
    if verb in ("checkout", "restore"):
        if verb == "checkout" or "--staged" not in flags or "--worktree" in flags:
            for word in paths:
                whole = word.text in (".", "./", ":/")
                yield Use(word, RESTORE, tree=True, unsure=whole)
    elif verb == "rm" and "--cached" not in flags:
        yield from (Use(word, DELETE, tree=True) for word in paths)
    elif verb == "mv":
        yield from (Use(word, DELETE, tree=True) for word in operands[:-1])
        yield from (Use(word, CHANGE) for word in operands[-1:])
    elif verb == "clean" and not any(map(_DRY_RUN.fullmatch, flags)):
        for word in paths or [Word(".")]:
            yield Use(word, DELETE, tree=True, unsure=not paths)
    elif verb == "update-index":
        yield from (Use(word, CHANGE) for word in _split(operands))
    elif verb in ("show", "diff", "cat-file", "grep", "blame", "archive", "clean"):
        yield from (Use(word, READ) for word in operands)


def _pathspec(word: Word) -> Word:
    """Return a path with the patterns that git expands by itself as gaps."""
    wild = re.sub(r"[*?]+|\[[^]]*\]", GAP, word.text)
    return word._replace(shape=wild) if wild != word.text else word


def _split(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the parts of ``MODE,OBJECT,PATH``."""
    yield from (Word(part) for word in words for part in word.text.split(","))


def _subcommand(texts: Sequence[str]) -> int:
    at = 1
    while at < len(texts) and texts[at].startswith("-"):
        at += 2 if texts[at] in ("-C", "-c", "--git-dir", "--work-tree") else 1
    return at


def restores_all(words: Sequence[Word]) -> bool:
    """Return True for a command of git that brings back every tracked file."""
    texts = [word.text for word in words]
    if not texts or program_name(texts[0]) != "git":
        return False
    at = _subcommand(texts)
    verb, rest = "".join(texts[at : at + 1]), texts[at + 1 :]
    if verb == "stash":
        return not rest or rest[0] in ("push", "save") or rest[0].startswith("-")
    return verb == "reset" and "--hard" in rest


def _find(words: Sequence[Word]) -> Iterator[Use]:
    """Yield the uses by a search that deletes its matches or runs a command on them."""
    texts = [word.text for word in words]
    first = next((n for n, t in enumerate(texts[1:], 1) if t[:1] in "-(!"), len(texts))
    starts = list(words[1:first]) or [Word(".")]
    if "-delete" in texts:
        yield from _matched(starts, DELETE, words)
    for at, text in enumerate(texts):
        if text in _OUTPUTS["find"]:
            yield from (Use(word, CHANGE) for word in words[at + 1 : at + 2])
        if text not in _EXECS:
            continue
        inner = SimpleCommand(tuple(words[at + 1 :]))
        operations = frozenset(
            op for use in uses_of(inner) if use.word.text == "{}" for op in use[1]
        )
        yield from _matched(starts, operations, words)


def _matched(
    starts: Sequence[Word], operations: frozenset[str], words: Sequence[Word]
) -> Iterator[Use]:
    """Yield the uses by a search: a file that is only read counts if it is named."""
    if operations <= READ:
        for test, word in pairwise(words):
            if test.text in _FILTERS[:5]:
                shape = word.text.replace("*", NAME_GAP)
                yield Use(Word(word.text, shape=shape), operations)
        return
    filtered = any(
        word.text in _FILTERS or word.text.startswith("--include=") for word in words
    )
    for word in starts:
        yield Use(word, operations, tree=not filtered)


def _operands(words: Sequence[Word]) -> Iterator[Word]:
    ended = False
    for word in words[1:]:
        if ended or not word.text.startswith("-"):
            yield word
        elif word.text == "--":
            ended = True
