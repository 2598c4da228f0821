"""The workflow of the template does on this machine what it is to do on GitHub's."""

import shutil
import subprocess

import pytest
import yaml

from tests.program import environment_with_toolmem
from tests.world import TEMPLATE

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
        env={**environment, "GITHUB_STEP_SUMMARY": str(summary), **more},
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
    done, told = run(
        steps["tell"],
        world,
        tmp_path_factory.mktemp("runner"),
        BASE=base,
        HEAD=head,
        TOOLMEM_PROJECT="mech-fighters",
        TOOLMEM_AGENT_TYPE="",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert told == (world.root / "told.md").read_text()
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


def test_nothing_of_a_pull_request_is_pasted_into_a_script(steps):
    assert not any("${{" in step for step in steps.values())
