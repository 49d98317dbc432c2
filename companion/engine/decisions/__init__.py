"""Open decisions: who decides, among which possibilities, and the result of each; for screens, bots and other
programs."""
