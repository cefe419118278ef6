import random
import unittest

from receiver import ssb
from receiver.channel import Channel
from receiver.pss import detect_pss, generate_pss
from receiver.sequences import cyclic_correlation


class GenerateTest(unittest.TestCase):
    def test_correlation_is_that_of_an_m_sequence(self):
        d = generate_pss(0)
        self.assertEqual(127, len(d))
        self.assertEqual([127] + [-1] * 126, cyclic_correlation(d, d))

    def test_the_three_are_shifts_of_one(self):
        d = generate_pss(0)
        self.assertEqual(d[43:] + d[:43], generate_pss(1))
        self.assertEqual(d[86:] + d[:86], generate_pss(2))

    def test_no_fourth(self):
        with self.assertRaises(ValueError):
            generate_pss(3)


class DetectTest(unittest.TestCase):
    def receive(self, cell_id, snr_db, cfo):
        waveform = ssb.build_waveform(cell_id, random.Random(3))
        return Channel(snr_db, cfo, seed=4).apply(waveform, 200, 2 * ssb.SAMPLES)

    def test_finds_each_sequence(self):
        for n_id_2 in range(3):
            found = detect_pss(self.receive(300 + n_id_2, 6, 0.1))
            self.assertEqual((n_id_2, 218), (found.n_id_2, found.offset))
            self.assertAlmostEqual(0.1, found.cfo, delta=0.05)

    def test_frequency_offset_between_hypotheses(self):
        found = detect_pss(self.receive(7, 3, -0.375))
        self.assertAlmostEqual(-0.375, found.cfo, delta=0.08)

    def test_noise_alone_is_no_cell(self):
        noise = Channel(0, seed=11).add_noise([0j] * 1024)
        self.assertIsNone(detect_pss(noise))

    def test_too_short(self):
        self.assertIsNone(detect_pss([0j] * 100))


if __name__ == "__main__":
    unittest.main()
