// SPDX-License-Identifier: BSD-2-Clause
// All pictures in display or coding order: how large each is, how it was quantised, how good it is, what the buffer
// had.
const measures = [
    {key: "bytes", label: "Bytes", of: (picture) => picture.bytes, fromZero: true},
    {key: "quantiser", label: "Quantiser", of: (picture) => picture.quantiser},
    {key: "psnr", label: "PSNR", of: (picture) => picture.psnr && picture.psnr[0], unit: "dB, luma"},
    {
        key: "fullness",
        label: "Buffer",
        of: (picture) => picture.fullness,
        unit: "bits before the picture",
        fromZero: true
    },
];
const pictureColours = {
    I: "var(--series-1)",
    P: "var(--series-0)",
    B: "var(--series-2)"
};
const lineColours = ["var(--series-0)", "var(--ink)"];
const measureNow = () => measures.find((measure) => measure.key === state.measure);
const isMeasured = (measure) => streams.some((stream) => stream.pictures.some((one) => known(measure.of(one))));

// Display numbers in the order that is chosen. The first stream's coding order is that of both.
function ordered() {
    const pictures = [...streams[0].pictures];
    if (state.order === "coding") pictures.sort((a, b) => a.coding - b.coding);
    return pictures.map((picture) => picture.display);
}

function pictureLines(display) {
    const lines = [`picture ${display}`];
    for (const stream of streams) {
        const one = pictureOf(stream, display);
        if (!one) continue;
        if (streams.length > 1) lines.push(stream.name);
        lines.push(`type ${one.type}, coded as number ${one.coding}`);
        if (known(one.bytes)) lines.push(`${fixed(one.bytes, 0)} bytes`);
        if (known(one.quantiser)) lines.push(`quantiser ${fixed(one.quantiser, 2)}`);
        if (one.psnr) lines.push(`PSNR ${one.psnr.map((value) => fixed(value, 2)).join(" ")} dB`);
        if (known(one.fullness)) lines.push(`buffer ${fixed(one.fullness, 0)} of ${fixed(stream.buffer_bits, 0)} bits`);
    }
    return lines.join("\n");
}

const bars = {
    height: 190,
    left: 56,
    right: 10,
    top: 24,
    bottom: 34
};

function timelineChart(width) {
    const order = ordered(), measure = measureNow(), slot = (width - bars.left - bars.right) / order.length;
    const values = streams.flatMap((stream) => stream.pictures.map(measure.of)).filter(known);
    let low = measure.fromZero ? 0 : Math.min(...values), high = Math.max(...values);
    if (!values.length) [low, high] = [0, 1];
    const spread = (high - low) * .06 || 1;
    if (!measure.fromZero) low -= spread;
    high += spread;
    const bottom = bars.height - bars.bottom,
          place = (value) => bottom - (value - low) / (high - low) * (bottom - bars.top);
    const middle = (i) => bars.left + (i + .5) * slot;
    const svg = draw("svg", {
        class: "chart timeline",
        viewBox: `0 0 ${width} ${bars.height}`,
        role: "group",
        "aria-label": `${measure.label} of each picture`
    });
    for (const {value, text} of labelled(niceTicks, low, high, 4, short))
        svg.append(
            draw("line", {class: "grid", x1: bars.left, x2: width - bars.right, y1: place(value), y2: place(value)}),
            draw("text", {x: bars.left - 7, y: place(value) + 4, "text-anchor": "end"}, text));
    const every = Math.ceil(order.length / Math.max(1, Math.floor((width - bars.left) / 46)));
    order.forEach((display, i) => {
        if (i % every === 0) svg.append(draw("text", {x: middle(i), y: bottom + 16, "text-anchor": "middle"}, display));
    });
    svg.append(
        draw("text", {x: width - bars.right, y: bottom + 31, "text-anchor": "end"}, `picture, ${state.order} order`),
        draw("text", {x: 2, y: 13}, measure.label.toLowerCase() + (measure.unit ? `, ${measure.unit}` : "")),
        draw("rect", {
            class: "now",
            x: bars.left + order.indexOf(state.display) * slot,
            y: bars.top - 4,
            width: slot,
            height: bottom - bars.top + 4
        }));
    const isBar = measure.key === "bytes";
    const columns =
        order.map((display, i) => timelineColumn(display, bars.left + i * slot, slot, isBar, place, bottom));
    svg.append(...columns);
    streams.forEach((stream, s) => {
        if (isBar && s === 0) return;
        const points = order.map((display, i) => [middle(i), pictureOf(stream, display)])
                           .map(([x, picture]) => [x, picture && measure.of(picture)])
                           .filter(([, value]) => known(value));
        const d = points.map(([x, value], i) => `${i ? "L" : "M"}${x.toFixed(1)},${place(value).toFixed(1)}`).join("");
        svg.append(draw("path", {class: "line", d, stroke: lineColours[s], style: "pointer-events:none"}));
        for (const [x, value] of points)
            svg.append(
                draw("circle", {cx: x, cy: place(value), r: 2.2, fill: lineColours[s], style: "pointer-events:none"}));
    });
    walkable([columns]);
    return svg;
}

function timelineColumn(display, x, slot, isBar, place, bottom) {
    const picture = pictureOf(streams[0], display), text = pictureLines(display);
    const node = draw(
        "g", {class: "column", role: "button", "data-display": display, "aria-label": text.replaceAll("\n", ", ")},
        draw("rect", {x, y: bars.top - 4, width: slot, height: bottom - bars.top + 4, fill: "transparent"}));
    if (isBar && known(picture.bytes))
        node.append(draw("rect", {
            x: x + slot * .1,
            width: slot * .8,
            y: place(picture.bytes),
            height: Math.max(.5, bottom - place(picture.bytes)),
            fill: pictureColours[picture.type] || "var(--soft)"
        }));
    const atNode = () => {
        const box = node.getBoundingClientRect();
        showTip(text, box.right, box.top + box.height / 2, atNode);
    };
    return fill(
        node, {
            onpointerenter: (event) => showTip(text, event.clientX, event.clientY),
            onpointerleave: hideTip,
            onclick: () => goTo(display),
            onfocus: () => {
                goTo(display);
                atNode();
            },
            onblur: hideTip
        },
        []);
}

// The picture that is shown, in the chart as it stands.
function markTimeline() {
    const chart = document.querySelector(".timeline"), at = ordered().indexOf(state.display);
    if (!chart || at < 0) return;
    const now = chart.querySelector(".now");
    now.setAttribute("x", bars.left + at * Number(now.getAttribute("width")));
}
