"""goose: the block in the file of hints that it reads."""

from toolmem.core.agents.wiring import Wiring

WIRING = Wiring(
    "goose",
    ".goosehints",
    ".config/goose/.goosehints",
    shape="section",
    note="goose is shown the rules, its calls are not checked: run this again "
    "when rules change",
    moved=("XDG_CONFIG_HOME", ".config/"),
    programs=("goose",),
)
