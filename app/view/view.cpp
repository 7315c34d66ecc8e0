// SPDX-License-Identifier: BSD-2-Clause
#include "app/view/view.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/about.h"
#include "app/file_clash.h"
#include "app/page/page_text.h"
#include "app/view/view_page.h"
#include "app/view/viewed_stream.h"
#include "files/atomic_file.h"
#include "machine/errors.h"

namespace tandem {
namespace {

void check_files(const Arguments& arguments) {
    refuse_shared_files({{"STREAM", arguments.positional(), false},
                         {"SECOND", arguments.second(), false},
                         {"--decisions", arguments.text("decisions"), false},
                         {"--second-decisions", arguments.text("second-decisions"), false},
                         {"--source", arguments.text("source"), false},
                         {"--output", arguments.text("output"), true}});
    if (arguments.given("second-decisions") && arguments.second().empty())
        throw InputError("--second-decisions is for a second stream, and there is none");
    if (arguments.text("source") == "-" || arguments.positional() == "-" || arguments.second() == "-")
        throw InputError("tandem view reads files; - is none");
}

ViewOptions view_options(const Arguments& arguments) {
    ViewOptions options;
    options.source = arguments.text("source");
    if (arguments.given("input-res")) options.source_options.input_res = arguments.size("input-res");
    options.skipped = arguments.integer("seek");
    options.most = arguments.integer("frames");
    options.images = arguments.text("images") == "png" ? WebImage::png : WebImage::webp;
    options.quality = static_cast<int>(arguments.integer("quality"));
    if (options.images == WebImage::webp && !writes(WebImage::webp)) {
        if (arguments.given("images")) throw InputError("--images webp: this build's libavcodec writes no WebP");
        spdlog::warn("warning: this build's libavcodec writes no WebP; the page has PNG and is larger");
        options.images = WebImage::png;
    }
    return options;
}

std::string page_of(const Json& data, const std::string& title) {
    const std::string style = fmt::format("{}{}", page_css, view_css), script = fmt::format("{}{}", page_js, view_js);
    return filled(view_html, {{"{{title}}", html_escaped(title)},
                              {"{{style}}", style},
                              {"{{script}}", script},
                              {"{{data}}", script_json(data)}});
}

} // namespace

int run_view(const Arguments& arguments) {
    check_files(arguments);
    const ViewOptions options = view_options(arguments);
    AtomicFile file(arguments.text("output"));
    Json streams = Json::array();
    streams.push_back(viewed_stream(arguments.positional(), arguments.text("decisions"), options));
    if (!arguments.second().empty())
        streams.push_back(viewed_stream(arguments.second(), arguments.text("second-decisions"), options));
    std::string title = arguments.text("title");
    if (title.empty()) {
        for (const Json& stream : streams)
            title += (title.empty() ? "" : ", ") + stream["name"].get<std::string>();
    }
    const std::string page = page_of({{"version", version_number()}, {"streams", streams}}, title);
    file.write(page);
    file.finish();
    spdlog::info("{}: {} pictures, {:.1f} MB", file.path(), streams[0]["pictures"].size(),
                 static_cast<double>(page.size()) / 1e6);
    return 0;
}

} // namespace tandem
