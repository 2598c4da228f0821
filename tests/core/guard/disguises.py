"""Ways to write a shell text so that it still runs a command, or only names it."""

import shlex
from collections.abc import Callable

Disguise = Callable[[str], str]


def quoted(text: str) -> str:
    return shlex.quote(text)


def document(command: str, text: str) -> str:
    end = f"END_{len(text)}"
    return f"{command} <<'{end}'\n{text}\n{end}\n"


STILL_RUNS: dict[str, Disguise] = {
    "after cd": lambda t: f"cd . && {{ {t}\n}}",
    "group": lambda t: f"{{ {t}\n}}",
    "subshell": lambda t: f"( {t}\n)",
    "if": lambda t: f"if true; then {t}\nfi",
    "else": lambda t: f"if false; then :; else {t}\nfi",
    "loop": lambda t: f"for i in 1; do {t}\ndone",
    "case": lambda t: f"case x in y) :;; x) {t}\n;; esac",
    "function": lambda t: f"fn() {{ {t}\n}}\nfn",
    "substitution": lambda t: f"echo $( {t}\n)",
    "quoted substitution": lambda t: f'echo "a $( {t}\n) b"',
    "assignment": lambda t: f"v=$( {t}\n)",
    "input": lambda t: f"cat < <( {t}\n)",
    "pipe": lambda t: f"true | {{ {t}\n}}",
    "piped on": lambda t: f"{{ {t}\n}} | cat",
    "background": lambda t: f"{{ {t}\n}} &\nwait",
    "or": lambda t: f"false || {{ {t}\n}}",
    "not": lambda t: f"! {{ {t}\n}}",
    "timed": lambda t: f"time {{ {t}\n}}",
    "comment before": lambda t: f"# it's a 'comment\n{t}",
    "text before": lambda t: f"echo 'a \"b' \"c 'd\" e\\'f\n{t}",
    "document before": lambda t: document("cat", "it's \"") + t,
    "bash -c": lambda t: f"bash -c {quoted(t)}",
    "sh -ec": lambda t: f"env A=1 nice -n 1 bash -ec {quoted(t)}",
    "eval": lambda t: f"eval {quoted(t)}",
    "document": lambda t: document("bash", t),
    "here-string": lambda t: f"bash <<< {quoted(t)}",
    "echo": lambda t: f"printf '%s\\n' {quoted(t)} | bash",
    "variable": lambda t: f'code={quoted(t)}; eval "$code"',
    "timeout": lambda t: f"timeout 5 bash -c {quoted(t)}",
    "xargs": lambda t: f"true | xargs -n 1 bash -c {quoted(t)}",
    "find": lambda t: f"find . -maxdepth 0 -exec bash -c {quoted(t)} \\;",
    "trap": lambda t: f"bash -c {quoted('trap ' + quoted(t) + ' EXIT')}",
}

ONLY_NAMES: dict[str, Disguise] = {
    "echo": lambda t: f"echo {quoted(t)}",
    "grep": lambda t: f"grep -c {quoted(t)} /dev/null",
    "variable": lambda t: f"note={quoted(t)}",
    "comment": lambda t: "".join(f"# {line}\n" for line in t.splitlines()) + ":",
    "document": lambda t: document("cat", t),
    "here-string": lambda t: f"cat <<< {quoted(t)}",
    "case": lambda t: f"case x in {quoted(t)}) :;; esac",
    "test": lambda t: f"[[ x == {quoted(t)} ]]",
    "argument": lambda t: f"bash -c 'true' {quoted(t)}",
    "after a comment": lambda t: f": # it's\necho {quoted(t)}",
    "message": lambda t: 'echo "$(' + document("cat", t) + ')"',
}
