// SPDX-License-Identifier: BSD-2-Clause
// The page of `tandem view` in headless Chromium: what stands under the pointer is what the files say, every control
// and key works, exports are whole, and not a word on the console. TANDEM_SCREENSHOTS names a folder that keeps
// pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/view/decisions_reader.h"
#include "coding/mpeg/mode.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

using Json = nlohmann::json;

constexpr int columns = 7, rows = 5, pictures = 8;

/// Put before every script: it waits until a picture is shown, runs `test`, and leaves what that returns in an element.
const char* const harness = R"js(
<pre id="told"></pre>
<script>
const shownIs = async (display) => {
    while (document.documentElement.dataset.shown !== String(display)) await new Promise((done) => setTimeout(done, 5));
};
const press = (key, node = document.body) =>
    node.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
const wrong = (text) => console.error(text);
const middleOf = (svg, column, row) =>
    new DOMPoint(16 * column + 4, 16 * row + 4).matrixTransform(svg.getScreenCTM());
addEventListener("load", async () => {
    await shownIs(state.display);
    const told = await test();
    if (document.documentElement.scrollWidth > innerWidth) wrong("the page is wider than the window");
    if (document.querySelector("main").outerHTML.includes("NaN")) wrong("what is no number is shown");
    document.getElementById("told").textContent = JSON.stringify(told === undefined ? null : told);
    document.documentElement.dataset.tested = "yes";
});
</script>
)js";

/// The text beside the pointer over every macroblock of every picture of the first stream, and its panel.
const char* const pointer_everywhere = R"js(
<script>
async function test() {
    const told = {};
    for (const picture of streams[0].pictures) {
        goTo(picture.display);
        await shownIs(picture.display);
        const svg = stages[0].svg, tip = document.getElementById("tip"), texts = [];
        for (let i = 0; i < streams[0].columns * streams[0].rows; ++i) {
            const {x, y} = middleOf(svg, i % streams[0].columns, Math.floor(i / streams[0].columns));
            svg.dispatchEvent(new PointerEvent("pointermove", {clientX: x, clientY: y, bubbles: true}));
            svg.dispatchEvent(new MouseEvent("click", {clientX: x, clientY: y, bubbles: true}));
            texts.push({tip: tip.hidden ? "hidden" : tip.textContent, panel: document.getElementById("block").textContent});
        }
        told[picture.display] = {texts, words: stages[0].words.textContent};
    }
    return told;
}
</script>
)js";

/// Every control and key, once and again.
const char* const everything = R"js(
<script>
async function test() {
    const seen = {};
    const count = (name) => { seen[name] = (seen[name] || 0) + 1; };
    for (const list of document.querySelectorAll("#timeline-controls select"))
        for (let k = list.options.length - 1; k >= 0; --k) {
            list.selectedIndex = k;
            list.dispatchEvent(new Event("change"));
            if (!document.querySelector(".timeline .column")) wrong("the timeline has no pictures");
            count("choices");
        }
    for (const button of document.querySelectorAll("#layers button, #toggles button, #zooms button, #theme")) {
        const before = button.getAttribute("aria-pressed");
        button.click();
        if (button.dataset.layer && button.getAttribute("aria-pressed") !== "true") wrong(`${button.textContent} is not pressed`);
        if (button.dataset.toggle && button.getAttribute("aria-pressed") === before) wrong(`${button.textContent} does nothing`);
        if (button.dataset.toggle) button.click();
        count("buttons");
    }
    for (const layer of layers.filter((one) => hasLayer(one, streams[0]))) {
        setLayer(layer.key);
        const paths = stages[0].svg.querySelectorAll("path[fill-opacity]").length;
        if (layer.key !== "none" && layer.key !== "skip" && !paths) wrong(`${layer.key} colours nothing`);
        if (layer.key === "none" && paths) wrong("something colours");
        count("layers");
    }
    press("1");
    if (state.layer !== "none") wrong("1 is not the first layer");
    for (const [key, name] of [["v", "vectors"], ["b", "blocks"], ["p", "picture"]]) {
        const before = state[name];
        press(key);
        if (state[name] === before) wrong(`${key} does nothing`);
        press(key);
    }
    goTo(0);
    await shownIs(0);
    press("ArrowRight");
    await shownIs(1);
    press("ArrowLeft");
    await shownIs(0);
    const coding = [...streams[0].pictures].sort((a, b) => a.coding - b.coding);
    press(".");
    await shownIs(coding[1].display);
    press(",");
    await shownIs(0);
    press("ArrowLeft");
    press(",");
    await shownIs(0);
    count("steps");
    const svg = stages[0].svg;
    svg.focus();
    press("ArrowRight", svg);
    press("ArrowDown", svg);
    if (!document.getElementById("tip").textContent.startsWith(`macroblock (${state.column}, ${state.row})`)) wrong("the focus has no hint");
    if (document.documentElement.dataset.shown !== "0") wrong("a walk over blocks changes the picture");
    for (let i = 0; i < 20; ++i) press("ArrowRight", svg);
    if (state.column !== streams[0].columns - 1) wrong("a walk leaves the picture");
    press("z");
    press("+");
    press("+");
    const box = svg.getAttribute("viewBox").split(" ").map(Number);
    if (Math.abs(box[2] - streams[0].width / 4) > 1e-6) wrong("it is not four times as near");
    if (box[0] + box[2] > streams[0].width + 1e-6) wrong("beyond the picture");
    press("z");
    if (svg.getAttribute("viewBox") !== `0 0 ${streams[0].width} ${streams[0].height}`) wrong("z does not show all");
    const column = document.querySelectorAll(".timeline .column")[3];
    column.dispatchEvent(new MouseEvent("click", {bubbles: true}));
    await shownIs(3);
    column.focus();
    press("ArrowRight", document.activeElement);
    await shownIs(4);
    if (document.querySelectorAll(".timeline [tabindex='0']").length !== 1) wrong("the timeline is more than one stop");
    count("timeline");
    return seen;
}
</script>
)js";

