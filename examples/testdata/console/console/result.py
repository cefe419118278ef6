"""What a command gives back."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ToolResult:
    """The text of an answer, and whether the command could do its work."""

    ok: bool
    text: str

    def shown(self, width: int = 60) -> str:
        """Return the text, cut to a width."""
        return self.text if len(self.text) <= width else self.text[: width - 3] + "..."
