"""The secondary synchronization signal (SSS): generation and detection; see FS 12.401 clauses 4.3 and 5.4."""

from .sequences import LENGTH, bipolar, m_sequence

FIRST_SUBCARRIER = 56
GROUPS = 336
INITIAL = (1, 0, 0, 0, 0, 0, 0)

_x0 = bipolar(m_sequence((4, 0), INITIAL))
_x1 = bipolar(m_sequence((1, 0), INITIAL))


def generate_sss(n_id_1, n_id_2):
    """Return the 127 values of the product of two shifted m-sequences."""
    if not 0 <= n_id_1 < GROUPS:
        raise ValueError(f"N_ID1 lies between 0 and {GROUPS - 1}, not {n_id_1}")
    m0 = 15 * (n_id_1 // 112) + 5 * n_id_2
    m1 = n_id_1 % 112
    return [_x0[(n + m0) % LENGTH] * _x1[(n + m1) % LENGTH] for n in range(LENGTH)]


def detect_sss(values, n_id_2):
    """Return (N_ID1, metric) of the sequence that fits 127 equalized values best.

    The metric is the normalized correlation, between 0 and 1. The search is coherent: the caller has removed the channel
    with the help of the primary synchronization signal.
    """
    energy = sum(abs(v) ** 2 for v in values)
    if energy == 0:
        return 0, 0.0
    best, best_power = 0, -1.0
    for n_id_1 in range(GROUPS):
        total = sum(v.real * d for v, d in zip(values, generate_sss(n_id_1, n_id_2)))
        if total > best_power:
            best, best_power = n_id_1, total
    return best, best_power / (energy * LENGTH) ** 0.5
