"""Read a transcript for capture, from the position of the last run."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

from toolmem.core.candidates.judging import NO_ANSWERS, JudgeAnswer
from toolmem.core.model import Scope
from toolmem.core.transcript import read
from toolmem.core.transcript.events import START, Session, Transcript
from toolmem.core.transcript.fields import clean
from toolmem.core.transcript.records import Lines
from toolmem.core.turns.places import StoredTurn, TurnMark, mark_of, same_message
from toolmem.ops.session.messages import NumberedTurn, marks_in_order, place_turns
from toolmem.store.state.notebook import Notebook
from toolmem.store.state.turn_log import logged_marks, turns_of_others
from toolmem.store.vault.transcripts import (
    Bookmark,
    bookmark,
    find_bookmark,
    go_to,
    load_bookmark,
    open_transcript,
)


class CaptureRequest(NamedTuple):
    """Source and options of a capture.

    ``path`` is the transcript's file; without one ``lines`` are its content, or
    ``transcript`` is what was read of it.
    ``new_run`` names a run whose session is not known, and ``cwd`` is the folder
    that files are seen from where the transcript names none. ``agent`` is whose
    tools they are, if its form does not show it; ``called`` are those of the turn
    before the first, ``used`` all before it. ``live`` says that an agent is there
    to judge candidates; with ``asked`` a person named the scope;
    ``answers`` are those of a judge that was asked before.
    """

    scope: Scope
    new_run: Callable[[], str]
    path: Path | None = None
    lines: Lines = b""
    transcript: Transcript | None = None
    format: str = "auto"
    tools: tuple[str, ...] = ()
    session: str = ""
    cwd: str = ""
    since_last: bool = False
    dry_run: bool = False
    agent: str = ""
    called: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    live: bool = False
    asked: bool = False
    answers: Mapping[str, JudgeAnswer] = NO_ANSWERS


class LoadedTranscript(NamedTuple):
    """A transcript that was read: its turns in their places in the session.

    ``session`` is its id, empty where none is known; ``key`` is what local state
    calls it and ``place`` what evidence does. ``path`` names its file, if it has
    one. ``known`` has for each turn that was stored before its mark and whether it
    was searched for decrees. ``every`` turn is there, those that repeat another
    session's, too.
    """

    transcript: Transcript
    every: tuple[NumberedTurn, ...]
    session: str
    key: str
    place: str
    cwd: str
    known: Mapping[int, tuple[TurnMark, bool]]
    path: str = ""
    bookmark: Bookmark | None = None

    @property
    def placed(self) -> tuple[NumberedTurn, ...]:
        """The turns of this session."""
        return tuple(placed for placed in self.every if placed.first is None)

    def captured_before(self) -> frozenset[str]:
        """The keys of the messages that were searched for decrees before."""
        return frozenset(
            f"{self.key}#{number}"
            for number, turn, _ in self.placed
            if (known_turn := self.known.get(number)) and known_turn[1]
            if same_message(known_turn[0], turn)
        )

    @property
    def is_logged(self) -> bool:
        """Return whether its turns can be found again, by a session or file."""
        return bool(self.session or self.path)


def read_for(request: CaptureRequest, notebook: Notebook) -> LoadedTranscript:
    """Read the transcript of a request.

    Raises ``StorageError`` for its file, and ``UsageError`` for a format that does
    not exist and for text that has none.
    """
    request = request._replace(session=clean(request.session), cwd=clean(request.cwd))
    if request.transcript is not None:
        return _reading(request, notebook, request.transcript)
    if request.path is None:
        transcript = read.read_transcript(request.lines, format=request.format)
        return _reading(request, notebook, transcript)
    with open_transcript(request.path) as file:
        if file.seekable():
            return _read_file(request, notebook, file, request.path)
        transcript = read.read_transcript(file, format=request.format)
        return _reading(request, notebook, transcript)


def _read_file(
    request: CaptureRequest, notebook: Notebook, file: BinaryIO, place: Path
) -> LoadedTranscript:
    path = clean(str(place.resolve()))
    left = go_to(file, _left(request, notebook, path) if request.since_last else None)
    name = left.format if left and request.format == "auto" else request.format
    start = left.position if left else START
    transcript = read.read_transcript(file, format=name, start=start)
    about = _known_session(transcript.session, left.session if left else None)
    transcript = transcript._replace(session=about)
    before = left.turns if left else 0
    mark = bookmark(file, transcript.turns, before, transcript.format, about)
    return _reading(request, notebook, transcript, path, left, mark)


def _left(request: CaptureRequest, notebook: Notebook, path: str) -> Bookmark | None:
    session = request.session
    if session:
        return notebook.read(lambda state: load_bookmark(state, session, path))
    return notebook.read(lambda state: find_bookmark(state, path))


def _reading(
    request: CaptureRequest,
    notebook: Notebook,
    transcript: Transcript,
    path: str = "",
    left: Bookmark | None = None,
    mark: Bookmark | None = None,
) -> LoadedTranscript:
    read.require_format(transcript)
    session = request.session or transcript.session.id
    key = _key(session, transcript, path) or f"run:{request.new_run()}"
    place = f"session {session}" if session else path.replace("\\", "/")
    place = place if session else place.rpartition("/")[2]
    known = notebook.read(lambda state: logged_marks(state, key)) or {}
    marks = marks_in_order(
        {index: turn_mark for index, (turn_mark, _) in known.items()}
    )
    before = left.turns if left else None
    is_whole = not before and not transcript.session.subagent
    others = _others(notebook, key, transcript) if is_whole else ()
    placed = place_turns(transcript.turns, marks, before, others)
    if any(part.turn.index >= 0 and part.number in known for part in placed):
        # What ran before a message that is known was counted with the turn before it.
        placed = tuple(
            part for part in placed if part.turn.index >= 0 or part.number < 0
        )
    if placed and placed[-1].first:
        mark = None  # a turn that is read alone does not show whose it is
    cwd = transcript.session.cwd or request.cwd
    return LoadedTranscript(
        transcript, placed, session, key, place, cwd, known, path, mark
    )


def _others(
    notebook: Notebook, key: str, transcript: Transcript
) -> tuple[StoredTurn, ...]:
    """Return the turns of other sessions that have messages of a transcript."""
    messages = (mark_of(turn, 0).message for turn in transcript.turns)
    checksums = {message.partition(":")[0] for message in messages}
    return notebook.read(lambda state: turns_of_others(state, key, checksums)) or ()


def _key(session: str, transcript: Transcript, path: str) -> str:
    """Return the name of a transcript's turns in local state; empty if it has none.

    The turns of a sub-agent, and a file of calls without any message, have no place
    among those of the session that they belong to.
    """
    subagent = transcript.session.subagent
    has_message = any(turn.index >= 0 for turn in transcript.turns)
    if session and not subagent and (has_message or not path):
        return session
    if path:
        return f"file:{path}"
    if session and transcript.turns:
        mark = mark_of(transcript.turns[0])
        return f"{session}/{mark.message or f'{mark.digest:08x}'}"
    return session


def _known_session(now: Session, before: Session | None) -> Session:
    """Return the session named at the start of a transcript, else in its new part."""
    if before is None:
        return now
    names = {name: getattr(before, name) or getattr(now, name) for name in _NAMES}
    return now._replace(**names)


_NAMES = ("agent", "id", "cwd", "subagent", "tools")
