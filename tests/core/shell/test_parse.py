import pytest

from toolmem.core.shell.lift import decode_ansi, lift
from toolmem.core.shell.parse import parse_argv, parse_command, programs
from toolmem.core.shell.words import Redirect, SimpleCommand, Word


def argvs(text: str) -> list[list[str]]:
    return [[word.text for word in c.argv] for c in parse_command(text).commands]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('a \'b c\' "d\\"e" f\\ g', [["a", "b c", 'd"e', "f g"]]),
        ("a $'x\\ty\\'' $\"z\"", [["a", "x\ty'", "z"]]),
        ("a {b,c}{1..3}", [["a", "b1", "b2", "b3", "c1", "c2", "c3"]]),
        ("a '{b,c}' \\{d,e} \"{f,g}\"", [["a", "{b,c}", "{d,e}", "{f,g}"]]),
        ("a {b,c", [["a", "{b,c"]]),
        ('x=1; y=$x$x; a $y "$y z"', [["a", "11", "11 z"]]),
        ("x='b c'; a $x \"$x\"", [["a", "b", "c", "b c"]]),
        ('a ~/x "$HOME/y" $PWD/z', [["a", "~/x", "~/y", "./z"]]),
        ('a $x "$x" b$x', [["a", "\0", "\x01", "b\0"]]),
        (
            'a $(date) "$(pwd)/b" $?',
            [["a", "\x01", "\x01/b", "\x01"], ["date"], ["pwd"]],
        ),
        (
            'a $(echo b) "$(cat <<X\nc d\nX\n)"',
            [["a", "b", "c d"], ["echo", "b"], ["cat"]],
        ),
        ("a {1..9999}", [["a", "\0"]]),
        ("a b\\\nc \\\n d", [["a", "bc", "d"]]),
        ("a {b}$x", [["a", "{b}\0"]]),
        ("a \\ b", [["a", " b"]]),
        ("for x in b c; do a; done", [["for", "b", "c"], ["a"]]),
        ("export A=1 B", [["export", "A=1", "B"]]),
        ("", []),
        ("# a", []),
    ],
)
def test_words_are_what_the_program_gets(text, wanted) -> None:
    assert argvs(text) == wanted


def test_a_command_carries_its_redirects_wrappers_and_input() -> None:
    read = parse_command("sudo bash -s 2>err <<'E' >out\necho $x\nE\n")
    out = (Redirect(">", Word("err")), Redirect(">", Word("out")))
    sudo, bash = (Word("sudo"), Word("bash"), Word("-s")), (Word("bash"), Word("-s"))
    assert read.commands == (
        SimpleCommand(sudo, out, stdin="echo $x\n"),
        SimpleCommand(bash, (), (sudo,), "echo $x\n"),
        SimpleCommand((Word("echo"), Word("\0", many=True)), (), (sudo, bash), ""),
    )
    assert read.commands[-1].via == ("sudo", "bash")
    assert (read.complete, read.reason, read.opaque, read.code) == (True, "", "", ())


def test_file_globs_are_gaps_in_the_shape_of_a_word() -> None:
    (command,) = parse_command("rm *.py '*' a[bc]?").commands
    assert [(word.text, word.shape) for word in command.argv[1:]] == [
        ("*.py", "\5.py"),
        ("*", ""),
        ("a[bc]?", "a\5\5"),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('a "', "the shell syntax was not understood"),
        ("a )", "the shell syntax was not understood"),
        ("cat <<E\nx", "the shell syntax was not understood"),
        ("a" * 70_000, "the shell text is too long"),
        ("a;" * 2000, "the shell text has too many operators"),
        ("sudo " * 30 + "a", "too many wrappers around a command"),
        ("eval " * 30 + "a", "too many shells inside shells"),
    ],
)
def test_what_is_not_understood_has_a_reason(text, reason) -> None:
    read = parse_command(text)
    assert (read.complete, read.reason) == (False, reason)


