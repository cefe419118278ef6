import unittest

from console.replay import ReplayService, failures


class ReplayTest(unittest.TestCase):
    def test_replay(self):
        state, results = ReplayService().run("r", ["set a 1", "get a", "get b"])
        self.assertEqual(["set a 1", "get a", "get b"], state.done)
        self.assertEqual(["b is not set"], failures(results))


if __name__ == "__main__":
    unittest.main()
