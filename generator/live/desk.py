"""The desk: a game as its files say it now, every face drawn when what it depends on changed, and the last good ones.

One thread does the work, faces in view first; the page's questions are answered from what is on the desk.
"""

from __future__ import annotations

import gc
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from components.errors import DefinitionError, Problem
from generator.build.drawing import merged
from generator.build.facecache import FaceCache, FaceKeys, Stored, load_face
from generator.build.incremental import program_digest
from generator.build.options import Options
from generator.build.pieceplaces import placed
from generator.build.places import Places
from generator.faces.display import DisplayList
from generator.faces.facemaker import FaceError
from generator.live.blame import blamed, boxes
from generator.live.cards import Fault, Ink, Slot, cards_of, fault
from generator.live.pictures import face_picture
from generator.live.states import Files, Shown, State, digest_of, fonts_of, slots
from generator.live.variants import Variants
from generator.proofing.extents import Spot

Publish = Callable[[str, Any], None]
INKS = ("normal", "low")
BATCH = 0.06
"""Seconds after which drawn faces are told."""
SAVE = 40
"""So many newly drawn faces are worth writing the cache at once; fewer are written at the end."""
PICTURES = 400
"""Pictures kept as they are sent."""
OLD = 300
"""Faces that are no longer shown and still kept, to compare."""


