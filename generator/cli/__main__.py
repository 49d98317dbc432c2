"""`python -m generator.cli` is `pnp`."""

from generator.cli.main import main

main()
