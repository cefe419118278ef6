import unittest

from console.router import CommandRouter, QuietRouter
from console.session import checksum, fresh


class RouterTest(unittest.TestCase):
    def test_set_and_get(self):
        router = CommandRouter(fresh("t"))
        self.assertTrue(router.route("set a 1").ok)
        self.assertEqual("1", router.route("get a").text)

    def test_unknown(self):
        self.assertFalse(CommandRouter(fresh("t")).route("jump").ok)

    def test_quiet(self):
        self.assertEqual("", QuietRouter(fresh("t")).route("set a 1").text)


class ChecksumTest(unittest.TestCase):
    def test_same_commands(self):
        first, second = fresh("a"), fresh("b")
        for state in (first, second):
            CommandRouter(state).route("set a 1")
        self.assertEqual(checksum(first), checksum(second))


if __name__ == "__main__":
    unittest.main()
