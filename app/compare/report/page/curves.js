// SPDX-License-Identifier: BSD-2-Clause
// Rate-distortion curves, average differences and speed.
const curveOf = (clip, index) => points.filter((point) => point.clip === clip && point.series === index);
const clipSize = (clip) => `${clip.width}×${clip.height}, ${plural(clip.frames, "picture")}, ${fixed(clip.fps, 2)} Hz`;

const differences = new Map(data.differences.map((one) => [[one.clip, one.measure, one.anchor, one.test].join(), one]));
const differenceOf = (clip, measure, test) => differences.get([clip, measure, state.anchor, test].join());

// The mean over the clips, where each has a value.
function meanDifference(measure, kind, fit, test) {
    const values = clips.map((_, clip) => differenceOf(clip, measure, test)?.[kind][fit]);
    return values.every(known) ? mean(values) : undefined;
}

function legend() {
    byId("legend").replaceChildren(...series.map((one, i) => {
        const line = draw(
            "svg", {viewBox: "0 0 30 14", "aria-hidden": "true"}, draw("path", {
                d: "M1 7H29",
                fill: "none",
                stroke: looks[i].colour,
                "stroke-width": 2,
                "stroke-dasharray": looks[i].hollow ? "2 4" : null
            }),
            draw("g", {transform: "translate(15,7)"}, marker(looks[i], 3.6)));
        const button = make(
            "button", {
                type: "button",
                "aria-pressed": !state.hidden.has(i) ? "true" : "false",
                onpointerenter: () => bringForward(i),
                onpointerleave: () => bringForward(null),
                onfocus: () => bringForward(i),
                onblur: () => bringForward(null),
                onclick: () => {
                    if (!state.hidden.delete(i)) state.hidden.add(i);
                    button.setAttribute("aria-pressed", state.hidden.has(i) ? "false" : "true");
                    [...curveFigures, speedFigure].forEach((drawing) => drawing.repaint());
                }
            },
            line, one.name);
        return button;
    }));
}

const targetName = (point) => point.target_kbps ? `${point.target_kbps} kbit/s` : `quantiser ${point.qp}`;
const missText = (point) => (point.target_kbps ? `, ${signed(point.miss_percent, 2)} % of ${point.target_kbps}` : "");

function pointText(point) {
    return `${series[point.series].name}, ${targetName(point)}\n` +
        `${short(point.kbps)} kbit/s${missText(point)}, ${fixed(point.bytes, 0)} bytes\n` +
        `PSNR Y ${fixed(point.psnr_y, 3)} dB, SSIM ${fixed(point.ssim_y, 4)}` +
        (known(point.vmaf) ? `, VMAF ${fixed(point.vmaf, 2)}` : "");
}

// What a chart has up its side; VMAF is there where it was measured.
const hasVmaf = points.some((point) => known(point.vmaf));
const chartMeasures = {
    psnr_y: {name: "PSNR", axis: {scale: "linear", label: "PSNR Y, dB", format: short}},
    ssim_y: {name: "SSIM", axis: {scale: "similarity", label: "SSIM Y", format: String}},
    vmaf: {name: "VMAF", axis: {scale: "linear", label: "VMAF", format: short}}
};

function curveSpec(clip, measure) {
    return {
        label: `${chartMeasures[measure].name} over bitrate, ${clips[clip].name}`,
        x: {scale: "log", label: "kbit/s", format: short},
        y: chartMeasures[measure].axis,
        curves: series.map((one, i) => ({
                               index: i,
                               look: looks[i],
                               line: true,
                               fit: state.hidden.has(i) ? [] : fitOf(clip, i, measure),
                               points: state.hidden.has(i) ?
                                   [] :
                                   curveOf(clip, i)
                                       .filter((point) => known(point[measure]) && point.kbps > 0)
                                       .sort((a, b) => a.kbps - b.kbps)
                                       .map((point) => ({x: point.kbps, y: point[measure], text: pointText(point)})),
                           })),
    };
}

