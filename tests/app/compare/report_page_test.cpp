// SPDX-License-Identifier: BSD-2-Clause
// The report in headless Chromium: screenshots in light, dark and at a phone's width, every control used, and not a
// word on the console. TANDEM_SCREENSHOTS names a folder that keeps the pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "app/compare/compare_report.h"
#include "tests/app/compare/made_up_results.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

/// What a user does, done to every control; the page's state ends up in an attribute of its root.
const char* const everything = R"js(
<script>
addEventListener("load", () => {
    const seen = {};
    const count = (name) => { seen[name] = (seen[name] || 0) + 1; };
    for (const id of ["controls", "difference-controls", "speed-controls", "picture-controls", "field-controls", "beside-controls"])
        for (let i = 0; i < document.querySelectorAll(`#${id} select`).length; ++i)
            for (let k = document.querySelectorAll(`#${id} select`)[i].options.length - 1; k >= 0; --k) {
                const list = document.querySelectorAll(`#${id} select`)[i];
                list.selectedIndex = k;
                list.dispatchEvent(new Event("change"));
                count("choices");
            }
    for (const button of document.querySelectorAll("#legend button, #theme"))
        for (let i = 0; i < 2; ++i) { button.click(); count("clicks"); }
    for (const svg of document.querySelectorAll("svg.chart")) {
        const first = svg.querySelector("[tabindex='0']");
        if (!first) continue;
        first.focus();
        if (document.activeElement !== first || document.getElementById("tip").hidden) console.error("a point without focus or hint");
        for (const key of ["ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "End", "Home"])
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        if (svg.querySelectorAll("[tabindex='0']").length !== 1) console.error("a chart is more than one stop");
        count("charts");
    }
    const field = document.querySelector("#field-drawing svg");
    field.focus();
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
    if (!document.getElementById("tip").textContent.startsWith("block (")) console.error("no vector is told");
    for (const name of ["b", "iframe", "img:not(.over):not(.below)"])
        if (document.querySelector(`main ${name}`)) console.error(`a name became an element ${name}`);
    if (document.documentElement.scrollWidth > innerWidth) console.error("the page is wider than the window");
    document.documentElement.dataset.seen = JSON.stringify(seen);
});
</script>
)js";

/// What a user sees and takes away, of any results.
const char* const scrutiny = R"js(
<script>
addEventListener("load", () => {
    const wrong = (text) => console.error(text);
    if (document.querySelector("main").outerHTML.includes("NaN")) wrong("what is no number is shown");
    const middle = (node) => {
        const box = node.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const tip = document.getElementById("tip");
    for (const svg of document.querySelectorAll("svg.chart")) {
        const name = svg.getAttribute("aria-label");
        for (const axis of svg.querySelector(".axis") ? ["x", "y"] : []) {
            const labels = [...svg.querySelectorAll(`.${axis}.tick`)].map((node) => node.textContent);
            if (labels.length < 2 || new Set(labels).size < labels.length) wrong(`${name}: ${axis} has the labels ${labels}`);
        }
        const nodes = [...svg.querySelectorAll(".point")];
        for (const node of nodes) {
            const [clientX, clientY] = middle(node);
            svg.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true }));
            const told = nodes.find((one) => !tip.hidden && one.getAttribute("aria-label") === tip.textContent.replaceAll("\n", ", "));
            const [x, y] = told ? middle(told) : [NaN, NaN];
            if (!(Math.hypot(x - clientX, y - clientY) < .5)) wrong(`${name}: the pointer is on another point than ${tip.textContent}`);
        }
        const zero = svg.querySelector(".zero");
        for (const text of svg.querySelectorAll(".name"))
            if (zero && Math.abs(middle(text)[1] - middle(zero)[1]) < 9) wrong(`${text.textContent} is struck through`);
        const saved = standaloneSvg(svg).text;
        if (/var\(|light-dark\(/.test(saved)) wrong(`${name}: a saved picture has names of the page's colours`);
        const plain = new DOMParser().parseFromString(saved, "image/svg+xml").documentElement.textContent;
        const named = (legend) => [...legend.group.querySelectorAll("text")].map((node) => node.textContent);
        for (const text of svg.saved ? [svg.saved.title, ...named(svg.saved.legend(600))] : ["nothing"])
            if (!plain.includes(text)) wrong(`${name}: a saved picture lacks ${text}`);
    }
    const first = document.querySelector("svg.chart .point");
    if (first) {
        first.focus();
        dispatchEvent(new Event("scroll"));
        if (tip.hidden) wrong("scrolling to what has the focus hides its hint");
        first.blur();
    }
    const closed = () => document.querySelectorAll("details:not([open])").length, before = closed();
    dispatchEvent(new Event("beforeprint"));
    if (!before || closed()) wrong("what is folded away is not printed");
    dispatchEvent(new Event("afterprint"));
    if (closed() !== before) wrong("what was unfolded for paper stays so");
    if (document.documentElement.scrollWidth > innerWidth) wrong("the page is wider than the window");
    document.documentElement.dataset.scrutinised = "yes";
});
</script>
)js";

