"""Take the pictures of the workbench for README and manual, of a folder in which `veracity demo` was run.

`python docs/picture_workbench.py demo-output` needs chromium, chromedriver and selenium.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

PICTURES = Path(__file__).parent / "pictures"
VIEWS = {  # address and height of each
    "workbench": ("/study/demo.toml/analyse", 1150),
    "workbench-desk": ("/", 560),
    "workbench-setup": ("/study/demo.toml/setup", 1250),
    "workbench-run": ("/study/demo.toml/run", 900),
}
WIDE = 1280


def take(folder: str) -> None:
    """One picture of each view."""
    line = [sys.executable, "-m", "veracity", "serve", folder, "--no-browser"]
    server = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    browser = _browser()
    try:
        browser.get(address)
        for name, (path, high) in VIEWS.items():
            size = {"width": WIDE, "height": high, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            browser.get(address.partition("/open")[0] + path)
            while "Working on it" in browser.page_source:
                time.sleep(1)
            browser.save_screenshot(str(PICTURES / f"{name}.png"))
    finally:
        browser.quit()
        server.send_signal(signal.SIGINT)
        server.wait(300)


def _browser() -> webdriver.Chrome:
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


if __name__ == "__main__":
    take(sys.argv[1])
