"""A toolmem that hooks find on PATH."""

import os
from pathlib import Path

import pytest

from tests.client import client
from tests.program import ROOT


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A toolmem on PATH that is this one, whose hooks have time."""
    path = tmp_path / "bin" / "toolmem"
    path.parent.mkdir()
    path.write_text(client("patient"))
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return path