struct Browsing {
    std::string said, page;
};

class ReportPage : public testing::Test {
  protected:
    void SetUp() override {
        if (*TANDEM_CHROMIUM == '\0') GTEST_SKIP() << "Chromium was not found when the build was configured";
        write_report(made_up_results(), {folder_.path(), "", "Made up"});
    }

    /// Chromium's standard error, less what is not of the page, and the standard output.
    Browsing browse(const std::string& file, const std::string& options) {
        const std::string command = fmt::format(
            "cd '{0}' && HOME='{0}' timeout 120 '{1}' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
            "--hide-scrollbars "
            "--user-data-dir='{0}/profile' --virtual-time-budget=5000 --enable-logging=stderr {2} 'file://{0}/{3}' "
            ">page.txt 2>said.txt",
            folder_.path(), TANDEM_CHROMIUM, options, file);
        EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder_ / "said.txt");
        std::string said;
        const std::string all = read_file(folder_ / "said.txt");
        for (std::size_t begin = 0, end; begin < all.size(); begin = end + 1) {
            end = std::min(all.find('\n', begin), all.size());
            const std::string line = all.substr(begin, end - begin);
            if (line.find("CONSOLE") != std::string::npos) said += line + "\n";
        }
        return {said, read_file(folder_ / "page.txt")};
    }

    /// The report with a script more, at a computer's width and a phone's.
    void expect_silence(const std::string& script, const std::string& mark) {
        std::string page = read_file(folder_ / "report.html");
        page.insert(page.rfind("</body>"), script);
        write_file(folder_ / "used.html", page);
        for (const int width : {1280, 390}) {
            const Browsing browsing = browse("used.html", fmt::format("--window-size={},1000 --dump-dom", width));
            EXPECT_EQ(browsing.said, "") << width;
            EXPECT_NE(browsing.page.find(mark), std::string::npos) << browsing.page.substr(0, 400);
        }
    }

    TemporaryFolder folder_;
};

/// Width and height as a PNG's first chunk has them.
std::pair<unsigned, unsigned> size_of_png(const std::string& png) {
    const auto number = [&](std::size_t at) {
        unsigned value = 0;
        for (std::size_t i = at; i < at + 4; ++i)
            value = value << 8 | static_cast<unsigned char>(png.at(i));
        return value;
    };
    return {number(16), number(20)};
}

