"""The state of a session."""

from dataclasses import dataclass, field


@dataclass
class SessionState:
    """What a session has set so far, and what it has done."""

    name: str
    values: dict[str, str] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)

    def remember(self, line: str) -> None:
        self.done.append(line)


def fresh(name: str) -> SessionState:
    """Return a session that has done nothing."""
    return SessionState(name)


def summary(state: SessionState) -> str:
    """Return one line about a session."""
    return f"{state.name}: {len(state.done)} commands, {len(state.values)} values"


def checksum(state: SessionState) -> int:
    """Return a number that two sessions share when they did the same."""
    total = 0
    for line in state.done:
        for char in line:
            total = (total * 31 + ord(char)) % 65521
    return total


def merge_histories(first: SessionState, second: SessionState) -> list[str]:
    """Return the commands of two sessions, in turn. Nothing calls it any more."""
    out = []
    for pair in zip(first.done, second.done):
        out.extend(pair)
    return out
