// SPDX-License-Identifier: BSD-2-Clause
// The same options as in python/tandem/live/options.py; a test compares the two.
#include "app/live/live.h"
#include "app/options/shared_rows.h"

namespace tandem {
namespace {

using enum ValueKind;
using namespace section;

constexpr std::string_view serving = "Server";

} // namespace

std::vector<OptionRow> live_rows() {
    return {
        {"clip", 0, "FILE", file, "", 0, 0, files,
         "A clip that the page can play: .y4m, .yuv, or what ffmpeg reads. Without one there is a drawn scene."},
        {"input-res", 0, "WxH", size, "", 1, 16384, files, "The size of a .yuv clip whose name does not tell it."},
        {"fps", 0, "N[/D]", ratio, "", 0, 0, files, "The clip's rate; overrides what it says."},

        {"host", 0, "HOST", text, "127.0.0.1", 0, 0, serving,
         "The address to listen at. Another than the loopback's gets a token, which is part of the page's address."},
        {"port", 0, "N", integer, "8360", 0, 65535, serving, "0 is any that is free."},
        {"open", 0, "", none, "", 0, 0, serving, "Opens the page in a browser here."},
        {"clients", 0, "N", integer, "4", 1, 64, serving, "At most so many at once."},
        {"max-size", 0, "WxH", size, "1920x1088", 1, 16384, serving, "Frames have at most so many samples."},
        {"max-rate", 0, "N", integer, "120", 1, 1000, serving, "Frames a second of one client; more are left out."},

        {"set", 0, "LIST", text, "", 0, 0, motion,
         "The first settings, as search=hexagon,range=32; docs/live.md lists them."},
        {"threads", 0, "N", integer, "0", 0, 1024, motion, "Threads of searches on the CPU; 0 is all of the machine."},

        {"bench", 0, "", none, "", 0, 0, measures,
         "No page: sends the clip through the whole path, prints rates and latencies, and ends."},
        {"frames", 0, "N", integer, "300", 2, 1000000, measures, "Pictures of --bench."},
        {"rate", 0, "F", text, "", 0, 0, measures,
         "Frames a second of --bench, or N/D; 0: as fast as answers come. The clip's where it is not given."},
    };
}

CommandRow live_command() {
    return {"live",
            "Shows the motion of a camera or a clip in the browser",
            "",
            none,
            "",
            rows_by_section({live_rows(), help_rows()}),
            "Starts the Python program tandem.live with these options: a server whose page shows the motion of a "
            "camera, of a file dropped on it, or of a clip, as it is found. It needs Tandem's Python module and "
            "aiohttp; TANDEM_PYTHON names the interpreter. docs/live.md tells more."};
}

} // namespace tandem
