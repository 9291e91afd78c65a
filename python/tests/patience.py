"""One limit for everything a test waits for: generous, so that only a hang reaches it.

NEXUS_TEST_PATIENCE multiplies it on a slow machine.
"""

import os

FACTOR = float(os.environ.get("NEXUS_TEST_PATIENCE", "1"))
PATIENCE_SECONDS = 180 * FACTOR
PATIENCE_MS = PATIENCE_SECONDS * 1000
