"""Rules, steps made of rules, questions and reasons as blocks of a rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from components.bookmodel import Step
from components.model import ResolvedRule, ResolvedRuling
from generator.book.flow import Block
from generator.book.setter import Setter
from generator.faces.display import POP, Op, Push
from generator.faces.richtext import plain
from generator.sheets.sheets import Box

TEACHING = 9.0
"""Width of the numbers beside steps that teach, mm."""
WHY = "why:"
"""Begins the anchor of the reason of a rule."""


def rule_blocks(setter: Setter, rules: Iterable[ResolvedRule], columns: int, fine: bool) -> list[Block]:
    """Rules one below the other; `fine`: small, the id at the end of the title."""
    if columns > 1 or fine:
        return [_narrow(setter, rule, setter.width(columns), "book-fine" if fine else "book-text") for rule in rules]
    return [_wide(setter, rule) for rule in rules]


def told_blocks(setter: Setter, rules: Iterable[ResolvedRule], columns: int) -> list[Block]:
    """Rules where they are taught: without ids."""
    style = "book-small" if columns > 1 else "book-text"
    said = (_taught(setter, _said(setter, rule)) for rule in rules)
    return [setter.block(setter.text(words, style, setter.width(columns)), 2.4) for words in said]


def _taught(setter: Setter, text: str) -> str:
    """A text without the ids of rules in brackets."""
    return re.sub(rf" \({setter.ids.pattern}\)", "", text)


def _wide(setter: Setter, rule: ResolvedRule) -> Block:
    """A rule with its id in the margin."""
    width = setter.column - setter.indent
    text = setter.text(_said(setter, rule), "book-text", width, x=setter.indent)
    ident, links = _ident(setter, rule, 0.0, 0.45)
    return Block(
        max(text.height, 3.0),
        (*ident, *text.ops),
        before=setter.design.rule_gap,
        anchors=(rule.id,),
        links=(*setter.cited(text.ops), *links),
    )


def _narrow(setter: Setter, rule: ResolvedRule, width: float, style: str) -> Block:
    """A rule in a column: its id at the end of the line of its title."""
    ident = setter.text(rule.id, "book-id", width, align="right")
    title = setter.text(f"**{plain(rule.title)}**", style, width - ident.width - 5.0)
    text = setter.text(setter.marked(rule.text), style, width, y=title.height + 0.9)
    links = list(setter.cited(text.ops))
    ops: list[Op] = [*title.ops, *ident.ops, *text.ops]
    if _reasoned(setter, rule):
        x = width - ident.width - 2.2
        ops.append(setter.diamond(x, 1.25))
        links.append((Box(x - 1.2, -0.5, ident.width + 3.4, 3.6), WHY + rule.id))
    return Block(title.height + 0.9 + text.height, tuple(ops), before=2.3, anchors=(rule.id,), links=tuple(links))


def _said(setter: Setter, rule: ResolvedRule) -> str:
    return f"**{plain(rule.title)}.** {setter.marked(rule.text)}"


def _reasoned(setter: Setter, rule: ResolvedRule) -> bool:
    return setter.reasons and rule.origin == "decided" and bool(rule.reason)


def _ident(setter: Setter, rule: ResolvedRule, x: float, y: float) -> tuple[list[Op], list[tuple[Box, str]]]:
    """The id of a rule in the margin; the diamond of a decision leads to its reason."""
    ident = setter.text(rule.id, "book-id", setter.design.id_column - 2.5, x=x + 2.5, y=y)
    ops: list[Op] = list(ident.ops)
    links: list[tuple[Box, str]] = []
    if _reasoned(setter, rule):
        ops.append(setter.diamond(x + 0.9, y + 0.85, 0.85))
        links.append((Box(x, y - 0.8, setter.design.id_column, 3.6), WHY + rule.id))
    return ops, links


def step_blocks(setter: Setter, steps: Sequence[Step], teaching: bool = False) -> list[Block]:
    """Numbered steps, the ids of their rules below the number, the last two on one page; `teaching`: without ids."""
    made = list(_steps(setter, steps, teaching))
    if len(made) > 1:
        made[-2] = replace(made[-2], keep=made[-1].before + made[-1].height)
    return made


def _steps(setter: Setter, steps: Sequence[Step], teaching: bool) -> Iterator[Block]:
    number = 0
    for step in steps:
        rules = [setter.rules[name] for name in step.rules if name in setter.rules]
        if not rules and not step.text and not step.then:
            continue
        number += 1
        indent = TEACHING if teaching else setter.indent
        width = setter.column - indent
        title = step.title or rules[0].title
        said = " ".join(filter(None, (step.text, *(rule.text for rule in rules), step.then)))
        said = _taught(setter, said) if teaching else said
        head = f"**{plain(title)}.** " if title else ""
        text = setter.text(head + setter.marked(said), "book-text", width, x=indent)
        ops: list[Op] = [*setter.numeral(str(number), 3.2 if teaching else 5.4, 2.5), *text.ops]
        links = list(setter.cited(text.ops))
        y = 6.6
        for rule in [] if teaching else rules:
            ident, reason = _ident(setter, rule, 0.0, y)
            ops += ident
            links += reason
            y += 3.0
        yield Block(
            max(text.height, y - 0.6 if rules and not teaching else 5.8),
            tuple(ops),
            before=setter.design.rule_gap + 0.6,
            anchors=() if teaching else tuple(rule.id for rule in rules),
            links=tuple(links),
        )


def question_block(setter: Setter, ruling: ResolvedRuling, columns: int, picture: Block | None = None) -> Block:
    """A question with its answer and the rules it rests on, perhaps with a picture between them."""
    made = _question(setter, ruling, columns, picture)
    if picture is None or picture.sized is None:
        return made
    sized = picture.sized
    return replace(made, sized=lambda size: _question(setter, ruling, columns, sized(size)))


def _question(setter: Setter, ruling: ResolvedRuling, columns: int, picture: Block | None) -> Block:
    width = setter.width(columns)
    question = setter.text(f"**{setter.marked(ruling.question)}**", "book-small", width)
    ops: list[Op] = list(question.ops)
    y = question.height + 1.2
    links: list[tuple[Box, str]] = []
    if picture is not None:
        ops += [Push((1.0, 0.0, 0.0, 1.0, 0.0, y)), *picture.ops, POP]
        y += picture.height + 2.4
    answer = setter.text(setter.marked(ruling.answer), "book-small", width, y=y)
    y += answer.height + 1.0
    cited = setter.text(", ".join(ruling.rules), "book-id", width, y=y)
    ops += [*answer.ops, *cited.ops]
    links += setter.cited([*question.ops, *answer.ops, *cited.ops])
    return Block(y + cited.height, tuple(ops), before=3.2, anchors=(f"ruling:{ruling.id}",), links=tuple(links))


def reason_blocks(setter: Setter) -> Iterator[Block]:
    """The reasons for rules that this edition had to decide: each leads back to its rule."""
    width = setter.width(2)
    for rule in setter.rules.values():
        if not rule.reason:
            continue
        text = setter.text(f"**{rule.id}**  {setter.marked(rule.reason)}", "book-reason", width)
        links = setter.cited(text.ops)
        block = Block(text.height, tuple(text.ops), before=1.35, anchors=(WHY + rule.id,), links=links)
        yield replace(block, columns=2)
