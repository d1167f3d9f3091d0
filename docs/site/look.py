"""look.py SITE AXE_JS PICTURES: what a reader sees, by headless Chromium from the files themselves,
without a server and without the network.

Every page is opened light and dark and checked by axe-core, whose findings are errors; a few are
captured at three widths, none of which may scroll sideways; the search is used.
"""

import json
import os
import sys
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

WIDTHS = (400, 900, 1600)
PICTURED = (
    "index",
    "why",
    "calls",
    "tutorial-python",
    "reference-cli",
    "reference-python/schema",
    "reference-cpp/view",
    "inspect-sample",
)
GENERATED = {
    "reference-python/schema.html",
    "reference-python/paths-and-selections.html",
    "reference-cpp/index.html",
    "reference-cpp/view.html",
}  # the others are generated in the same way
SEARCHES = {
    "redaction": "privacy-filter",
    "type_mismatch": "behaviour",
    "append_trimmed": "reference-cpp/edit",
    "get_many": "reference-python/schema",
}
RUN_AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"], iframes: false}).then(result => {
  const text = node => node.target.join(" ") + " " + node.html.slice(0, 160);
  done(result.violations.map(
    violation => violation.id + ": " + violation.nodes.slice(0, 3).map(text).join(" | ")));
});
"""


def browser():
    options = webdriver.ChromeOptions()
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--allow-file-access-from-files",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ):
        options.add_argument(argument)
    return webdriver.Chrome(
        options=options,
        service=webdriver.ChromeService(
            "/usr/bin/chromedriver" if os.path.exists("/usr/bin/chromedriver") else None
        ),
    )


def dress(driver, theme):
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": theme}]},
    )
    driver.execute_script("document.body.dataset.theme = arguments[0]", theme)


def resize(driver, width, height=900):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )


def axe_faults(driver, site, axe):
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        if "/" in name and name not in GENERATED:
            continue
        driver.get(path.as_uri())
        driver.execute_script(axe)
        for theme in ("light", "dark"):
            dress(driver, theme)
            for fault in driver.execute_async_script(RUN_AXE):
                yield f"{name} ({theme}): {fault}"


def picture_faults(driver, site, pictures):
    for name in PICTURED:
        for width in WIDTHS:
            resize(driver, width)
            driver.get((site / f"{name}.html").as_uri())
            for theme in ("light", "dark"):
                dress(driver, theme)
                (pictures / f"{name.replace('/', '-')}-{width}-{theme}.png").write_bytes(
                    driver.get_screenshot_as_png()
                )
            wide = driver.execute_script("return document.documentElement.scrollWidth")
            if wide > width:
                yield f"{name} at {width}: is {wide} wide and scrolls sideways"


def theme_faults(driver, site):
    """A theme chosen against the system's reaches the inspector in its frame."""
    resize(driver, WIDTHS[-1])
    driver.get((site / "index.html").as_uri())
    frame = driver.find_element(By.CSS_SELECTOR, "iframe.sample")
    driver.execute_script("arguments[0].scrollIntoView()", frame)
    grounds = {}
    for system, chosen in (("light", "light"), ("light", "dark"), ("dark", "light")):
        dress(driver, system)
        driver.execute_script("document.body.dataset.theme = arguments[0]", chosen)
        driver.switch_to.frame(frame)
        WebDriverWait(driver, 20).until(
            lambda it: it.execute_script("return document.documentElement.dataset.theme") == chosen
        )
        ground = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        driver.switch_to.default_content()
        if grounds.setdefault(chosen, ground) != ground:
            yield (
                f"the inspector is {ground} where {chosen} is chosen on a {system} "
                f"system, else {grounds[chosen]}"
            )
    if len(set(grounds.values())) != 2:
        yield f"the inspector does not follow the theme: {grounds}"


def search_faults(driver, site):
    resize(driver, WIDTHS[-1])
    for term, page in SEARCHES.items():
        driver.get((site / "index.html").as_uri())
        box = driver.find_element(By.CSS_SELECTOR, "input[name=q]")
        box.send_keys(term)
        box.submit()
        WebDriverWait(driver, 20).until(
            lambda it: any(
                "finished" in element.text
                for element in it.find_elements(By.CSS_SELECTOR, "#search-results .search-summary")
            )
        )
        links = [
            link.get_attribute("href")
            for link in driver.find_elements(By.CSS_SELECTOR, "#search-results li a")
        ]
        if not any(f"/{page}.html" in link for link in links):
            yield f"search for {term!r} does not find {page}: {links[:8]}"
    driver.get((site / "search.html").as_uri() + "?q=redaction+nosuchword")
    WebDriverWait(driver, 20).until(
        lambda it: it.find_elements(By.CSS_SELECTOR, "#search-results .single-words a")
    )


def main():
    site, axe, pictures = (
        Path(sys.argv[1]).resolve(),
        Path(sys.argv[2]).read_text(encoding="utf-8"),
        Path(sys.argv[3]),
    )
    pictures.mkdir(parents=True, exist_ok=True)
    driver = browser()
    try:
        driver.set_script_timeout(120)
        faults = [
            *picture_faults(driver, site, pictures),
            *theme_faults(driver, site),
            *search_faults(driver, site),
            *axe_faults(driver, site, axe),
        ]
    finally:
        driver.quit()
    print(
        "\n".join(faults)
        or f"axe-core finds nothing, the search finds what it should, no page "
        f"scrolls sideways; pictures: {pictures}"
    )
    print(json.dumps({"faults": len(faults)}))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
