"""Pictures in faces: PNG and JPEG as they are, SVG as paths. Only files inside the project, of bounded size."""

from __future__ import annotations

import struct
from functools import lru_cache
from pathlib import Path

from generator.faces.display import ImageOp, Op
from generator.faces.faults import Fault

MAX_BYTES = 8 * 1024 * 1024
MAX_PIXELS = 40_000_000


def project_file(root: Path, file: str) -> Path:
    """A file below the project folder `root`, symbolic links followed. Fault: outside, or not there."""
    base = root.resolve()
    try:
        path = (base / file).resolve()
        inside = path.is_relative_to(base)
        there = inside and path.is_file()
    except (OSError, ValueError):
        inside, there = True, False
    if not inside:
        raise Fault("LAY-007", f"the picture '{file}' lies outside the project", "copy it into the project", "file")
    if not there:
        raise Fault("LAY-007", f"there is no picture '{file}' in the project", key="file")
    return path


def picture(root: Path, file: str, x: float, y: float, w: float, h: float) -> list[Op]:
    """The picture stretched to the box."""
    path = project_file(root, file)
    stat = path.stat()
    if stat.st_size > MAX_BYTES:
        raise Fault("LAY-007", f"the picture '{file}' is larger than {MAX_BYTES // 1024 // 1024} MiB", key="file")
    try:
        content = _content(path, stat.st_mtime_ns)
        if path.suffix.lower() == ".svg":
            from generator.faces.svgpicture import svg_ops

            return svg_ops(content, x, y, w, h)
        return [ImageOp(content, _media(content), x, y, w, h)]
    except ValueError as problem:
        raise Fault("LAY-007", f"the picture '{file}' {problem}", key="file") from None


@lru_cache(64)
def _content(path: Path, _changed: int) -> bytes:
    return path.read_bytes()


def _media(content: bytes) -> str:
    """`png` or `jpeg`. ValueError for anything else and for pictures with too many pixels."""
    if content[:8] == b"\x89PNG\r\n\x1a\n" and content[12:16] == b"IHDR":
        w, h = struct.unpack(">II", content[16:24])
        _check_size(w, h)
        return "png"
    if content[:3] == b"\xff\xd8\xff":
        _check_size(*_jpeg_size(content))
        return "jpeg"
    raise ValueError("is neither PNG nor JPEG nor SVG")


def _check_size(w: int, h: int) -> None:
    if not 0 < w * h <= MAX_PIXELS:
        raise ValueError(f"has {w} x {h} pixels: more than {MAX_PIXELS:,} are not taken")


def _jpeg_size(content: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        (length,) = struct.unpack(">H", content[at + 2 : at + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            h, w = struct.unpack(">HH", content[at + 5 : at + 9])
            return w, h
        at += 2 + length
    raise ValueError("is a JPEG without a size")
