// SPDX-License-Identifier: BSD-2-Clause
// Line and scatter charts in SVG, redrawn at the width that they get, so that their text keeps its size.
function logTicks(low, high, count) {
    for (const factors of [[1, 1.5, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]]) {
        const ticks = [];
        for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
            for (const factor of factors) ticks.push(Number((factor * 10 ** power).toPrecision(6)));
        const inside = ticks.filter((value) => value >= low && value <= high);
        if (inside.length <= count) return inside;
    }
    return [];
}

// A scale puts values on a line: `to` makes them even, `ticks` are worth a label.
const scales = {
    linear: {to: (value) => value, from: (value) => value, ticks: niceTicks},
    log: {to: Math.log10, from: (value) => 10 ** value, ticks: logTicks},
    // SSIM runs up against 1: what is left to 1 is what differs.
    similarity: {
        to: (value) => -Math.log10(Math.max(1 - value, 1e-6)),
        from: (value) => 1 - 10 ** -value,
        ticks: (low, high, count) => {
            const all = [
                0, .3, .5, .7, .8, .9, .95, .97, .98, .99, .995, .997, .998, .999, .9995, .9999, .99999
            ].filter((value) => value >= low && value <= high);
            const step = Math.ceil(all.length / count);
            return all.filter((_, i) => (all.length - 1 - i) % step === 0);
        },
    },
};

function axis(spec, values, from, to, count, margin = .05) {
    const scale = scales[spec.scale];
    let low = Math.min(...values.map(scale.to)), high = Math.max(...values.map(scale.to));
    const more = (high - low || Math.abs(high) || 1) * margin;
    low -= spec.fromZero ? 0 : more;
    high += more;
    if (spec.fromZero) low = 0;
    return {
        place: (value) => from + (scale.to(value) - low) / (high - low) * (to - from),
        ticks: labelled(scale.ticks, scale.from(low), scale.from(high), count, spec.format),
    };
}

// Words instead of a chart, in lines that fit.
function emptyChart(width, text) {
    const lines = [""];
    for (const word of text.split(" ")) {
        if (lines.at(-1) && (lines.at(-1).length + word.length) * 7 > width - 20) lines.push("");
        lines.push(`${lines.pop()} ${word}`.trim());
    }
    return draw(
        "svg", {class: "chart", viewBox: `0 0 ${width} ${44 + 18 * lines.length}`},
        lines.map((line, i) => draw("text", {x: 10, y: 34 + 18 * i}, line)));
}

// Names of series with their lines, in rows that fit the width; how high that is.
function legendOfSeries(indices, width) {
    const group = draw("g"), row = 20;
    let x = 12, y = 0;
    for (const index of indices) {
        const long = 44 + 7.2 * series[index].name.length;
        if (x > 12 && x + long > width) {
            x = 12;
            y += row;
        }
        group.append(draw(
            "g", {transform: `translate(${x},${y})`}, draw("path", {
                class: "line",
                d: "M0,0H26",
                stroke: looks[index].colour,
                "stroke-dasharray": looks[index].hollow ? "2 5" : null
            }),
            draw("g", {transform: "translate(13,0)"}, marker(looks[index], 3.4)),
            draw("text", {x: 33, y: 4}, series[index].name)));
        x += long;
    }
    return {group, height: indices.length ? y + row : 0};
}

function frame(width, height, margin, x, y, spec) {
    const svg = draw("svg", {
        class: "chart " + (spec.className || ""),
        viewBox: `0 0 ${width} ${height}`,
        role: "group",
        "aria-label": spec.label
    });
    const right = width - margin.right, bottom = height - margin.bottom;
    for (const {value, text} of y.ticks)
        svg.append(
            draw("line", {class: "grid", x1: margin.left, x2: right, y1: y.place(value), y2: y.place(value)}),
            draw("text", {class: "y tick", x: margin.left - 7, y: y.place(value) + 4, "text-anchor": "end"}, text));
    for (const {value, text} of x.ticks)
        svg.append(
            draw("line", {class: "grid", x1: x.place(value), x2: x.place(value), y1: margin.top, y2: bottom}),
            draw("text", {class: "x tick", x: x.place(value), y: bottom + 16, "text-anchor": "middle"}, text));
    svg.append(
        draw("line", {class: "axis", x1: margin.left, x2: right, y1: bottom, y2: bottom}),
        draw("text", {x: right, y: bottom + 32, "text-anchor": "end"}, spec.x.label),
        draw(
            "text", {x: margin.left - 7, y: margin.top - 10, "text-anchor": "start", dx: 9 - margin.left},
            spec.y.label));
    return svg;
}

