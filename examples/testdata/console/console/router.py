"""Finds the method that does a command."""

from .result import ToolResult
from .session import SessionState


class CommandRouter:
    """Routes lines such as "set a 1" to the method of the first word."""

    def __init__(self, state: SessionState):
        self.state = state

    def route(self, line: str) -> ToolResult:
        """Run one line."""
        word, *rest = line.split()
        method = getattr(self, "do_" + word, None)
        if method is None:
            return ToolResult(False, f"no command is named {word}")
        self.state.remember(line)
        return method(*rest)

    def do_set(self, name: str, value: str) -> ToolResult:
        self.state.values[name] = value
        return ToolResult(True, f"{name} = {value}")

    def do_get(self, name: str) -> ToolResult:
        if name not in self.state.values:
            return ToolResult(False, f"{name} is not set")
        return ToolResult(True, self.state.values[name])


class QuietRouter(CommandRouter):
    """A router that says nothing when all is well."""

    def route(self, line: str) -> ToolResult:
        result = super().route(line)
        return ToolResult(True, "") if result.ok else result
