# SPDX-License-Identifier: BSD-2-Clause
"""The page and its sockets. On the loopback anyone here may come; elsewhere the address has a token.

What comes from outside is limited: the size of a frame, the rate of frames, the number of clients, the length of a
message, the number of bad records. A page of another site cannot use the socket: its Origin is another one, and without
a token only the loopback's own names are answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import json
import os
import platform
import secrets
import traceback
from typing import Any, Awaitable, Dict, List, NamedTuple, Optional, Set
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, WSMsgType, web

import tandem

from . import wire
from .clips import Clip
from .player import Player
from .searcher import Searcher, searches_here
from .session import Session
from .settings import SIDES_LIMITS, Settings, defaults, read, rows_for

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_LONGEST_MESSAGE = 4096  # Characters of JSON.
_MOST_BAD = 20  # Records and messages of a client.
_PING_S = 20.0


class Limits(NamedTuple):
    """What clients may do."""

    samples: int = 1920 * 1088  #: Of a frame.
    rate: float = 120.0  #: Frames a second of one client; more are dropped.
    clients: int = 4


class Server:
    """`token`: empty on the loopback. start() opens the port, stop() ends all."""

    def __init__(
        self,
        searcher: Searcher,
        clip: Clip,
        limits: Limits = Limits(),
        token: str = "",
        given: Optional[Dict[str, Any]] = None,
    ) -> None:
        self._searcher, self._clip, self._limits, self._token = searcher, clip, limits, token
        names = searches_here(searcher.devices[searcher.usable[0]].estimate)
        self.rows = rows_for(names, tandem.metrics(), searcher.usable)
        self._first: Settings = read(self.rows, given or {}, defaults(self.rows))
        self._files = _page_files()
        self._sockets: Set[web.WebSocketResponse] = set()
        self._runner: Optional[web.AppRunner] = None
        self.address = ""

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Raises OSError where the port is not free."""
        app = web.Application()
        prefix = "/{token}" if self._token else ""
        app.router.add_get(prefix + "/", self._page)
        app.router.add_get(prefix + "/socket", self._socket)
        app.router.add_get(prefix + "/{name:.+}", self._page)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        bound = self._runner.addresses[0]
        self.address = f"http://{_name_of(bound[0])}:{bound[1]}/" + (self._token + "/" if self._token else "")

    async def stop(self) -> None:
        for one in list(self._sockets):
            await one.close(code=WSCloseCode.GOING_AWAY, message=b"the server ends")
        if self._runner is not None:
            await self._runner.cleanup()
        self._searcher.close()

    async def _page(self, request: web.Request) -> web.Response:
        self._refuse_strangers(request)
        found = self._files.get(request.match_info.get("name", "index.html"))
        if found is None:
            raise web.HTTPNotFound(text="There is no such page.\n")
        content, kind = found
        return web.Response(body=content, content_type=kind, charset="utf-8", headers=_headers(request.host))

    def _refuse_strangers(self, request: web.Request) -> None:
        """Without a token the address must be the loopback's, which a foreign name that leads here is not."""
        if not self._token and not is_loopback(urlsplit("//" + request.host).hostname or ""):
            raise web.HTTPForbidden(text="Without a token only this machine's own names are answered.\n")
        if self._token and not hmac.compare_digest(request.match_info["token"].encode(), self._token.encode()):
            raise web.HTTPNotFound(text="There is no such page.\n")
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise web.HTTPForbidden(text="A page of another site may not come here.\n")

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        self._refuse_strangers(request)
        most = max(wire.FRAME.size + self._limits.samples, 4 * _LONGEST_MESSAGE)
        socket = web.WebSocketResponse(max_msg_size=most, heartbeat=_PING_S, compress=False)
        await socket.prepare(request)
        if len(self._sockets) >= self._limits.clients:
            text = f"there are {self._limits.clients} clients already"
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=text.encode())
            return socket
        self._sockets.add(socket)
        try:
            await _Connection(self, socket).serve()
        finally:
            self._sockets.discard(socket)
        return socket

    def session_for(self, socket: web.WebSocketResponse) -> Session:
        async def send_message(message: Dict[str, Any]) -> None:
            await socket.send_str(json.dumps(message))

        session = Session(self._searcher, self.rows, self._limits.rate, socket.send_bytes, send_message)
        session.settings = self._first
        return session

    def player_for(self, session: Session) -> Player:
        return Player(self._clip, session)

    @property
    def limits(self) -> Limits:
        return self._limits

    def greeting(self) -> Dict[str, Any]:
        """What the page makes its controls from."""
        clip, devices = self._clip, self._searcher.devices
        return {
            "version": tandem.__version__,
            "rows": [row._asdict() for row in self.rows],
            "settings": settings_message(self._first),
            "sides": SIDES_LIMITS,
            "most_samples": self._limits.samples,
            "clip": {"name": clip.name, "width": clip.width, "height": clip.height, "rate": clip.rate},
            "without": {name: device.why_not for name, device in devices.items() if device.why_not},
        }


