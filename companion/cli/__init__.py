"""The `companion` command line."""

import signal
import sys
from contextlib import suppress

if sys.argv[0].endswith(("companion", "-m")) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    with suppress(ValueError):  # not in the first thread
        # While the program is loaded, Ctrl-C ends it without a traceback; `Program.main` then listens to it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