class Desk:
    """One game on its page. `publish` tells the pages, `failed` is told of faults of ours; everything else may be
    called from any thread."""

    def __init__(
        self,
        game: str,
        options: Options,
        places: Places,
        publish: Publish,
        failed: Callable[[BaseException], None],
    ) -> None:
        self.id = game
        self.options = options
        self.places = places
        self.publish = publish
        self._failed = failed
        self.lock = threading.RLock()
        self.state: State | None = None
        self.inks = {"normal": Ink()}
        self.faults: list[Fault] = []
        self.view: list[str] = []
        """The cards that somebody looks at."""
        self.drawn = 0
        """Faces drawn since the desk was set up."""
        self.looked = 0
        """The number of times the files were read."""
        self._boxes: dict[tuple[Slot, Problem, str], list[Spot]] = {}
        self.variants = Variants(self)
        self._unread: list[Problem] = []
        """The problems that keep the files from being read as a whole."""
        self._faces: OrderedDict[str, Shown] = OrderedDict()
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._files = Files(game, options, places)
        self._program = program_digest()
        self._cache: FaceCache | None = None
        self._fresh = 0
        self._wake = threading.Event()
        self._again = True
        self._working = False
        self._end = False
        self._thread = threading.Thread(target=self._work, daemon=True)

    # --- what the server calls

    def start(self) -> None:
        self._thread.start()
        self._wake.set()

    def stop(self) -> None:
        """End, and keep what was drawn for the next time."""
        self._end = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(10)
        if self._cache is not None:
            self._cache.save()

    def changed(self) -> None:
        """Files may have changed."""
        self._again = True
        self._wake.set()

    def ask_for(self, options: Options) -> None:
        """Show the game as other options make it."""
        self.options = options
        self._files.ask_for(options)
        self.changed()

    def look_at(self, cards: Iterable[str], ink: str) -> None:
        """Draw these before all others."""
        with self.lock:
            self.view = list(cards)
            if ink in INKS and ink not in self.inks:
                self.inks[ink] = Ink()
                self._again = True
        self._wake.set()

    def gallery(self, ink: str) -> dict[str, Any]:
        """Everything a page shows at first."""
        with self.lock:
            own = self.inks.get(ink) or self.inks["normal"]
            return {
                "game": self.id,
                "title": self.state.game.title if self.state else self.id,
                "cards": list(own.cards.values()),
                "faults": self.faults,
                "variants": self.variants.told(),
                "waiting": sum(map(len, own.waiting.values())),
            }

    def picture(self, digest: str) -> bytes | None:
        """The SVG of a face that is or was on the desk."""
        with self.lock:
            if digest in self._pictures:
                self._pictures.move_to_end(digest)
                return zlib.decompress(self._pictures[digest])
            kept = self._faces.get(digest)
            if kept is None:
                return None
            # within the lock: a font reads its outlines when they are first asked for, and must not be asked twice
            made = face_picture(load_face(kept.stored), kept.fonts).encode()
            self._pictures[digest] = zlib.compress(made, 1)
            while len(self._pictures) > PICTURES:
                self._pictures.popitem(last=False)
        return made

    def face(self, digest: str) -> tuple[DisplayList, State] | None:
        """A face, and the files as they were when it was good."""
        with self.lock:
            kept = self._faces.get(digest)
        return (load_face(kept.stored), kept.state) if kept and kept.state else None

    def digest(self, slot: Slot, ink: str) -> str:
        """The face that is shown there."""
        with self.lock:
            return self.inks[ink].shown.get(slot, "") if ink in self.inks else ""

    def hash(self, slot: Slot, ink: str) -> str:
        """The hash of the face that is shown there, as builds know it."""
        with self.lock:
            kept = self._faces.get(self.digest(slot, ink))
        return kept.stored.hash if kept else ""

    def keys(self, state: State, ink: str) -> dict[Slot, str]:
        """The dependencies of every face in some state of the files."""
        assert self._cache is not None
        with self.lock:
            keys = FaceKeys(state.game, state.layouts, self._program, ink, self._cache)
            found = dict(slots(state, keys))
            if state is not self.state:
                state.take_over(self.state, ink, keys)
        return found

    def apart(self, state: State, ink: str, slot: Slot, key: str) -> str:
        """The digest of a face as it would be, which is drawn if need be; empty if it cannot be drawn."""
        assert self._cache is not None
        with self.lock:
            stored = self._cache.get(key)
            if stored is None:
                made = self._made(state, ink, slot)
                if not isinstance(made, Stored):
                    return ""
                stored = self._cache.put(key, made)
            return self._keep(stored, state)

    def kept(self, stored: Stored, state: State) -> str:
        """The digest of a face that was drawn elsewhere, which the page may now ask for."""
        with self.lock:
            digest = digest_of(stored, state)
            return digest if digest in self._faces else self._keep(stored, state)

    def busy(self) -> bool:
        """True if something is still to be read or drawn."""
        return self._again or self._working

    def until_seen(self, seconds: float) -> None:
        """Wait until the faces that somebody looks at are drawn, but no longer than this."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self._end and self._to_be_seen():
            time.sleep(0.01)

    def _to_be_seen(self) -> bool:
        with self.lock:
            return self._again or any(True for ink in self.inks.values() for _ in self._in_view(ink))

    # --- the work

    def _work(self) -> None:
        while not self._end:
            self._wake.wait()
            self._wake.clear()
            while self._again and not self._end:
                self._working, self._again = True, False
                try:
                    self.read()
                    self._draw()
                except Exception as error:  # a fault of ours at one save must not be the end of all others
                    self._failed(error)
                self._working = False
                if self.looked == 1:
                    gc.freeze()  # what was read stays; looking through it at every save takes longer than drawing

    def read(self) -> None:
        """Read the files, and find out which faces are to be drawn."""
        started = time.perf_counter()
        try:
            state = self._files.read(self.state)
        except (DefinitionError, OSError) as error:
            self._tell_unread(error)
            return
        with self.lock:
            self._unread = []
            self._boxes.clear()
            before, self.state = self.state, state
            if self._cache is None:
                self._cache = FaceCache(self.places.faces(self.id), state.layouts.look.root)
            self._cache.look_again()
            for name, ink in self.inks.items():
                self._plan(name, ink, state, before)
            self.looked += 1
            self.variants.tell()
        self.publish("read", self.looked)
        self._tell(started)

    def inputs(self) -> list[Path]:
        """Pictures and fonts of the project that faces show, wherever they lie."""
        with self.lock:
            if self.state is None:
                return []
            root = self.state.layouts.look.root
            shown = {digest for ink in self.inks.values() for digest in ink.shown.values()}
            pictures = {name for digest in shown if (kept := self._faces.get(digest)) for name in kept.stored.pictures}
            return [*(root / name for name in sorted(pictures)), *fonts_of(self.state.layouts)]

    def _plan(self, name: str, ink: Ink, state: State, before: State | None) -> None:
        """Plan the drawing in one ink."""
        assert self._cache is not None
        keys = FaceKeys(state.game, state.layouts, self._program, name, self._cache, ink.memo)
        ink.waiting = {}
        ink.keys, ink.of_card = {}, {}
        for slot, key in slots(state, keys):
            ink.keys[slot] = key
            stored = self._cache.get(key)
            if stored is not None and ink.good.get(slot) == key:
                ink.bad.pop(slot, None)
                self._faces[ink.shown[slot]].state = state
            elif stored is not None:
                self._put(ink, slot, key, stored, state)
            else:
                ink.waiting.setdefault(key, []).append(slot)
                ink.of_card.setdefault(slot.id, []).append(key)
        state.take_over(before, name, keys)
        for gone in [slot for slot in (*ink.shown, *ink.bad) if slot not in ink.keys]:
            for kept in (ink.shown, ink.good, ink.bad):
                kept.pop(gone, None)

    def _put(self, ink: Ink, slot: Slot, key: str, stored: Stored, state: State) -> None:
        ink.shown[slot], ink.good[slot] = self._keep(stored, state), key
        ink.bad.pop(slot, None)

    def _keep(self, stored: Stored, state: State) -> str:
        """The digest under which a face is sent."""
        digest = digest_of(stored, state)
        self._faces[digest] = Shown(stored, state.layouts.fonts, state)
        self._faces.move_to_end(digest)
        return digest

    def _draw(self) -> None:
        """Draw what is waiting, as long as nothing changes."""
        told = started = time.perf_counter()
        pause = BATCH
        while not self._end and not self._again:
            with self.lock:
                found = self._next()
            if found is None:
                break
            name, ink, key, slots = found
            state = self.state
            assert state is not None and self._cache is not None
            with self.lock:
                made = self._made(state, name, slots[0])
                ink.waiting.pop(key, None)
                if isinstance(made, Stored):
                    self._cache.put(key, made)
                for slot in slots:
                    if isinstance(made, Stored):
                        self._put(ink, slot, key, made, state)
                    else:
                        ink.bad[slot] = made
            self.drawn += 1
            self._fresh += 1
            if time.perf_counter() - told > pause:
                begun = time.perf_counter()
                self._tell(started)
                told = time.perf_counter()
                pause = max(BATCH, 4 * (told - begun))  # telling thousands of cards takes its time, too
        self._tell(started)
        if self._fresh >= SAVE and not self._again and self._cache is not None:
            with self.lock:
                self._cache.save()
            self._fresh = 0

    def _next(self) -> tuple[str, Ink, str, list[Slot]] | None:
        """The next face to be drawn: one in view, if there is one."""
        for name, ink in self.inks.items():
            if ink.waiting:
                key = next(self._in_view(ink), None) or next(iter(ink.waiting))
                return name, ink, key, ink.waiting[key]
        return None

    def _in_view(self, ink: Ink) -> Iterator[str]:
        """The waiting faces of cards that somebody looks at."""
        return (key for id_ in self.view for key in ink.of_card.get(id_, ()) if key in ink.waiting)

    def _made(self, state: State, ink: str, slot: Slot) -> Stored | list[Problem]:
        assert self._cache is not None
        maker, piece = state.maker(ink), state.pieces[slot.id]
        try:
            face = maker.back(piece) if slot.back else maker.front(piece, slot.look)
        except FaceError as error:
            return list(error.problems)
        assert face is not None
        return self._cache.stored(face, maker.pictures(piece.back if slot.back else piece.face))

    # --- what the pages are told

    def _tell_unread(self, error: DefinitionError | OSError) -> None:
        with self.lock:
            if isinstance(error, DefinitionError):
                self._unread = list(error.problems)
            else:
                self._unread = [Problem(code="DEF-001", what=f"{error.filename}: {error.strerror}")]
            self.looked += 1
            for ink in self.inks.values():
                ink.waiting = {}
        self.publish("read", self.looked)
        self._tell(time.perf_counter())

    def _tell(self, started: float) -> None:
        """Tell the pages what is different from what they were told last."""
        with self.lock:
            self._tell_faults()
            if self.state is None:
                return
            for name, ink in self.inks.items():
                now = cards_of(ink, self.state.pieces, self.state.layouts.formats, self._stale(ink))
                changed = [one for id_, one in now.items() if ink.cards.get(id_) != one]
                removed = [id_ for id_ in ink.cards if id_ not in now]
                moved = [id_ for id_ in ink.cards if id_ in now] != [id_ for id_ in now if id_ in ink.cards]
                added = any(id_ not in ink.cards for id_ in now)
                ink.cards = now
                if changed or removed or moved:
                    self.publish(
                        "cards",
                        {
                            "ink": name,
                            "title": self.state.game.title,
                            "changed": changed,
                            "removed": removed,
                            "order": list(now) if moved or added else None,
                            "waiting": sum(map(len, ink.waiting.values())),
                            "ms": round((time.perf_counter() - started) * 1000),
                        },
                    )
            self._forget()

    def _stale(self, ink: Ink) -> set[str]:
        """The cards whose files say something that cannot be drawn."""
        stale = {slot.id for slot in ink.bad}
        if self._unread and self.state is not None:
            for problem in self._unread:
                stale |= blamed(problem, self.state, self.id, self.places)
        return stale

    def _tell_faults(self) -> None:
        found: list[Fault] = []
        for problem in self._unread:
            cards = sorted(blamed(problem, self.state, self.id, self.places)) if self.state else []
            found.append(fault(problem, cards, {}))
        by_problem: dict[tuple[str, int, int, str], list[tuple[Slot, Problem, str]]] = {}
        for ink in self.inks.values():
            for slot, problems in ink.bad.items():
                for problem in problems:
                    said = problem.what.partition(": ")[2] or problem.what
                    key = (problem.file, problem.line, problem.column, said)
                    by_problem.setdefault(key, []).append((slot, problem, ink.shown.get(slot, "")))
        for entries in by_problem.values():
            together = merged(problem for _, problem, _ in entries)
            one = (together if self._unread else placed(together, self.id, self.places.project))[0]
            where = {
                slot.id + ("|b" if slot.back else ""): box
                for slot, problem, shown in entries
                if (box := self._box(slot, problem, shown))
            }
            found.append(fault(one, dict.fromkeys(slot.id for slot, _, _ in entries), where))
        if found != self.faults:
            self.faults = found
            self.publish("faults", found)

    def _box(self, slot: Slot, problem: Problem, shown: str) -> list[Spot]:
        """The places of a problem on a face, found once."""
        key = slot, problem, shown
        if key not in self._boxes:
            self._boxes[key] = boxes(self.face(shown), slot, problem)
        return self._boxes[key]

    def _forget(self) -> None:
        """Let go of faces that nobody sees any more."""
        used = {digest for ink in self.inks.values() for digest in ink.shown.values()}
        unused = [digest for digest in self._faces if digest not in used]
        for digest in unused[: max(0, len(unused) - OLD)]:
            del self._faces[digest]
        for digest in unused[max(0, len(unused) - OLD) :]:
            self._faces[digest].state = None  # of files that were, only the faces are worth keeping
        if self._cache is not None and not any(ink.waiting for ink in self.inks.values()):
            self._cache.forget(2 * len(used) + OLD)
