"""The sizes of a report are those of each scope's block, made by itself."""

import tempfile
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.ops.test_any_vault import CONTENTS, PATHS, build
from toolmem.core.scope import chain_of
from toolmem.core.text.tokens import estimate_tokens
from toolmem.core.visibility import Audience
from toolmem.ops.prompt.build import PromptRequest, build_prompt
from toolmem.ops.reports.budgets import block_sizes
from toolmem.ops.rules.listing import every_file
from toolmem.store.files import layout
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

_MORE = st.sampled_from(
    [
        *(f"projects/q/{name}" for name in ("facts.md", "rules/shell/x.toml")),
        *("projects/r/memory/a.md", "projects/s/overrides/t/facts.md"),
        *("agents/b/memory/b.md", "projects/p/overrides/u.md", "projects/v/x.md"),
        *("agent-types/u/guidance/a.md", "projects/q/guidance/c.md"),
    ]
)
_PRIVATE = st.just("---\nprivate: true\n---\n# Kiln\n")
_FILES = st.dictionaries(
    st.one_of(PATHS, _MORE).filter(lambda path: path != "toolmem.toml"),
    st.one_of(CONTENTS, _PRIVATE),
    max_size=12,
)
_SETTINGS = st.sampled_from([{}, {"project": "p", "agent_type": "t"}])


def _sizes_one_by_one(vault: Vault) -> list[tuple[str, dict[str, int]]]:
    found = []
    for scope in layout.all_scopes(vault.tree):
        block = build_prompt(vault.with_chain(chain_of(scope)), PromptRequest())
        sizes: Counter[str] = Counter()
        for part in block.parts:
            sizes[part.kind] += sum(estimate_tokens(item.text) for item in part.items)
        parts = {kind: tokens for kind, tokens in sizes.items() if tokens}
        found.append((str(scope), parts))
    return found


@examples(150)
@given(files=_FILES, audience=st.sampled_from(list(Audience)), settings=_SETTINGS)
def test_each_size_is_that_of_the_block_by_itself(files, audience, settings):
    with tempfile.TemporaryDirectory() as folder:
        world = build(folder, files)
        found = find_vault({"vault": str(world.root), **settings}, world.root)
        vault = Vault.open(found, world.now, audience)
        sizes = block_sizes(vault, every_file(vault))
        assert [tuple(one) for one in sizes] == _sizes_one_by_one(vault)
        # The order of the parts is that of the blocks.
        alone = [list(parts) for _, parts in _sizes_one_by_one(vault)]
        assert [list(one.parts) for one in sizes] == alone
