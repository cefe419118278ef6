import io
import random
import unittest
from contextlib import redirect_stdout

from receiver import cli, ssb
from receiver.cell_search import CellSearcher, TrackingSearcher
from receiver.channel import Channel
from receiver.sss import generate_sss


def receive(cell_id, snr_db, taps=((0, 1.0),)):
    waveform = ssb.build_waveform(cell_id, random.Random(5))
    return Channel(snr_db, 0.2, taps, seed=6).apply(waveform, 400, 2 * ssb.SAMPLES)


class CellSearcherTest(unittest.TestCase):
    def test_identity(self):
        for cell_id in (0, 407, 1007):
            self.assertEqual(cell_id, CellSearcher().search(receive(cell_id, 3)).cell_id)

    def test_echo(self):
        found = CellSearcher().search(receive(123, 6, taps=((0, 0.9), (4, 0.4j))))
        self.assertEqual(123, found.cell_id)

    def test_tracking(self):
        samples = receive(88, 3)
        first = CellSearcher().search(samples)
        again = TrackingSearcher(first).search(samples)
        self.assertEqual((first.cell_id, first.offset), (again.cell_id, again.offset))

    def test_noise(self):
        self.assertIsNone(CellSearcher().search(Channel(0, seed=9).add_noise([0j] * 2000)))


class SequenceTest(unittest.TestCase):
    def test_secondary_sequences_differ(self):
        seen = {tuple(generate_sss(n_id_1, 0)) for n_id_1 in range(336)}
        self.assertEqual(336, len(seen))


class CommandLineTest(unittest.TestCase):
    def run_main(self, *argv):
        out = io.StringIO()
        with redirect_stdout(out):
            status = cli.main(argv)
        return status, out.getvalue()

    def test_search(self):
        status, out = self.run_main("--snr", "0", "--cell", "407")
        self.assertEqual(0, status)
        self.assertTrue(out.startswith("cell id 407\n"), out)

    def test_too_much_noise(self):
        self.assertEqual((1, "no cell found\n"), self.run_main("--snr", "-30"))


if __name__ == "__main__":
    unittest.main()
