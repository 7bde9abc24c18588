"""Long fuzzing: python -m tests.fuzz --count 1000000 [--seed N] [--target model]. Prints what failed, exits 1 if anything did."""

from __future__ import annotations

import argparse
import sys
import time
import warnings

import numpy as np

from tests.fuzz.runner import attack
from tests.fuzz.targets import TARGETS

_BATCH = 2_000


def main() -> int:
    """Run as many mutants as asked, spread over the targets."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", choices=[target.name for target in TARGETS])
    options = parser.parse_args()
    warnings.simplefilter("error")
    np.seterr(over="raise", divide="raise", invalid="raise")
    chosen = [target for target in TARGETS if options.target in (None, target.name)]
    failures, started = [], time.perf_counter()
    each = options.count // len(chosen)
    for target in chosen:
        for first in range(options.seed, options.seed + each, _BATCH):
            found = attack(target, range(first, min(first + _BATCH, options.seed + each)))
            failures += found
            for failure in found:
                print(f"{failure.target} {failure.seed}: {failure.said}", flush=True)
        print(f"{target.name}: {each} mutants of {len(target.originals)} files", flush=True)
    print(f"{each * len(chosen)} mutants, {len(failures)} failures, {time.perf_counter() - started:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
