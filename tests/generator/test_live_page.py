"""The live page in a real browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from livekit import Served, replace, save, until

from components import yamlsource
from components.program import trust_of_user
from generator.build.starter import make_starter
from generator.cli.bookmaking import book_pages, table_pages
from generator.cli.common import settings
from generator.cli.judging import judge
from generator.cli.serve import _explained
from tests.chromium import CHROMIUM

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as run:
        found = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One game, served for all tests of this file; each leaves it as it was."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLEWRIGHT_HOME", str(tmp_path_factory.mktemp("home")))
        yield from _served(tmp_path_factory)


def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("live") / "lantern-walk"
    make_starter(folder)
    trust_of_user().remember(next((folder / "rules").glob("*.py")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yamlsource, "_remembered", {})
        patch.setattr(settings, "project", folder)
        command = [sys.executable, "-m", "generator.cli", "--project", str(folder)]
        pages = {"book": book_pages, "table": table_pages}
        live = Served(folder, folder.parent / "cache", judge=judge, explained=_explained, command=command, pages=pages)
        with live.running() as found:
            yield found


@pytest.fixture
def page(browser: Any, served: Served) -> Iterator[Any]:
    yield from opened(browser, served)


def opened(browser: Any, served: Served, **how: Any) -> Iterator[Any]:
    files = {file: file.read_text() for file in served.project.rglob("*.yaml")}
    context = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **how})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console", lambda said: wrong.append(said.text) if said.type == "error" and "409" not in said.text else None
    )
    page.goto(served.link)
    page.locator(".tile img").first.wait_for()
    yield page
    context.close()
    for file, text in files.items():
        if file.read_text() != text:
            save(file, text)
    until(lambda: not served.desk.busy() and not served.desk.gallery("normal")["faults"])
    assert wrong == []


def sources(page: Any) -> dict[str, str]:
    """The picture of each card's front, as it is loaded."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".tile")].map((tile) =>
             [tile.dataset.id, tile.querySelector('[data-side="front"] img')?.src]))"""
    )
    return found


def waiting(page: Any) -> Callable[[Callable[[], Any]], Any]:
    def wait(true: Callable[[], Any]) -> Any:
        def look() -> Any:
            page.wait_for_timeout(15)
            return true()

        return until(look)

    return wait


def test_every_face_stands_in_the_gallery_and_can_be_searched(page: Any) -> None:
    assert page.title() == "Lantern Walk – Tablewright"
    assert page.locator(".tile").count() == 3
    assert page.get_by_role("heading", name="Lantern").count() >= 1
    page.keyboard.press("/")
    page.keyboard.type("moon")
    page.locator("#count", has_text="1 piece").wait_for()
    assert page.locator(".tile:visible").get_attribute("data-id") == "lantern/paper-moon"
    page.keyboard.press("Escape")
    page.locator("#count", has_text="3 pieces").wait_for()
    page.get_by_label("Deck").select_option("lantern")
    assert page.locator(".tile:visible").count() == 3


def test_what_fits_no_search_is_said_and_keys_are_listed(page: Any) -> None:
    page.get_by_label("Search").fill("nothing of the kind")
    page.get_by_text("No piece says “nothing of the kind”.").wait_for()
    page.get_by_role("button", name="Show all").click()
    page.locator("#count", has_text="3 pieces").wait_for()
    page.locator(".tile .side").first.click()
    page.locator("#panel").get_by_text("Paper Moon").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.locator("#panel").get_by_text("Glow-worm").first.wait_for()
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_text("next and previous fault").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#panel").is_visible(), "Escape closed the list alone"


@pytest.mark.parametrize("width", [390, 1440])
def test_faces_are_shown_whole(page: Any, width: int) -> None:
    """A single card in its deck is as wide as it is, and nothing hides its edge."""
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_label("Search").fill("gust")
    page.locator("#count", has_text="1 piece").wait_for()
    tile, paper = (page.locator(f'[data-id="lantern/gust"]{one}').first.bounding_box() for one in ("", " .paper"))
    assert paper["x"] >= tile["x"] and paper["x"] + paper["width"] <= tile["x"] + tile["width"]


EVERY_CARD_CHANGES = """async () => {
  const {cards} = await import("/gallery.js"), ids = [...cards.keys()];
  (await import("/card.js")).noBoxes(ids);
  const fault = {code: "LAY-001", what: "nothing fits", hint: "", file: "", line: 0, column: 0, excerpt: ""};
  (await import("/faults.js")).take([{...fault, cards: ids, boxes: {}}]);
}"""
"""As when a theme is saved with a fault."""


def test_of_thousands_only_what_is_near_is_made(browser: Any, served: Served) -> None:
    def thousands(route: Any) -> None:
        answer = route.fetch()
        data = answer.json()
        card = data["cards"][0]
        data["cards"] = [{**card, "id": f"{card['set']}/c{n}", "name": f"Card {n}"} for n in range(3000)]
        route.fulfill(response=answer, json=data)

    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    page.route("**/gallery?*", thousands)
    page.goto(served.link)
    page.locator(".tile img").first.wait_for()
    made = page.locator(".tile:not(:empty)")
    assert page.locator(".tile").count() == 3000 and made.count() < 300
    page.evaluate(EVERY_CARD_CHANGES)
    assert made.count() < 300 and 0 < page.locator(".fault-box").count() < 300
    page.locator(".tile .side").first.focus()
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Card 2999, front"
    page.locator('[data-id$="/c2999"] .fault-box').wait_for()
    page.get_by_label("Search").fill("card 1234")
    page.locator("#count", has_text="1 piece").wait_for()
    page.locator('[data-id$="/c1234"] [data-side=front] img').wait_for()
    assert made.count() < 600
    context.close()


def test_arrows_walk_through_the_gallery_and_f_turns_cards_over(page: Any) -> None:
    page.locator(".tile .side").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Glow-worm, front"
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.closest('.tile').dataset.id") == "lantern/gust"
    assert page.locator('.tile [data-side="back"]:visible').count() == 0
    page.keyboard.press("f")
    assert page.locator('.tile [data-side="back"]:visible').count() == 3
    assert page.locator('.tile [data-side="front"]:visible').count() == 0


def test_the_game_is_shown_with_the_variants_that_are_ticked(page: Any, served: Served) -> None:
    file = served.game / "variants" / "storm.yaml"
    file.parent.mkdir(exist_ok=True)
    page.get_by_text("View", exact=True).click()
    save(file, "id: storm\ntitle: Storm\nabout: No gusts.\nremove_pieces: [lantern/gust]\n")
    box = page.get_by_label("Storm")
    box.check()
    page.locator('[data-id="lantern/gust"]').wait_for(state="detached")
    box.uncheck()
    page.locator('[data-id="lantern/gust"]').wait_for()
    file.unlink()
    page.locator("#variants").wait_for(state="hidden")


def test_sizes_go_up_to_life(page: Any) -> None:
    page.get_by_text("View", exact=True).click()
    page.get_by_role("button", name="Life-size").click()
    box = page.locator(".tile .paper").first.bounding_box()
    assert abs(box["width"] - 63 * 96 / 25.4) < 1 and abs(box["height"] - 88 * 96 / 25.4) < 1


def life_size(page: Any, height: int) -> None:
    """A small window, `height` pixels high, whose faces are as large as printed."""
    page.set_viewport_size({"width": 420, "height": height})
    page.get_by_text("View", exact=True).click()
    page.get_by_role("button", name="Life-size").click()
    page.keyboard.press("Escape")


def choose_gust(page: Any, top: int) -> None:
    page.locator('[data-id="lantern/gust"] .side').first.focus()
    page.locator("#gallery").evaluate("(one, top) => one.scrollTo(0, top)", top)
    page.wait_for_timeout(150)


def test_a_save_changes_one_face_and_nothing_else_moves(page: Any, served: Served) -> None:
    wait = waiting(page)
    life_size(page, 500)
    page.get_by_label("Search").fill("g")
    choose_gust(page, 300)
    before, top = sources(page), page.locator("#gallery").evaluate("(one) => one.scrollTop")
    assert top > 100
    replace(served.game / "lanterns.yaml", "name: Gust of Wind", "name: A Gust")
    wait(lambda: sources(page)["lantern/gust"] != before["lantern/gust"])
    after = sources(page)
    assert {**after, "lantern/gust": before["lantern/gust"]} == before
    assert page.locator("#gallery").evaluate("(one) => one.scrollTop") == top
    assert page.get_by_label("Search").input_value() == "g"
    assert page.evaluate("document.activeElement.closest('.tile')?.dataset.id") == "lantern/gust"
    assert page.locator('[data-id="lantern/gust"] .name').inner_text().startswith("A Gust")


@pytest.mark.torture
def test_a_thousand_saves_keep_scroll_size_and_selection(page: Any, served: Served) -> None:
    wait = waiting(page)
    life_size(page, 500)
    choose_gust(page, 300)
    where = """() => [document.getElementById("gallery").scrollTop,
        document.documentElement.style.getPropertyValue("--mm"),
        document.activeElement.closest(".tile")?.dataset.id, document.querySelector(".tile.chosen")?.dataset.id]"""
    file = served.game / "lanterns.yaml"
    text, before = file.read_text(), page.evaluate(where)
    assert before[0] > 100 and before[2] == before[3] == "lantern/gust"
    for n in range(1000):
        save(file, text.replace("name: Gust of Wind", f"name: Gust {n}"))
        wait(lambda n=n: page.locator('[data-id="lantern/gust"] .name').inner_text().startswith(f"Gust {n}"))
        assert page.evaluate(where) == before, n
        assert page.locator(".tile.bare").count() == 0, n


def test_two_pages_show_the_same_at_once(page: Any, browser: Any, served: Served) -> None:
    wait = waiting(page)
    others = opened(browser, served)
    other = next(others)
    before = sources(page)
    replace(served.layouts / "faces" / "card.yaml", "r: 17", "r: 15")
    wait(lambda: all(sources(page)[id_] != src for id_, src in before.items()))
    wait(lambda: sources(other) == sources(page))
    assert list(others) == []


def test_what_a_slip_took_away_comes_back_where_it_was(page: Any, served: Served) -> None:
    wait = waiting(page)
    life_size(page, 400)
    choose_gust(page, 400)
    replace(served.game / "lanterns.yaml", "id: gust", "id: gu")
    page.locator('[data-id="lantern/gu"]').wait_for(state="attached")
    replace(served.game / "lanterns.yaml", "id: gu\n", "id: gust\n")
    page.locator('[data-id="lantern/gust"]').wait_for(state="attached")
    wait(lambda: page.evaluate("document.activeElement.closest('.tile')?.dataset.id") == "lantern/gust")
    assert page.locator("#gallery").evaluate("(one) => one.scrollTop") == 400


def test_many_saves_in_a_row_end_with_the_last(page: Any, served: Served) -> None:
    wait = waiting(page)
    file = served.game / "lanterns.yaml"
    text = file.read_text()
    before = sources(page)
    for n in range(200):
        save(file, text.replace("name: Gust of Wind", f"name: Gust {n}"))
        page.wait_for_timeout(2)
    wait(lambda: page.locator('[data-id="lantern/gust"] .name').inner_text().startswith("Gust 199"))
    wait(lambda: sources(page)["lantern/gust"].split("/")[-1] == f"{served.shown()['lantern/gust'][0]}.svg")
    save(file, text)
    wait(lambda: sources(page) == before)


def test_a_broken_file_greys_the_card_and_marks_the_place(page: Any, served: Served) -> None:
    wait = waiting(page)
    before = sources(page)
    replace(served.game / "lanterns.yaml", "name: Gust of Wind", f"name: {'Gust ' * 30}")
    page.locator('[data-id="lantern/gust"].stale .fault-box').wait_for()
    assert sources(page) == before
    paper = page.locator('[data-id="lantern/gust"] .paper').first.bounding_box()
    box = page.locator('[data-id="lantern/gust"] .fault-box').first.bounding_box()
    assert abs((box["x"] - paper["x"]) / paper["width"] - 6 / 63) < 0.01
    assert abs(box["height"] / paper["height"] - 9 / 88) < 0.01
    page.get_by_role("button", name="Faults 1").click()
    item = page.locator(".faults li")
    assert "LAY-005" in item.inner_text()
    assert "layouts/lantern-walk/faces/card.yaml:5:" in item.inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    assert page.evaluate("document.activeElement.closest('.tile').dataset.id") == "lantern/gust"
    replace(served.game / "lanterns.yaml", f"name: {'Gust ' * 30}", "name: Gust of Wind")
    wait(lambda: page.locator(".stale, .fault-box").count() == 0)


def test_a_click_on_a_mark_shows_the_lines_behind_it_and_opens_the_editor(
    page: Any, served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wait = waiting(page)
    opened_at = tmp_path / "opened"
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\necho "$1" > {opened_at}\n')
    editor.chmod(0o755)
    monkeypatch.setenv("PNP_EDITOR", f"{editor} {{file}}:{{line}}")
    page.locator('[data-id="lantern/gust"] .side').first.click()
    page.locator(".big svg [data-n]").filter(has_text="Gust of Wind").first.click(force=True)
    lines = page.locator(".behind .lines").nth(1)
    lines.filter(has_text="piece.name = Gust of Wind").wait_for()
    assert page.locator(".behind .lines").first.inner_text().count("faces/card.yaml:5:") == 1
    lines.get_by_role("button", name="lanterns.yaml").first.click()
    wait(lambda: opened_at.exists() and opened_at.read_text())
    said = (served.game / "lanterns.yaml").read_text().splitlines()
    assert "Gust of Wind" in said[int(opened_at.read_text().rpartition(":")[2]) - 1]
    monkeypatch.setenv("PNP_EDITOR", "nano")
    lines.get_by_role("button", name="lanterns.yaml").first.click()
    page.get_by_text("set PNP_EDITOR").wait_for()
    page.get_by_role("button", name="Back").click()
    page.get_by_role("img", name="Gust of Wind, back").wait_for()


def test_marks_and_views_show_what_is_printed(page: Any) -> None:
    page.get_by_text("View", exact=True).click()
    page.get_by_label("Text boxes").check()
    page.locator('[data-id="lantern/gust"] .text-boxes polygon').nth(3).wait_for(state="attached")
    page.get_by_label("Bleed").check()
    cut = page.locator('[data-id="lantern/gust"] [data-side="front"] .cut')
    assert cut.evaluate("(one) => getComputedStyle(one).overflow") == "visible"
    picture, paper = cut.locator("img").bounding_box(), cut.bounding_box()
    bleed = float(cut.evaluate("(one) => getComputedStyle(one).getPropertyValue('--bleed')"))
    assert bleed >= 3 and abs(picture["width"] / paper["width"] - (63 + 2 * bleed) / 63) < 0.01
    page.get_by_label("As seen").select_option("protanopia")
    assert "protanopia" in cut.locator("img").evaluate("(one) => getComputedStyle(one).filter")
    page.get_by_label("Ink").select_option("low")
    page.locator("#status", has_text="drawing").wait_for(state="detached")


def test_a_parameter_is_tried_and_written(page: Any, served: Served) -> None:
    wait = waiting(page)
    drawn = sources(page)
    replace(served.layouts / "faces" / "card.yaml", 'value: "{{ piece.rule }}"', 'value: "{{ walk.goal }}"')
    wait(lambda: all(sources(page)[id_] != src for id_, src in drawn.items()))
    before = sources(page)
    page.get_by_role("button", name="Parameters").click()
    page.get_by_label("Find a parameter").fill("walk.goal")
    field = page.locator("label.value input")
    field.fill("17")
    page.get_by_text("3 pieces, ").wait_for()
    assert page.locator(".compared .after img").count() == 3
    assert page.locator(".tile.would").count() == 3
    assert sources(page) == before
    page.get_by_role("button", name="Drop").click()
    assert page.locator(".tile.would").count() == 0
    assert field.input_value() == "12"
    field.fill("16")
    page.get_by_role("button", name="Write to game.yaml").click()
    page.get_by_text("Written to").wait_for()
    wait(lambda: all(sources(page)[id_] != src for id_, src in before.items()))
    assert "walk.goal: {value: 16, about: Light needed" in (served.game / "game.yaml").read_text()


def test_a_move_is_tried_beside_the_faces(page: Any) -> None:
    page.get_by_role("button", name="Move", exact=True).click()
    page.get_by_label("Move", exact=True).fill("turn gust")
    page.get_by_role("button", name="May I?").click()
    page.locator(".verdict pre.good").filter(has_text="OK").wait_for()
    for _ in range(3):
        page.get_by_role("button", name="Play it and go on").click()
        page.get_by_label("Move", exact=True).fill("turn gust")
        page.keyboard.press("Enter")
        page.locator(".verdict pre").wait_for()
    assert page.locator(".verdict pre.bad").inner_text().count("LW-WALK-3") == 1


def test_a_button_makes_sheets_and_opens_them(page: Any, served: Served) -> None:
    page.get_by_role("button", name="Make", exact=True).click()
    page.get_by_label("Paper", exact=True).select_option("letter")
    page.get_by_role("button", name="Sheets as PDF").click()
    page.locator(".progress a").first.wait_for()
    assert page.get_by_role("button", name="Rulebook").is_enabled()
    answer = page.request.get(served.room.address + page.locator(".progress a").first.get_attribute("href")[1:])
    assert answer.body().startswith(b"%PDF")
    page.get_by_text("up to date").wait_for()


def test_sheets_and_the_book_stay_where_they_are_when_a_save_changes_them(page: Any, served: Served) -> None:
    wait = waiting(page)
    page.get_by_label("Show").select_option(label="Sheets")
    page.locator(".seen img").first.wait_for()
    gust = page.locator('.seen[data-card="lantern/gust"][data-side="front"] img').first
    before = gust.get_attribute("src")
    page.set_viewport_size({"width": 420, "height": 300})
    page.locator("#leaves").evaluate("(one) => one.scrollTo(0, 120)")
    replace(served.game / "lanterns.yaml", "name: Gust of Wind", "name: A Gust")
    wait(lambda: gust.get_attribute("src") != before)
    assert page.locator("#leaves").evaluate("(one) => one.scrollTop") == 120
    page.locator('.seen[data-card="lantern/gust"]').first.click()
    page.locator("#panel").get_by_text("A Gust").first.wait_for()
    page.keyboard.press("Escape")
    page.get_by_label("Show").select_option(label="Rulebook")
    page.locator(".leaf figcaption", has_text="Page 1").first.wait_for()
    assert page.locator(".over img").first.get_attribute("src").startswith("/face/")
    page.get_by_label("Show").select_option(label="Faces")
    page.locator(".tile img").first.wait_for()


PANELS = ("", "Card", "Parameters", "Move", "Make", "Faults")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anybody(browser: Any, served: Served, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    size = {"width": 1200, "height": 800} if scheme == "light" else {"width": 360, "height": 700}
    pages = opened(browser, served, color_scheme=scheme, viewport=size)
    page = next(pages)
    for name in PANELS:
        if name:
            page.get_by_role("button", name=name).first.click()
            page.wait_for_timeout(150)
        found = axe.run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than the window"
    page.get_by_role("button", name=PANELS[-1]).first.click()
    page.get_by_label("Show").select_option(label="Sheets")
    page.locator(".seen img").first.wait_for()
    assert [one["id"] for one in axe.run(page).response["violations"]] == []
    page.get_by_label("Show").select_option(label="Faces")
    assert list(pages) == []


def test_the_page_without_its_ticket_says_what_to_do(browser: Any, served: Served) -> None:
    page = browser.new_page()
    page.goto(served.room.address)
    page.get_by_role("alert").filter(has_text="whole link").wait_for()
    page.close()


def test_nothing_is_fetched_from_elsewhere_and_the_page_is_small(browser: Any, served: Served) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked: list[tuple[str, int]] = []
    page.on("response", lambda answer: asked.append((answer.url, int(answer.headers.get("content-length", 0)))))
    page.goto(served.link)
    page.locator(".tile img").first.wait_for()
    assert all(url.startswith((served.room.address, "data:")) for url, _ in asked)
    assert sum(size for url, size in asked if "/face/" not in url) < 60_000
    context.close()
