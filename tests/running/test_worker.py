"""A worker lives no longer than the process that it works for."""

import subprocess
import sys


def test_a_worker_whose_parent_died_before_it_was_ready_ends():
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    code = f"import time; from veracity.running import worker; worker.start({gone.pid}); time.sleep(60)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 1
