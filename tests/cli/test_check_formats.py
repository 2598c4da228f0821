"""``toolmem check`` for code hosts, and its hooks played by pre-commit itself."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from tests.client import client
from tests.program import ROOT
from tests.world import World

_UNKNOWN = 'id = "0f3c1d2e"\ntool = "shell"\nrule = "never x"\n\ntypo = 1\n'
_PATH = "system/rules/shell/x.toml"


@pytest.fixture
def broken(world: World) -> World:
    """A vault in a folder of a repository, with an unknown key in line 5."""
    world.git("init")
    world.write("vault/toolmem.toml", "schema = 1\n")
    return world.write(f"vault/{_PATH}", _UNKNOWN)


def checked(world: World, form: str) -> str:
    done = world.call("check", "--vault", "vault", "--format", form)
    assert done.code == 1
    return done.stdout


def test_github_puts_a_problem_on_its_line(broken):
    first = checked(broken, "github").splitlines()[0]
    assert first == (
        f"::error file=vault/{_PATH},line=5,title=unreadable::no key 'typo'"
    )


def test_github_is_sent_no_forged_command(broken):
    broken.write(f"vault/{_PATH}", _UNKNOWN.replace("typo", '"a%\\n::set-env b"'))
    lines = checked(broken, "github").splitlines()
    assert {line.partition(" ")[0] for line in lines} <= {"::error", "::warning"}


def test_gitlab_is_sent_a_report_of_code_quality(broken):
    [first, *_] = json.loads(checked(broken, "gitlab"))
    assert first["location"] == {"path": f"vault/{_PATH}", "lines": {"begin": 5}}
    assert (first["severity"], first["check_name"]) == ("major", "unreadable")
    assert len(first["fingerprint"]) == 64


def test_sarif_has_the_place_of_each_result(broken):
    log = json.loads(checked(broken, "sarif"))
    [run] = log["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert log["version"] == "2.1.0"
    assert place["artifactLocation"]["uri"] == f"vault/{_PATH}"
    assert place["region"] == {"startLine": 5}
    named = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {one["ruleId"] for one in run["results"]} == named


def test_an_unknown_form_is_refused_and_a_sound_vault_prints_nothing(world):
    world.vault("one-rule")
    assert world.call("check", "--format", "junit").code == 2
    assert world.call("check", "--format", "github") == (
        "toolmem check --format github",
        0,
        "",
        "",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
@pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is missing")
def test_pre_commit_stops_a_commit_that_breaks_the_vault(world, tmp_path, monkeypatch):
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["toolmem-check", "toolmem-format"]
    # Its own way installs toolmem from the repository, which needs a network.
    local = [{**hook, "language": "system"} for hook in hooks]
    config = {"repos": [{"repo": "local", "hooks": local}]}
    program = tmp_path / "bin" / "toolmem"
    program.parent.mkdir()
    program.write_text(client("plain"))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    vault = World(tmp_path / "work").vault("one-rule")
    vault.git("init")
    vault.write(".pre-commit-config.yaml", yaml.safe_dump(config))
    vault.git("add", ".")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", *words],
            cwd=vault.root,
            capture_output=True,
            text=True,
            check=False,
        )

    manifest = str(ROOT / ".pre-commit-hooks.yaml")
    assert run("validate-manifest", manifest).returncode == 0
    sound = run("run", "--all-files")
    assert sound.returncode == 0, sound.stdout
    vault.write(_PATH, _UNKNOWN)
    vault.git("add", ".")
    found = run("run", "--all-files")
    assert found.returncode == 1
    assert f"{_PATH}:5: unreadable no key 'typo'" in found.stdout


def played(world: World, lines: str, **variables: str) -> tuple[int, str]:
    """Run lines of a job with a ``pip`` that only writes down what it was given."""
    programs = world.root / "programs"
    programs.mkdir(exist_ok=True)
    pip = programs / "pip"
    pip.write_text(f'#!/bin/sh\necho "$*" >>"{programs}/given"\n')
    pip.chmod(0o755)
    folders = [str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = {**os.environ, **variables, "PATH": os.pathsep.join(folders)}
    done = subprocess.run(
        ["bash", "-e", "-c", lines],
        cwd=world.root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_the_action_installs_its_own_checkout_and_marks_the_line(broken):
    text = (ROOT / "integrations/github/action.yml").read_text()
    inputs = {
        "${{ github.action_path }}": str(ROOT / "integrations/github"),
        "${{ inputs.vault }}": "vault",
    }
    ends = []
    for step in yaml.safe_load(text)["runs"]["steps"]:
        if "run" in step:
            given = {key: str(value) for key, value in step["env"].items()}
            for name, value in inputs.items():
                given = {key: one.replace(name, value) for key, one in given.items()}
            ends.append(played(broken, step["run"], **given))
    assert [code for code, _ in ends] == [0, 1]
    assert f"::error file=vault/{_PATH},line=5," in ends[1][1]
    [asked] = (broken.root / "programs/given").read_text().splitlines()
    assert os.path.realpath(asked.removeprefix("install ")) == str(ROOT)


@pytest.mark.parametrize(
    ("package", "codes"),
    [("toolmem", [1]), ("git+https://example.com/o/toolmem@1f3c", [0, 1])],
)
def test_the_job_installs_no_bare_name_and_leaves_a_report(broken, package, codes):
    text = (ROOT / "integrations/gitlab/toolmem.gitlab-ci.yml").read_text()
    job = yaml.safe_load(text)["toolmem"]
    given = {"TOOLMEM_PACKAGE": package, "TOOLMEM_VAULT": "vault"}
    ends = []
    for line in job["script"]:
        ends.append(played(broken, line, **given)[0])
        if ends[-1]:
            break
    assert ends == codes
    report = broken.root / job["artifacts"]["reports"]["codequality"]
    assert report.exists() == (len(codes) == 2)
    if report.exists():
        [finding] = json.loads(report.read_text())
        assert finding["location"]["path"] == f"vault/{_PATH}"
