"""Pipe text through commands of the user: a model, a judge.

They are set in the user's configuration only, never in a vault; each runs without a
shell, within a time limit, and its failure is reported.
"""

import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from toolmem.store.files.settings import SettingValue

_POSIX = os.name == "posix"
_REASON_CHARS = 200
"""Characters of a command's last line on standard error that a message shows."""


class ModelCommand(NamedTuple):
    """A command (argument list) and its time limit in seconds."""

    command: tuple[str, ...]
    seconds: float


class ModelAnswer(NamedTuple):
    """The text that the command wrote, or the reason of a failure."""

    text: str = ""
    failure: str = ""


def model_of(settings: Mapping[str, SettingValue]) -> ModelCommand | None:
    """Return the user's model command, or None."""
    return _command(settings, "model.command", "model.seconds")


def judge_of(settings: Mapping[str, SettingValue]) -> ModelCommand | None:
    """Return the user's judge of candidates, or None."""
    return _command(settings, "capture.judge", "capture.judge_seconds")


def _command(
    settings: Mapping[str, SettingValue], name: str, seconds: str
) -> ModelCommand | None:
    command = settings[name].value
    if not command:
        return None
    return ModelCommand(tuple(command), float(settings[seconds].value))


def ask(model: ModelCommand, text: str) -> ModelAnswer:
    """Pipe a text through the command; end all its processes at the time limit."""
    try:
        process = subprocess.Popen(
            model.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=_POSIX,
        )
    except OSError as error:
        return ModelAnswer(failure=f"cannot be run: {error.strerror}")
    except ValueError:
        return ModelAnswer(
            failure="cannot be run: its arguments contain a NUL character"
        )
    with process:
        try:
            out, err = process.communicate(text.encode(), timeout=model.seconds)
        except subprocess.TimeoutExpired:
            _end(process)
            return ModelAnswer(failure=f"took longer than {model.seconds:g} s")
        except BaseException:
            _end(process)
            raise
    answer = out.decode("utf-8", "replace").strip()
    if process.returncode:
        return ModelAnswer(failure=f"ended with {process.returncode}{_last_line(err)}")
    return ModelAnswer(answer) if answer else ModelAnswer(failure="wrote nothing")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a command and its processes, so that no pipe stays open."""
    if _POSIX:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _last_line(err: bytes) -> str:
    lines = err[-4000:].decode("utf-8", "replace").strip().splitlines()
    return f" ({lines[-1].strip()[:_REASON_CHARS]})" if lines else ""