// Names beside the points that have one, on the side that is free; a name without room is left to the hint.
function namesOf(spec, x, y, width) {
    const named = spec.curves.flatMap((curve) => curve.points.map((point) => ({...point, colour: curve.look.colour})))
                      .filter((point) => point.name);
    const taken =
        named.map((point) => ({left: x.place(point.x) - 8, right: x.place(point.x) + 8, y: y.place(point.y)}));
    if (spec.zero) taken.push({left: 0, right: width, y: y.place(0)});
    const free = (box) => box.left > 48 && box.right < width &&
        !taken.some((other) => Math.abs(other.y - box.y) < 13 && other.left < box.right && box.left < other.right);
    return named.flatMap((point) => {
        const at = x.place(point.x), long = point.name.length * 6.6;
        for (const [shift, down] of [[1, 0], [-1, 0], [1, -13], [1, 13], [-1, -13], [-1, 13]]) {
            const edge = at + shift * 11, box = {
                left: shift > 0 ? edge : edge - long,
                right: shift > 0 ? edge + long : edge,
                y: y.place(point.y) + down
            };
            if (!free(box)) continue;
            taken.push(box);
            return [draw(
                "text", {
                    class: "name",
                    style: `fill:${point.colour}`,
                    x: edge,
                    y: box.y + 4,
                    "text-anchor": shift > 0 ? "start" : "end"
                },
                point.name)];
        }
        return [];
    });
}

// The pointer is answered by the nearest point of those within reach, whichever was drawn last.
function answersPointer(svg, width, places) {
    const reach = 11;
    let nearest;
    const leave = () => {
        nearest?.node.classList.remove("near");
        nearest = undefined;
        bringForward(null);
        hideTip();
    };
    const under = (event) => {
        const box = svg.getBoundingClientRect(), scale = width / box.width;
        const away = ({x, y}) =>
            Math.hypot((event.clientX - box.left) * scale - x, (event.clientY - box.top) * scale - y);
        const found = places.reduce((best, one) => (away(one) <= (best ? away(best) : reach) ? one : best), undefined);
        if (found !== nearest && nearest) leave();
        if (!found) return;
        nearest = found;
        found.node.classList.add("near");
        bringForward(found.series);
        showTip(found.text, event.clientX, event.clientY);
    };
    fill(svg, {onpointermove: under, onclick: under, onpointerleave: leave}, []);
}

// Puts one series before the others in all charts; null puts all back.
function bringForward(index) {
    for (const node of document.querySelectorAll("[data-series]"))
        node.classList.toggle("behind", index !== null && Number(node.dataset.series) !== index);
    if (index === null) return;
    for (const line of document.querySelectorAll(`.lines > [data-series="${index}"]`)) line.parentNode.append(line);
}

// spec: {label, x: {scale, label, format}, y: ..., curves: [{index, look, line, fit, points: [{x, y, name, text}]}]};
// `index` is the series'; `fit` has the places that the line goes through, where that is not the points alone.
function lineChart(spec, width) {
    const height = Math.round(Math.max(250, Math.min(380, width * .68)));
    const margin = {left: 46, right: 14, top: 26, bottom: 40};
    const all = spec.curves.flatMap((curve) => [...curve.points, ...(curve.fit || [])]);
    const x = axis(
        spec.x, all.map((point) => point.x), margin.left, width - margin.right, Math.max(3, Math.floor(width / 75)),
        spec.spread);
    const y = axis(spec.y, all.map((point) => point.y), height - margin.bottom, margin.top, 7, spec.spread);
    const svg = frame(width, height, margin, x, y, spec);
    if (spec.zero)
        svg.append(
            draw("line", {class: "zero", x1: margin.left, x2: width - margin.right, y1: y.place(0), y2: y.place(0)}));
    const rows = [], places = [], lines = draw("g", {class: "lines"}), layer = draw("g");
    svg.append(lines);
    for (const curve of spec.curves) {
        const d =
            (curve.fit || curve.points)
                .map((point, i) => `${i ? "L" : "M"}${x.place(point.x).toFixed(1)},${y.place(point.y).toFixed(1)}`)
                .join("");
        if (curve.line)
            lines.append(draw("path", {
                class: "line",
                "data-series": curve.index,
                d,
                stroke: curve.look.colour,
                "stroke-dasharray": curve.look.hollow ? "2 5" : null
            }));
        rows.push(curve.points.map((point) => {
            const node = withFocusTip(
                draw(
                    "g", {
                        class: "point",
                        "data-series": curve.index,
                        role: "img",
                        "aria-label": point.text.replaceAll("\n", ", "),
                        transform: `translate(${x.place(point.x).toFixed(1)},${y.place(point.y).toFixed(1)})`
                    },
                    draw("circle", {class: "ring", r: 9}), marker(curve.look, spec.size || 3.4)),
                point.text);
            layer.append(node);
            places.push({node, series: curve.index, text: point.text, x: x.place(point.x), y: y.place(point.y)});
            return node;
        }));
    }
    svg.append(layer, ...namesOf(spec, x, y, width));
    walkable(rows.filter((row) => row.length));
    answersPointer(svg, width, places);
    return svg;
}
