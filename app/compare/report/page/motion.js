// SPDX-License-Identifier: BSD-2-Clause
// Motion by device, the papers, single pictures and motion fields.
function motionTable() {
    const paired = data.motion.filter((one) => one.other !== undefined);
    byId("motion").classList.toggle("empty", !data.motion.length);
    byId("motion-note").textContent =
        "Motion: the estimators' busy time for a pair of pictures. Whole: the encoder's time for a picture, " +
        "with motion beside it; milliseconds. " + (paired.length ? "" : "These results have no device beside the CPU.");
    const times = (values, one) =>
        [milliseconds(values[0]), one.other === undefined ? "–" : milliseconds(values[1]),
         one.other === undefined || !known(values[0]) || !known(values[1]) ? "–" : `${short(values[0] / values[1])}×`];
    const rows = data.motion.map((one) => {
        const cpu = series[one.cpu], other = one.other === undefined ? null : series[one.other];
        const same = other && one.same_streams === one.points;
        return {
            row: [
                {
                    text: [swatch(looks[one.cpu]), `${cpu.search} `, make("small", {}, cpu.codec)],
                    class: "text key",
                    title: cpu.options
                },
                left(clips[one.clip].name), left(other ? other.device : "–"),
                other ? {
                    text: same ? `✓ all ${one.points}` : `${one.same_streams} of ${one.points}`,
                    class: same ? "good" : "bad"
                } :
                        "–",
                other ? signed(one.psnr_difference, 4) + " dB" : "–",
                other ? signed(one.bitrate_percent, 3) + " %" : "–", ...times(one.motion_ms, one),
                ...times(one.whole_ms, one)
            ]
        };
    });
    const all = table(
        "Motion on the CPU and elsewhere",
        [
            left("search"), left("clip"), left("device"), "same bytes", "PSNR Y", "bits", "motion, CPU", "device",
            "gain", "whole, CPU", "device", "gain"
        ],
        rows);
    byId("motion-table").replaceChildren(paired.length ? all : folded("Times of the CPU", all));
}

function papersTable() {
    const rowsOf = (papers) => table(
        "Figures of five papers and of these results",
        [left("paper"), left("what"), left("then"), left("here"), left("where")],
        papers.map((one) => ({
                       row: [
                           left(one.paper), {text: one.what, class: "text wrap"},
                           {text: minus(one.then), class: "text wrap"}, {
                               text: one.now ? minus(one.now) : "not among these results",
                               class: "text wrap" + (one.now ? " mean" : " none")
                           },
                           {text: make("small", {}, one.where || ""), class: "text wrap"}
                       ]
                   })));
    const met = data.papers.filter((one) => one.now), others = data.papers.filter((one) => !one.now);
    const rest = others.length ?
        [folded(`${plural(others.length, "figure")} that these results have nothing beside`, rowsOf(others))] :
        [];
    byId("papers-table").replaceChildren(...(met.length ? [rowsOf(met)] : []), ...rest);
}

const pictureTicks = (last) => labelled(
    (low, high, count) => niceTicks(low, high, count).filter(Number.isInteger), 0, Math.max(last, 1), 8, String);

const columnName = (stream, i) =>
    `picture ${stream.n[i]}, ${stream.types[i]}, ${stream.bytes[i]} bytes, ${fixed(stream.psnr_y[i], 2)} dB`;

