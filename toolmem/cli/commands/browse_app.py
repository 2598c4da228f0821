"""The terminal browser: a tree of the vault, one thing in full, and a search.

Texts of a vault are shown as they are: never as markup, and with control and
invisible characters spelt out.
"""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Key
from textual.widgets import (
    ContentSwitcher,
    Footer,
    Header,
    Input,
    OptionList,
    Static,
    Tree,
)
from textual.widgets.option_list import Option
from textual.widgets.tree import TreeNode
from textual.worker import get_current_worker

from toolmem.cli.output import show
from toolmem.core.model import Scope
from toolmem.core.text.safetext import spell_out
from toolmem.errors import ToolmemError
from toolmem.ops.history import review
from toolmem.ops.history.review import PendingProposal
from toolmem.ops.reports import browse
from toolmem.ops.reports.browse import Leaf
from toolmem.store.vault.vault import Vault

_PLURALS = {"rule": "Rules", "fact": "Facts", "memory": "Memories", "text": "Texts"}
_MOST = 1000
"""Things of one kind that are listed: the search finds the others."""
_WELCOME = (
    "Arrows and Enter walk the tree; / searches as you type; p shows the prompt of "
    "the scope; w what waits for review; q quits."
)

Node = TreeNode[object]


class Group(tuple[Scope, str]):
    """A scope and a kind: what a node of the tree opens to."""


def plain(text: str) -> Text:
    """A text of the vault as it is shown: no markup, nothing invisible."""
    return Text(spell_out(text))


def line(text: str) -> Text:
    """The same in one line."""
    return Text(show(text), no_wrap=True, overflow="ellipsis")


