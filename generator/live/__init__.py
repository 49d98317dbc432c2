"""The designer's live page (`pnp serve`): every face of a game in a browser, redrawn as files are saved."""
