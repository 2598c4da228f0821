"""Table of programs: those that run another program, and names of equal ones.

One that runs another has the number of its operands before that command.
"""

import re

SHELLS = frozenset(
    ("bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "csh", "tcsh", "mksh", "rbash")
)

PREFIXES = {
    "sudo": 0, "doas": 0, "env": 0, "time": 0, "nice": 0, "ionice": 0, "nohup": 0,
    "setsid": 0, "stdbuf": 0, "timeout": 1, "xargs": 0, "exec": 0, "builtin": 0,
    "coproc": 0, "chrt": 1, "taskset": 1, "chroot": 1, "flock": 1, "strace": 0,
    "ltrace": 0, "caffeinate": 0, "unbuffer": 0, "noglob": 0, "nocorrect": 0,
    "systemd-run": 0, "runuser": 0, "command": 0, "pkexec": 0, "unshare": 0,
    "setpriv": 0, "fakeroot": 0, "xvfb-run": 0, "dbus-run-session": 0, "gtimeout": 1,
    "script": 1,
}  # fmt: skip
"""Programs that only affect how the command after them runs."""
RUNNERS = {
    "busybox": 0, "parallel": 0, "npx": 0, "bunx": 0, "uvx": 0, "npm exec": 1,
    "pnpm exec": 1, "pnpm dlx": 1, "yarn dlx": 1, "uv run": 1, "poetry run": 1,
    "pipenv run": 1, "pipx run": 1, "pdm run": 1, "hatch run": 1, "bundle exec": 1,
    "conda run": 1, "docker exec": 2, "docker run": 2, "podman exec": 2,
    "podman run": 2, "docker compose exec": 3, "docker compose run": 3,
    "kubectl exec": 2, "git bisect run": 2, "nerdctl exec": 2, "nerdctl run": 2,
    "oc exec": 2, "docker-compose exec": 2, "docker-compose run": 2, "wsl": 0,
    "yarn exec": 1, "mise exec": 1, "mise x": 1, "direnv exec": 2, "rye run": 1,
    "pixi run": 1, "doppler run": 1, "op run": 1,
}  # fmt: skip
"""Programs that find or place the command that they run."""
PASSES = PREFIXES | RUNNERS
JOINED = {"ssh": 1, "watch": 0, "eval": 0, "git submodule foreach": 2}
"""Programs that pass the rest, joined, to a shell."""
SCRIPT_FLAGS = {
    "su": "--command", "runuser": "--command", "script": "--command",
    "flock": "--command", "npx": "--call", "git rebase": "--exec",
    "npm exec": "--call", "mise exec": "--command", "mise x": "--command",
}  # fmt: skip
"""Program → the option whose value is a shell text."""
EXEC_FLAGS = {
    "find": ("-exec", "-execdir", "-ok", "-okdir"),
    **dict.fromkeys(("fd", "fdfind"), ("-x", "-X", "--exec", "--exec-batch")),
}
"""Program → the options that the command line of another program follows."""
INTERPRETERS = frozenset(
    ("python", "perl", "ruby", "php", "node", "osascript", "lua", "luajit", "rscript",
     "r", "julia", "bun", "deno")
)  # fmt: skip
"""Programs that run a text in their own language."""
SCRIPT_RUNNERS = INTERPRETERS | {"tsx", "ts-node", "ipython", "pypy", "pypy3", "py"}
"""Programs that run the file named by their first operand."""
INPUT_RUNNERS = (*sorted(INTERPRETERS - {"r"}), "source", ".")
"""Beginnings of the names of programs, besides shells, that run what they read. A name
that begins with ``r`` is seldom R."""
COMMAND_SHELLS = SHELLS | {"pwsh", "powershell", "cmd"}
"""Shells that an agent may start with a command line as an argument."""
TASK_RUNNERS = (
    ("npm", "run"), ("pnpm", "run"), ("pnpm",), ("yarn", "run"), ("yarn",),
    ("bun", "run"), ("make",), ("just",),
)  # fmt: skip
"""Words before the name of a task or script of a project."""
ENVIRONMENTS = frozenset(
    ("uv", "npx", "bunx", "uvx", "npm", "pnpm", "yarn", "poetry", "pipenv", "pdm",
     "hatch", "bundle", "conda", "mise", "direnv", "rye", "pixi", "doppler", "op",
     "python")
)  # fmt: skip
"""Programs that run a command of the project in an environment that they prepare."""
LAUNCHERS = (
    frozenset(name.split()[0] for name in RUNNERS)
    | INTERPRETERS
    | {"npm", "pnpm", "yarn", "tox", "nox", "make", "just", "nix", "py"}
)
"""Programs that start others, from an environment or by a task's name."""


_VERSIONED = re.compile(r"(python|pip|node|ruby|perl|php|lua|gcc|clang)([\d.]+)w?")
_CURRENT = {"python": "3", "pip": "3"}
"""Version of a program that is called without one."""
RENAMED = {
    "tofu": "terraform", "terragrunt": "terraform", "hub": "git", "flyctl": "fly",
    "ntl": "netlify", "vc": "vercel", "gsed": "sed", "gawk": "awk", "mawk": "awk",
    "nawk": "awk", "gfind": "find", "grm": "rm", "nodejs": "node",
    "micromamba": "conda", "mamba": "conda", "kubecolor": "kubectl",
    "gmake": "make", "gtar": "tar", "bsdtar": "tar", "wget2": "wget", "gcp": "cp",
    "gmv": "mv", "gchmod": "chmod", "gtruncate": "truncate", "gshred": "shred",
}  # fmt: skip
"""A program → an equivalent one with the same commands."""
RUN_BY = {
    "git": ("gh", "curl"), "gh": ("curl",), "psql": ("dropdb", "mysqladmin"),
    "chmod": ("install",), "systemctl": ("service", "init.d"),
    "npm": ("yarn", "bun", "lerna"), "npx": ("npm",),
    "shutdown": ("systemctl", "poweroff", "halt", "telinit"),
    "rm": ("rimraf", "-delete"), "reboot": ("systemctl",),
}  # fmt: skip
"""A program → others that run it with their own commands."""
_SCRIPT = re.compile(r"[\w.~-]*/[\w./-]+|[\w.-]+\.(?:sh|bash|ps1|py|rb|pl|js|ts)")
_PARTS = re.compile(r"(git|docker|podman)-([a-z-]+)")
_PACKAGE = re.compile(r"(?<=\w)@[\w.^~-]+$")
_SUFFIX = re.compile(r"\.(exe|cmd|bat|com)$")


def program_name(text: str) -> str:
    """Return a program's name without folder, suffix, version or case."""
    name = _bare_name(text)
    versioned = _VERSIONED.fullmatch(name)
    return versioned[1] if versioned else name


def program_version(text: str) -> str:
    """Return the version in a program's name, such as ``3.12``; empty without one."""
    versioned = _VERSIONED.fullmatch(_bare_name(text))
    return versioned[2] if versioned else ""


def is_version(name: str, version: str, wanted: str) -> bool:
    """Return True if a program of a version may be the one of a wanted version."""
    version = version or _CURRENT.get(name, wanted)
    return version.startswith(wanted) or wanted.startswith(version)


def _bare_name(text: str) -> str:
    name = re.split(r"[/\\]", text)[-1]
    return _PACKAGE.sub("", _SUFFIX.sub("", name.casefold()))


def is_script(word: str) -> bool:
    """Return True if a word is the path of a script."""
    return _SCRIPT.fullmatch(word) is not None


def split_name(name: str) -> tuple[str, ...]:
    """Split ``git-reset`` into the words that it means, ``git`` and ``reset``."""
    parts = _PARTS.fullmatch(name)
    return (parts[1], parts[2]) if parts else (name,)
