import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.shell.steps import shell_steps
from toolmem.core.transcript.probes import git_words, is_benign_exit


def split(line: str) -> list[tuple[str, ...]]:
    return [
        (part.operator, *(word.text for word in part.words))
        for part in shell_steps(line).plain
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("go test ./...", [("", "go", "test", "./...")]),
        ("cd x && git -C y", [("", "cd", "x"), ("&&", "git", "-C", "y")]),
        ("a | b |& c", [("", "a"), ("|", "b"), ("|&", "c")]),
        ("a; b || c & d", [("", "a"), (";", "b"), ("||", "c"), ("&", "d")]),
        ("a\nb", [("", "a"), ("\n", "b")]),
        ("a 2>&1 >/dev/null < in", [("", "a")]),
        ("a 2> err b", [("", "a", "b")]),
        ("echo 'a && b' \"c; d\" e\\ f", [("", "echo", "a && b", "c; d", "e f")]),
        ('echo "a \\"b\\" \\$c"', [("", "echo", 'a "b" $c')]),
        ("a 'x'\"y\"z", [("", "a", "xyz")]),
        ("a # b && c\nd", [("", "a"), ("\n", "d")]),
        ("a x#y", [("", "a", "x#y")]),
        ("FOO=1 BAR=2 make all", [("", "make", "all")]),
        ("sudo -u root timeout -s KILL 9 nice -n 5 make", [("", "make")]),
        ("env -u X A=1 /usr/bin/make", [("", "/usr/bin/make")]),
        ("bash -lc 'a && b'", [("", "a"), ("&&", "b")]),
        ("x && sh -c \"bash -c 'a; b'\"", [("", "x"), ("&&", "a"), (";", "b")]),
        ("bash script.sh -c x", [("", "bash", "script.sh", "-c", "x")]),
        ("if a; then b; fi", [("", "a"), (";", "b")]),
        ("(a; b)", [("(", "a"), (";", "b")]),
        ("cat <<EOF && b\nrm -rf /\nEOF\nc", [("", "cat"), ("&&", "b"), ("\n", "c")]),
        ("cat <<-'E'\n\trm x\n\tE\nc", [("", "cat"), ("\n", "c")]),
        ("cat <<EOF\nrm x", [("", "cat")]),
        ("cat <<< word", [("", "cat")]),
        ("a \\\n b", [("", "a", "b")]),
        ("a 'open", [("", "a")]),
        ("sudo a $(b | c) && d", [("", "a", "\0"), ("&&", "d")]),
        ("! a && ! b", [("", "a"), ("&&", "b")]),
        ("docker run x a; find -exec b", [
            ("", "docker", "run", "x", "a"), (";", "find", "-exec", "b"),
        ]),
        ("ls | xargs -n 1 rm", [("", "ls"), ("|", "rm")]),
        ("for f in a b; do rm $f; done", [(";", "rm", "\x01")]),
        ("eval 'a | b' && [ -d x ]", [("", "eval", "a | b"), ("&&", "[")]),
        ("", []),
        (" ;; && \n", []),
    ],
)  # fmt: skip
def test_a_line_splits_as_a_shell_would_split_it(line, expected):
    assert split(line) == expected


@pytest.mark.parametrize(
    ("line", "certain"),
    [
        ("rm a.txt 'b c' \"d\"", [True, True, True, True]),
        ("rm $X \"$Y\" '$Z' `w`", [True, False, False, True, False]),
        ("rm *.o a? ~/x {a,b} 'a*'", [True, False, False, False, True, True, True]),
    ],
)
def test_words_that_a_shell_would_change_are_not_certain(line, certain):
    (simple,) = shell_steps(line).plain
    assert [word.certain for word in simple.words] == certain


def test_where_output_goes_is_kept_apart():
    (simple,) = shell_steps("dd if=x > /dev/sda 2>&1 >> log").plain
    assert [word.text for word in simple.targets] == ["/dev/sda", "log"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("git -C x -c a=b --no-pager push -f", ("push", "-f")),
        ("git", ()),
        ("hub push", ()),
    ],
)
def test_git_words_begin_at_the_subcommand(line, words):
    assert git_words(shell_steps(line).plain[0]) == words


@pytest.mark.parametrize(
    "command",
    [
        "grep foo a", "rg -n x", "diff a b", "test -f x", "[ -d x ]", "[[ -f x ]]",
        "git diff --exit-code", "git -C x grep y", "cat a | grep b", "cd x && rg y",
        "! grep x a", "grep a b && grep c d", "false || grep x y", "make; diff a b",
        "bash -lc 'cd x && grep y z'", "sudo grep x y", "timeout 9 rg x",
    ],
)  # fmt: skip
def test_exit_code_1_of_a_question_is_an_answer(command):
    assert is_benign_exit(command, 1, "")


@pytest.mark.parametrize(
    ("command", "code", "output"),
    [
        ("grep foo a", 2, ""),
        ("grep foo a", None, ""),
        ("make", 1, ""),
        ("make && grep x log", 1, ""),
        ("grep x log && make", 1, ""),
        ("grep x a | wc -l", 1, ""),
        ("cd nope && grep x a", 1, "bash: cd: nope: No such file or directory"),
        ("set -e; make; grep x a", 1, ""),
        ("git push", 1, ""),
        ("", 1, ""),
    ],
)
def test_other_exits_are_failures(command, code, output):
    assert not is_benign_exit(command, code, output)


@examples(200)
@given(st.text(alphabet="ab \t\n'\"\\$`|&;<>()#{}=-cE1", max_size=60))
def test_any_line_splits_without_an_error(line):
    for part in shell_steps(line).every:
        assert part.words or part.targets
        is_benign_exit(line, 1, "")


@pytest.mark.parametrize(
    "line",
    ["'" * 99_999, '"a' * 50_000 + '"', "a" * 100_000, "<<E " * 25_000 + "\n",
     "(" * 100_000, "$(" * 50_000, "\\" * 99_999, "bash -c " * 12_000],
)  # fmt: skip
def test_a_hostile_line_is_split_in_one_pass(line):
    assert len(shell_steps(line).plain) <= len(line)


def test_every_step_has_the_wrappers_and_what_is_substituted():
    steps = shell_steps("sudo bash -c 'rm $(cat list)' && docker exec x make")
    assert [step.name for step in steps.every] == [
        *("sudo", "bash", "rm", "cat", "docker", "make"),
    ]
    assert [step.name for step in steps.plain] == ["rm", "docker"]
    assert steps.complete
    assert not shell_steps("rm 'open").complete
    assert not shell_steps("cat x | bash").complete
