"""Work shared among several processes, which are made from this one and so have read what it has read.

They take the next part whenever they are free and send back what they made of it. A part that no process brings back,
because it failed or was killed, is done once more here, where its failure can be told. If this process is killed, the
others end too, for nobody reads what they send.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import selectors
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

P = TypeVar("P")
R = TypeVar("R")

WORD = 4
"""Bytes of a number in a pipe."""
MOST_PARTS = 10_000
"""The numbers of so many parts fit into a pipe at once."""


def shared(work: Callable[[P], R], parts: Sequence[P], jobs: int) -> Iterator[tuple[int, R]]:
    """The number of each part with what `work` makes of it, in any order; in `jobs` processes where that is possible.

    It is on Linux, if there is more than one part and no thread besides this one; macOS offers no safe way to copy a
    process. What `work` returns has to be fit for pickling. Raises whatever `work` raises.
    """
    many = min(jobs, len(parts))
    forks = sys.platform == "linux" and many > 1 and len(parts) <= MOST_PARTS and threading.active_count() == 1
    missing = dict.fromkeys(range(len(parts)))
    if forks:
        for n, result in _elsewhere(work, parts, many):
            del missing[n]
            yield n, result
    for n in missing:
        yield n, work(parts[n])


def _elsewhere(work: Callable[[P], R], parts: Sequence[P], many: int) -> Iterator[tuple[int, R]]:
    """The parts that other processes bring back."""
    todo, numbers = os.pipe()
    os.write(numbers, b"".join([n.to_bytes(WORD) for n in range(len(parts))]))
    os.close(numbers)
    processes: list[int] = []
    readers: list[int] = []
    gc.freeze()  # what is not touched by the garbage collector need not be copied
    try:
        for _ in range(many):
            reader, writer = os.pipe()
            pid = os.fork()
            if not pid:
                for other in (reader, *readers):
                    os.close(other)
                _work_off(work, parts, todo, writer)
            os.close(writer)
            processes.append(pid)
            readers.append(reader)
        yield from _results(readers)
    except BaseException:
        for pid in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        raise
    finally:
        gc.unfreeze()
        for handle in (todo, *readers):
            os.close(handle)
        for pid in processes:
            os.waitpid(pid, 0)


def _work_off(work: Callable[[Any], Any], parts: Sequence[Any], todo: int, writer: int) -> NoReturn:
    """Work of another process: parts, until all are taken or one fails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits for it is told, and ends it
    with contextlib.suppress(BaseException):
        while number := os.read(todo, WORD):
            content = pickle.dumps(work(parts[int.from_bytes(number)]), pickle.HIGHEST_PROTOCOL)
            for part in (number, len(content).to_bytes(2 * WORD), content):
                _write(writer, part)
    os._exit(0)


def _write(writer: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(writer, left) :]


def _results(readers: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """The results as they come in, until all processes have ended."""
    with selectors.DefaultSelector() as selector:
        for reader in readers:
            selector.register(reader, selectors.EVENT_READ)
        waiting = len(readers)
        while waiting:
            for key, _ in selector.select():
                number, size = _read(key.fd, WORD), _read(key.fd, 2 * WORD)
                content = _read(key.fd, int.from_bytes(size))
                if size and len(content) == int.from_bytes(size):
                    yield int.from_bytes(number), pickle.loads(content)
                else:
                    selector.unregister(key.fd)
                    waiting -= 1


def _read(reader: int, size: int) -> bytes:
    """So many bytes; fewer if there are no more."""
    content = bytearray()
    while len(content) < size and (more := os.read(reader, min(size - len(content), 1 << 20))):
        content += more
    return bytes(content)
