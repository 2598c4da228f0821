"""The sdist and the wheel that is built of it, in an environment of their own.

Nothing is fetched: the dependencies are those of the environment of the tests.
"""

import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.program import ROOT, environment_with_toolmem
from toolmem import __version__

pytestmark = pytest.mark.skipif(
    not all(map(find_spec, ("build", "hatchling", "pip"))),
    reason="build, hatchling or pip is not installed",
)

SHARED = {
    "share/man/man1/toolmem.1": "man/toolmem.1",
    "share/man/man5/toolmem-vault.5": "man/toolmem-vault.5",
    "share/man/man5/toolmem-capture.5": "man/toolmem-capture.5",
    "share/man/man5/toolmem-access.5": "man/toolmem-access.5",
    "share/bash-completion/completions/toolmem": "completions/toolmem.bash",
    "share/zsh/site-functions/_toolmem": "completions/_toolmem",
    "share/fish/vendor_completions.d/toolmem.fish": "completions/toolmem.fish",
    "share/toolmem/completions/toolmem.ps1": "completions/toolmem.ps1",
}


class Installed(NamedTuple):
    """An installed wheel: its prefix, the build, and an environment to call it in."""

    prefix: Path
    dist: Path
    environment: dict[str, str]

    def run(self, *command: str, cwd: Path) -> str:
        """Return the output of an installed toolmem."""
        program = self.prefix / "bin" / "toolmem"
        done = subprocess.run(
            [program, *command],
            cwd=cwd,
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("package")
    environment = environment_with_toolmem(folder)
    dist, prefix = folder / "dist", folder / "venv"
    python = sys.executable
    # Without --wheel it makes the sdist, and of that the wheel.
    build = [python, "-m", "build", "--no-isolation", "--outdir", str(dist), str(ROOT)]
    subprocess.run(build, env=environment, check=True, capture_output=True)
    venv.create(prefix)
    pip = [python, "-m", "pip", "--python", str(prefix / "bin" / "python"), "install"]
    wheel = str(next(dist.glob("*.whl")))
    subprocess.run(
        [*pip, "--quiet", "--no-deps", "--no-index", "--no-compile", wheel],
        env=environment,
        check=True,
        capture_output=True,
    )
    site = next(prefix.glob("lib/python*/site-packages"))
    (site / "of-the-tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return Installed(prefix, dist, environment)


def _required(name: str) -> list[str]:
    """Return the requirements of a package; none if this system does not install it."""
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


def test_what_everybody_installs_brings_no_server():
    wanted, seen = {"toolmem"}, set()
    while wanted:
        name = wanted.pop()
        seen.add(name)
        # Without its extras: an extra is in a marker.
        needed = [one for one in _required(name) if "extra ==" not in one]
        wanted |= {re.split(r"[^\w-]", one)[0].lower() for one in needed} - seen
    servers = {"mcp", "mcp-types", "anyio", "pydantic", "starlette", "uvicorn"}
    assert "typer" in seen
    assert servers & seen == set()


def test_the_program_starts_and_knows_its_version(installed, tmp_path):
    assert installed.run("--version", cwd=tmp_path) == f"toolmem {__version__}\n"


def test_a_vault_of_the_template_is_made_and_shown(installed, tmp_path):
    installed.run("init", "--sample", "vault", cwd=tmp_path)
    vault = tmp_path / "vault"
    args = ("prompt", "--project", "mech-fighters", "--agent-type", "coding")
    assert installed.run(*args, cwd=vault).startswith("## Role\n")
    template = ROOT / "vault-template"
    names = [p.relative_to(template) for p in template.rglob("*") if p.is_file()]
    assert [n for n in names if (vault / n).read_bytes() != read(template / n)] == []


def test_pages_and_completions_are_where_systems_look_for_them(installed):
    found = {
        path.relative_to(installed.prefix).as_posix(): read(path)
        for path in (installed.prefix / "share").rglob("*")
        if path.is_file()
    }
    assert found == {place: read(ROOT / name) for place, name in SHARED.items()}


def test_the_wheel_holds_the_package_and_nothing_of_the_repository(installed):
    site = next(installed.prefix.glob("lib/python*/site-packages"))
    info = f"toolmem-{__version__}.dist-info"
    ours = {path.name for path in site.iterdir()} - {"of-the-tests.pth"}
    assert ours == {"toolmem", info}
    assert read(site / info / "licenses" / "LICENSE") == read(ROOT / "LICENSE")


def test_the_sdist_holds_what_tests_and_documents_need(installed):
    with tarfile.open(next(installed.dist.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {
        *("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile"),
        *("pyproject.toml", "bench/measure.py", "tests/demo.sh", *SHARED.values()),
    }
    assert wanted <= names


def read(path: Path) -> bytes:
    return path.read_bytes()