const curveFigures = [];
const shownOn = (clip) => series.map((_, i) => i).filter((i) => !state.hidden.has(i) && curveOf(clip, i).length);
function curves() {
    const place = byId("curve-charts");
    clips.forEach((clip, c) => {
        const both = Object.entries(chartMeasures)
                         .filter(([measure]) => points.some((point) => point.clip === c && known(point[measure])))
                         .map(([measure, {name}]) => figure(`${clip.name}: ${name}`, (width) => {
                                  const spec = curveSpec(c, measure);
                                  return spec.curves.some((curve) => curve.points.length) ?
                                      lineChart(spec, width) :
                                      emptyChart(width, "No series is shown.");
                              }, (width) => legendOfSeries(shownOn(c), width)));
        const saving = series.length > 1 ? [savingFigure(c)] : [];
        curveFigures.push(...both, ...saving);
        place.append(
            make("h3", {}, clip.name, " ", make("small", {}, clipSize(clip))),
            make("div", {class: both.length === 3 ? "pair three" : "pair"}, both),
            make("div", {class: "alone"}, saving));
    });
    curveFigures.forEach((drawing) => drawing.repaint());
}

const measureNames = {
    psnr_y: "PSNR Y",
    psnr_u: "PSNR Cb",
    psnr_v: "PSNR Cr",
    ssim_y: "SSIM Y",
    ...(hasVmaf ? {vmaf: "VMAF"} : {})
};
const fitNames = {
    pchip: "PCHIP",
    akima: "Akima",
    cubic: "Cubic"
};
const unitOf = () => (state.kind === "rate" ? " %" : state.measure.startsWith("psnr") ? " dB" : "");
const digitsOf = () => (state.kind === "quality" && state.measure === "ssim_y" ? 4 : 2);
const better = (value) =>
    (Math.abs(value) < .005 && state.kind === "rate" ? "" :
         (value < 0) === (state.kind === "rate")     ? "good" :
                                                       "bad");

// A row a clip and rate, a column a series that has rates to keep.
function missTable() {
    const rated = points.filter((point) => point.target_kbps);
    byId("rates").classList.toggle("empty", !rated.length);
    if (!rated.length) return;
    const columns = [...new Set(rated.map((point) => point.series))].sort((a, b) => a - b);
    const rows = [...new Map(rated.map((point) => [`${point.clip},${point.target_kbps}`, point])).values()].sort(
        (a, b) => a.clip - b.clip || a.target_kbps - b.target_kbps);
    const cellOf = (row, index) => {
        const found =
            rated.find((one) => one.clip === row.clip && one.target_kbps === row.target_kbps && one.series === index);
        return found ? `${signed(found.miss_percent, 2)} %` : "–";
    };
    byId("rates-table")
        .replaceChildren(table(
            "Missed rates",
            [left("clip"), "kbit/s", ...columns.map((index) => series[index].name.replace(/ at rates$/, ""))],
            rows.map(
                (row) => ({
                    row: [left(clips[row.clip].name), row.target_kbps, ...columns.map((index) => cellOf(row, index))]
                }))));
}

function differenceCell(clip, test, notes) {
    const one = differenceOf(clip, state.measure, test)?.[state.kind];
    if (!one) return {text: "–", title: "not measured"};
    const value = one[state.fit], marks = (one.notes || []).map((note) => {
        if (!notes.has(note)) notes.set(note, notes.size + 1);
        return make("sup", {class: "mark-of"}, String(notes.get(note)));
    });
    const about =
        Object.entries(fitNames)
            .map(([fit, name]) => `${name} ${known(one[fit]) ? signed(one[fit], digitsOf()) + unitOf() : "none"}`)
            .join(", ") +
        (known(one.overlap) ? `; overlap ${fixed(one.overlap, 0)} %` : "") +
        (one.notes ? `; ${one.notes.join("; ")}` : "");
    return {
        text: [known(value) ? signed(value, digitsOf()) + unitOf() : "none", ...marks],
        title: about,
        class: known(value) ? better(value) : ""
    };
}

