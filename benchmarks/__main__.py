"""`python -m benchmarks`: measure, print ratios as they come, and write them as JSON."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.measure import Row, makers, measure
from benchmarks.report import heading, line, summary, write_json
from benchmarks.suites import ACCURACY, SUITES

FEWEST_ROUNDS = 7
PEERS = ("onnx", "torch")
"""Peers that only some cases know."""


def main() -> None:
    """Run the chosen cases and report each as soon as it is measured."""
    options = _options()
    suites = ACCURACY if options.accuracy else SUITES
    chosen = options.suite or list(suites)
    cases = [case for name in chosen for case in suites[name]()]
    cases = [case for case in cases if options.filter in case.name and not (options.quick and case.large)]
    make = makers(options.extra)
    peers = [name for name in make if name != "irrun"]
    rounds = max(FEWEST_ROUNDS, options.rounds)
    rows: list[Row] = []
    suite = ""
    for case in cases:
        if case.suite != suite:
            suite = case.suite
            print(f"\n{suite}: irrun's time over the peer's, {options.threads} threads each", heading(peers), sep="\n")
        row = measure(case, make, rounds, options.threads)
        rows.append(row)
        print(line(row, peers), flush=True)
    print("", *summary(rows, peers), sep="\n")
    if options.json:
        write_json(options.json, rows, options.threads, rounds)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    known = sorted(SUITES | ACCURACY)
    parser.add_argument("--suite", action="append", choices=known, help="only this suite; may be given again")
    parser.add_argument("-k", dest="filter", default="", help="only cases whose name holds this")
    parser.add_argument("--quick", action="store_true", help="leave out what is larger than a cache")
    parser.add_argument("--accuracy", action="store_true", help="the cases of 10^8 elements instead")
    parser.add_argument("--json", type=Path, help="write what was measured to this file")
    parser.add_argument("--rounds", type=int, default=11, help=f"rounds per case, at least {FEWEST_ROUNDS}")
    parser.add_argument("--threads", type=int, default=2, help="threads for irrun and each peer")
    parser.add_argument("--with", dest="extra", action="append", default=[], choices=PEERS, help="one more peer")
    return parser.parse_args()


if __name__ == "__main__":
    main()
