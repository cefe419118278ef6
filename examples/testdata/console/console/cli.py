"""The command line: run lines, or replay a file of them."""

import argparse
import sys

from .replay import ReplayService, failures
from .router import CommandRouter, QuietRouter
from .session import fresh, summary


def replay_file(path: str, quiet: bool = False) -> int:
    """Replay the lines of a file and say which failed."""
    with open(path, encoding="utf-8") as file:
        service = ReplayService(QuietRouter) if quiet else ReplayService()
        state, results = service.run(path, [line.strip() for line in file if line.strip()])
    print(summary(state))
    for text in failures(results):
        print("failed:", text)
    return 1 if failures(results) else 0


def run_lines(lines: list[str]) -> int:
    """Run lines one by one and print what each gives."""
    router = CommandRouter(fresh("console"))
    status = 0
    for line in lines:
        result = router.route(line)
        print(result.shown())
        status |= 0 if result.ok else 1
    return status


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="console", description="Run commands.")
    parser.add_argument("lines", nargs="*", help="lines to run")
    parser.add_argument("--replay", help="a file of lines to replay")
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_args(argv)
    if args.replay:
        return replay_file(args.replay, args.quiet)
    return run_lines(args.lines)


if __name__ == "__main__":
    sys.exit(main())
