"""Scripts that a call runs, judged by their text where it is at hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.guard.calling import CWD, HOME, guard_of
from tests.examples import examples
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.source_code import source_parts
from toolmem.core.guard.verdict import match_guard

FORCE = {"command": ["git", "push", "--force"]}
VENDOR = {"path": "vendor/", "operation": "change"}
ENV = {"path": ".env"}


def verdict(table, command: str, files: dict[str, str] | None = None) -> str:
    texts = {f"{CWD}/{name}": text for name, text in (files or {}).items()}
    call = ToolCall(
        "Bash", {"command": command}, CWD, HOME, script=lambda p: texts.get(p, "")
    )
    match = match_guard(guard_of(table), CallAnalysis(call, read_shell))
    return match.action.value if match else "allow"


PUSH = 'import os\nos.system("git push --force")\n'


@pytest.mark.parametrize(
    "command",
    ["python x.py", "python3 -u ./x.py --now", "cd . && python3.12 x.py", "python -m x",
     "uv run x.py", "poetry run python x.py", "sudo python x.py", "./x.py",
     "timeout 5 python x.py", "python < x.py", "bash -c 'python x.py'"],
)  # fmt: skip
def test_a_script_is_judged_however_it_is_run(command) -> None:
    text = f"#!/usr/bin/env python3\n{PUSH}"
    assert verdict(FORCE, command, {"x.py": text}) == "ask"
    assert verdict(FORCE, command, {"x.py": 'print("hello")\n'}) == "allow"


@pytest.mark.parametrize("command", ["cat x.py", "python y.py", "python -c 1 x.py"])
def test_a_script_that_is_not_run_is_not(command) -> None:
    assert verdict(FORCE, command, {"x.py": PUSH}) == "allow"


@pytest.mark.parametrize(
    ("table", "text", "wanted"),
    [
        (FORCE, 'subprocess.run(["git", "push", "--force"])', "ask"),
        (FORCE, 'args = [\n  "push",\n  "-f",\n]\nrun(["git", *args])', "ask"),
        (FORCE, 'cmd = "git push"\ncmd += " --force"\nos.popen(cmd)', "ask"),
        (FORCE, 'subprocess.run(["git", "push"])', "allow"),
        (FORCE, '"""git push --force is bad"""\nsubprocess.run(["ls"])', "allow"),
        (FORCE, '# git push --force\nsubprocess.run(["ls"])', "allow"),
        (FORCE, 'run(["ls"])\nprint("never git push --force")', "allow"),
        (FORCE, 'HELP = "git push --force"', "allow"),
        (VENDOR, 'with open("vendor/a.py", "w") as f:\n    f.write("x")', "ask"),
        (VENDOR, 'p = Path("vendor") / "a.py"\np.write_text("x")', "ask"),
        (VENDOR, 'p = os.path.join("vendor", "a")\nopen(\n  p,\n  "w",\n)', "ask"),
        (VENDOR, 'for p in ["vendor/a", "vendor/b"]:\n    os.remove(p)', "ask"),
        (VENDOR, 'shutil.copy("a.py", "vendor/a.py")', "ask"),
        (VENDOR, 'text = open("vendor/a").read()\nopen("b", "w").write(text)', "allow"),
        (VENDOR, '# vendor/a.py is by others\nopen("b.txt", "w").write("x")', "allow"),
        (VENDOR, 'open("vendored.txt", "w").write("x")', "allow"),
        (ENV, 'print(open(".env").read())', "ask"),
        (ENV, 'open("env.py").read()', "allow"),
    ],
)
def test_a_program_in_python(table, text, wanted) -> None:
    assert verdict(table, "python x.py", {"x.py": text}) == wanted


@pytest.mark.parametrize(
    ("table", "text", "wanted"),
    [
        (FORCE, 'const c = require("child_process");\n'
                'c.execSync("git push --force");', "ask"),
        (FORCE, '// git push --force\nexecSync("git status");', "allow"),
        (VENDOR, 'const p = "vendor/a.js";\nfs.writeFileSync(p, "x");', "ask"),
        (VENDOR, 'fs.writeFileSync("dist/a.js", "x"); f("vendor/a");', "allow"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["node x.js", "bun run x.js", "npx tsx x.js"])
def test_a_program_in_javascript(command, table, text, wanted) -> None:
    assert verdict(table, command, {"x.js": text}) == wanted


@pytest.mark.parametrize(
    "command",
    [
        "cat > x.sh <<'E'\ngit push --force\nE\nbash x.sh",
        'echo "git push --force" > x.sh; sh x.sh',
        "cat > x.py <<'E'\nimport os\nos.system('git push --force')\nE\npython x.py",
        "tee x.sh <<'E'\ngit push --force\nE\nchmod +x x.sh && ./x.sh",
        "printf 'cd app\\ngit push --force\\n' > x.sh && source x.sh",
    ],
)
def test_a_script_that_the_same_text_writes_is_judged(command) -> None:
    assert verdict(FORCE, command) == "ask"
    assert verdict(FORCE, command.replace("--force", "origin")) == "allow"


def test_a_script_that_is_only_written_is_not() -> None:
    assert verdict(FORCE, "cat > x.sh <<'E'\ngit push --force\nE\n") == "allow"


@examples(300)
@given(st.text("ab\"'=()[]{}:;#\\/\n. ", max_size=400))
def test_any_text_is_read_in_bounds(text) -> None:
    for part in (*source_parts(text)[0], *source_parts(text)[1]):
        assert "\n" not in part
        assert len(part) <= 1000
