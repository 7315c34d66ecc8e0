# SPDX-License-Identifier: BSD-2-Clause
"""The live page in headless Chromium, whose fake camera plays a clip of known motion: what is drawn is that motion."""

import colorsys
import itertools
import json
import math
import os
import pathlib
import subprocess

import pytest

pytest.importorskip("aiohttp", reason="aiohttp is not installed (Debian: python3-aiohttp)")

import browser  # noqa: E402
from live_client import moving, run, serving  # noqa: E402
from tandem.live.clips import Clip, drawn_clip  # noqa: E402
from tandem.live.searcher import Device, devices_here  # noqa: E402

command = os.environ.get("TANDEM_COMMAND", "")
pytestmark = [
    pytest.mark.skipif(browser.program is None, reason="Chromium is not installed"),
    pytest.mark.skipif(
        not os.path.isfile(command), reason="TANDEM_COMMAND names no built tandem, which draws the clip"
    ),
]
right, down = 3, -2  # The camera's motion, pels a picture.


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    video = tmp_path_factory.mktemp("camera") / "pan.y4m"
    scene = [
        "--scene",
        "pan",
        "--size",
        "320x240",
        "--frames",
        "200",
        "--fps",
        "30",
        f"--speed={right},{down}",
        "--seed",
        "5",
    ]
    subprocess.run([command, "synth", *scene, "-o", video, "--quiet"], check=True)
    made = browser.Browser(video)
    yield made
    made.close()


# Of the answer that is drawn: its common vector, how many pictures its reference lies back, and the wheel's colour in
# the middle of a block that has this vector.
look = """(() => {
    const { answer } = tandemLive.last, [field] = answer.fields, canvas = tandemLive.stages[0].canvas;
    const counts = {};
    for (let i = 0; i < field.rows * field.columns; ++i) {
        const key = `${field.vectors[2 * i]},${field.vectors[2 * i + 1]}`;
        (counts[key] ||= []).push(i);
    }
    const [key, blocks] = Object.entries(counts).sort((a, b) => b[1].length - a[1].length)[0];
    const i = blocks[Math.floor(blocks.length / 2)], scale = canvas.width / field.width;
    const x = (i % field.columns + .5) * field.blockWidth * scale;
    const y = (Math.floor(i / field.columns) + .5) * field.blockHeight * scale;
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    probe.drawImage(canvas, x, y, 1, 1, 0, 0, 1, 1);
    return { number: answer.number, vector: key.split(",").map((value) => value / 8),
        part: blocks.length / (field.rows * field.columns),
        longest: tandemLive.stages[0].painter.longest, colour: [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)],
        label: canvas.getAttribute("aria-label"), size: [field.width, field.height] };
})()"""


def steps_of(vector):
    """How many pictures of the camera's clip such a vector spans; None where it is not its motion."""
    count = -vector[0] / right
    return count if vector == [-right * count, -down * count] and count >= 0 else None


def test_what_is_drawn_is_the_camera_s_motion(chromium):
    async def body():
        async with serving() as server, chromium.page() as page:
            await page.allow_camera(server.address, True)
            await page.go(server.address)
            await page.until("document.documentElement.dataset.link === 'open'")
            await page.evaluate(
                "document.querySelector('#size').value = '360'; document.querySelector('[data-key=wheel]').click()"
            )
            await page.evaluate(
                "[...document.querySelectorAll('#sources button')].find((one) => one.textContent === 'Camera').click()"
            )
            await page.until("document.documentElement.dataset.drawn > 5")
            seen = []
            while sum(steps_of(one["vector"]) not in (None, 0) for one in seen) < 5 and len(seen) < 60:
                last = seen[-1]["number"] if seen else 0
                await page.until(f"tandemLive.last.answer.number > {last}")
                seen.append(await page.evaluate(look))
            # A camera that is read late shows a picture twice, or leaves one out; where its clip begins anew it jumps.
            right_ones = [one for one in seen if steps_of(one["vector"]) is not None]
            moved = [one for one in right_ones if steps_of(one["vector"]) > 0]
            assert len(moved) >= 5 and len(right_ones) >= 0.7 * len(seen), seen
            for one in moved:
                assert one["size"] == [320, 240] and one["part"] > 0.6, one
                x, y = (int(value) if value == int(value) else value for value in one["vector"])
                assert f"({x}, {y}) pels".replace("-", "−") in one["label"]
                strength = min(1, math.hypot(x, y) / one["longest"])
                wheel = colorsys.hsv_to_rgb(math.atan2(down, right) / (2 * math.pi) % 1, strength, 1)
                # The wheel covers 0.8; what shows through is a darkened grey from 14 to 142.
                for value, pure in zip(one["colour"], wheel):
                    assert 0.8 * 255 * pure + 0.2 * 14 - 4 <= value <= 0.8 * 255 * pure + 0.2 * 142 + 4, one
            assert page.complaints == []

    run(body())


