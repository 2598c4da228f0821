"""Kill or starve a command at every system call, and check the result.

``sweep`` kills a command just before one of the calls that it makes from its first
touch of the vault on: at a sample of them, under ``make soak`` at each. After each run
every file must be what it was or what it was to become; if the command had reported
success, all of it must be there; and the same command must work again.

``refuse`` does the same with an error instead of the kill. By hand:
``python -m tests.faults.kill VAULT -m toolmem …`` works on copies of that vault, and
``{vault}`` in the command is replaced by the copy.
"""

import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL

from tests.examples import sample
from tests.forked import forked

ROOT = Path(__file__).parents[2]
CHANGING = [
    *("open", "openat", "creat", "write", "pwrite64", "writev", "ftruncate"),
    *("fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat"),
    *("unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "chmod", "fchmod", "flock"),
]
"""System calls that change a disk or take a lock; a machine may lack some."""
CALLS = [*CHANGING, "getdents64", "close"]
"""Every call that can be killed at."""

SAMPLE = 8
"""Points at which a command is killed when not all are tried."""
MISSING = "strace is not installed: killing writers at each system call is left out"

_LINE = re.compile(r"^(?P<pid>\d+) +(?P<call>\w+)\((?P<rest>.*)$")
_RANDOM = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=-)[0-9a-f]{6,8}(?=\.(toml|md)\b)"
    r"|\d{4}-\d\d-\d\d[T ][\d:.]+Z?"
)
_TEMP = re.compile(r"\.tmp-[0-9a-f]{16}")

State = dict[str, str]
"""Path → content, as far as it is the vault's and not random."""


@dataclass(frozen=True, slots=True)
class Case:
    """A command to be killed, and acceptable results.

    ``command`` is what follows ``python`` on a command line, and in it the word
    ``{vault}`` is the vault that ``build`` makes.
    ``again`` are the exit codes that the same command may give afterwards: a
    create that was done but not reported says that the name is taken. ``touched``
    is a line that repeating a write adds to an existing file.
    """

    command: Sequence[str]
    build: Callable[[Path], None]
    again: tuple[int, ...] = (0,)
    touched: re.Pattern[str] | None = None
    loaded: str = "commands"

    def settled(self, found: State) -> State:
        """The state without what saying it again touches."""
        if self.touched is None:
            return found
        return {path: self.touched.sub("", text) for path, text in found.items()}


@dataclass(frozen=True, slots=True)
class Point:
    """One call of the command: its name, which it is of that name, how it went."""

    call: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """Outcome of one run and the content of the vault after it."""

    code: int
    stdout: str
    stderr: str
    state: State


def has_strace() -> bool:
    """Return True if the harness works here."""
    return shutil.which("strace") is not None


def state(vault: Path) -> State:
    """The vault's files; random parts are masked, temporary and local ones left out."""
    found = {}
    for path in sorted(vault.rglob("*")):
        place = path.relative_to(vault)
        ours = place.parts[0] in (".toolmem", ".git") or _TEMP.fullmatch(path.name)
        if path.is_file() and not ours:
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            name = _RANDOM.sub("*", place.as_posix())
            while name in found:
                name += "+"
            found[name] = _RANDOM.sub("*", text)
    return found


def temps(vault: Path) -> list[str]:
    """The temporary files that lie about."""
    return [path.name for path in vault.rglob(".tmp-*")]


def temps_of_vault(vault: Path) -> list[str]:
    """Those outside local state: git would show them."""
    found = (path.relative_to(vault) for path in vault.rglob(".tmp-*"))
    return [path.as_posix() for path in found if path.parts[0] != ".toolmem"]


def run(case: Case, vault: Path, *before: str) -> Run:
    """Run the command on the vault as it is, under what the words ``before`` trace."""
    command = [word.replace("{vault}", str(vault)) for word in case.command]
    done = forked(case.loaded).python(command, Path.cwd(), tracer=before)
    return Run(done.code, done.stdout.decode(), done.stderr, state(vault))


def fresh(case: Case, vault: Path) -> Path:
    """Make the vault again."""
    shutil.rmtree(vault, ignore_errors=True)
    vault.mkdir(parents=True)
    case.build(vault)
    return vault


def trace(case: Case, vault: Path) -> list[str]:
    """The calls of one whole run from its first touch of the vault on."""
    log = vault.with_name("trace")
    fresh(case, vault)
    done = run(case, vault, *strace(log, CALLS))
    assert done.code == 0, done.stderr
    lines = log.read_text(errors="replace").splitlines()
    first = next(i for i, line in enumerate(lines) if str(vault) in line)
    return lines[first:]