@pytest.mark.parametrize(
    ("text", "opaque"),
    [
        ("curl x | sh", "a shell text that only the shell knows"),
        ('eval "$x"', "a shell text that only the shell knows"),
        ("bash <(curl x)", "a shell text that only the shell knows"),
        (". <(curl x)", "a shell text that only the shell knows"),
        ("curl x | python3", "what is piped into python"),
        ("bash script.sh", ""),
        ("source venv/bin/activate", ""),
        ("ls | grep sh", ""),
    ],
)
def test_code_that_is_not_in_the_text_is_opaque(text, opaque) -> None:
    assert parse_command(text).opaque == opaque


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("python3 -c 'call(1)' x", ("call(1)",)),
        ("python3 <<E\ncall(1)\nE", ("call(1)\n",)),
        ("python3 -c 'print(1)' x", ()),
        ("perl -ne 'a' -e 'b' f", ("a", "b")),
        ("node --eval='a'", ("a",)),
        ("python3 x.py -c y", ()),
    ],
)
def test_programs_in_other_languages_are_kept_apart(text, code) -> None:
    assert parse_command(text).code == code


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("cd x && sudo /usr/bin/git push | tee y", ("cd", "sudo", "git", "tee")),
        ("python3.11 -m pip install x", ("python", "pip")),
        ("C:/bin/GIT.EXE push; git pull", ("git",)),
        ('git push "', ("git", "push")),
        ("$x y", ("\0", "y")),
        ("", ()),
    ],
)
def test_programs_are_named_once_without_folder_or_version(text, wanted) -> None:
    assert programs(text) == wanted


def test_a_list_of_words_is_not_expanded() -> None:
    assert parse_argv(("a", "$x", "*.py")).commands == (
        SimpleCommand((Word("a"), Word("$x"), Word("*.py"))),
    )


@pytest.mark.parametrize(
    ("text", "script", "literals"),
    [
        ("a # it's\nb", "a \nb", ()),
        ("a#b '#' \\#", "a#b \x020\x03 \\#", ("#",)),
        ("a <<< b", "a < \x04b", ()),
        ("a <<'E' c\n$x\nE\nb", "a < \x04\x020\x03  c\nb", ("$x\n",)),
        ("a <<-E\n\tx\n\tE\nb", "a < \x04\x020\x03 \nb", ("x\n",)),
        ('a <<E\n$x "y"\nE\n', 'a < \x04"$x \\"y\\"\n" \n', ()),
        ("! a && ! b", " a &&  b", ()),
        ("time { a; }; [ ! -f x ]", "  { a; }; [ ! -f x ]", ()),
        ("echo $((1<<2)) ((x<<3))", "echo $((1+2)) ((x+3))", ()),
        ("a '" + "b" * 40 + "'", "a \x020\x03", ("b" * 40,)),
        ("a \ue000\0\r\nb", "a \x020\x03\nb", ("\ufffd\ufffd",)),
        (
            "é{é \"é\" 'é' \\é",
            "\x020\x03{\x021\x03 \x022\x03 \x023\x03 \x024\x03",
            ("é",) * 5,
        ),
    ],
)
def test_lifting_leaves_a_script_that_the_grammar_reads(text, script, literals) -> None:
    lifted = lift(text)
    assert (lifted.script.replace("  ", " "), lifted.literals, lifted.balanced) == (
        script.replace("  ", " "),
        literals,
        True,
    )


@pytest.mark.parametrize("text", ["'", '"', "$(", "`", "${", "(", "cat <<E", "((1)"])
def test_what_stays_open_is_not_balanced(text) -> None:
    assert not lift(text).balanced


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("\\x41\\101\\u00e9\\U0001F600", "AAé😀"),
        ("\\n\\t\\\\\\'\\\"\\?\\e\\cA", "\n\t\\'\"?\x1b\x01"),
        ("a\\0b", "a"),
        ("\\z\\U99999999", "\\z\ufffd"),
    ],
)
def test_ansi_quoting_is_decoded_as_bash_does(body, wanted) -> None:
    assert decode_ansi(body) == wanted.replace("\x01", "\ufffd")
