"""The files that a patch touches, in the two formats that agents write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.text.patches import PatchPaths, is_apply_patch, patch_paths

CODEX = """\
*** Begin Patch
*** Add File: new.py
+x
*** Update File: old name.py
*** Move to: sub/moved.py
@@
*** Update File: kept.py
*** Delete File: gone.py
*** End Patch
"""
DIFF = """\
diff --git a/kept.py b/kept.py
--- a/kept.py\t2026-01-01
+++ b/kept.py\t2026-01-02
@@ -1 +1 @@
-a
+b
--- /dev/null
+++ b/new.py
--- a/gone.py
+++ /dev/null
--- a/old.py
+++ b/moved.py
"""


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        (
            CODEX,
            PatchPaths(
                ("new.py", "sub/moved.py", "kept.py"),
                ("old name.py", "gone.py"),
                ("new.py", "sub/moved.py"),
            ),
        ),
        (
            DIFF,
            PatchPaths(
                ("kept.py", "new.py", "moved.py"),
                ("gone.py", "old.py"),
                ("new.py", "moved.py"),
            ),
        ),
        ("*** Update File: a.py\n", PatchPaths(("a.py",))),
        ("*** Update File: x\n*** Begin Patch\n*** End Patch\n", PatchPaths()),
        ("a -- b\n---\ntext +++ x\n", PatchPaths()),
        ("", PatchPaths()),
    ],
    ids=["codex", "unified", "without its frame", "before its frame", "prose", "empty"],
)
def test_the_header_lines_name_the_files(text, paths):
    assert patch_paths(text) == paths


def test_a_guard_sees_what_happens_to_each_file():
    found = dict(patch_paths(CODEX).operations)
    assert found["kept.py"] == {"change"}
    assert found["gone.py"] == found["old name.py"] == {"change", "delete"}


def test_the_format_of_codex_has_a_frame():
    assert is_apply_patch(CODEX)
    assert not is_apply_patch(DIFF)


@examples(200)
@given(st.text(alphabet="*+- \n\tab/:BeginPatchUdFl", max_size=80))
def test_what_is_created_is_among_what_is_changed(text):
    found = patch_paths(text)
    assert {*found.created} <= {*found.changed}