def test_a_camera_that_is_refused_is_told_and_the_clip_still_plays(chromium):
    async def body():
        async with serving() as server, chromium.page() as page:
            await page.allow_camera(server.address, False)
            await page.go(server.address + "?source=camera")
            note = await page.until(
                "!document.querySelector('#note').hidden && document.querySelector('#note').textContent"
            )
            assert note.startswith("The camera was refused.")
            assert await page.evaluate("document.documentElement.dataset.source") == "none"
            await page.evaluate(
                "[...document.querySelectorAll('#sources button')]"
                ".find((one) => one.textContent === 'Drawn scene').click()"
            )
            await page.until("document.documentElement.dataset.drawn > 3")
            assert await page.evaluate("document.querySelector('#note').hidden")
            assert page.complaints == []

    run(body())


every_control = """(async () => {
    const wait = () => new Promise((resolve) => setTimeout(resolve, 30));
    let count = 0;
    for (const list of document.querySelectorAll("#controls select"))
        for (const option of [...list.options].reverse().filter((one) => !one.disabled)) {
            list.value = option.value;
            list.dispatchEvent(new Event("change"));
            ++count;
            await wait();
        }
    for (const slider of document.querySelectorAll("#controls input"))
        for (const value of [slider.max, slider.min, slider.defaultValue]) {
            slider.value = value;
            slider.dispatchEvent(new Event("input"));
            ++count;
            await wait();
        }
    for (const button of document.querySelectorAll("#layers button, #difference-kinds button"))
        for (let i = 0; i < 2; ++i) { button.click(); ++count; await wait(); }
    return count;
})()"""


def test_every_control_works_and_acts_while_paused(chromium):
    clip = Clip("endless", 96, 160, 30.0, lambda: (picture for picture in itertools.cycle(moving(20, 2, 1, 96, 160))))

    async def body():
        devices = devices_here(1)
        devices["gpu"] = Device(devices["cpu"].estimate)
        async with serving(clip=clip, devices=devices) as server, chromium.page() as page:
            await page.go(server.address + "?source=clip")
            # The reference may be eight back.
            await page.until("window.tandemLive && tandemLive.last.answer.number > 10")
            await page.evaluate("document.querySelector('#pause').click()")
            assert await page.evaluate(every_control) > 60
            for key, layer in zip("12345", ("arrows", "wheel", "cost", "candidates", "picture")):
                await page.key(key)
                assert await page.evaluate("tandemLive.view.layer") == layer
            await page.key("b")
            block = await page.evaluate("document.querySelector('#set-block').value")
            width, height = map(int, block.split("x"))
            # Paused: the last picture is searched again.
            await page.until(f"tandemLive.last.answer.fields[0].blockWidth === {width}"
                             f" && tandemLive.last.answer.fields[0].blockHeight === {height}")  # fmt: skip
            await page.evaluate("document.querySelector('#set-device').value = 'both';"
                                "document.querySelector('#set-device').dispatchEvent(new Event('change'))")  # fmt: skip
            await page.until("tandemLive.last.answer.fields.length === 2")
            assert await page.until("document.querySelector('#same').textContent") == "Both fields are the same."
            assert await page.evaluate(
                "[...document.querySelectorAll('figure.stage')].every((one) => one.offsetWidth > 100)"
            )
            await page.evaluate("document.querySelector('canvas.picture').focus()")
            for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
                await page.key(key)
            assert (await page.evaluate("document.querySelector('#tip').textContent")).startswith("block (")
            # The middle of the fourth block of the third row, wherever the picture lies in its canvas.
            await page.evaluate("""(() => {
                const canvas = document.querySelector("canvas.picture"), box = canvas.getBoundingClientRect();
                const { field } = tandemLive.stages[0].shown;
                const zoom = Math.min(box.width / field.width, box.height / field.height);
                const clientX = box.left + (box.width - zoom * field.width) / 2 + 3.5 * field.blockWidth * zoom;
                const clientY = box.top + (box.height - zoom * field.height) / 2 + 2.5 * field.blockHeight * zoom;
                canvas.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true }));
            })()""")
            assert (await page.evaluate("document.querySelector('#tip').textContent")).startswith("block (3, 2)")
            assert page.complaints == []

    run(body())


