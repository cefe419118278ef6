"""How well the search works: rates over many trials, as in table 1 of "Detecting the NR Primary Synchronization Signal"."""

import random
from dataclasses import dataclass

from . import ofdm, ssb
from .cell_search import CellSearcher
from .channel import Channel
from .pss import CFO_HYPOTHESES
from .pss import detect_pss as find_pss

BUFFER = 2 * ssb.SAMPLES


@dataclass(frozen=True)
class Rates:
    """Shares of trials, between 0 and 1, and the mean absolute frequency error in subcarrier spacings."""

    snr_db: float
    detected: float
    identified: float
    cfo_error: float


def trial(snr_db, rng, max_cfo=0.5):
    """Return (cell identity, offset of the primary signal, frequency offset, samples) of a random scene."""
    cell_id = rng.randrange(ssb.CELLS)
    delay = rng.randrange(BUFFER - ssb.SAMPLES)
    cfo = rng.uniform(-max_cfo, max_cfo)
    channel = Channel(snr_db, cfo, seed=rng.random())
    samples = channel.apply(ssb.build_waveform(cell_id, rng), delay, BUFFER)
    return cell_id, delay + ofdm.CYCLIC_PREFIX, cfo, samples


def measure(snr_db, trials=100, seed=1, hypotheses=CFO_HYPOTHESES):
    """Return the Rates of a search without a threshold on the peak, so that only wrong answers count as misses."""
    rng = random.Random(seed)
    searcher = CellSearcher(threshold=0.0, hypotheses=hypotheses)
    detected = identified = 0
    errors = []
    for _ in range(trials):
        cell_id, offset, cfo, samples = trial(snr_db, rng)
        found = find_pss(samples, hypotheses, threshold=0.0)
        if found is None or abs(found.offset - offset) > 2 or found.n_id_2 != cell_id % 3:
            continue
        detected += 1
        errors.append(abs(found.cfo - cfo))
        cell = searcher.identify(samples, found)
        identified += cell is not None and cell.cell_id == cell_id
    mean = sum(errors) / len(errors) if errors else float("nan")
    return Rates(snr_db, detected / trials, identified / trials, mean)


def false_alarm_rate(trials=100, seed=1):
    """Return the share of buffers with nothing but noise in which a primary signal is reported."""
    channel = Channel(0.0, seed=seed)
    alarms = 0
    for _ in range(trials):
        alarms += find_pss(channel.add_noise([0j] * BUFFER)) is not None
    return alarms / trials


def sweep(snrs, trials):
    """Yield the Rates for each signal-to-noise ratio, in the order given."""
    for snr_db in snrs:
        yield measure(snr_db, trials)
