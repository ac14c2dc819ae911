"""What every test stands on: the same examples in every run, and a Ctrl-C that means something.

Property tests draw the same examples each time, so that a run tells of the change under test;
`HYPOTHESIS_PROFILE=explore` draws new ones. A shell that starts the tests in the background has them ignore
Ctrl-C, and processes inherit that; the tests that send it need the default.
"""

import os
import signal

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("explore", max_examples=400, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