function differenceTable() {
    const notes = new Map();
    const rows = series.map((_, test) => {
        if (test === state.anchor)
            return {name: "anchor", row: [seriesName(test), ...clips.map(() => "0"), {text: "anchor", class: "mean"}]};
        const average = meanDifference(state.measure, state.kind, state.fit, test);
        return {
            row: [
                seriesName(test), ...clips.map((one, clip) => differenceCell(clip, test, notes)), {
                    text: known(average) ? signed(average, digitsOf()) + unitOf() : "–",
                    class: "mean " + (known(average) ? better(average) : "")
                }
            ]
        };
    });
    byId("difference-table")
        .replaceChildren(
            table("Average differences", [left("series"), ...clips.map((clip) => clip.name), "mean"], rows));
    byId("difference-notes")
        .replaceChildren(...[...notes].map(([note, number]) => make("li", {}, make("sup", {}, String(number)), note)));
    const measure = measureNames[state.measure], anchor = series[state.anchor].name;
    byId("differences-note").textContent =
        (state.kind === "rate" ? `Bits needed at the same ${measure}, against ${anchor}: negative is better. ` :
                                 `${measure} at the same bitrate, against ${anchor}: positive is better. `) +
        "Bjøntegaard's average over what the curves have in common; PCHIP is the one to trust, " +
        "Akima and the cubic stand beside it. " +

        "Each cell tells all three and the overlap when the pointer rests on it.";
}

function speedOf(index) {
    const rows =
        data.speed.filter((one) => one.series === index && (state.clip === "mean" || one.clip === Number(state.clip)));
    // Geometric, so that no clip's size decides alone.
    return rows.length && (state.clip !== "mean" || rows.length === clips.length) ?
        10 ** mean(rows.map((one) => Math.log10(one.fps))) :
        undefined;
}
const savingOf = (index) => index === state.anchor ? 0 :
    state.clip === "mean"                          ? meanDifference("psnr_y", "rate", "pchip", index) :
                                                     differenceOf(Number(state.clip), "psnr_y", index)?.rate.pchip;

function speedSpec() {
    const found = series.map((_, i) => ({i, fps: speedOf(i), saving: savingOf(i)}))
                      .filter((one) => known(one.fps) && known(one.saving) && !state.hidden.has(one.i));
    return {
        label: "Speed against quality",
        spread: .09,
        size: 5,
        zero: true,
        x: {scale: "log", label: "pictures in a second", format: short},
        y: {
            scale: "linear",
            label: `BD-rate against ${series[state.anchor].name}, %`,
            format: (value) => minus(String(value))
        },
        curves: found.map(({i, fps, saving}) => ({
                              index: i,
                              look: looks[i],
                              line: false,
                              points: [{
                                  x: fps,
                                  y: saving,
                                  name: series[i].name,
                                  text: `${series[i].name}\n${short(fps)} pictures/s, ${signed(saving, 2)} %`
                              }]
                          })),
    };
}

// Medians stand first; how far the runs beside them went.
const leastAndMost = (one) => `(${short(one.least_fps)} to ${short(one.most_fps)})`;

let speedFigure;
function speedCell(one) {
    if (!one) return "–";
    const whole = known(one.total_fps) ? `; ${fixed(one.total_fps, 1)} a second with reading and writing` : "";
    const scatter = one.runs > 1 ? [" ", make("small", {}, leastAndMost(one))] : [];
    return {text: [short(one.fps), ...scatter], title: `${milliseconds(one.encode_ms)} ms a picture${whole}`};
}

function speed() {
    const columns =
        clips.map((clip, c) => series.map((_, i) => data.speed.find((one) => one.clip === c && one.series === i)));
    speedFigure = figure("Speed and quality", (width) => {
        const spec = speedSpec();
        return spec.curves.length ? lineChart(spec, width) :
                                    emptyChart(width, "No series has both a speed and a BD-rate here.");
    }, (width) => legendOfSeries(speedSpec().curves.map((curve) => curve.index), width));
    byId("speed-controls")
        .append(choice(
            "Clip", [["mean", "mean of all clips"], ...clips.map((clip, c) => [c, clip.name])], state.clip, (value) => {
                state.clip = value;
                speedFigure.repaint();
            }));
    byId("speed-chart").append(speedFigure);
    speedFigure.repaint();
    byId("speed-table")
        .replaceChildren(table(
            "Pictures coded in a second", [left("pictures in a second"), ...clips.map((clip) => clip.name)],
            series.map((_, i) => ({row: [seriesName(i), ...columns.map((column) => speedCell(column[i]))]}))));
}
