"""The command line: one search, or a sweep over signal-to-noise ratios."""

import argparse
import random
import sys

from . import metrics, ssb
from .cell_search import CellSearcher
from .channel import Channel


def build_parser():
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="receiver", description="Find a simulated 5G cell.")
    parser.add_argument("--snr", type=float, default=0.0, help="signal-to-noise ratio in dB (default 0)")
    parser.add_argument("--cell", type=int, default=500, help="physical cell identity that is sent (default 500)")
    parser.add_argument("--cfo", type=float, default=0.1, help="frequency offset in subcarrier spacings (default 0.1)")
    parser.add_argument("--delay", type=int, default=300, help="samples before the block (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="seed of noise and payload (default 1)")
    parser.add_argument("--sweep", action="store_true", help="print detection rates from -12 to 6 dB instead")
    parser.add_argument("--trials", type=int, default=20, help="trials for each ratio of a sweep (default 20)")
    return parser


def run_search(args, out):
    """Send one block, search for it, print what was found. Returns the exit status."""
    waveform = ssb.build_waveform(args.cell, random.Random(args.seed))
    samples = Channel(args.snr, args.cfo, seed=args.seed).apply(waveform, args.delay, metrics.BUFFER)
    found = CellSearcher().search(samples)
    if found is None:
        print("no cell found", file=out)
        return 1
    print(f"cell id {found.cell_id}", file=out)
    print(f"sample offset {found.offset}, frequency offset {found.cfo:+.3f} subcarriers", file=out)
    print(f"peak {found.ratio:.1f} times the noise floor, secondary metric {found.sss_metric:.2f}", file=out)
    return 0


def run_sweep(args, out):
    """Print one line of rates for each signal-to-noise ratio."""
    print("snr_db detected identified cfo_error", file=out)
    for r in metrics.sweep(range(-12, 7, 3), args.trials):
        print(f"{r.snr_db:6.1f} {r.detected:8.2f} {r.identified:10.2f} {r.cfo_error:9.4f}", file=out)
    return 0


def main(argv=None):
    args = build_parser().parse_args(argv)
    try:
        return run_sweep(args, sys.stdout) if args.sweep else run_search(args, sys.stdout)
    except ValueError as err:
        print(f"receiver: {err}", file=sys.stderr)
        return 2
