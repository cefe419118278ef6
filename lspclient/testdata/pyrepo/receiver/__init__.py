"""A receiver that fits on a page."""

from .sync import detect_pss, Receiver  #@use(detect_pss), use(Receiver)

__all__ = ["detect_pss", "Receiver"]  #@use(detect_pss), use(Receiver)
