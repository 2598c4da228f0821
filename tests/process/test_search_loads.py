"""Modules that a search loads."""

import subprocess
import sys
from pathlib import Path

CODE = (
    "import sys\n"
    "from contextlib import suppress\n"
    "from toolmem.__main__ import main\n"
    "sys.argv[1:] = ['search', 'release', '--vault', sys.argv[1]]\n"
    "with suppress(SystemExit):\n"
    "    main()\n"
    "print(*sorted({'yaml', 'frontmatter', 'numpy'} & set(sys.modules)))\n"
)


def search(vault: Path) -> list[str]:
    command = [sys.executable, "-c", CODE, str(vault)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_a_search_with_an_index_up_to_date_reads_no_front_matter(tmp_path):
    memory = tmp_path / "system/memory/release.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("---\nsummary: It's tagged\n---\n# Release\n\nTag the release.\n")
    (tmp_path / "toolmem.toml").write_text("schema = 1\n")
    assert search(tmp_path)[-1] == "frontmatter yaml"
    for _ in range(100):  # until the file no longer counts as just written
        if search(tmp_path)[-1] == "":
            break
    found = search(tmp_path)
    assert ("release" in found[0], found[-1]) == (True, "")
