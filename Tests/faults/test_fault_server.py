"""All tests of the fault server."""

import harness
from test_actions import *  # noqa: F403
from test_store import *  # noqa: F403

if __name__ == "__main__":
    harness.run("__main__")
