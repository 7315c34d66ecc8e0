# SPDX-License-Identifier: BSD-2-Clause
"""Searches from several threads, in a forked process, and while the program ends."""

import os
import signal
import subprocess
import sys
import threading

import tandem
from pictures import grey, pan


def test_threads_share_an_estimator():
    current, reference = pan(320, 240, 3, 3)
    expected = tandem.estimate(current, reference, range=8)
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(tandem.estimate(current, reference, range=8))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == expected for result in results)


def test_a_forked_process_searches_and_drops_its_parents_estimators():
    tandem.estimate(grey, grey, 16, 1, threads=2)
    process = os.fork()
    if process == 0:
        try:
            signal.alarm(60)
            for threads in range(3, 12):
                tandem.estimate(grey, grey, 16, 1, threads=threads)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(process, 0)[1] == 0


def test_a_program_ends_while_its_threads_search():
    program = """
import threading, numpy, tandem
grey, searching = numpy.zeros((64, 64), numpy.uint8), threading.Barrier(5)
def search():
    for number in range(1_000_000):
        tandem.estimate(grey, grey, 16, 8, threads=1)
        if number == 0:
            searching.wait()
for _ in range(4):
    threading.Thread(target=search, daemon=True).start()
searching.wait()
"""
    for _ in range(5):
        assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0
