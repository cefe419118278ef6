"""Runs a recorded session again."""

from typing import Callable, Iterable

from .result import ToolResult
from .router import CommandRouter
from .session import SessionState, fresh


class ReplayService:
    """Replays lines through a router of its own."""

    def __init__(self, make: Callable[[SessionState], CommandRouter] = CommandRouter):
        self.make = make

    def run(self, name: str, lines: Iterable[str]) -> tuple[SessionState, list[ToolResult]]:
        """Return the session after all lines, and what each gave."""
        state = fresh(name)
        router = self.make(state)
        return state, [router.route(line) for line in lines]


def failures(results: list[ToolResult]) -> list[str]:
    """Return the texts of the results that are not well."""
    return [r.text for r in results if not r.ok]