/// Charts that part curves, series that come forward, hints by touch, pictures with a slider, and what stays in sight.
const char* const handling = R"js(
<script>
addEventListener("load", () => {
    const wrong = (text) => console.error(text);
    // The mean of what a chart of savings draws is the BD-rate.
    clips.forEach((_, clip) => series.forEach((one, index) => {
        if (index === state.anchor) return;
        const curve = savingCurve(clip, index, "psnr_y"), given = differenceOf(clip, "psnr_y", index).rate.pchip;
        const logs = curve.fit.map((place) => Math.log10(1 + place.y / 100));
        const area = logs.slice(1).reduce((sum, value, i) => sum + (value + logs[i]) / 2, 0) / (logs.length - 1);
        const drawn = 100 * (10 ** area - 1);
        if (!(Math.abs(drawn - given) < .02)) wrong(`${one.name}: the chart says ${drawn} %, the table ${given} %`);
    }));
    const behind = () => document.querySelectorAll("main .behind");
    const button = document.querySelectorAll("#legend button")[1];
    button.dispatchEvent(new PointerEvent("pointerenter"));
    if (!behind().length || [...behind()].some((node) => node.dataset.series === "1")) wrong("no series comes forward");
    for (const lines of document.querySelectorAll(".lines"))
        if (lines.querySelector("[data-series='1']") && lines.lastChild.dataset.series !== "1")
            wrong("a line stays below others");
    button.dispatchEvent(new PointerEvent("pointerleave"));
    if (behind().length) wrong("series stay behind");
    // Colours are one series' everywhere.
    const colours = new Map();
    for (const line of document.querySelectorAll(".lines > [data-series]")) {
        const before = colours.get(line.dataset.series);
        if (before && before !== line.getAttribute("stroke")) wrong("a series changes its colour");
        colours.set(line.dataset.series, line.getAttribute("stroke"));
    }
    document.documentElement.style.scrollBehavior = "auto";
    for (const id of ["speed", "pictures"]) {
        byId(id).scrollIntoView();
        const box = byId("legend").getBoundingClientRect();
        if (box.top < 0 || box.bottom > innerHeight) wrong(`the legend is out of sight at ${id}`);
    }
    const cell = document.querySelector("#difference-table td[aria-description]");
    cell.click();
    if (tip.hidden || !tip.textContent.includes("PCHIP")) wrong("a touch tells nothing");
    hideTip();
    if (!byId("verdict").textContent.includes("10.0 % fewer bits")) wrong(byId("verdict").textContent);
    const slider = document.querySelector(".slider input"), over = document.querySelector(".stack .over");
    slider.value = 20;
    slider.dispatchEvent(new Event("input"));
    if (!over.style.clipPath.includes("80%")) wrong("the slider moves nothing");
    if (!document.querySelector("#field-drawing image")) wrong("no picture lies under the motion");
    if (innerWidth < 600)
        for (const node of document.querySelectorAll("section > .scroll td, section > .scroll th, .cards *, .verdict"))
            if (node.getBoundingClientRect().right > innerWidth + 1) wrong(`${node.textContent} is off the screen`);
    document.documentElement.dataset.handled = "yes";
});
</script>
)js";

TEST_F(ReportPage, IsHandled) { expect_silence(handling, "data-handled"); }

TEST_F(ReportPage, SaysWhereRepeatsDisagree) {
    std::vector<Json> rows = made_up_results();
    for (Json& row : rows)
        row["runs"] = {{{"encode_s", 0.36}}, {{"encode_s", 0.14}}, {{"encode_s", 0.28}}};
    write_report(rows, {folder_.path(), "", ""});
    EXPECT_NE(browse("report.html", "--dump-dom").page.find("Repeats disagree: the slowest run of a point took up to"),
              std::string::npos);
    for (Json& row : rows)
        row["runs"] = {{{"encode_s", row["encode_s"]}}, {{"encode_s", row["encode_s"]}}};
    write_report(rows, {folder_.path(), "", ""});
    const std::string calm = browse("report.html", "--dump-dom").page;
    EXPECT_EQ(calm.substr(0, calm.find("<script")).find("Repeats disagree"), std::string::npos);
}

TEST_F(ReportPage, LightDarkAndPhone) {
    std::map<std::string, std::string> pictures;
    for (const auto& [name, width, height, theme] : {std::tuple("light", 1280, 2400, "light"),
                                                     {"dark", 1280, 2400, "dark"},
                                                     {"tablet", 820, 2400, "light"},
                                                     {"tablet-dark", 820, 2400, "dark"},
                                                     {"phone", 390, 2400, "light"},
                                                     {"phone-dark", 390, 2400, "dark"}}) {
        SCOPED_TRACE(name);
        const std::string file = std::string(name) + ".png";
        const Browsing browsing = browse(fmt::format("report.html?theme={}", theme),
                                         fmt::format("--window-size={},{} --screenshot={}", width, height, file));
        EXPECT_EQ(browsing.said, "");
        pictures[name] = read_file(folder_ / file);
        ASSERT_GT(pictures[name].size(), 20000U) << "an empty page";
        EXPECT_EQ(size_of_png(pictures[name]), std::pair(unsigned(width), unsigned(height)));
        if (const char* kept = std::getenv("TANDEM_SCREENSHOTS"))
            std::filesystem::copy_file(folder_ / file, std::string(kept) + "/report-" + file,
                                       std::filesystem::copy_options::overwrite_existing);
    }
    EXPECT_NE(pictures["light"], pictures["dark"]);
}