function barChart(width, stream, beside) {
    const height = 240, margin = {left: 52, right: 14, top: 26, bottom: 40},
          order = stream.n.map((n, i) => i).sort((a, b) => stream.n[a] - stream.n[b]);
    const spec = {
        label: "Bytes of each picture",
        className: "bars",
        x: {scale: "linear", label: "picture, display order", format: String},
        y: {
            scale: "linear",
            label: "bytes",
            format: (value) => value >= 10000 ? `${value / 1000}k` : String(value),
            fromZero: true
        }
    };
    const last = Math.max(...stream.n), slot = (width - margin.left - margin.right) / (last + 1);
    const x = {place: (n) => margin.left + (n + .5) * slot, ticks: pictureTicks(last)};
    const y =
        axis(spec.y, [0, ...stream.bytes, ...(beside ? beside.bytes : [])], height - margin.bottom, margin.top, 5);
    const svg = frame(width, height, margin, x, y, spec);
    const colours = {I: "var(--type-i)", P: "var(--type-p)", B: "var(--type-b)"};
    const columns = order.map(
        (i) => withTip(
            draw(
                "g", {class: "column", role: "img", "aria-label": columnName(stream, i)}, draw("rect", {
                    x: x.place(stream.n[i]) - slot / 2,
                    y: margin.top,
                    width: slot,
                    height: height - margin.top - margin.bottom,
                    fill: "transparent",
                    stroke: "none",
                    style: "stroke:none"
                }),
                draw("rect", {
                    x: x.place(stream.n[i]) - slot * .42,
                    width: slot * .84,
                    y: y.place(stream.bytes[i]),
                    height: Math.max(.5, height - margin.bottom - y.place(stream.bytes[i])),
                    fill: colours[stream.types[i]] || "var(--soft)",
                    rx: Math.min(2, slot / 4)
                })),
            `picture ${stream.n[i]}, type ${stream.types[i]}\n` +
                `${fixed(stream.bytes[i], 0)} bytes, ${fixed(stream.psnr_y[i], 2)} dB` +
                besideText(beside, stream.n[i])));
    svg.append(...columns);
    if (beside)
        svg.append(draw("path", {
            class: "line",
            stroke: looks[beside.series].colour,
            style: "pointer-events:none",
            d: pathOf(beside, "bytes", x, y)
        }));
    walkable([columns]);
    return svg;
}

const besideText = (beside, n) => {
    const i = beside ? beside.n.indexOf(n) : -1;
    return i < 0 ? "" : `\nbeside: ${fixed(beside.bytes[i], 0)} bytes, ${fixed(beside.psnr_y[i], 2)} dB`;
};
const pathOf = (stream, name, x, y) =>
    stream.n.map((n, i) => [n, stream[name][i]])
        .filter(([, value]) => known(value))
        .sort((a, b) => a[0] - b[0])
        .map(([n, value], i) => `${i ? "L" : "M"}${x.place(n).toFixed(1)},${y.place(value).toFixed(1)}`)
        .join("");

function psnrChart(width, stream, beside) {
    const height = 200, margin = {left: 52, right: 14, top: 26, bottom: 40};
    const spec = {
        label: "PSNR of each picture",
        x: {label: "picture, display order", format: String},
        y: {scale: "linear", label: "PSNR Y, dB", format: short}
    };
    const last = Math.max(...stream.n), slot = (width - margin.left - margin.right) / (last + 1);
    const x = {place: (n) => margin.left + (n + .5) * slot, ticks: pictureTicks(last)};
    const values = [...stream.psnr_y, ...(beside ? beside.psnr_y : [])].filter(known);
    if (!values.length) return emptyChart(width, "Every picture is lossless.");
    const y = axis(spec.y, values, height - margin.bottom, margin.top, 5);
    const svg = frame(width, height, margin, x, y, spec);
    if (beside)
        svg.append(
            draw("path", {class: "line", stroke: looks[beside.series].colour, d: pathOf(beside, "psnr_y", x, y)}));
    svg.append(draw("path", {class: "line", stroke: looks[stream.series].colour, d: pathOf(stream, "psnr_y", x, y)}));
    return svg;
}

const distinct = (values) => [...new Set(values)];
// Selectors for clip, series and so on, each offering what the ones before it leave; `show` draws what is chosen.
function chooser(place, list, names, show, extra = () => []) {
    const chosen = {};
    const render = () => {
        let rest = list;
        const nodes = Object.entries(names).map(([key, [label, text]]) => {
            const values = distinct(rest.map((one) => one[key]));
            if (!values.includes(chosen[key]))
                chosen[key] = values[names[key][2] === "middle" ? Math.floor(values.length / 2) : 0];
            rest = rest.filter((one) => one[key] === chosen[key]);
            return choice(label, values.map((value) => [value, text(value)]), chosen[key], (value) => {
                chosen[key] = Number(value);
                render();
            });
        });
        place.replaceChildren(...nodes, ...extra(rest[0], render));
        show(rest[0]);
    };
    render();
}

