"""A file → a page in a real browser, headless."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from requirements import require_program
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --window-size=1280,900"
)


class Browser:
    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, page: Path) -> None:
        self.driver.get(page.as_uri())

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent.trim())"
        return list(self.run(script, selector))

    def ids(self) -> list[str]:
        """The cases in the table, from top to bottom."""
        script = "return [...document.querySelectorAll('.row')].sort((a, b) => a.dataset.place - b.dataset.place)"
        return list(self.run(script + ".map(row => row.querySelector('.id').textContent)"))

    def click_case(self, name: str) -> None:
        script = "const rows = [...document.querySelectorAll('.row')];"
        self.run(script + "rows.find(row => row.querySelector('.id').textContent === arguments[0]).click()", name)

    def open_case(self, name: str) -> None:
        self.click_case(name)
        self.until("document.querySelector('.detail') !== null")

    def choose(self, name: str, value: str) -> None:
        script = "const it = document.getElementById(arguments[0]); it.value = arguments[1];"
        self.run(script + "it.dispatchEvent(new Event('change'))", f"by-{name}", value)

    def search(self, text: str) -> None:
        self.run("document.getElementById('search').value = ''")
        self.one("#search").send_keys(text)

    def press(self, *keys: str) -> None:
        self.driver.switch_to.active_element.send_keys(*keys)

    def until(self, script: str, *arguments: Any) -> None:
        WebDriverWait(self.driver, 10, poll_frequency=0.02).until(lambda _: self.run(f"return {script}", *arguments))

    def width(self, pixels: int) -> None:
        metrics = {"width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)

    def prefer(self, scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.command("Emulation.setEmulatedMedia", features=features)

    def printed(self) -> bytes:
        return base64.b64decode(self.command("Page.printToPDF")["data"])

    def console(self) -> list[str]:
        """What the page said to its console since it was last asked."""
        log = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in log]

    def command(self, name: str, **parameters: Any) -> dict[str, Any]:
        return dict(self.driver.execute_cdp_cmd(name, parameters))


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    chromium = require_program("chromium", "chromium-browser", "google-chrome", install="apt-get install chromium")
    driver = require_program("chromedriver", install="apt-get install chromium-driver")
    options = webdriver.ChromeOptions()
    for flag in (*_FLAGS.split(), f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield Browser(running)
    finally:
        running.quit()


__all__ = ["Browser", "Keys", "browser"]
