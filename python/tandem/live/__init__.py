# SPDX-License-Identifier: BSD-2-Clause
"""Live motion: pictures from a browser's camera, a file or a clip here go in, motion fields come back and are drawn.

    python -m tandem.live                    # a local server; the page's address is printed
    python -m tandem.live --bench            # the whole path without a browser: rates and latencies

It needs aiohttp: pip install '.[live]' in Tandem's sources, or Debian's python3-aiohttp. docs/live.md tells more.

    wire.py       the records on the socket
    settings.py   the controls, one row each
    searcher.py   a field for two pictures, on each device by one thread
    session.py    one client: newest first, nothing queues
    clips.py      a clip of the server: y4m, raw, anything through ffmpeg, or a drawn scene
    server.py     the page and the sockets, with their limits
    figures.py    rates and latencies
    bench.py      a client without a browser
    page/         the page: HTML, CSS and JavaScript modules; page/drawing/ draws fields and knows nothing of sockets
"""
