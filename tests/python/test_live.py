# SPDX-License-Identifier: BSD-2-Clause
"""The live server by its socket: fields, settings, limits, strangers, garbage, clips."""

import asyncio
import functools
import threading

import numpy
import pytest

import tandem

pytest.importorskip("aiohttp", reason="aiohttp is not installed (Debian: python3-aiohttp)")
import aiohttp  # noqa: E402

from live_client import connected, fake_devices, inner, moving, run, serving  # noqa: E402
from tandem.live import wire  # noqa: E402
from tandem.live.bench import run_bench  # noqa: E402
from tandem.live.clips import Clip, drawn_clip  # noqa: E402
from tandem.live.searcher import Device  # noqa: E402
from tandem.live.server import Limits  # noqa: E402

cpu = functools.partial(tandem.estimate, device="cpu", threads=1)


def test_a_frame_gets_the_field_from_the_one_before():
    async def body():
        async with serving() as server, connected(server) as client:
            await client.set(7, range=8, prediction=True)
            before, now = moving(2, 3, -2)
            await client.send(before)
            assert (await client.message("unsearched"))["unsearched"] == 1
            await client.send(now)
            answer = await client.answer()
            assert (answer.number, answer.time, answer.reference, answer.serial) == (2, 20.0, 1, 7)
            assert answer.picture_size == (96, 64) and answer.block == (16, 16)
            assert answer.fields[0].vectors.shape == (4, 6, 1, 2)
            assert (inner(answer.fields[0].vectors) == (-3, 2)).all()
            field = tandem.estimate(now, before, range=8)
            numpy.testing.assert_array_equal(answer.fields[0].costs[..., 0], field.costs)
            numpy.testing.assert_array_equal(answer.fields[0].distortions[..., 0], field.distortions)
            numpy.testing.assert_array_equal(answer.prediction, tandem.compensate(field, before))
            squares = numpy.mean((now.astype(float) - answer.prediction) ** 2)
            assert answer.psnr == pytest.approx(10 * numpy.log10(255**2 / squares), rel=1e-4)
            assert answer.psnr > answer.psnr_unmoved and answer.picture is None
            assert answer.search_ms[0] > 0 and answer.server_ms >= answer.search_ms[0]

    run(body())


