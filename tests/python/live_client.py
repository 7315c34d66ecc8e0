# SPDX-License-Identifier: BSD-2-Clause
"""A live server in this process and a client that knows only the records."""

import asyncio
import contextlib
import json

import aiohttp
import numpy

from tandem.live import wire
from tandem.live.clips import drawn_clip
from tandem.live.searcher import Device, Searcher, devices_here
from tandem.live.server import Limits, Server

patience = 120  # Seconds after which a test gives up.


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, patience))


@contextlib.asynccontextmanager
async def serving(clip=None, limits=Limits(), token="", devices=None, port=0):
    server = Server(Searcher(devices or devices_here(1), 1), clip or drawn_clip(), limits, token)
    await server.start(port=port)
    try:
        yield server
    finally:
        await server.stop()


class Client:
    def __init__(self, socket):
        self.socket = socket
        self.hello = None
        self.number = 0

    async def send(self, samples):
        self.number += 1
        await self.socket.send_bytes(wire.pack_frame(wire.Frame(self.number, 10.0 * self.number, samples)))

    async def say(self, **words):
        await self.socket.send_str(json.dumps(words))

    async def hear(self):
        """The next record, unpacked, or message. Records are acknowledged."""
        message = await self.socket.receive(timeout=patience)
        if message.type == aiohttp.WSMsgType.BINARY:
            await self.say(got=True)
            return wire.unpack_answer(message.data)
        assert message.type == aiohttp.WSMsgType.TEXT, message
        return json.loads(message.data)

    async def answer(self):
        """The next answer; messages are passed over."""
        while True:
            heard = await self.hear()
            if isinstance(heard, wire.Answer):
                return heard

    async def message(self, word):
        """The next message with this word."""
        while True:
            heard = await self.hear()
            if isinstance(heard, dict) and word in heard:
                return heard

    async def set(self, serial=1, **settings):
        await self.say(settings=settings, serial=serial)
        return await self.message("settings")


@contextlib.asynccontextmanager
async def connected(server, **options):
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(server.address + "socket", max_msg_size=0, **options) as socket:
            client = Client(socket)
            client.hello = (await client.hear())["hello"]
            yield client


def fake_devices(estimate):
    """A CPU whose searches are `estimate`'s."""
    return {"cpu": Device(estimate), "gpu": Device(estimate, "there is none")}


def moving(count, x, y, width=96, height=64):
    """Pictures of a texture that moves by (x, y) each time."""
    random = numpy.random.default_rng(2)
    texture = random.integers(0, 256, (height + 128, width + 128), dtype=numpy.uint8)
    return [
        numpy.ascontiguousarray(texture[64 - i * y : 64 - i * y + height, 64 - i * x : 64 - i * x + width])
        for i in range(count)
    ]


def inner(vectors):
    """Of blocks that no edge hides, in pels."""
    return vectors[1:-1, 1:-1, 0].reshape(-1, 2) / 8