def settings_message(settings: Settings) -> Dict[str, Any]:
    """Values as the page's controls have them."""
    values = settings._asdict()
    return {**values, "block": "x".join(map(str, settings.block)), "precision": str(settings.precision)}


class _Connection:
    """What one socket says, until it closes or says too much that is wrong."""

    def __init__(self, server: Server, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self._server = server
        self._session = server.session_for(socket)
        self._player = server.player_for(self._session)
        self._bad = 0

    async def serve(self) -> None:
        await self._say({"hello": self._server.greeting()})
        work = [asyncio.ensure_future(self._until_gone(one())) for one in (self._session.run, self._plays)]
        try:
            async for message in self._socket:
                await self._hear(message)
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    async def _until_gone(self, work: Awaitable[None]) -> None:
        """A fault of ours ends the socket and is told where the server was started."""
        try:
            await work
        except ConnectionError:  # The client went away in the middle of an answer.
            pass
        except Exception:  # pylint: disable=broad-except
            traceback.print_exc()
            await self._socket.close(code=WSCloseCode.INTERNAL_ERROR, message=b"the server fails; it says why")

    async def _plays(self) -> None:
        while True:
            try:
                await self._player.run()
            except (ValueError, OSError) as error:
                self._player.order("off")
                await self._say({"refused": str(error)})

    async def _say(self, message: Dict[str, Any]) -> None:
        with contextlib.suppress(ConnectionError):
            await self._socket.send_str(json.dumps(message))

    async def _hear(self, message: Any) -> None:
        try:
            if message.type == WSMsgType.BINARY:
                self._session.take(wire.unpack_frame(message.data, self._server.limits.samples))
            elif message.type == WSMsgType.TEXT:
                await self._obey(_parsed(message.data))
        except ValueError as error:
            await self._say({"refused": str(error)})
            self._bad += 1
            if self._bad >= _MOST_BAD:
                await self._socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too much that is wrong")

    async def _obey(self, words: Dict[str, Any]) -> None:
        """Raises ValueError for what means nothing."""
        if "got" in words:
            self._session.acknowledge()
        elif "settings" in words:
            serial = words.get("serial", 0)
            if not isinstance(words["settings"], dict) or type(serial) is not int or not 0 <= serial < 1 << 32:
                raise ValueError("settings: an object of names and values and a serial of 32 bits are wanted")
            self._session.change(words["settings"], serial)
            await self._say({"settings": settings_message(self._session.settings), "serial": serial})
        elif "clip" in words:
            self._player.order(str(words["clip"]))
            if words["clip"] == "off":
                self._session.forget()
        elif "forget" in words:
            self._session.forget()
        else:
            raise ValueError(f"a message with {', '.join(words) or 'nothing'}; got, settings, clip or forget is wanted")


def _parsed(text: str) -> Dict[str, Any]:
    if len(text) > _LONGEST_MESSAGE:
        raise ValueError(f"a message of {len(text)} characters; at most {_LONGEST_MESSAGE} are allowed")
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("a message that is no JSON") from None
    if not isinstance(words, dict):
        raise ValueError("a message that is no object")
    return words


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _name_of(bound: str) -> str:
    """What a browser calls an address that is listened at; all addresses are this machine's name."""
    address = ipaddress.ip_address(bound)
    if address.is_unspecified:
        return platform.node() or bound
    return f"[{bound}]" if address.version == 6 else bound


def new_token() -> str:
    return secrets.token_urlsafe(18)


def _page_files() -> Dict[str, Any]:
    """Name -> content and type of everything in page/; nothing else can be asked for."""
    files: Dict[str, Any] = {}
    for folder, _, names in os.walk(PAGE):
        for name in names:
            kind = _TYPES.get(os.path.splitext(name)[1])
            path = os.path.join(folder, name)
            if kind is not None:
                with open(path, "rb") as file:
                    files[os.path.relpath(path, PAGE).replace(os.sep, "/")] = (file.read(), kind)
    return files


def _headers(host: str) -> Dict[str, str]:
    policy: List[str] = [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        f"connect-src 'self' ws://{host}",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
    return {
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }
