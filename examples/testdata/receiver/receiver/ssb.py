"""The synchronization signal block: four symbols of 240 subcarriers; see FS 12.401 table 4.1-1."""

from . import ofdm, pss, sss
from .sequences import LENGTH

SYMBOLS = 4
SAMPLES = SYMBOLS * ofdm.SYMBOL_SAMPLES
CELLS = 3 * sss.GROUPS


def split_cell_id(cell_id):
    """Return (N_ID1, N_ID2) of a physical cell identity."""
    if not 0 <= cell_id < CELLS:
        raise ValueError(f"a physical cell identity lies between 0 and {CELLS - 1}, not {cell_id}")
    return divmod(cell_id, 3)


def build_grid(cell_id, rng):
    """Return the block as four lists of 240 values. Random QPSK stands in for the broadcast channel."""
    n_id_1, n_id_2 = split_cell_id(cell_id)
    grid = [[0j] * ofdm.SUBCARRIERS for _ in range(SYMBOLS)]
    first, last = pss.FIRST_SUBCARRIER, pss.FIRST_SUBCARRIER + LENGTH
    grid[0][first:last] = pss.generate_pss(n_id_2)
    grid[2][first:last] = sss.generate_sss(n_id_1, n_id_2)
    for k in range(ofdm.SUBCARRIERS):
        grid[1][k] = _qpsk(rng)
        grid[3][k] = _qpsk(rng)
        if k < 48 or k >= 192:
            grid[2][k] = _qpsk(rng)
    return grid


def build_waveform(cell_id, rng):
    """Return the samples of a block, with unit mean power while the synchronization signals are sent."""
    scale = ofdm.FFT_SIZE / LENGTH**0.5
    out = []
    for symbol in build_grid(cell_id, rng):
        out += [s * scale for s in ofdm.with_prefix(ofdm.modulate(symbol))]
    return out


def _qpsk(rng):
    half = 0.5**0.5
    return complex(rng.choice((-half, half)), rng.choice((-half, half)))