class Browser(App[None]):
    """The application; ``vault`` is reopened for everything that is shown."""

    TITLE = "toolmem"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #left { width: 45%; border-right: solid $primary-darken-2; }
    #tree, #hits { height: 1fr; border: none; }
    #detail { width: 1fr; padding: 0 1; }
    Input { height: 3; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", priority=True),
        Binding("escape", "tree", "Tree"),
        Binding("p", "prompt", "Prompt"),
        Binding("w", "waiting", "Waiting"),
        Binding("a", "accept", "Accept"),
        Binding("x", "reject", "Reject"),
        Binding("r", "reload", "Reload"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, vault: Vault) -> None:
        """``vault`` is open on disk."""
        super().__init__()
        self._vault = vault
        self._hits: tuple[Leaf, ...] = ()
        self._scope: Scope | None = None

    def compose(self) -> ComposeResult:
        """The widgets, top to bottom."""
        yield Header(show_clock=False)
        yield Input(placeholder="Search", id="search")
        with Horizontal():
            with ContentSwitcher(initial="tree", id="left"):
                yield Tree[object](line(str(self._vault.root.name)), id="tree")
                yield OptionList(id="hits", markup=False)
            with VerticalScroll(id="detail"):
                yield Static(plain(_WELCOME), id="text", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Fill the tree and begin there."""
        self.sub_title = spell_out(str(self._vault.root))
        self._fill()
        self.query_one("#tree", Tree).focus()

    def action_reload(self) -> None:
        """Reopen the vault."""
        self._fill()

    def action_search(self) -> None:
        """Go to the search line; what is typed right after it belongs there."""
        self.set_focus(self.query_one(Input))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In the search line a slash is a slash."""
        return action != "search" or not isinstance(self.focused, Input)

    def on_key(self, event: Key) -> None:
        """From the search line an arrow goes down to what was found."""
        left = self.query_one(ContentSwitcher).current
        if event.key == "down" and isinstance(self.focused, Input) and left == "hits":
            self.set_focus(self.query_one("#hits", OptionList))

    def action_tree(self) -> None:
        """Go back to the tree, and forget what was searched."""
        self.query_one(Input).value = ""
        self.query_one(ContentSwitcher).current = "tree"
        self.query_one("#tree", Tree).focus()

    def action_prompt(self) -> None:
        """Show the prompt block of the scope selected in the tree."""
        scope = self._scope or Scope("system")
        block = browse.prompt_of(self._vault.fresh(), scope)
        self._show(f"Prompt of {scope}:\n\n{block}")

    def action_waiting(self) -> None:
        """Open the queue of proposals."""
        self.action_tree()
        for node in self._tree.root.children:
            if node.data == "waiting":
                node.expand()
                self._tree.move_cursor(node)

    def action_accept(self) -> None:
        """Make the change of the proposal that is shown."""
        self._decide(review.accept_proposal, "accepted")

    def action_reject(self) -> None:
        """Turn down the proposal that is shown."""
        self._decide(review.reject_proposal, "rejected")

    @on(Tree.NodeHighlighted)
    def _look(self, event: Tree.NodeHighlighted[object]) -> None:
        data = event.node.data
        if isinstance(data, Leaf):
            self._scope = data.scope
            self._show(browse.details(self._vault.fresh(), data))
        elif isinstance(data, PendingProposal):
            self._show(browse.waiting_details(data))
        elif isinstance(data, Scope):
            self._scope = data
        elif isinstance(data, Group):
            self._scope = data[0]

    @on(Tree.NodeExpanded)
    def _open(self, event: Tree.NodeExpanded[object]) -> None:
        node = event.node
        if isinstance(node.data, Group) and not node.children:
            leaves = browse.leaves(self._vault.fresh(), *node.data)
            for leaf in leaves[:_MOST]:
                node.add_leaf(line(leaf.label), leaf)
            if len(leaves) > _MOST:
                more = f"and {len(leaves) - _MOST} more: search for them with /"
                node.add_leaf(line(more))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        question = event.value.strip()
        left = self.query_one(ContentSwitcher)
        if not question:
            left.current = "tree"
            return
        left.current = "hits"
        self._search(question)

    @on(Input.Submitted)
    def _to_hits(self) -> None:
        if self.query_one(ContentSwitcher).current == "hits":
            self.set_focus(self.query_one("#hits", OptionList))

    @on(OptionList.OptionHighlighted)
    def _hit(self, event: OptionList.OptionHighlighted) -> None:
        if 0 <= event.option_index < len(self._hits):
            leaf = self._hits[event.option_index]
            self._scope = leaf.scope or self._scope
            self._show(browse.details(self._vault.fresh(), leaf))

    @work(thread=True, exclusive=True)
    def _search(self, question: str) -> None:
        """Look for what was typed, off the thread that answers keys."""
        worker = get_current_worker()
        try:
            hits, notice = browse.find(self._vault.fresh(), question), ""
        except ToolmemError as error:
            hits, notice = (), str(error)
        if not worker.is_cancelled:
            self.call_from_thread(partial(self._found, hits, notice))

    def _found(self, hits: tuple[Leaf, ...], notice: str) -> None:
        self._hits = hits
        options = self.query_one("#hits", OptionList)
        options.clear_options()
        options.add_options([Option(line(hit.label)) for hit in hits])
        if hits:
            options.highlighted = 0
        else:
            self._show(notice or "nothing found")

    @property
    def _tree(self) -> Tree[object]:
        return self.query_one("#tree", Tree)

    def _fill(self) -> None:
        tree, vault = self._tree, self._vault.fresh()
        tree.clear()
        tree.root.expand()
        proposals = browse.waiting(vault)
        queue = tree.root.add(line(f"Waiting ({len(proposals)})"), "waiting")
        for pending in proposals:
            queue.add_leaf(
                line(pending.proposal.rule or pending.proposal.sentence), pending
            )
        for scope in browse.scopes(vault):
            node = tree.root.add(
                plain(str(scope)), scope, expand=scope.kind == "system"
            )
            for kind in browse.KINDS:
                node.add(line(_PLURALS[kind]), Group((scope, kind)))

    def _show(self, text: str) -> None:
        self.query_one("#text", Static).update(plain(text))
        self.query_one("#detail", VerticalScroll).scroll_home(animate=False)

    def _decide(self, decide: Callable[[Vault, str], object], done: str) -> None:
        at = self._tree.cursor_node
        chosen = at.data if at is not None else None
        if not isinstance(chosen, PendingProposal) or not self._tree.has_focus:
            self.notify("no proposal is shown: w opens the queue", markup=False)
            return
        try:
            decide(self._vault.fresh(), chosen.proposal.id)
        except ToolmemError as error:
            self.notify(spell_out(str(error)), severity="error", markup=False)
            return
        self.notify(done, markup=False)
        self._fill()
        self.call_after_refresh(self.action_waiting)
