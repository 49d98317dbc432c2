"""Units. Everything public is in millimetres; type sizes are points, and PDF counts in points throughout."""

INCH = 25.4
"""One inch in mm."""
POINT = INCH / 72
"""One point in mm."""
POINTS = 72 / INCH
"""One millimetre in points."""
