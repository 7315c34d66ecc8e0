# SPDX-License-Identifier: BSD-2-Clause
"""Headless Firefox, driven over Marionette: a text "LENGTH:JSON" each way on a socket."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

program = os.environ.get("TANDEM_FIREFOX") or next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
_patience_s = 90  # After which a test gives up; all processors may be busy with other tests.
_settings = {
    "marionette.port": 0,  # Any that is free; it is written when Firefox listens.
    "media.navigator.streams.fake": True,
    "media.navigator.permission.disabled": True,
    "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}
# What went wrong in pages: exceptions, and what a policy forbade.
_complaints = """
    return Services.console.getMessageArray()
        .filter((one) => one instanceof Ci.nsIScriptError && /^(http|file):/.test(one.sourceName)
            && !(one.flags & Ci.nsIScriptError.warningFlag))
        .map((one) => `${one.sourceName}: ${one.errorMessage}`);
"""


class Firefox:
    """A process with an empty profile and one window."""

    def __init__(self):
        self._folder = tempfile.mkdtemp()
        with open(os.path.join(self._folder, "user.js"), "w", encoding="utf-8") as file:
            file.writelines(f'user_pref("{name}", {json.dumps(value)});\n' for name, value in _settings.items())
        self._process = subprocess.Popen(
            [program, "--headless", "--marionette", "--remote-allow-system-access", "--profile", self._folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self._folder},
        )  # fmt: skip
        self._socket = socket.create_connection(("127.0.0.1", self._port()), _patience_s)
        self._hear()
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})

    def close(self):
        self._socket.close()
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _port(self):
        path = os.path.join(self._folder, "MarionetteActivePort")
        for _ in range(_patience_s * 10):
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    if text := file.read().strip():
                        return int(text)
            assert self._process.poll() is None, "Firefox has ended"
            time.sleep(0.1)
        raise AssertionError("Firefox opens no port")

    def _hear(self):
        data = b""
        while b":" not in data:
            data += self._read()
        length, data = data.split(b":", 1)
        while len(data) < int(length):
            data += self._read()
        return json.loads(data)

    def _read(self):
        data = self._socket.recv(1 << 16)
        assert data, "Firefox has closed the socket"
        return data

    def call(self, name, **parameters):
        text = json.dumps([0, 1, name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, _, failed, result = self._hear()
        assert failed is None, failed
        return result.get("value") if isinstance(result, dict) else result

    def go(self, address):
        self.call("WebDriver:Navigate", url=address)

    def evaluate(self, expression):
        """An expression's value in the page, which JSON can hold. It is made by a script of the page's own, as far as
        the page lets one in: `let` at a script's top level is seen by no other."""
        script = """
            const node = document.createElement("script");
            node.textContent = `document.documentElement.dataset.told = JSON.stringify((${arguments[0]}) ?? null)`;
            document.body.append(node);
            node.remove();
            return document.documentElement.dataset.told;
        """
        return json.loads(self.call("WebDriver:ExecuteScript", script=script, args=[expression]))

    def look(self, expression):
        """An expression's value where the page lets no script in; `page` is its window."""
        script = f"const page = window.wrappedJSObject; return JSON.stringify(({expression}) ?? null)"
        return json.loads(self.call("WebDriver:ExecuteScript", script=script, args=[]))

    def until(self, expression):
        """Waits until the expression is true, as look() sees it; its value."""
        for _ in range(_patience_s * 20):
            if value := self.look(expression):
                return value
            time.sleep(0.05)
        raise AssertionError(f"never: {expression}; Firefox says {self.complaints()}")

    def resize(self, width, height):
        """So that the page's window inside has this size."""
        for _ in range(2):  # Twice: borders are known once there is a window.
            outer = self.look("[outerWidth - innerWidth, outerHeight - innerHeight]")
            self.call("WebDriver:SetWindowRect", width=width + outer[0], height=height + outer[1])

    def complaints(self):
        self.call("Marionette:SetContext", value="chrome")
        told = self.call("WebDriver:ExecuteScript", script=_complaints, args=[])
        self.call("Marionette:SetContext", value="content")
        return told

    def screenshot(self):
        return base64.b64decode(self.call("WebDriver:TakeScreenshot", full=False))
