"""Messages name the source of this toolmem, never its bare name."""

import json
import os
import re
import subprocess
from importlib import metadata
from typing import Any

import pytest

from tests.program import ROOT
from toolmem.store.origin import install_command

COMMIT = "1f" * 20
UNKNOWN: tuple[Any, ...] = (None, {}, [], "text", {"url": 7})
SOURCES: list[tuple[Any, str]] = [
    (
        {
            "url": "https://example.org/team/toolmem.git",
            "vcs_info": {"vcs": "git", "commit_id": COMMIT},
        },
        "pip install 'toolmem[mcp] @ git+https://example.org/team/toolmem.git"
        f"@{COMMIT}'",
    ),
    (
        {"url": "file:///srv/it's here", "dir_info": {"editable": True}},
        "pip install 'toolmem[mcp] @ file:///srv/it'\"'\"'s here'",
    ),
    (
        {"url": "https://example.org/toolmem.whl", "archive_info": {}},
        "pip install 'toolmem[mcp] @ https://example.org/toolmem.whl'",
    ),
    *(
        (found, "reinstall toolmem from where you have it, with the extra 'mcp'")
        for found in UNKNOWN
    ),
]


class Installed:
    """A distribution as an installer has recorded it."""

    def __init__(self, document: Any) -> None:
        self._document = document

    def read_text(self, _name: str) -> str | None:
        return None if self._document is None else json.dumps(self._document)


@pytest.mark.parametrize(("document", "command"), SOURCES)
def test_the_command_names_the_recorded_source(monkeypatch, document, command):
    monkeypatch.setattr(metadata, "distribution", lambda _: Installed(document))
    assert install_command("mcp") == command


def test_no_text_installs_by_the_name_alone():
    texts = [*ROOT.glob("toolmem/**/*.py"), *ROOT.glob("vault-template/**/*")]
    texts += [ROOT / "README.md", *ROOT.glob("man/*")]
    found = [
        str(path)
        for path in texts
        if path.is_file() and re.search("pip install [\"']toolmem", path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(
    ("package", "installed"),
    [
        ("", ""),
        ("toolmem", ""),
        (
            "git+https://example.org/toolmem@1",
            "install git+https://example.org/toolmem@1",
        ),
    ],
)
def test_the_workflow_stops_until_its_source_is_set(tmp_path, package, installed):
    text = (ROOT / "vault-template/.github/workflows/toolmem.yml").read_text()
    step = text.partition("- name: install\n")[2].partition("      - name:")[0]
    script = step.partition("run: |\n")[2]
    (tmp_path / "pip").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "pip").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "TOOLMEM_PACKAGE": package}
    done = subprocess.run(
        ["bash", "-e", "-c", script], env=environment, capture_output=True, check=False
    )
    said = done.stdout.decode().strip()
    assert done.returncode == (0 if installed else 1)
    assert said == installed or said.startswith(
        "::error::set the repository variable TOOLMEM_PACKAGE to the address of "
    )
