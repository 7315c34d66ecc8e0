// SPDX-License-Identifier: BSD-2-Clause
// The head of the page, where the figures come from, and the start.
function card(value, unit, text) {
    return make("div", {}, make("dt", {}, text), make("dd", {}, value, unit ? make("small", {}, " " + unit) : ""));
}

// Tandem's series that needs the fewest bits at the anchor's PSNR, over all clips.
function bestSaving() {
    return series.map((_, i) => i)
        .filter((i) => series[i].encoder === "tandem" && i !== state.anchor)
        .map((i) => ({i, value: meanDifference("psnr_y", "rate", "pchip", i)}))
        .filter((one) => known(one.value))
        .sort((a, b) => a.value - b.value)[0];
}

const speedOn = (clip, index) => data.speed.find((one) => one.clip === clip && one.series === index);
const speedText = (one) => `${short(one.fps)} pictures a second${one.runs > 1 ? ` ${leastAndMost(one)}` : ""}`;

function savingWords(best) {
    const anchor = series[state.anchor].name, each = clips.map((_, c) => differenceOf(c, "psnr_y", best.i).rate.pchip);
    const scatter = each.length > 1 ?
        ` on average of ${each.length} clips (${signed(Math.min(...each), 1)} to ${signed(Math.max(...each), 1)} %)` :
        ` on ${clips[0].name}`;
    return `At the PSNR of ${anchor}, ${series[best.i].name} takes ${fixed(Math.abs(best.value), 1)} % ` +
        `${best.value <= 0 ? "fewer" : "more"} bits${scatter}.`;
}

// On the largest clip that both have coded.
function speedWords(best) {
    const both = clips.map((clip, c) => ({clip, one: speedOn(c, best.i), other: speedOn(c, state.anchor)}))
                     .filter((pair) => pair.one && pair.other)
                     .sort((a, b) => b.clip.width * b.clip.height - a.clip.width * a.clip.height)[0];
    if (!both) return "";
    const times = both.one.fps / both.other.fps, anchor = series[state.anchor].name;
    const faster = times >= 1 ? "it is" : `${anchor} is`;
    return ` On ${both.clip.name} it codes ${speedText(both.one)}, ${anchor} ${speedText(both.other)}: ` +
        `${faster} ${short(Math.max(times, 1 / times))} times as fast.`;
}

// Where there is no saving to tell, why.
function withoutSavingWords() {
    const why = data.differences.filter((one) => one.anchor === state.anchor && one.measure === "psnr_y")
                    .flatMap((one) => one.rate.notes || [])[0];
    return `No saving over ${series[state.anchor].name} can be told${why ? `: ${why}` : ""}.`;
}

// Of series with rates to keep: how far the worst of each went astray.
function missWords() {
    const worst =
        series
            .map((one, i) => ({one, missed: points.filter((point) => point.series === i && known(point.miss_percent))}))
            .filter(({missed}) => missed.length)
            .map(
                ({one, missed}) => `${one.name} by up to ` +
                    signed(missed.reduce(
                               (far, point) => Math.abs(point.miss_percent) > Math.abs(far) ? point.miss_percent : far,
                               0),
                           1) +
                    " %");
    return worst.length ? ` Of the bit rates asked for, misses: ${worst.join(", ")}.` : "";
}

function scatterWords() {
    const runs = Math.max(0, ...data.speed.map((one) => one.runs)), limit = 1.25;
    if (runs < 2) return "Every point ran once: how far its time scatters is not known.";
    const worst = [...data.speed].sort((a, b) => b.spread - a.spread)[0];
    if (worst.spread < limit) return "";
    return `Repeats disagree: the slowest run of a point took up to ${
               short(worst.spread)} times as long as its fastest ` +
        `(${series[worst.series].name} on ${
               clips[worst.clip].name}). Speeds are medians of such runs; take them as rough.`;
}

// What the results say, in words, before any figure.
function verdict() {
    const best = bestSaving(), scatter = data.speed.length ? scatterWords() : "";
    const words = (best                  ? savingWords(best) + speedWords(best) :
                       series.length > 1 ? withoutSavingWords() :
                                           "") +
        missWords();
    byId("verdict").replaceChildren(
        ...(words ? [make("p", {class: "verdict"}, words)] : []),
        ...(scatter ? [make("p", {class: "warning"}, scatter)] : []));
}

function fastestText(fastest) {
    const clip = fastest.clip, anchor = speedOn(clip, state.anchor);
    const beside =
        anchor && fastest.series !== state.anchor ? `; ${series[state.anchor].name} ${short(anchor.fps)}` : "";
    return `${series[fastest.series].name} on ${clips[clip].name}${beside}`;
}

function cards() {
    const list = [], best = bestSaving();
    if (best)
        list.push(card(
            signed(best.value, 1), "%",
            `bits of ${series[best.i].name} at the PSNR of ${series[state.anchor].name}, ` +
                `mean of ${plural(clips.length, "clip")}`));
    const fastest =
        data.speed.filter((one) => series[one.series].encoder === "tandem").sort((a, b) => b.fps - a.fps)[0];
    if (fastest) list.push(card(short(fastest.fps), "pictures/s", fastestText(fastest)));
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
                           fixed(point.psnr_v, 3), fixed(point.ssim_y, 5), ...(hasVmaf ? [fixed(point.vmaf, 2)] : []),
                           milliseconds(1000 * point.encode_s), milliseconds(1000 * point.total_s),
                           milliseconds(1000 * point.motion_s),
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
                    "PSNR Y", "Cb", "Cr", "SSIM Y", ...(hasVmaf ? ["VMAF"] : []), "coding ms", "whole ms", "motion ms",
                    "peak MiB", left("MD5")
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
    verdict();
    cards();
    differenceTable();
    [...curveFigures, speedFigure].forEach((drawing) => drawing.repaint());
}

function start() {
    theme(keptTheme());
    const names = clips.map((clip) => clip.name).join(", ");
    byId("lead").replaceChildren(...breakable(
        `${plural(clips.length, "clip")}, ${series.length} series, ${plural(points.length, "point")}: ${names}.`));
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
    speed();
    curves();
    missTable();
    motionTable();
    papersTable();
    besideEachOther();
    pictures();
    fields();
    showOrigin();
    verdict();
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
                beside: "Side by side",
                pictures: "Pictures",
                fields: "Motion fields",
                origin: "Origin"
            }[section.id])));
}
start();
