"""The answers said inside a line, to what comes up while it is carried out: `choose: {any_good: [silk]}`."""

from __future__ import annotations

from typing import Any

ANY = "any"
"""The key under `choose` of answers that were typed without saying what they answer."""


def _listed(answers: Any) -> list[Any]:
    """Answers as a list; one may be said by itself."""
    return list(answers) if isinstance(answers, list | tuple) else [answers]


class Choices:
    """The answers said inside a line (`choose: {any_good: [silk]}`, or player -> answers), taken from left to right.

    `around`: those of the step it is a part of, from which it takes what was not said inside."""

    def __init__(self, said: dict[str, Any], place: str, around: Choices | None = None) -> None:
        self.place = place
        self.around = around
        self.taken: list[tuple[str, str, Any]] = []
        """(player, kind, answer) of answers typed without their kind, or chosen for the table."""
        self.lists: dict[tuple[str, str], list[Any]] = {}
        for key, value in said.items():
            if isinstance(value, dict):
                self.lists |= {(key, kind): _listed(answers) for kind, answers in value.items()}
            else:
                self.lists["", key] = _listed(value)

    def take(self, kind: str, who: str, options: list[Any]) -> list[Any] | None:
        """The list the next answer of a kind stands in; None where none was said. Of the answers typed without their
        kinds it is the first that is one of `options` by its beginning: what nobody asks for yet waits."""
        said = self.lists.get((who, kind)) or self.lists.get(("", kind))
        typed = self.lists.get(("", ANY))
        if said or (not typed and self.around is None):
            return said or None
        if not typed:
            return self.around.take(kind, who, options) if self.around else None
        for word in typed:
            meant = [option for option in options if str(option).lower().startswith(str(word).lower())]
            if len(meant) == 1:
                typed.remove(word)
                self.taken.append(("", kind, meant[0]))
                return meant
        return [typed.pop(0)]

    def add(self, kind: str, who: str, answer: Any) -> None:
        """Keep an answer that was not said but chosen for the table."""
        if self.around is not None:
            self.around.add(kind, who, answer)
        else:
            self.taken.append((who, kind, answer))

    def completed(self, said: dict[str, Any]) -> dict[str, Any]:
        """The answers given, with those taken beside them; empty if none were."""
        if not self.taken:
            return {}
        found: dict[str, Any] = {kind: answers for kind, answers in said.items() if kind != ANY}
        for who, kind, answer in self.taken:
            into = {**found.get(who, {})} if who else found
            into[kind] = [*into.get(kind, ()), answer]
            if who:
                found[who] = into
        return found

    def path(self, kind: str, who: str, mover: str) -> str:
        """The path at which the answer is expected: `steps[2].choose.any_good`."""
        inside = f"choose.{kind}" if who == mover or not who else f"choose.{who}.{kind}"
        return f"{self.place}.{inside}" if self.place else inside

    def left(self) -> dict[str, Any]:
        """Answers that nothing asked for, by kind."""
        return {kind: answers for (_, kind), answers in self.lists.items() if answers}


__all__ = ["ANY", "Choices"]
