"""The table as an SVG picture: what the game has to show, in the template `layouts/<game>/table.svg.j2` and the colours
of its theme."""

from __future__ import annotations

from typing import Any

from companion.engine.play.position import Position


def table_svg(at: Position[Any]) -> str | None:
    """The SVG document; None for a game that draws no picture of its table."""
    data = at.rules.picture(at)
    if data is None or isinstance(data, str):
        return data
    import jinja2
    import yaml

    from components.loader import project_root

    folder = project_root() / "layouts" / at.rules.game.id
    theme = yaml.safe_load((folder / "theme.yaml").read_text(encoding="utf-8"))["colours"]
    colour = {name: said if isinstance(said, str) else said["normal"] for name, said in theme.items()}
    template = jinja2.Template((folder / "table.svg.j2").read_text(encoding="utf-8"), autoescape=True)
    document: str = template.render(colour=colour, **data)
    return document