/// What a view is saved as.
const char* const exports = R"js(
<script>
async function test() {
    const saved = [];
    download = (url, name) => saved.push({url, name});
    setLayer("none");
    for (const button of stages[0].node.querySelectorAll(".save button")) button.click();
    while (saved.length < 2) await new Promise((done) => setTimeout(done, 10));
    const svg = decodeURIComponent(saved.find((one) => one.name.endsWith(".svg")).url.split(",").slice(1).join(","));
    if (!svg.includes("data:image/")) wrong("the SVG has no picture");
    if (/var\(|light-dark\(/.test(svg)) wrong("the SVG has names of the page's colours");
    const png = saved.find((one) => one.name.endsWith(".png")), image = new Image();
    await new Promise((done) => { image.onload = done; image.src = png.url; });
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    const samples = canvas.getContext("2d").getImageData(0, 0, image.width, image.height).data;
    return {names: saved.map((one) => one.name), width: image.width, colours: new Set(new Uint32Array(samples.buffer)).size};
}
</script>
)js";

/// Two streams: both show the same picture and block.
const char* const side_by_side = R"js(
<script>
async function test() {
    if (stages.length !== 2) wrong("there are not two");
    for (const picture of streams[0].pictures) {
        goTo(picture.display);
        await shownIs(picture.display);
        for (const stage of stages) if (stage.opened.picture.display !== picture.display) wrong("they show two pictures");
    }
    chooseBlock({column: 2, row: 1});
    zoomTo(4);
    if (stages[0].svg.getAttribute("viewBox") !== stages[1].svg.getAttribute("viewBox")) wrong("they are zoomed apart");
    const {x, y} = middleOf(stages[1].svg, 2, 1);
    stages[1].svg.dispatchEvent(new PointerEvent("pointermove", {clientX: x, clientY: y, bubbles: true}));
    return {second: document.getElementById("tip").textContent, panel: document.getElementById("block").textContent,
            layers: [...document.querySelectorAll("#layers button")].length};
}
</script>
)js";

