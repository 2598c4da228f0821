"""The user's own model command: a program that text is piped through.

It is named in the user's configuration only, never in a vault; it runs without
a shell, within a time limit, and its failure is told, not hidden.
"""

import subprocess
from collections.abc import Mapping
from typing import NamedTuple

from toolmem.store.files.settings import SettingValue


class Model(NamedTuple):
    """A command (argument list) and how many seconds it may take."""

    command: tuple[str, ...]
    seconds: float


class ModelAnswer(NamedTuple):
    """What the model wrote, or why there is nothing."""

    text: str = ""
    failure: str = ""


def model_of(settings: Mapping[str, SettingValue]) -> Model | None:
    """The user's model command, or None."""
    command = settings["model.command"].value
    if not command:
        return None
    return Model(tuple(command), float(settings["model.seconds"].value))


def ask(model: Model, text: str) -> ModelAnswer:
    """Pipe a text through the command."""
    try:
        done = subprocess.run(
            model.command,
            input=text.encode(),
            capture_output=True,
            timeout=model.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ModelAnswer(failure=f"took longer than {model.seconds:g} s")
    except OSError as error:
        return ModelAnswer(failure=f"cannot be run: {error.strerror}")
    answer = done.stdout.decode("utf-8", "replace").strip()
    if done.returncode:
        return ModelAnswer(failure=f"ended with {done.returncode}")
    return ModelAnswer(answer) if answer else ModelAnswer(failure="wrote nothing")
