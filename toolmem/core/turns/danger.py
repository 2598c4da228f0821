"""Detect dangerous shell commands: hard to undo, and broad.

A call's own declaration (``isDangerous``) counts first. Otherwise the commands are
parsed and judged one by one; text in quotes, an ``echo`` or a commit message is not a
command, and a dry run or ``--help`` is harmless.

==================  ==============================================================
files               ``rm -r`` and ``find -delete`` on ``/``, ``~``, ``.``, ``*``, a
                    top folder or a bare variable; ``chmod -R 777``, ``chown -R``
                    there; ``shred``; moving to ``/dev/null``
disks               ``dd of=/dev/…``, ``mkfs``, ``wipefs``, partitioning, writing to
                    a block device
git                 push with force, mirror or delete; ``reset --hard``; ``clean -f``;
                    ``checkout``/``restore`` of everything; ``branch -D``; ``stash
                    drop|clear``; ``filter-branch``, ``filter-repo``; expiring reflogs
code from the net   ``curl … | sh``, ``bash <(curl …)``, ``eval "$(curl …)"``
data                ``DROP``, ``TRUNCATE``, ``DELETE`` without ``WHERE`` in a database
                    client; ``dropdb``; ``FLUSHALL``
infrastructure      ``terraform|tofu|pulumi destroy``, ``kubectl delete``, ``helm
                    uninstall``, ``aws``/``gcloud``/``az`` deletions, ``docker`` prune
                    and volume removal, ``gh repo delete``, ``npm unpublish``
machine             ``shutdown`` and the like, ``kill -9 -1``, ``crontab -r``,
                    ``iptables -F``, a fork bomb
==================  ==============================================================
"""

import re
from collections.abc import Iterator

from toolmem.core.guard.may_run import may_name
from toolmem.core.shell import steps as shell
from toolmem.core.shell.programs import INTERPRETERS, SHELLS
from toolmem.core.shell.words import GAP, PLAIN_GAP
from toolmem.core.transcript.events import TranscriptCall
from toolmem.core.transcript.probes import git_words