class ViewPage : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (*TANDEM_CHROMIUM == '\0') return;
        folder_ = new TemporaryFolder;
        run({"synth", "--scene", "objects", "--size", "112x72", "--frames", "8", "-o", "clip.y4m", "-q"});
        run({"encode", "clip.y4m", "-o", "clip.m2v", "-q", "--decisions", "clip.tdf", "--bitrate", "400",
             "--vbv-maxrate", "600", "--vbv-bufsize", "300"});
        run({"encode", "clip.y4m", "-o", "other.m2v", "-q", "--bframes", "0", "--qp", "12"});
        run({"view", "clip.m2v", "-o", "page.html", "-q", "--decisions", "clip.tdf"});
        run({"view", "clip.m2v", "other.m2v", "-o", "two.html", "-q", "--decisions", "clip.tdf", "--source",
             "clip.y4m"});
        run({"view", "other.m2v", "-o", "plain.html", "-q"});
    }
    static void TearDownTestSuite() {
        delete folder_;
        folder_ = nullptr;
    }
    void SetUp() override {
        if (*TANDEM_CHROMIUM == '\0') GTEST_SKIP() << "Chromium was not found when the build was configured";
    }
    static void run(const std::vector<std::string>& arguments) {
        const Outcome outcome = run_command(folder_->path(), arguments);
        ASSERT_EQ(outcome.code, 0) << outcome.errors;
    }
    static std::string at(const std::string& name) { return *folder_ / name; }

    /// What the page says on the console; standard output goes to page.txt.
    static std::string browse(const std::string& file, const std::string& options) {
        const std::string command = fmt::format(
            "cd '{0}' && HOME='{0}' timeout 120 '{1}' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
            "--hide-scrollbars --user-data-dir='{0}/profile' --virtual-time-budget=10000 --enable-logging=stderr {2} "
            "'file://{0}/{3}' >page.txt 2>said.txt",
            folder_->path(), TANDEM_CHROMIUM, options, file);
        EXPECT_EQ(std::system(command.c_str()), 0) << read_file(at("said.txt"));
        std::string said;
        const std::string all = read_file(at("said.txt"));
        for (std::size_t begin = 0, end; begin < all.size(); begin = end + 1) {
            end = std::min(all.find('\n', begin), all.size());
            const std::string line = all.substr(begin, end - begin);
            if (line.find("CONSOLE") != std::string::npos) said += line + "\n";
        }
        return said;
    }

    /// What a test's script returned.
    static Json told(const std::string& name, const std::string& script, int width = 1280) {
        std::string page = read_file(at(name));
        page.insert(page.rfind("</body>"), harness + script);
        write_file(at("tested.html"), page);
        EXPECT_EQ(browse("tested.html", fmt::format("--window-size={},1000 --dump-dom", width)), "") << width;
        const std::string dumped = read_file(at("page.txt"));
        EXPECT_NE(dumped.find("data-tested=\"yes\""), std::string::npos) << "the test's script did not end";
        const std::string begin = "<pre id=\"told\">";
        const std::size_t place = dumped.find(begin) + begin.size();
        return Json::parse(dumped.substr(place, dumped.find("</pre>", place) - place), nullptr, false);
    }

    static TemporaryFolder* folder_;
};
TemporaryFolder* ViewPage::folder_ = nullptr;

/// A number as the page writes it.
std::string pels(double eighths) {
    std::string text = fmt::format("{}", eighths / 8);
    return text[0] == '-' ? "−" + text.substr(1) : text;
}

/// The lines that the file wants beside the pointer.
std::string expected_lines(DecisionsReader& file, std::size_t picture, std::size_t i) {
    const int flags = static_cast<int>(file.value(picture, "flags", i));
    const std::string way = (flags & 6) == 6   ? "both"
                            : (flags & 4) != 0 ? "backward"
                            : (flags & 2) != 0 ? "forward"
                                               : "forward, zero";
    const std::string mode = (flags & 1) != 0 ? "intra" : ((flags & 8) != 0 ? "skipped, " : "") + way;
    std::string text = fmt::format("macroblock ({}, {}), {}", i % columns, i / columns, mode);
    const auto vector = [&](const char* name) {
        text += fmt::format("\n{} ({}, {}) pels", name, pels(file.value(picture, name, 2 * i)),
                            pels(file.value(picture, name, 2 * i + 1)));
    };
    if ((flags & 1) == 0 && ((flags & 2) != 0 || (flags & 4) == 0)) vector("forward");
    if ((flags & 4) != 0) vector("backward");
    double bits = 0, error = 0;
    for (std::size_t element = 0; element < 7; ++element)
        bits += file.value(picture, "element_bits", 7 * i + element);
    for (std::size_t plane = 0; plane < 3; ++plane)
        error += file.value(picture, "distortion", 3 * i + plane);
    text += fmt::format("\nquantiser {}\nbits {}\nresidual {}\nerror {}\nimportance {:.3f}",
                        file.value(picture, "quantiser_code", i), bits, file.value(picture, "residual", i), error,
                        file.value(picture, "importance", i));
    return text;
}

