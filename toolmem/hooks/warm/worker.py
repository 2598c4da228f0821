"""A child of the helper that answers one call of a tool after the other.

A new child shares its memory with the helper and copies each page that it touches,
which takes twice the time of an answer. A worker has copied them. It goes on after
events that leave nothing behind in a process, and ends after any other: the next
connection gets a new one.
"""

import os
import socket
from collections.abc import Callable
from typing import NoReturn

_MOST_CONNECTIONS = 500
"""Garbage is not collected in a worker; it ends instead."""


class Worker:
    """The helper's end of a worker."""

    def __init__(self, answer: Callable[[socket.socket], bool]) -> None:
        """``answer`` handles a connection, and returns whether the worker goes on."""
        self.channel, other = socket.socketpair()
        with other:
            if os.fork() == 0:
                self.channel.close()
                _serve(other, answer)
        self._is_idle = True

    def give(self, talking: socket.socket) -> bool:
        """Pass a connection on; False if the worker has another one, or is gone."""
        if not self._is_idle:
            return False
        self._is_idle = False
        try:
            socket.send_fds(self.channel, [b"."], [talking.fileno()])
        except OSError:
            return False
        return True

    def take_note(self) -> bool:
        """Read that a connection was answered; False if the worker has ended."""
        try:
            self._is_idle = bool(self.channel.recv(1))
        except OSError:
            return False
        return self._is_idle


def _serve(channel: socket.socket, answer: Callable[[socket.socket], bool]) -> NoReturn:
    try:
        for _ in range(_MOST_CONNECTIONS):
            given = socket.recv_fds(channel, 1, 1)[1]
            if not given:  # the helper has ended
                break
            with socket.socket(fileno=given[0]) as talking:
                goes_on = answer(talking)
            os.chdir("/")  # the client's folder may be deleted or unmounted
            if not goes_on:
                break
            channel.send(b".")
    except (OSError, ValueError):
        pass  # the client goes on without this helper
    finally:
        os._exit(0)