_ALWAYS = frozenset(
    (
        *("mkfs", "wipefs", "shred", "fdisk", "sfdisk", "sgdisk", "parted", "mkswap"),
        *("shutdown", "reboot", "halt", "poweroff", "dropdb", "lvremove", "vgremove"),
    )
)
_HARMLESS = ("--dry-run", "--help", "-help", "--version")
_SQL_CLIENTS = frozenset(
    (
        *("psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "sqlplus", "cockroach"),
        *("clickhouse-client", "duckdb", "bq", "snowsql"),
    )
)
_SQL = re.compile(
    r"(?i)\b(?:drop\s+(?:table|database|schema|view|index|user|role)\b"
    r"|truncate\s+(?:table\s+)?\w|delete\s+from\s+[\w.\"`]+\s*(?:;|\"|'|$))"
)
_FETCHERS = frozenset(("curl", "wget", "fetch", "http", "iwr"))
_RUNNERS = SHELLS | INTERPRETERS | {"source", ".", "eval"}
_BLOCK_DEVICE = re.compile(r"/dev/(?:sd|nvme|hd|vd|xvd|disk|mmcblk|dm-|mapper/)")
_HARMLESS_DEVICE = re.compile(r"/dev/(?:null|zero|stdout|stderr|tty|fd)\b")
_BROAD = re.compile(
    r"(?:/|~|\.|\.\.|\*|/\*|\./\*|~/\*|\.\./\*|\.git|[A-Za-z]:[\\/]?"
    r"|/[\w.-]+(?:/\*)?|/(?:home|Users)/[\w.-]+(?:/\*)?"
    rf"|~[\w-]*|[{GAP}{PLAIN_GAP}](?:/\*?)?|(?:\.\./)+\*?)/?"
)
_FORK_BOMB = re.compile(r":\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&\s*\}")
_SUBCOMMANDS = {
    "terraform": ("destroy",),
    "tofu": ("destroy",),
    "terragrunt": ("destroy", "destroy-all"),
    "pulumi": ("destroy",),
    "kubectl": ("delete", "drain"),
    "oc": ("delete",),
    "helm": ("uninstall", "delete"),
    "npm": ("unpublish",),
    "zpool": ("destroy",),
    "cryptsetup": ("luksFormat",),
    "heroku": ("apps:destroy", "pg:reset"),
    "vagrant": ("destroy",),
}
_VALUED = frozenset(
    ("-n", "--namespace", "--context", "--kubeconfig", "-l", "--profile")
)
_PAIRS = {
    "docker": (("system", "prune"), ("volume", "rm"), ("volume", "prune")),
    "podman": (("system", "prune"), ("volume", "rm"), ("volume", "prune")),
    "gh": (("repo", "delete"), ("release", "delete"), ("secret", "delete")),
    "aws": (("s3", "rb"), ("s3", "rm")),
    "gsutil": (("rm", "-r"), ("-m", "rm")),
}
_SIGNS = (
    *_ALWAYS,
    *_FETCHERS,
    *(verb.lower() for verbs in _SUBCOMMANDS.values() for verb in verbs),
    *("rm", "chmod", "chown", "/dev/", "delete", "drop", "truncate"),
    *("clean", "checkout", "restore", "reset", "branch", "stash", "reflog"),
    *("update-ref", "filter-", "mirror", "gh", "s3", "prune", "terminate-", "down"),
    *("kill", "crontab", "iptables", "ip6tables", "nft", "init", "flush"),
)
"""No command without one of these is dangerous, but for a push; ``gh`` can push."""


def is_dangerous(call: TranscriptCall) -> bool:
    """Return True if a call declares itself dangerous or its command is."""
    return call.declared_dangerous or bool(
        call.command and is_dangerous_command(call.command)
    )


def is_dangerous_command(command: str) -> bool:
    """Return True if a command line contains a dangerous command of the table above."""
    if not _may_be_dangerous(command):
        return False
    if _FORK_BOMB.search(command):
        return True
    steps = shell.shell_steps(command).every
    if _SQL_CLIENTS & {step.name for step in steps} and _SQL.search(command):
        return True
    return _runs_fetched_code(steps) or any(map(_is_dangerous, steps))


def _may_be_dangerous(command: str) -> bool:
    """Return False only where no parsing is needed: the parser is slow to load."""
    options = command.partition("-")[2]
    forces = any(mark in command for mark in "+:") or any(f in options for f in "fd")
    return may_name(command, (*_SIGNS, "push") if forces else _SIGNS)


def _is_dangerous(step: "shell.ShellStep") -> bool:
    if any(_BLOCK_DEVICE.match(target.text) for target in step.targets):
        return True
    if any(word.startswith(_HARMLESS) for word in step.arguments):
        return False
    name = step.name
    if name.partition(".")[0] in _ALWAYS:
        return True
    if name == "git":
        return _git(git_words(step))
    return _files(step) or _machine(step) or _infrastructure(step)


def _files(step: "shell.ShellStep") -> bool:
    name, words = step.name, step.arguments
    if name == "rm":
        recursive = _flag(words, "r") or _flag(words, "R") or "--recursive" in words
        return recursive and _broad(step.words[1:])
    if name in ("chmod", "chown"):
        if not (_flag(words, "R") or "--recursive" in words):
            return False
        open_to_all = any(re.fullmatch(r"0?777|a\+rwx|ugo\+rwx", w) for w in words)
        return open_to_all or _broad(step.words[2:])
    if name == "find":
        deletes = "-delete" in words or ("-exec" in words and "rm" in words)
        places = [word for word in step.words[1:2] if word.text not in (".", "./")]
        return deletes and _broad(tuple(places))
    if name == "mv":
        return words[-1:] == ("/dev/null",)
    target = next((word[3:] for word in words if word.startswith("of=/dev/")), "")
    return name == "dd" and bool(target) and not _HARMLESS_DEVICE.match(target)


def _git(words: tuple[str, ...]) -> bool:
    verb, rest = (words[0], words[1:]) if words else ("", ())
    if verb == "push":
        forced = "--force" in rest or _flag(rest, "f") or "--mirror" in rest
        deletes = "--delete" in rest or _flag(rest, "d")
        refs = [word for word in rest if not word.startswith("-")]
        return forced or deletes or any(ref.startswith(("+", ":")) for ref in refs[1:])
    if verb == "clean":
        return (_flag(rest, "f") or "--force" in rest) and not _flag(rest, "n")
    if verb in ("checkout", "restore"):
        return rest[-1:] in ((".",), ("*",), (":/",)) and "--staged" not in rest
    return (
        (verb == "reset" and "--hard" in rest)
        or (verb == "branch" and _flag(rest, "D"))
        or (verb == "stash" and rest[:1] in (("drop",), ("clear",)))
        or (verb == "reflog" and rest[:1] == ("expire",))
        or (verb == "update-ref" and _flag(rest, "d"))
        or verb in ("filter-branch", "filter-repo")
    )


def _machine(step: "shell.ShellStep") -> bool:
    name, words = step.name, step.arguments
    return (
        (name == "kill" and words[-1:] == ("-1",) and len(words) > 1)
        or (name == "crontab" and "-r" in words)
        or (
            name in ("iptables", "ip6tables", "nft")
            and bool({"-F", "flush"} & {*words})
        )
        or (name in ("init", "telinit") and words[:1] in (("0",), ("6",)))
        or (
            name == "redis-cli"
            and bool({"flushall", "flushdb"} & {*map(str.lower, words)})
        )
    )


def _infrastructure(step: "shell.ShellStep") -> bool:
    name, words = step.name, step.arguments
    plain = tuple(_plain(words))
    if plain[:1] and plain[0] in _SUBCOMMANDS.get(name, ()):
        return True
    if name in ("terraform", "tofu") and plain[:1] == ("apply",):
        return "-destroy" in words
    if name == "aws" and plain[:2] == ("s3", "rm"):
        return "--recursive" in words
    if plain[:2] in _PAIRS.get(name, ()) or words[:2] in _PAIRS.get(name, ()):
        return True
    if name == "aws":
        return any(w.startswith(("delete-", "terminate-")) for w in plain[1:2])
    if name in ("gcloud", "az"):
        return "delete" in plain
    return (
        name in ("docker", "docker-compose")
        and "down" in plain
        and ("-v" in words or "--volumes" in words)
    )


def _plain(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the words that are neither options nor values of options."""
    for before, word in zip(("", *words), words, strict=False):
        if not word.startswith("-") and before not in _VALUED:
            yield word


def _runs_fetched_code(steps: "tuple[shell.ShellStep, ...]") -> bool:
    fetched = False
    for before, step in zip((None, *steps), steps, strict=False):
        piped = step.operator in ("|", "|&")
        words = step.arguments
        bare = "-s" in words or all(word.startswith("-") for word in words)
        if piped and fetched and step.name in _RUNNERS and bare:
            return True
        inside = step.operator == "$(" and step.name in _FETCHERS
        if inside and before and before.name in ("", *_RUNNERS):
            return True
        fetched = step.name in _FETCHERS or (piped and fetched)
    return False


def _broad(words: "tuple[shell.StepWord, ...]") -> bool:
    if any(word.text == "--no-preserve-root" for word in words):
        return True
    paths = [word.text for word in words if not word.text.startswith("-")]
    return any(_BROAD.fullmatch(path) for path in paths)


def _flag(words: tuple[str, ...], letter: str) -> bool:
    """Return True if a short option with this letter is given, alone or combined."""
    return any(
        word.startswith("-") and not word.startswith("--") and letter in word[1:]
        for word in words
    )
