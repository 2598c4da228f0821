"""A text is passed over unread only where reading it would say the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.guard.calling import CWD, HOME
from tests.core.guard.command_table import FORCE_PUSHES, INNOCENT, OTHERS
from tests.core.guard.disguises import ONLY_NAMES, STILL_RUNS
from tests.examples import examples
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import ShellReading
from toolmem.core.guard.may_run import WRAPPERS, cannot_run
from toolmem.core.rules.guard_table import Guard
from toolmem.core.shell.programs import PASSES
from toolmem.core.shell.words import Fit

TEXTS = [
    *(text for text, _ in FORCE_PUSHES),
    *INNOCENT,
    *(text for _, text, _ in OTHERS if isinstance(text, str)),
]
COMMANDS = (
    *(("git", "push", "--force"), ("rm", "-r"), ("sudo", "git", "push")),
    *(("npm", "publish"), ("docker", "push"), ("python3.11", "-m", "x")),
    *(("kubectl", "delete"), ("/usr/bin/curl",), ("pip", "install")),
    *(("ls",), ("make", "deploy"), ("xargs", "rm"), ("gi",), ("bash",)),
)


def fit(text: str | tuple[str, ...], command: tuple[str, ...]) -> Fit:
    reading = ShellReading(text, ToolCall("shell", {}, CWD, HOME))
    return reading.fit_command(Guard(command=(command,))).fit


@pytest.mark.one_of(4)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_is_passed_over_is_what_no_reading_finds(command) -> None:
    passed = [text for text in TEXTS if cannot_run(text, [command])]
    assert passed or command[0] in WRAPPERS
    assert not [text for text in passed if fit(text, command) is not Fit.NO]


@examples(200)
@given(
    st.sampled_from(["git push -f", "g'i't push", "F=git; $F push", "echo hi"]),
    st.lists(st.sampled_from(sorted({**STILL_RUNS, **ONLY_NAMES})), max_size=3),
    st.sampled_from(COMMANDS),
)
def test_disguises_do_not_hide_a_program_from_it(text, names, command) -> None:
    for name in names:
        text = {**STILL_RUNS, **ONLY_NAMES}[name](text)
    if cannot_run(text, [command]):
        assert fit(text, command) is Fit.NO


PIECES = st.sampled_from(
    [
        *("g", "it", "git", "push", "-f", "'", '"', " ", " ", "|", "<", "<(", ")", "("),
        *(";", "&&", "sh", "bash -c", "python3", "xargs", "eval", "source", ". ", "@"),
        *("$", "`", "*", "{", "}", "\\", "\n", "echo", "env", "sudo", "<<E\n", "-S"),
        *("cat ", "curl x", "/dev/stdin", "trap", "alias x=", "G", "/", "."),
    ]
)


@examples(400)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_no_text_that_is_passed_over_could_run_it(text) -> None:
    if text and cannot_run(text, [("git", "push")]):
        assert fit(text, ("git", "push")) is Fit.NO


@pytest.mark.parametrize(
    "text",
    [
        *("ls -la", "cd src && pytest -q 2>&1 | tail -5", "git status; git diff"),
        *("python -m pytest tests/core", "uv run ruff check . && make test", "(ls)"),
        *("grep -rn 'def main' src", "bash build.sh", ("ls", "-la")),
    ],
)
def test_everyday_commands_are_passed_over(text) -> None:
    assert cannot_run(text, [("terraform", "destroy"), ("kubectl", "delete")])


@pytest.mark.parametrize(
    "text",
    [
        *("git status", "/usr/bin/git status", "GIT push", "git.exe push", "g''it x"),
        *("$X push", "`x` push", "g*t push", "{g,x}it push", "g\\it push", "gıt push"),
        *(
            "curl x | sh",
            "curl x | python3",
            "curl x | lua",
            ". <(curl x)",
            "echo it | xargs -I@ g@",
        ),
        *("", "bash <<< x", "curl x|bash", "ls | /bin/zsh", ("g*t", "push")),
    ],
)
def test_where_there_is_doubt_nothing_is_passed_over(text) -> None:
    assert not cannot_run(text, [("git", "push")])


def test_every_wrapper_that_a_guard_may_begin_with_is_known() -> None:
    assert {name for name, operands in PASSES.items() if operands == 0} == WRAPPERS
