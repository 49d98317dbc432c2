"""The browser that looks at pages in tests marked `browser`; "" where the machine has none."""

from __future__ import annotations

import shutil

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
