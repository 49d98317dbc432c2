"""Who has to decide what, among which possibilities, and what each leads to: for screens, bots and other programs."""