def points(case: Case, vault: Path, *, every: bool = False) -> list[Point]:
    """The calls of the command from its first touch of the vault on.

    Without ``every``, those before which the disk is not what it was before the
    last one: a file that is opened to be read, or closed, changes nothing.
    """
    touching = trace(case, vault)
    everything = vault.with_name("trace").read_text(errors="replace").splitlines()
    seen = _counts(everything[: len(everything) - len(touching)])
    found: dict[tuple[str, int], Point] = {}
    for line in touching:
        match = _LINE.match(line)
        if match:
            call, pid = match["call"], match["pid"]
            seen[pid, call] += 1
            if every or _changes(match):
                point = Point(call, seen[pid, call], match["rest"])
                found.setdefault((call, point.number), point)
    return [found[key] for key in sorted(found)]


def sweep(
    case: Case, vault: Path, *, every: bool = False, calls: Sequence[str] = CALLS
) -> list[str]:
    """Kill the command at each of these points; what went wrong, one line each."""
    old = state(fresh(case, vault))
    done = run(case, fresh(case, vault))
    assert done.code == 0, done.stderr
    wrong: list[str] = []
    found = [p for p in points(case, vault, every=every) if p.call in calls]
    for point in found if every else sampled(found):
        killed = _injected(case, vault, point, "signal=KILL")
        again = run(case, vault)
        problems = [*_judge(old, done, killed), *_judge_again(case, done, again)]
        problems += [f"the next run left {path}" for path in temps_of_vault(vault)]
        wrong += [f"killed at {point}: {problem}" for problem in problems]
    return wrong


def sampled(found: Sequence[Point]) -> list[Point]:
    """A few of these points, the last of each system call among them."""
    return sample(found, lambda point: point.call, SAMPLE)


def kill_at(case: Case, vault: Path, point: Point) -> Run:
    """Run the command on a fresh vault, killed at one of its calls."""
    return _injected(case, vault, point, "signal=KILL")


def refuse(case: Case, vault: Path, point: Point, error: str) -> Run:
    """Run the command with one of its calls failing."""
    return _injected(case, vault, point, f"error={error}")


def _injected(case: Case, vault: Path, point: Point, what: str) -> Run:
    fresh(case, vault)
    inject = f"inject={point.call}:{what}:when={point.number}"
    return run(case, vault, *strace(vault.with_name("log"), [point.call], inject))


def _changes(match: re.Match[str]) -> bool:
    if match["call"] in ("open", "openat"):
        return "O_CREAT" in match["rest"]
    return match["call"] in CHANGING


def strace(log: Path, calls: Sequence[str], inject: str | None = None) -> list[str]:
    """The words before a command that follow its calls and tamper with one."""
    traced = "trace=" + ",".join(f"?{call}" for call in calls)
    # No --seccomp-bpf: with it strace 6.1 injects nothing, and says nothing.
    options = ["-f", "-qq", "-y", "-s", "0", "-o", str(log)]
    return ["strace", *options, "-e", traced, *(["-e", inject] if inject else [])]


def _counts(lines: Sequence[str]) -> Counter[tuple[str, str]]:
    found = (_LINE.match(line) for line in lines)
    return Counter((match["pid"], match["call"]) for match in found if match)


def _judge(old: State, done: Run, killed: Run) -> Iterator[str]:
    if killed.code != -SIGKILL:
        yield f"it was not killed but ended with {killed.code}: {killed.stderr}"
    if killed.stdout and killed.state != done.state:
        yield f"it said it was done, and lost {_difference(done.state, killed.state)}"
    for path in sorted({*old, *done.state, *killed.state}):
        content = killed.state.get(path)
        if content not in (old.get(path), done.state.get(path)):
            yield f"{path} is neither old nor new: {str(content)[:60]!r}"


def _judge_again(case: Case, done: Run, again: Run) -> Iterator[str]:
    if again.code not in (0, *case.again):
        yield f"the next run ended with {again.code}: {again.stderr.strip()}"
        return
    wanted, found = case.settled(done.state), case.settled(again.state)
    if found != wanted:
        yield f"the next run did not finish {_difference(wanted, found)}"


def _difference(left: State, right: State) -> str:
    return ", ".join(p for p in {*left, *right} if left.get(p) != right.get(p))


def python(script: str, *args: str) -> list[str]:
    """The command for a script of this folder on the vault."""
    return [sys.executable, "-S", *words(script, *args)]


def words(script: str, *args: str) -> list[str]:
    """Arguments after ``python``."""
    return [str(Path(__file__).with_name(script)), *args]


def main(vault: str, *command: str) -> int:
    """Sweep a command given by hand; 1 when anything went wrong."""
    case = Case(command, lambda copy: _fill(Path(vault), copy), tuple(range(256)))
    with tempfile.TemporaryDirectory() as folder:
        wrong = sweep(case, Path(folder) / "vault", every=True)
    sys.stdout.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


def _fill(source: Path, copy: Path) -> None:
    shutil.copytree(source, copy, symlinks=True, dirs_exist_ok=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