TEST_F(ReportPage, EveryControlWorksAtEveryWidth) {
    expect_silence(everything, "&quot;charts&quot;:8"); // Four curves, two of savings, speed, bytes.
}

/// What a page with VMAF has, and one without has not.
const char* const vmaf = R"js(
<script>
addEventListener("load", () => {
    const wrong = (text) => console.error(text);
    const charts = [...document.querySelectorAll("figcaption")].filter((one) => one.textContent.includes("VMAF"));
    if (charts.length !== 2) wrong(`${charts.length} charts of VMAF`);
    const drawn = charts[0].closest("figure").querySelectorAll(".point");
    if (drawn.length !== 20) wrong(`${drawn.length} points of VMAF`);
    if (!drawn[0].getAttribute("aria-label").includes("VMAF 38.00")) wrong(drawn[0].getAttribute("aria-label"));
    const measures = [...byId("difference-controls").querySelectorAll("option")].map((one) => one.value);
    if (!measures.includes("vmaf")) wrong("no difference at equal VMAF");
    const heads = [...document.querySelectorAll("#origin th")].map((one) => one.textContent);
    if (!heads.includes("VMAF")) wrong("no column of VMAF");
    state.measure = "vmaf";
    differenceTable();
    const table = byId("difference-table").textContent;
    if (!table.includes("10.00 %") || table.includes("dB")) wrong(table);
    if (document.documentElement.scrollWidth > innerWidth) wrong("the page is wider than the window");
    document.documentElement.dataset.hasVmaf = "yes";
});
</script>
)js";

TEST_F(ReportPage, VmafHasItsChartsItsColumnAndItsDifferences) {
    std::vector<Json> rows = made_up_results();
    const std::string without = browse("report.html", "--dump-dom").page;
    EXPECT_EQ(without.substr(0, without.find("<script")).find("VMAF</"), std::string::npos);
    for (Json& row : rows)
        row["vmaf"] = 100 - 2 * row["qp"].get<double>();
    write_report(rows, {folder_.path(), "", ""});
    expect_silence(vmaf, "data-has-vmaf");
}

TEST_F(ReportPage, WhatIsShownIsTrue) { expect_silence(scrutiny, "data-scrutinised"); }

TEST_F(ReportPage, SeriesWithoutACommonClipHaveNoSpeedChart) {
    std::vector<Json> rows = made_up_results();
    std::erase_if(rows, [](const Json& row) { return (row["encoder"] == "tandem") == (row["clip"]["name"] == "pan"); });
    write_report(rows, {folder_.path(), "", ""});
    expect_silence(scrutiny, "data-scrutinised");
}

TEST_F(ReportPage, LongNamesAndNarrowRanges) {
    for (const auto& [step, lossless] : {std::pair(0.0, false), {1e-5, false}, {1e-3, false}, {1e-5, true}}) {
        std::vector<Json> rows = made_up_results();
        for (Json& row : rows) {
            const double qp = row["qp"];
            row["clip"]["name"] = std::string(150, 'x');
            row["bytes"] = std::llround(1e6 * (1 - step * qp));
            row["bitrate_kbps"] = 1000 * (1 - step * qp);
            row["psnr_y"] = 40 * (1 - step * qp);
            row["ssim_y"] = lossless ? 1 : 0.9999 - step * qp;
        }
        write_report(rows, {folder_.path(), "", ""});
        SCOPED_TRACE(step);
        expect_silence(scrutiny, "data-scrutinised");
    }
}

} // namespace
} // namespace tandem::test
