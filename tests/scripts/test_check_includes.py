# SPDX-License-Identifier: BSD-2-Clause
"""scripts/check_includes on small trees with planted violations."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_includes"


class CheckIncludes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.plant("video/frame.h", "#pragma once\n#include <vector>\n")
        self.plant("me/motion.h", "#pragma once\n#include <cstdint>\n")
        self.plant("me/search.h", '#include "me/motion.h"\n#include "video/frame.h"\n')
        self.plant("cuda/device.h", '#include "me/search.h"\n')
        self.plant("bitstream/code.h", '#include "me/motion.h"\n')
        self.plant("encoder/encoder.h", '#include "bitstream/code.h"\n#include "me/search.h"\n')
        self.plant("app/main.cpp", '#include <fmt/core.h>\n#include "encoder/encoder.h"\n#include "cuda/device.h"\n')
        self.plant("tests/cuda/device_test.cpp", '#include "cuda/device.h"\n')

    def plant(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def check(self):
        command = [sys.executable, SCRIPT, "--root", self.root]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def assert_violation(self, *words):
        code, said = self.check()
        self.assertEqual(code, 1, said)
        for word in words:
            self.assertIn(word, said)
        self.assertIn("1 violations", said)

    def test_a_tree_in_order_passes(self):
        code, said = self.check()
        self.assertEqual(code, 0, said)

    def test_a_lower_floor_may_not_include_a_higher_one(self):
        self.plant("video/frame.h", '#pragma once\n\n#include "me/motion.h"\n')
        self.assert_violation("video/frame.h:3:", "video/ may include machine, files")

    def test_bitstream_sees_of_motion_the_vector_alone(self):
        self.plant("bitstream/writer.cpp", '#include "me/search.h"\n')
        self.assert_violation("bitstream/writer.cpp:1:",
                              "bitstream/ may include machine, video/codec.h, video/picture_type.h, me/motion.h")

    def test_only_app_and_tests_include_cuda(self):
        self.plant("encoder/gpu.cpp", '  # include "cuda/device.h"\n')
        self.assert_violation("encoder/gpu.cpp:1:")

    def test_angle_brackets_do_not_help(self):
        self.plant("me/early.cu", "#include <encoder/encoder.h>\n")
        self.assert_violation("me/early.cu:1:", "me/ may include machine, files, video")

    def test_includes_are_named_from_the_root(self):
        self.plant("me/near.cpp", '#include "motion.h"\n')
        self.assert_violation("me/near.cpp:1:", '"me/motion.h"')

    def test_a_test_may_name_a_file_beside_it(self):
        self.plant("tests/me/pictures.h", "#pragma once\n")
        self.plant("tests/me/search_test.cpp", '#include "pictures.h"\n')
        self.assertEqual(self.check()[0], 0)
        self.plant("tests/encoder/order_test.cpp", '#include "pictures.h"\n')
        self.assert_violation("tests/encoder/order_test.cpp:1:", "from the root")

    def test_an_included_file_exists(self):
        self.plant("me/typo.cpp", '#include "me/motoin.h"\n')
        self.assert_violation("me/typo.cpp:1:", "does not exist")

    def test_long_files_are_found_and_tables_are_not(self):
        self.plant("bitstream/mpeg/vlc_tables.h", "// a row\n" * 900)
        self.assertEqual(self.check()[0], 0)
        self.plant("bitstream/slice.cpp", "// a line\n" * 401)
        self.assert_violation("bitstream/slice.cpp:401:", "at most 400")

    def test_an_empty_tree_is_an_error(self):
        with tempfile.TemporaryDirectory() as empty:
            self.root = Path(empty)
            self.assertEqual(self.check()[0], 1)


if __name__ == "__main__":
    unittest.main()
