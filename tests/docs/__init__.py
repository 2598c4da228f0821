"""Manual page, completions and agents' plugins, generated from the program."""

from typer.core import TyperGroup

from tests.docs.integrations import integrations
from tests.docs.manual import manual
from tests.docs.shells import completion_scripts


def generated(program: TyperGroup) -> dict[str, str]:
    """Path → content of every file that is generated from the program."""
    scripts = completion_scripts()
    return {
        "man/toolmem.1": manual(program),
        **{f"completions/{name}": text for name, text in scripts.items()},
        **{f"integrations/{name}": text for name, text in integrations().items()},
    }