function pictures() {
    byId("pictures").classList.toggle("empty", !data.pictures.length);
    if (!data.pictures.length) return;
    data.pictures.forEach((one) => {
        one.target = targetName(one);
    });
    let other = "";
    let shown;
    const beside = () => data.pictures.find(
        (one) => one.clip === shown.clip && targetName(one) === targetName(shown) && String(one.series) === other);
    const keys = (width) => legendOfSeries([shown, beside()].filter(Boolean).map((one) => one.series), width);
    const both = [
        figure("Bytes", (width) => barChart(width, shown, beside()), keys),
        figure("PSNR", (width) => psnrChart(width, shown, beside()), keys)
    ];
    byId("picture-charts")
        .append(
            make("div", {style: "display:grid;gap:1rem"}, both),
            make(
                "p", {class: "scale"},
                ["I", "P", "B"].map(
                    (type) => make(
                        "span", {}, make("i", {style: `background:var(--type-${type.toLowerCase()})`}),
                        `${type} picture`)),
                make("span", {}, "lines: the series, in their colours")));
    const names = {
        clip: ["Clip", (c) => clips[c].name],
        series: ["Series", (i) => series[i].name],
        target: ["Quantiser or rate", String, "middle"]
    };
    chooser(
        byId("picture-controls"), data.pictures, names,
        (one) => {
            shown = one;
            both.forEach((drawing) => drawing.repaint());
        },
        (one, render) => {
            const others = distinct(data.pictures
                                        .filter(
                                            (item) => item.clip === one.clip && targetName(item) === targetName(one) &&
                                                item.series !== one.series)
                                        .map((item) => item.series));
            if (!others.includes(Number(other)) || other === "")
                other = other === "" || !others.length ? "" : String(others[0]);
            return [choice(
                "Beside it", [["", "nothing"], ...others.map((i) => [i, series[i].name])], other, (value) => {
                    other = value;
                    render();
                })];
        });
}

