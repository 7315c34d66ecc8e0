# SPDX-License-Identifier: BSD-2-Clause
"""Headless Chromium, driven over the DevTools protocol."""

import asyncio
import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile

import aiohttp

program = os.environ.get("TANDEM_CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))),
                                                    None)
_patience = 90  # Seconds after which a test gives up; all processors may be busy with other tests.


class Browser:
    """A process with an empty profile. `video`: a y4m file that its fake camera plays."""

    def __init__(self, video):
        self.folder = tempfile.mkdtemp()
        camera = ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={video}"]
        quiet = ["--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-background-networking"]
        self._said = open(os.path.join(self.folder, "said.txt"), "wb")
        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", *quiet, *camera, "--remote-debugging-port=0",
             f"--user-data-dir={self.folder}/profile", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=self._said, stderr=self._said, env={**os.environ, "HOME": self.folder},
        )  # fmt: skip

    def close(self):
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._said.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    async def _address(self):
        """Of the DevTools; it is written when they are there."""
        path = os.path.join(self.folder, "profile", "DevToolsActivePort")
        for _ in range(_patience * 10):
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    lines = file.read().splitlines()
                if len(lines) == 2:
                    return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
            assert self._process.poll() is None, "Chromium has ended"
            await asyncio.sleep(0.1)
        raise AssertionError("Chromium does not open its DevTools")

    @contextlib.asynccontextmanager
    async def page(self, width=1280, height=1000):
        """A page of its own, as in a private window."""
        async with aiohttp.ClientSession() as session:
            async with session.ws_connect(await self._address(), max_msg_size=0) as socket:
                tools = _Tools(socket)
                listening = asyncio.ensure_future(tools.listen())
                context = (await tools.call("Target.createBrowserContext"))["browserContextId"]
                try:
                    page = Page(tools, context)
                    await page.open(width, height)
                    yield page
                finally:
                    await tools.call("Target.disposeBrowserContext", browserContextId=context)
                    await socket.close()
                    await listening


class _Tools:
    def __init__(self, socket):
        self._socket = socket
        self._waiting = {}
        self.complaints = []

    async def call(self, method, session=None, **params):
        number = len(self._waiting) + 1
        self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": params,
                                      **({"sessionId": session} if session else {})})
        return await asyncio.wait_for(self._waiting[number], _patience)

    async def listen(self):
        async for message in self._socket:
            told = json.loads(message.data)
            if "id" in told and not self._waiting[told["id"]].done():
                failed = told.get("error")
                done = self._waiting[told["id"]]
                done.set_exception(AssertionError(failed)) if failed else done.set_result(told["result"])
            elif "method" in told:
                self._note(told["method"], told["params"])

    def _note(self, method, params):
        """Errors and warnings of the page."""
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(str([one.get("value", one.get("description")) for one in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"] + " " + params["entry"].get("url", ""))


class Page:
    def __init__(self, tools, context):
        self._tools, self._context, self._session = tools, context, None

    @property
    def complaints(self):
        return self._tools.complaints

    async def open(self, width, height):
        target = await self._tools.call("Target.createTarget", url="about:blank", browserContextId=self._context)
        attached = await self._tools.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for name in ("Runtime", "Log", "Page"):
            await self._call(name + ".enable")
        await self.resize(width, height)

    async def _call(self, method, **params):
        return await self._tools.call(method, self._session, **params)

    async def resize(self, width, height):
        await self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                         mobile=width < 500)

    async def go(self, address):
        await self._call("Page.navigate", url=address)
        await self.until("document.readyState === 'complete'")

    async def allow_camera(self, address, is_allowed):
        await self._tools.call("Browser.setPermission", permission={"name": "camera"}, browserContextId=self._context,
                               setting="granted" if is_allowed else "denied", origin=address.rstrip("/"))  # fmt: skip

    async def evaluate(self, script):
        """A script's value, which JSON can hold; a promise is waited for."""
        made = await self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True,
                                userGesture=True)
        assert "exceptionDetails" not in made, made["exceptionDetails"]
        return made["result"].get("value")

    async def until(self, script):
        """Waits until an expression is true; its value."""
        for _ in range(_patience * 20):
            value = await self.evaluate(script)
            if value:
                return value
            await asyncio.sleep(0.05)
        raise AssertionError(f"never: {script}; the page says {self.complaints}")

    async def key(self, key):
        text = {"text": key} if len(key) == 1 else {}
        await self._call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        await self._call("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def screenshot(self):
        made = await self._call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(made["data"])
