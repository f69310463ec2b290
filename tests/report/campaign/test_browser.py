"""The page in a real browser: Chromium without a window, driven by WebDriver."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cpmines.campaign.frame import frame
from cpmines.campaign.store import Store
from cpmines.report.campaign.page import document

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

if BROWSER is None or DRIVER is None:
    pytest.skip("chromium and chromedriver are not installed", allow_module_level=True)
webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--force-prefers-reduced-motion"):
        options.add_argument(word)
    options.add_argument("--window-size=1280,1000")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, store: Store, tmp_path: Path) -> Any:
    path = tmp_path / "report.html"
    path.write_text(document(store, frame(store)))
    browser.get(path.as_uri())
    return browser


def one(page: Any, selector: str) -> Any:
    return page.find_element("css selector", selector)


def all_of(page: Any, selector: str) -> list[Any]:
    return list(page.find_elements("css selector", selector))


def column(page: Any, number: int) -> list[str]:
    return [cell.get_attribute("title") for cell in all_of(page, f"#rows td:nth-child({number})")]


def test_it_loads_without_errors_and_draws_everything(page: Any) -> None:
    assert page.get_log("browser") == []
    kinds = [figure.get_attribute("data-kind") for figure in all_of(page, "figure")]
    assert kinds == ["cactus", "scatter", "growth"]
    assert all(figure.find_elements("css selector", ".point") for figure in all_of(page, "figure"))
    assert len(all_of(page, "#rows tr")) == 100
    assert one(page, "#shown").text == "100 of 108 runs shown"
    one(page, "#more").click()
    assert len(all_of(page, "#rows tr")) == 108


def test_it_sorts(page: Any) -> None:
    one(page, "#heads th[data-name=cpu] button").click()
    costs = list(map(float, column(page, 9)))
    assert costs == sorted(costs)
    assert one(page, "#heads th[data-name=cpu]").get_attribute("aria-sort") == "ascending"
    one(page, "#heads th[data-name=cpu] button").click()
    costs = list(map(float, column(page, 9)))
    assert costs == sorted(costs, reverse=True)


def test_instances_are_sorted_as_numbers(page: Any) -> None:
    for selector in ("#more", "#heads th[data-name=instance] button"):
        page.execute_script("document.querySelector(arguments[0]).click()", selector)
    assert list(dict.fromkeys(column(page, 3))) == [f"board {k} <b>" for k in range(12)]


def test_a_run_has_its_limits_as_they_were_given(page: Any) -> None:
    page.execute_script("document.querySelector('#rows tr').click()")
    assert "1024 MiB" in one(page, "dialog").text
    one(page, "dialog button").click()


def test_findings_are_text_and_not_all_bold(page: Any) -> None:
    weights = [found.value_of_css_property("font-weight") for found in all_of(page, ".findings li")]
    assert weights
    assert set(weights) == {"400"}


def test_it_filters(page: Any) -> None:
    one(page, "#filter-backend option[value=cpsat]").click()
    assert set(column(page, 4)) == {"cpsat"}
    assert one(page, "#shown").text == "36 of 36 runs shown"
    one(page, "#search").send_keys("board 3")
    assert set(column(page, 3)) == {"board 3 <b>"}
    assert len(all_of(page, "#rows tr")) == 3


def test_a_click_on_a_point_opens_the_run(page: Any) -> None:
    point = one(page, "figure[data-kind=growth] .point")
    page.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", point)
    page.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", point)
    assert one(page, "dialog").get_attribute("open") is not None
    assert " on board " in one(page, "dialog h2").text
    assert all_of(page, "dialog .board rect")
    address = page.current_url
    assert "#run-" in address
    one(page, "dialog button").click()
    assert one(page, "dialog").get_attribute("open") is None


def test_a_row_opens_too_and_the_scatter_can_be_chosen(page: Any) -> None:
    page.execute_script("document.querySelector('#rows tr').click()")
    assert one(page, "dialog").get_attribute("open") is not None
    one(page, "dialog button").click()
    before = one(page, "figure[data-kind=scatter] svg").get_attribute("innerHTML")
    one(page, "figure[data-kind=scatter] select:nth-of-type(2) option:nth-child(3)").click()
    assert one(page, "figure[data-kind=scatter] svg").get_attribute("innerHTML") != before
    assert page.get_log("browser") == []


def test_axes_are_readable_on_a_phone(page: Any) -> None:
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for svg in all_of(page, "figure svg"):
            name, *numbers = page.execute_script(ACROSS, svg)
            assert numbers
            assert name < min(numbers)
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


ACROSS = """
const texts = [...arguments[0].querySelectorAll("text")];
const name = texts.find((one) => one.hasAttribute("transform")).getBoundingClientRect().right;
const numbers = texts.filter((one) => one.getAttribute("text-anchor") === "end");
return [name, ...numbers.map((one) => one.getBoundingClientRect().left)];
"""


def test_nothing_is_wider_than_a_phone(page: Any) -> None:
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert page.execute_script("return document.documentElement.scrollWidth") <= 390
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
