"""Faults of a scene: the table of its codes."""

from __future__ import annotations

from components.error_codes import Code

CODES: dict[str, Code] = {
    "SCN-001": Code(
        "no such piece or mat",
        "A thing is either a `piece` of the game (`set/piece`, `set/*` for one nobody knows, or an id that only one "
        "piece has) or a `mat` of `layouts/<game>/scenes.yaml`, and shows a side that it has.",
    ),
    "SCN-002": Code("id", "An id names one thing of a scene, and has no `#`."),
    "SCN-003": Code(
        "no such thing or place",
        "`thing#anchor` names a thing of the scene by its id (or by its piece or mat, where only one such lies there) "
        "and a place that its face or mat names. Things cannot lie on one another in a circle.",
    ),
    "SCN-004": Code("crop", "`crop` is a thing, a place, a list of them, or `[x, y, w, h]` in mm of the table."),
    "SCN-005": Code(
        "position",
        "The `table` of a scene is a position of the game as in a position file, or `seats` of a new table; its "
        "`lines` and `moves` are played in order, and each must be legal.",
    ),
}