TEST_F(ViewPage, UnderThePointerStandsWhatTheFileSays) {
    const Json all = told("page.html", pointer_everywhere);
    DecisionsReader file(at("clip.tdf"));
    ASSERT_EQ(all.size(), static_cast<std::size_t>(pictures));
    for (std::size_t picture = 0; picture < pictures; ++picture) {
        const auto display = static_cast<int>(file.value(picture, "display"));
        const Json& one = all[std::to_string(display)];
        ASSERT_EQ(one["texts"].size(), static_cast<std::size_t>(columns * rows));
        EXPECT_NE(one["words"].get<std::string>().find(fmt::format("{} bytes", file.value(picture, "bits") / 8)),
                  std::string::npos)
            << one["words"];
        for (std::size_t i = 0; i < static_cast<std::size_t>(columns * rows); ++i) {
            EXPECT_EQ(one["texts"][i]["tip"], expected_lines(file, picture, i)) << "picture " << display;
            const auto panel = one["texts"][i]["panel"].get<std::string>();
            for (std::size_t k = 0; k < static_cast<std::size_t>(file.value(picture, "candidates", i)); ++k) {
                const std::string distortion =
                    fmt::format("{}", file.value(picture, "candidate_distortion", TriedModes::most * i + k));
                EXPECT_NE(panel.find(distortion), std::string::npos) << distortion << " in " << panel;
            }
        }
    }
}

TEST_F(ViewPage, EveryControlAndKeyWorksAtEveryWidth) {
    for (const int width : {1280, 800, 390}) {
        for (const char* page : {"page.html", "plain.html"}) {
            if (width == 800 && page == std::string("plain.html")) continue;
            const Json seen = told(page, everything, width);
            EXPECT_GE(seen.value("choices", 0), 4) << page;
            EXPECT_EQ(seen.value("timeline", 0), 1) << page;
            EXPECT_EQ(seen.value("layers", 0), page == std::string("page.html") ? 8 : 2) << page;
        }
    }
}

TEST_F(ViewPage, ExportsAreWhole) {
    const Json saved = told("page.html", exports);
    EXPECT_EQ(saved["names"].size(), 2U);
    EXPECT_GE(saved["width"].get<int>(), 1200);
    EXPECT_GT(saved["colours"].get<int>(), 500) << "the picture is not in the PNG";
}

TEST_F(ViewPage, TwoStreamsShowTheSamePictureAndBlock) {
    const Json both = told("two.html", side_by_side);
    EXPECT_EQ(both["second"].get<std::string>().substr(0, 17), "macroblock (2, 1)");
    const auto panel = both["panel"].get<std::string>();
    EXPECT_NE(panel.find("clip.m2v"), std::string::npos);
    EXPECT_NE(panel.find("other.m2v"), std::string::npos);
    EXPECT_EQ(both["layers"], 8);
}

/// Width and height as a PNG's first chunk has them.
std::pair<unsigned, unsigned> size_of_png(const std::string& png) {
    const auto number = [&](std::size_t place) {
        unsigned value = 0;
        for (std::size_t i = place; i < place + 4; ++i)
            value = value << 8 | static_cast<unsigned char>(png.at(i));
        return value;
    };
    return {number(16), number(20)};
}

TEST_F(ViewPage, ThreeWidthsLightAndDark) {
    std::map<std::string, std::string> shots;
    for (const unsigned width : {1280U, 800U, 390U}) {
        for (const char* theme : {"light", "dark"}) {
            const std::string name = fmt::format("view-{}-{}.png", width, theme);
            EXPECT_EQ(browse(fmt::format("two.html?theme={}&layer=bits&picture=3", theme),
                             fmt::format("--window-size={},1800 --screenshot={}", width, name)),
                      "");
            shots[name] = read_file(at(name));
            ASSERT_GT(shots[name].size(), 40000U) << "an empty page";
            EXPECT_EQ(size_of_png(shots[name]), std::pair(width, 1800U));
            if (const char* kept = std::getenv("TANDEM_SCREENSHOTS"))
                std::filesystem::copy_file(at(name), std::string(kept) + "/" + name,
                                           std::filesystem::copy_options::overwrite_existing);
        }
        EXPECT_NE(shots[fmt::format("view-{}-light.png", width)], shots[fmt::format("view-{}-dark.png", width)]);
    }
}

} // namespace
} // namespace tandem::test