def test_every_setting_reaches_the_search():
    async def body():
        async with serving() as server, connected(server) as client:
            given = dict(search="hexagon", block="8x16", range=5, precision="2", metric="satd", lagrangian=2.5,
                         null_level=28, candidates=3, reference=2)  # fmt: skip
            told = await client.set(1, **given)
            assert {name: told["settings"][name] for name in given} == given
            pictures = [picture // 6 for picture in moving(3, 1, 1)]  # Two thirds of the blocks are below 28.
            for picture in pictures:
                await client.send(picture)
            answer = await client.answer()
            assert answer.number == 3 and answer.reference == 1
            field = tandem.estimate(pictures[2], pictures[0], block=(8, 16), range=5, search="hexagon", precision=2,
                                    metric="satd", lagrangian=2.5, null_level=28, candidates=3)  # fmt: skip
            expected = wire.arrays_of(field.vectors, field.costs, field.distortions)
            for found, wanted in zip(answer.fields[0], expected):
                numpy.testing.assert_array_equal(found, wanted)

    run(body())


@pytest.mark.parametrize("metric", tandem.metrics())
def test_every_metric_of_the_command_is_one_here(metric):
    before, now = moving(2, 4, -1)
    before = before // 2
    now = now // 2 + 60  # Brighter, too, which sad, ssd and satd see.

    async def body():
        async with serving() as server, connected(server) as client:
            await client.set(1, metric=metric, range=8)
            await client.send(before)
            await client.send(now)
            answer = await client.answer()
            field = tandem.estimate(now, before, range=8, metric=metric)
            numpy.testing.assert_array_equal(answer.fields[0].costs[..., 0], field.costs)
            if metric in ("zsad", "ncc"):
                assert (inner(answer.fields[0].vectors) == (-4, 1)).all()
                assert (answer.fields[0].distortions[1:-1, 1:-1] == 0).all()
            else:
                assert (answer.fields[0].distortions > 0).all()

    run(body())


@pytest.mark.parametrize(
    "given, words",
    [
        ({"range": 65}, ["range", "65", "64"]),
        ({"range": True}, ["range"]),
        ({"block": "3x16"}, ["block", "3x16", "4"]),
        ({"block": "16"}, ["block", "WxH"]),
        ({"search": "given"}, ["search", "given", "full"]),
        ({"precision": "3"}, ["precision", "1, 2, 4, 8"]),
        ({"lagrangian": "nan"}, ["lagrangian", "64"]),
        ({"reference": 1.5}, ["reference", "1.5", "8"]),
        ({"colour": 1}, ["colour"]),
    ],
)
def test_a_setting_that_is_none_is_refused_and_changes_nothing(given, words):
    async def body():
        async with serving() as server, connected(server) as client:
            await client.say(settings={"metric": "ssd", **given}, serial=1)
            why = (await client.message("refused"))["refused"]
            assert all(word in why for word in words), why
            assert (await client.set(2))["settings"]["metric"] == "sad"

    run(body())


def test_settings_act_on_the_last_frame_while_none_comes():
    async def body():
        async with serving() as server, connected(server) as client:
            for picture in moving(2, 4, 0):
                await client.send(picture)
            assert not (await client.answer()).is_again
            await client.set(5, block="8x8")
            again = await client.answer()
            assert again.is_again and again.number == 2 and again.serial == 5 and again.block == (8, 8)

    run(body())


def test_what_a_search_cannot_do_is_said_and_the_next_settings_work():
    def estimate(current, reference, **params):
        if params.get("metric") == "satd":
            raise ValueError("satd is nothing for this search")
        return cpu(current, reference, **params)

    async def body():
        async with serving(devices=fake_devices(estimate)) as server, connected(server) as client:
            await client.set(1, metric="satd")
            for picture in moving(2, 1, 0):
                await client.send(picture)
            told = await client.message("refused")
            assert told["unsearched"] == 2 and "satd is nothing" in told["refused"]
            await client.set(2, metric="ssd")
            assert (await client.answer()).serial == 2

    run(body())


def test_the_newest_frame_is_next_and_nothing_queues():
    begun, may_go_on = threading.Semaphore(0), threading.Event()

    def estimate(current, reference, **params):
        if current.shape == (64, 96):
            begun.release()
            may_go_on.wait()
        return cpu(current, reference, **params)

    async def body():
        async with serving(devices=fake_devices(estimate)) as server, connected(server) as client:
            pictures = moving(9, 1, 0)
            for picture in pictures[:2]:
                await client.send(picture)
            await asyncio.to_thread(begun.acquire)  # The second is being searched.
            for picture in pictures[2:]:
                await client.send(picture)
            await client.set(1)  # Answered: so all frames before it have come.
            may_go_on.set()
            answers = [await client.answer(), await client.answer()]
            assert [(one.number, one.reference) for one in answers] == [(2, 1), (9, 8)]

    run(body())


def test_who_takes_no_answers_gets_no_more_than_two():
    async def body():
        async with serving() as server, connected(server) as client:
            for picture in moving(6, 1, 0):
                await client.send(picture)
                await asyncio.sleep(0.05)
            await client.say(settings={}, serial=1)
            heard = []
            while not (heard and heard[-1].type == aiohttp.WSMsgType.TEXT and '"serial": 1' in heard[-1].data):
                heard.append(await client.socket.receive(timeout=60))
            assert 1 <= sum(message.type == aiohttp.WSMsgType.BINARY for message in heard) <= 2
            await client.say(got=True)
            assert (await client.answer()).number == 6

    run(body())


def test_two_clients_have_their_own_settings_and_a_third_is_one_too_many():
    async def body():
        async with serving(limits=Limits(clients=2)) as server, connected(server) as one, connected(server) as other:
            await other.set(1, block="8x8")
            for here, there in zip(moving(2, 2, 0), moving(2, 0, -3)):
                await one.send(here)
                await other.send(there)
            first, second = await one.answer(), await other.answer()
            assert (inner(first.fields[0].vectors) == (-2, 0)).all() and first.block == (16, 16)
            assert (inner(second.fields[0].vectors) == (0, 3)).all() and second.block == (8, 8)
            async with aiohttp.ClientSession() as session:
                async with session.ws_connect(server.address + "socket") as socket:
                    message = await socket.receive(timeout=60)
                    assert message.type == aiohttp.WSMsgType.CLOSE and message.data == 1013
                    assert "2 clients" in message.extra

    run(body())


def test_two_devices_answer_side_by_side():
    def lying(current, reference, **params):
        field = cpu(current, reference, **params)
        return field._replace(vectors=field.vectors + 1)

    async def body(gpu, differ):
        async with serving(devices={"cpu": Device(cpu), "gpu": Device(gpu)}) as server, connected(server) as client:
            await client.set(1, device="both")
            for picture in moving(2, 2, 1):
                await client.send(picture)
            answer = await client.answer()
            assert len(answer.fields) == len(answer.search_ms) == 2
            assert (inner(answer.fields[1].vectors) == ((-1, 0) if differ else (-2, -1))).all()
            assert (inner(answer.fields[0].vectors) == (-2, -1)).all()
            assert answer.fields_differ == differ

    run(body(cpu, False))
    run(body(lying, True))


def test_a_device_that_is_not_there_is_told_and_refused():
    async def body():
        async with serving(devices=fake_devices(cpu)) as server, connected(server) as client:
            assert client.hello["without"] == {"gpu": "there is none"}
            await client.say(settings={"device": "gpu"}, serial=1)
            assert "device" in (await client.message("refused"))["refused"]

    run(body())


def test_garbage_is_refused_and_too_much_of_it_ends_the_socket():
    garbage = [b"", b"abc", b"TLA1" + bytes(20), wire.FRAME.pack(b"TLF1", 1, 16, 16, 0, 0.0) + bytes(255),
               "no json", "[" * 3000, "[]", "{}", '{"settings": 3, "serial": 1}', '{"settings": {}, "serial": -1}',
               '{"clip": "dance"}', '{"got"', "x" * 5000]  # fmt: skip

    async def body():
        async with serving() as server, connected(server) as client:
            for one in garbage:
                await (client.socket.send_bytes(one) if isinstance(one, bytes) else client.socket.send_str(one))
                assert (await client.hear())["refused"], one
            for picture in moving(2, 1, 0):  # It still serves.
                await client.send(picture)
            assert (await client.answer()).number == 2
            for _ in range(20 - len(garbage)):
                await client.socket.send_bytes(b"more")
                await client.message("refused")
            message = await client.socket.receive(timeout=60)
            assert message.type == aiohttp.WSMsgType.CLOSE and message.data == 1008

    run(body())


def test_a_frame_that_is_too_large_ends_its_socket_alone():
    async def body():
        limits = Limits(samples=96 * 64)
        async with serving(limits=limits) as server, connected(server) as client, connected(server) as other:
            await client.socket.send_bytes(wire.pack_frame(wire.Frame(1, 0.0, numpy.zeros((64, 97), numpy.uint8))))
            assert "97x64" in (await client.message("refused"))["refused"]
            await client.socket.send_bytes(bytes(1 << 20))
            message = await client.socket.receive(timeout=60)
            assert message.type == aiohttp.WSMsgType.CLOSE and message.data == 1009
            for picture in moving(2, 1, 0):
                await other.send(picture)
            assert (await other.answer()).number == 2

    run(body())


def test_frames_beyond_the_rate_are_left_out():
    async def body():
        # A tenth of a second's frames may come at once, and then no more for an hour.
        async with serving(limits=Limits(rate=1 / 3600)) as server, connected(server) as client:
            for picture in moving(4, 1, 0):
                await client.send(picture)
            assert await client.message("unsearched") == {"unsearched": 1, "why": "its reference is not there yet"}
            await client.say(settings={}, serial=1)
            assert (await client.hear())["serial"] == 1  # Nothing was said of the others.

    run(body())


def test_strangers_are_kept_out():
    async def status(session, address, **headers):
        async with session.get(address, headers=headers) as response:
            return response.status

    async def body():
        async with aiohttp.ClientSession() as session, serving() as open_one, serving(token="secret") as closed:
            assert await status(session, open_one.address) == 200
            assert await status(session, open_one.address, Host="evil.example") == 403
            assert await status(session, open_one.address + "nothing.js") == 404
            assert await status(session, open_one.address + "..%2fserver.py") == 404
            root = closed.address[: -len("secret/")]
            assert await status(session, closed.address) == 200
            assert await status(session, closed.address + "main.js", Host="tandem.example:8360") == 200
            for path in ("", "socket", "main.js", "wrong/", "secret2/", "wrong/socket"):
                assert await status(session, root + path) == 404, path
            for server in (open_one, closed):
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await session.ws_connect(server.address + "socket", headers={"Origin": "http://evil.example"})
                assert refused.value.status == 403
                own = server.address.split("/")[2]
                async with connected(server, headers={"Origin": f"http://{own}"}) as client:
                    assert client.hello["version"] == tandem.__version__

    run(body())


def test_a_client_comes_back_after_a_restart():
    async def body():
        async with serving() as server, connected(server) as client:
            port = int(server.address.split(":")[2].strip("/"))
            await server.stop()
            assert (await client.socket.receive(timeout=60)).type == aiohttp.WSMsgType.CLOSE
            async with serving(port=port) as again, connected(again) as back:
                for picture in moving(2, 1, 0):
                    await back.send(picture)
                assert (await back.answer()).number == 2

    run(body())


def test_a_clip_goes_round_without_a_field_over_its_seam():
    pictures = moving(3, 2, 2)
    clip = Clip("three", 96, 64, 200.0, lambda: (picture for picture in pictures))

    async def body():
        async with serving(clip=clip) as server, connected(server) as client:
            assert client.hello["clip"] == {"name": "three", "width": 96, "height": 64, "rate": 200.0}
            await client.say(clip="pause")
            for number in range(1, 8):
                await client.say(clip="step")
                if number % 3 == 1:  # The first of each round.
                    assert (await client.message("unsearched"))["unsearched"] == number
                    continue
                answer = await client.answer()
                assert (answer.number, answer.reference) == (number, number - 1)
                numpy.testing.assert_array_equal(answer.picture, pictures[(number - 1) % 3])
                assert (inner(answer.fields[0].vectors) == (-2, -2)).all()
            await client.say(clip="play")
            assert (await client.answer()).number > 7

    run(body())


def test_the_bench_counts_the_whole_path():
    async def body():
        async with serving() as server:
            result = await run_bench(server, drawn_clip(96, 64), 12, 0)
            assert (result.came, result.searched) == (12, 11)  # The first has no reference.
            assert result.latency.percentile_95 >= result.latency.median >= result.search.median > 0
            assert result.rate_in > 0 and result.rate_searched > 0 and 10 < result.psnr < 60
            assert "left out     1\n" in result.text()

    run(body())
