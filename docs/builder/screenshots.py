"""The pictures of the README: the live pages of the built site as Chromium shows them.

`python -m docs.builder.screenshots build/docs` writes them into docs/img, each below 150 KB.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

IMG = Path(__file__).parents[1] / "img"
PAGES = {
    "results_page.png": "live/results/results/smoke/report.html",
    "advice_page.png": "live/advise/advise.html",
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def picture(browser: str, page: Path, target: Path, size: tuple[int, int] = (1300, 900)) -> None:
    """A page as a PNG of this size in pixels; few colours keep the file small."""
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder:
        taken = Path(folder) / "page.png"
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}"]
        options += [f"--window-size={size[0]},{size[1]}", f"--screenshot={taken}"]
        subprocess.run([browser, *options, page.resolve().as_uri()], check=True, capture_output=True, timeout=120)
        Image.open(taken).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(target, optimize=True)


def main(site: Path) -> int:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"no browser: install one of {', '.join(BROWSERS)}", file=sys.stderr)
        return 1
    for name, page in PAGES.items():
        picture(browser, site / page, IMG / name)
        print(f"{IMG / name}: {(IMG / name).stat().st_size / 1000:.0f} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