def test_the_page_comes_back_with_its_settings_after_a_restart(chromium):
    async def body():
        async with chromium.page() as page:
            async with serving() as server:
                port = int(server.address.split(":")[2].strip("/"))
                await page.go(server.address + "?source=clip")
                await page.until("document.documentElement.dataset.drawn > 2")
                await page.key("m")
                await page.until("tandemLive.last.answer.serial > 1")
            await page.until("document.documentElement.dataset.link === 'closed'")
            before = await page.evaluate("tandemLive.last.answer.serial")
            async with serving(port=port):
                await page.until("document.documentElement.dataset.link === 'open'")
                await page.until(f"tandemLive.last.answer.serial > {before}")
                assert await page.evaluate("document.querySelector('#set-metric').value") == "ssd"
                assert all("WebSocket" in one for one in page.complaints), page.complaints  # While nobody answered.

    run(body())


def test_a_dropped_y4m_is_shown(chromium, tmp_path):
    pictures = moving(8, -4, 3, 96, 64)
    chroma = bytes([128]) * (96 * 64 // 2)
    data = b"YUV4MPEG2 W96 H64 F10:1 C420jpeg\n" + b"".join(b"FRAME\n" + one.tobytes() + chroma for one in pictures)
    script = """(async () => {
        const bytes = Uint8Array.from(%s), transfer = new DataTransfer();
        transfer.items.add(new File([bytes], "dropped.y4m"));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    })()"""

    async def body():
        async with serving() as server, chromium.page() as page:
            await page.go(server.address)
            await page.until("document.documentElement.dataset.link === 'open'")
            await page.evaluate(script % json.dumps(list(data)))
            await page.until("document.documentElement.dataset.drawn > 2")
            seen = await page.evaluate(look)
            # A busy machine leaves pictures out, and the clip begins anew.
            steps = [[4 * pictures, -3 * pictures] for pictures in range(-7, 8) if pictures != 0]
            assert seen["vector"] in steps or seen["part"] < 0.5, seen
            await page.until("(" + look + ").vector.join() === '4,-3'")
            assert page.complaints == []

    run(body())


def test_it_fits_every_width_in_light_and_dark(chromium):
    kept = os.environ.get("TANDEM_SCREENSHOTS")

    async def body():
        pictures = {}
        async with serving(clip=drawn_clip(180, 120)) as server, chromium.page() as page:
            for width, height in ((1440, 1300), (820, 1500), (390, 1900)):
                for theme in ("light", "dark"):
                    await page.resize(width, height)
                    await page.go(f"{server.address}?source=clip&theme={theme}")
                    await page.until("document.documentElement.dataset.drawn > 3")
                    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, theme)
                    picture = await page.screenshot()
                    assert len(picture) > 20000 and picture[:4] == b"\x89PNG"
                    pictures[width, theme] = await page.evaluate("getComputedStyle(document.body).backgroundColor")
                    if kept:
                        pathlib.Path(kept, f"live-{width}-{theme}.png").write_bytes(picture)
                assert pictures[width, "light"] != pictures[width, "dark"]
            assert page.complaints == []

    run(body())
