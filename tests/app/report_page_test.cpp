// SPDX-License-Identifier: BSD-2-Clause
// The report in headless Chromium: screenshots in light, dark and at a phone's width, every control used, and not a
// word on the console. TANDEM_SCREENSHOTS names a folder that keeps the pictures.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "app/compare_report.h"
#include "tests/app/made_up_results.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

/// What a user does, done to every control; the page's state ends up in an attribute of its root.
const char* const everything = R"js(
<script>
addEventListener("load", () => {
    const seen = {};
    const count = (name) => { seen[name] = (seen[name] || 0) + 1; };
    for (const id of ["controls", "difference-controls", "speed-controls", "picture-controls", "field-controls"])
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
    for (const name of ["b", "iframe", "img"])
        if (document.querySelector(`main ${name}`)) console.error(`a name became an element ${name}`);
    if (document.documentElement.scrollWidth > innerWidth) console.error("the page is wider than the window");
    document.documentElement.dataset.seen = JSON.stringify(seen);
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

TEST_F(ReportPage, LightDarkAndPhone) {
    std::map<std::string, std::string> pictures;
    for (const auto& [name, width, height, theme] :
         {std::tuple("light", 1280, 2400, "light"), {"dark", 1280, 2400, "dark"}, {"phone", 390, 2400, "light"}}) {
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
    std::string page = read_file(folder_ / "report.html");
    page.insert(page.rfind("</body>"), everything);
    write_file(folder_ / "used.html", page);
    for (const int width : {1280, 390}) {
        const Browsing browsing = browse("used.html", fmt::format("--window-size={},1000 --dump-dom", width));
        EXPECT_EQ(browsing.said, "") << width;
        EXPECT_NE(browsing.page.find("&quot;charts&quot;:6"), std::string::npos)
            << browsing.page.substr(0, 400); // Four curves, speed, bytes.
        EXPECT_NE(browsing.page.find("data-seen="), std::string::npos);
    }
}

} // namespace
} // namespace tandem::test
