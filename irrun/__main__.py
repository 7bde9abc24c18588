"""`python -m irrun` is `irrun`."""

from __future__ import annotations

import sys

from irrun.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
