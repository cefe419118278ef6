"""What happens between transmitter and receiver: delay, echoes, frequency offset, noise."""

import random

from . import ofdm


class Channel:
    """A channel that does not change while a buffer is received.

    ``snr_db`` is the ratio of signal power to noise power in a sample. ``cfo`` is in subcarrier spacings. ``taps`` are
    pairs of a delay in samples and a complex gain.
    """

    def __init__(self, snr_db, cfo=0.0, taps=((0, 1.0),), seed=1):
        self.snr_db = snr_db
        self.cfo = cfo
        self.taps = tuple(taps)
        self.rng = random.Random(seed)

    def apply(self, waveform, delay, length):
        """Return ``length`` received samples in which the waveform starts ``delay`` samples after the first."""
        out = [0j] * length
        for tap_delay, gain in self.taps:
            for i, s in enumerate(waveform):
                at = delay + tap_delay + i
                if at < length:
                    out[at] += gain * s
        return self.add_noise(ofdm.rotate(out, self.cfo))

    def add_noise(self, samples):
        """Add complex white Gaussian noise for a signal of unit power."""
        sigma = (10 ** (-self.snr_db / 10) / 2) ** 0.5
        gauss = self.rng.gauss
        return [s + complex(gauss(0, sigma), gauss(0, sigma)) for s in samples]
