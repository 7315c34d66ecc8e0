// SPDX-License-Identifier: BSD-2-Clause
// The head of the page, where the figures come from, and the start.
function card(value, unit, text) {
    return make("div", {}, make("dt", {}, text), make("dd", {}, value, unit ? make("small", {}, " " + unit) : ""));
}

function cards() {
    const list = [], ours = series.map((_, i) => i).filter((i) => series[i].encoder === "tandem" && i !== state.anchor);
    const best = ours.map((i) => ({i, value: meanDifference("psnr_y", "rate", "pchip", i)}))
                     .filter((one) => known(one.value))
                     .sort((a, b) => a.value - b.value)[0];
    if (best)
        list.push(card(
            signed(best.value, 1), "%",
            `bits of ${series[best.i].name} at the PSNR of ${series[state.anchor].name}, ` +
                `mean of ${plural(clips.length, "clip")}`));
    const fastest =
        data.speed.filter((one) => series[one.series].encoder === "tandem").sort((a, b) => b.fps - a.fps)[0];
    if (fastest)
        list.push(
            card(short(fastest.fps), "pictures/s", `${series[fastest.series].name} on ${clips[fastest.clip].name}`));
    const paired = data.motion.filter((one) => one.other !== undefined);
    if (paired.length) {
        const sum = (name) => paired.reduce((total, one) => total + one[name], 0);
        list.push(card(
            `${sum("same_streams")} of ${sum("points")}`, "", "streams are the same bytes on the CPU and elsewhere"));
        const gain = paired.filter((one) => known(one.motion_ms[0]) && known(one.motion_ms[1]))
                         .map((one) => ({one, value: one.motion_ms[0] / one.motion_ms[1]}))
                         .sort((a, b) => b.value - a.value)[0];
        if (gain)
            list.push(card(
                short(gain.value), "times",
                `faster motion: ${series[gain.one.other].name} on ${clips[gain.one.clip].name}`));
    }
    byId("cards").replaceChildren(...list);
}

const makerName =
    (maker) => [maker.tandem && `Tandem ${maker.tandem}`, maker.peer, maker.cpu, maker.gpu].filter(Boolean).join(", ");

function showOrigin() {
    const rows =
        points.map((point) => ({
                       row: [
                           seriesName(point.series), left(clips[point.clip].name), point.target_kbps ? "" : point.qp,
                           point.target_kbps || "", known(point.miss_percent) ? signed(point.miss_percent, 2) : "",
                           fixed(point.bytes, 0), fixed(point.kbps, 1), fixed(point.psnr_y, 3), fixed(point.psnr_u, 3),
                           fixed(point.psnr_v, 3), fixed(point.ssim_y, 5), milliseconds(1000 * point.encode_s),
                           milliseconds(1000 * point.total_s), milliseconds(1000 * point.motion_s),
                           known(point.peak_rss_bytes) ? fixed(point.peak_rss_bytes / 2 ** 20, 0) : "–",
                           left(make("code", {}, point.stream_md5.slice(0, 8)))
                       ]
                   }));
    const all = make(
        "details", {}, make("summary", {}, `All ${plural(points.length, "point")}`),
        make(
            "div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "All points"},
            table(
                "All points",
                [
                    left("series"), left("clip"), "quantiser", "asked kbit/s", "missed by %", "bytes", "kbit/s",
                    "PSNR Y", "Cb", "Cr", "SSIM Y", "coding ms", "whole ms", "motion ms", "peak MiB", left("MD5")
                ],
                rows)));
    const source = make(
        "details", {}, make("summary", {}, plural(clips.length, "clip")),
        make(
            "div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Clips"},
            table(
                "Clips", [left("clip"), "width", "height", "pictures", "Hz", left("MD5")],
                clips.map((clip) => ({
                              row: [
                                  left(clip.name), clip.width, clip.height, clip.frames, fixed(clip.fps, 3),
                                  left(make("code", {}, clip.md5))
                              ]
                          })))));
    const setting = make(
        "details", {}, make("summary", {}, `${series.length} series`),
        make(
            "div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Series"},
            table(
                "Series",
                [left("series"), left("encoder"), left("codec"), left("search"), left("device"), left("options")],
                series.map((one, i) => ({
                               row: [
                                   seriesName(i), left(one.encoder), left(one.codec), left(one.search || ""),
                                   left(one.device || ""), {text: make("code", {}, one.options), class: "text wrap"}
                               ]
                           })))));
    const makers = data.made_by.map(
        (maker) => make(
            "details", {open: data.made_by.length === 1},
            make("summary", {}, `${plural(maker.points, "point")} by ${makerName(maker)}`),
            make(
                "dl", {class: "facts"},
                Object.entries(maker)
                    .filter(([name]) => name !== "points")
                    .flatMap(
                        ([name, value]) =>
                            [make("dt", {}, name),
                             make("dd", {}, name === "command" ? make("code", {}, String(value)) : String(value))]))));
    byId("origin-body").replaceChildren(...makers, setting, source, all);
}

// Paper has what is folded away on the screen.
let opened = [];
addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((node) => {
        node.open = true;
    });
});
addEventListener("afterprint", () => opened.forEach((node) => {
    node.open = false;
}));

function compareAgain() {
    cards();
    differenceTable();
    speedFigure.repaint();
}

function start() {
    theme(keptTheme());
    const names = clips.map((clip) => clip.name).join(", ");
    byId("lead").textContent =
        `${plural(clips.length, "clip")}, ${series.length} series, ${plural(points.length, "point")}: ${names}.`;
    byId("controls").append(choice("Compared with", series.map((one, i) => [i, one.name]), state.anchor, (value) => {
        state.anchor = Number(value);
        compareAgain();
    }));
    byId("difference-controls")
        .append(choice("Difference of", [["rate", "rate"], ["quality", "quality"]], state.kind, (value) => {
                    state.kind = value;
                    differenceTable();
                }), choice("Quality", Object.entries(measureNames), state.measure, (value) => {
                    state.measure = value;
                    differenceTable();
                }), choice("Curves by", Object.entries(fitNames), state.fit, (value) => {
                    state.fit = value;
                    differenceTable();
                }));
    legend();
    curves();
    missTable();
    speed();
    motionTable();
    papersTable();
    pictures();
    fields();
    showOrigin();
    cards();
    differenceTable();
    byId("contents")
        .append(...[...document.querySelectorAll("main > section[id]:not(.empty)")].map(
            (section) => make("a", {href: "#" + section.id}, {
                curves: "Curves",
                differences: "BD-rate",
                rates: "Rates",
                speed: "Speed",
                motion: "CPU and GPU",
                papers: "Papers",
                pictures: "Pictures",
                fields: "Motion fields",
                origin: "Origin"
            }[section.id])));
}
start();