const fieldBins = 5;
function fieldDrawing({field, clip}, factor) {
    const {columns, rows, block, mv} = field, width = clips[clip].width || columns * block,
                                 height = clips[clip].height || rows * block;
    const longest = Math.max(1, ...mv.filter(Boolean).map(([x, y]) => Math.hypot(x, y)));
    const bins = Array.from({length: fieldBins}, () => ""),
          middle = (i) => [(i % columns + .5) * block, (Math.floor(i / columns) + .5) * block];
    let zeros = "", intra = "";
    mv.forEach((vector, i) => {
        const [x, y] = middle(i), near = (value) => value.toFixed(1);
        if (!vector) {
            const side = near(block * .32), back = near(-block * .32);
            intra += `M${near(x - block * .16)},${near(y - block * .16)}l${side},${side}m0,${back}l${back},${side}`;
            return;
        }
        const length = Math.hypot(...vector);
        if (!length) {
            zeros += `M${near(x)},${near(y)}h.01`;
            return;
        }
        const [dx, dy] = vector.map((value) => value * factor), end = [x + dx, y + dy],
                   head = Math.min(block * .3, length * factor * .45) / (length * factor);
        const place = ([column, row]) => `${near(column)},${near(row)}`;
        const wing = (turn) =>
            place([end[0] - (dx * .85 - dy * turn * .55) * head, end[1] - (dy * .85 + dx * turn * .55) * head]);
        bins[Math.min(fieldBins - 1, Math.floor(length / longest * fieldBins))] +=
            `M${place([x, y])}L${place(end)}M${wing(1)}L${place(end)}L${wing(-1)}`;
    });
    const cursor = draw("rect", {class: "cursor", width: block, height: block, visibility: "hidden"});
    const svg = draw(
        "svg", {
            viewBox: `0 0 ${width} ${height}`,
            tabindex: 0,
            style: `max-width:calc(82vh * ${width / height})`,
            role: "img",
            "aria-label": `Motion field of ${columns} by ${rows} blocks, arrow keys walk over them`
        },
        ...(field.under ? [draw("image", {
            class: "under",
            href: "data:image/png;base64," + field.under,
            width,
            height,
            preserveAspectRatio: "none"
        })] :
                          []),
        draw("path", {d: intra, stroke: "var(--faint)", "stroke-width": block / 14}),
        draw("path", {d: zeros, stroke: "var(--soft)", "stroke-width": block / 7}),
        bins.map((d, i) => draw("path", {d, stroke: `var(--field-${i})`, "stroke-width": block / 10})), cursor);
    let at = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    const point = (i, x, y) => {
        at = i;
        fill(cursor, {x: i % columns * block, y: Math.floor(i / columns) * block, visibility: "visible"}, []);
        const box = svg.getBoundingClientRect(), vector = mv[i], [mx, my] = middle(i);
        const components = () => vector.map((value) => minus(String(value))).join(", ");
        const text = `block (${i % columns}, ${Math.floor(i / columns)})\n` +
            (vector ? `vector (${components()}) pels, length ${fixed(Math.hypot(...vector), 1)}` : "intra");
        showTip(
            text, x ?? box.left + mx / width * box.width, y ?? box.top + my / height * box.height,
            x === undefined ? () => point(at) : null);
    };
    const leave = () => {
        hideTip();
        cursor.setAttribute("visibility", "hidden");
    };
    const under = (event) => {
        const box = svg.getBoundingClientRect(), c = Math.floor((event.clientX - box.left) / box.width * width / block),
              r = Math.floor((event.clientY - box.top) / box.height * height / block);
        if (c >= 0 && c < columns && r >= 0 && r < rows) point(r * columns + c, event.clientX, event.clientY);
    };
    return fill(
        svg, {
            onpointermove: under,
            onclick: under,
            onpointerleave: leave,
            onfocus: () => point(at),
            onblur: leave,
            onkeydown: (event) => {
                const c = at % columns, step = {
                    ArrowLeft: c > 0 ? -1 : 0,
                    ArrowRight: c < columns - 1 ? 1 : 0,
                    ArrowUp: -columns,
                    ArrowDown: columns
                }[event.key];
                if (step === undefined) return;
                event.preventDefault();
                if (mv[at + step] !== undefined) point(at + step);
            }
        },
        []);
}

function fields() {
    byId("fields").classList.toggle("empty", !data.fields.length);
    if (!data.fields.length) return;
    let factor = 2, shown;
    const place = byId("field-drawing");
    const show = (one) => {
        shown = one;
        const {field} = one, longest = Math.max(1, ...field.mv.filter(Boolean).map(([x, y]) => Math.hypot(x, y)));
        const count = (test) => `${fixed(100 * field.mv.filter(test).length / field.mv.length, 1)} %`;
        const title =
            `${clips[one.clip].name}, picture ${field.picture}, ${series[one.series].name}, ${targetName(one)}`;
        const node = figure(title, () => fieldDrawing(one, factor));
        node.classList.add("field");
        place.replaceChildren(
            node,
            make(
                "p", {class: "scale"},
                Array.from(
                    {length: fieldBins},
                    (_, i) => make(
                        "span", {}, make("i", {style: `background:var(--field-${i})`}),
                        `${short(longest * i / fieldBins)} to ${short(longest * (i + 1) / fieldBins)} pels`)),
                make("span", {}, `zero ${count((vector) => vector && !vector[0] && !vector[1])}`),
                make("span", {}, `intra ${count((vector) => !vector)}`)));
        node.repaint();
    };
    const names = {clip: ["Clip", (c) => clips[c].name], series: ["Series", (i) => series[i].name]};
    chooser(
        byId("field-controls"), data.fields, names, show,
        () => [choice("Arrows", [1, 2, 4].map((value) => [value, `${value} times their length`]), factor, (value) => {
            factor = Number(value);
            show(shown);
        })]);
}
