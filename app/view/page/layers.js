// SPDX-License-Identifier: BSD-2-Clause
// What lies over a picture: a colour for each macroblock, outlines of blocks, and arrows. A path for each colour, so
// that a picture of many blocks stays quick.
const typeColours = {
    intra: "#f0703a",
    forward: "#3aa0f0",
    backward: "#34c79c",
    both: "#c774e8",
    skipped: "#8a91a0"
};
const heatStops = [[20, 14, 54], [87, 16, 110], [188, 55, 84], [249, 142, 9], [252, 255, 164]];
const heatBins = 24;

function heat(part) {
    const place = Math.min(Math.max(part, 0), 1) * (heatStops.length - 1),
          below = Math.min(Math.floor(place), heatStops.length - 2);
    const mixed =
        heatStops[below].map((value, i) => Math.round(value + (heatStops[below + 1][i] - value) * (place - below)));
    return `rgb(${mixed.join()})`;
}

const kindOf = (bits) => bits & flag.intra ? "intra" :
    bits & flag.skipped                    ? "skipped" :
    bits & flag.backward                   ? bits & flag.forward ? "both" : "backward" :
                                             "forward";

// `column`: what has to be there; `value`: a number of macroblock i, or undefined; `kind`: a name with a colour
// instead.
const layers = [
    {key: "none", label: "Nothing"},
    {key: "type", label: "Modes", column: "flags", kind: (opened, i) => kindOf(opened.column("flags")[i])},
    {key: "quantiser", label: "Quantiser", column: "quantiser_code", value: quantiserOf, unit: ""},
    {key: "bits", label: "Bits", column: "element_bits", value: bitsOf, unit: "bits"},
    {
        key: "residual",
        label: "Residual",
        column: "residual",
        value: (opened, i) => Math.sqrt(opened.column("residual")[i] / 256),
        unit: "root of the mean square, luma"
    },
    {
        key: "error",
        label: "Error",
        column: "distortion",
        value: (opened, i) => Math.sqrt(distortionOf(opened, i) / 384),
        unit: "root of the mean square"
    },
    {
        key: "skip",
        label: "Skipped",
        column: "flags",
        kind: (opened, i) => opened.column("flags")[i] & flag.skipped ? "skipped" : undefined
    },
    {
        key: "importance",
        label: "Importance",
        column: "importance",
        value: (opened, i) => {
            const factor = opened.column("importance")[i];
            return factor > 0 ? -Math.log2(factor) : undefined;
        },
        unit: "how often the quantiser is halved"
    },
];
const hasLayer = (layer, stream) => !layer.column || stream.dtype.names.includes(layer.column);
const layerNow = () => layers.find((layer) => layer.key === state.layer);

// The range of a layer's numbers in some pictures.
function rangeOf(layer, openedPictures) {
    let low = Infinity, high = -Infinity;
    for (const opened of openedPictures)
        for (let i = 0; layer.value && i < opened.stream.columns * opened.stream.rows; ++i) {
            const value = hasLayer(layer, opened.stream) ? layer.value(opened, i) : undefined;
            if (!known(value)) continue;
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    return {low, high};
}

function colourPaths(layer, opened, range) {
    const {columns, rows, width, height} = opened.stream, paths = new Map();
    if (!hasLayer(layer, opened.stream) || layer.key === "none") return [];
    for (let i = 0; i < columns * rows; ++i) {
        const value = layer.kind ? layer.kind(opened, i) : layer.value(opened, i);
        if (value === undefined) continue;
        const part = (value - range.low) / (range.high - range.low || 1);
        const colour = layer.kind ? typeColours[value] :
                                    heat(Math.min(heatBins - 1, Math.floor(part * heatBins)) / (heatBins - 1));
        const x = i % columns * 16, y = Math.floor(i / columns) * 16;
        const w = Math.min(16, width - x), h = Math.min(16, height - y);
        paths.set(colour, (paths.get(colour) || "") + `M${x},${y}h${w}v${h}h${- w}z`);
    }
    return [...paths].map(([fillColour, d]) => draw("path", {d, fill: fillColour, "fill-opacity": .6}));
}

function blockOutlines(opened) {
    const {columns, rows} = opened.stream, whole = `H${columns * 16}`, down = `V${rows * 16}`;
    const grid = Array.from({length: rows + 1}, (_, row) => `M0,${row * 16}${whole}`).join("") +
        Array.from({length: columns + 1}, (_, column) => `M${column * 16},0${down}`).join("");
    const parts = opened.vectors.filter((one) => one.width < 16 || one.height < 16)
                      .map((one) => `M${one.x},${one.y}h${one.width}v${one.height}h${- one.width}z`)
                      .join("");
    return [
        draw("path", {d: grid, fill: "none", stroke: "#fff", "stroke-opacity": .35, "stroke-width": .5}),
        draw("path", {d: parts, fill: "none", stroke: "#fff", "stroke-opacity": .8, "stroke-width": .6})
    ];
}

function arrow({x, y, width, height, dx, dy}) {
    const near = (value) => value.toFixed(2), fromX = x + width / 2, fromY = y + height / 2,
          length = Math.hypot(dx, dy);
    const shaft = `M${near(fromX)},${near(fromY)}l${near(dx + 1e-2)},${near(dy)}`;
    if (length < 1.5) return shaft;
    const head = Math.min(.4 * length, 4) / length, end = `${near(fromX + dx)},${near(fromY + dy)}`;
    const wing = (turn) => `${near(fromX + dx - (dx * .87 - dy * turn * .5) * head)},` +
        near(fromY + dy - (dy * .87 + dx * turn * .5) * head);
    return `${shaft}M${wing(1)}L${end}L${wing(-1)}`;
}

function arrows(opened) {
    const line = {fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round"};
    return [[true, "#3fd6ff"], [false, "#ffb43a"]].flatMap(([forward, colour]) => {
        const d = opened.vectors.filter((one) => one.forward === forward).map(arrow).join("");
        return d ?
            [
                draw("path", {...line, d, stroke: "#0c0c10", "stroke-opacity": .7, "stroke-width": 2.2}),
                draw("path", {...line, d, stroke: colour, "stroke-width": 1})
            ] :
            [];
    });
}

// Streams share a range where they count in one unit, so that a colour means one number in both: all but quantisers,
// which each codec has its own of. Those of MPEG-1 and MPEG-2 are the same.
const scaleOf = (layer, stream) => layer.key === "quantiser" ? stream.codec.replace(/^mpeg[12]video$/, "mpeg") : "";
const shareRange = (layer, one, other) => scaleOf(layer, one) === scaleOf(layer, other);
const rangeFor = (stage, layer) => rangeOf(
    layer,
    stages.map((one) => one.opened).filter((opened) => opened && shareRange(layer, opened.stream, stage.stream)));

function rampNode(layer, stage) {
    const {low, high} = rangeFor(stage, layer), stops = [0, .25, .5, .75, 1].map(heat).join();
    if (!known(low)) return null;
    const shared = stages.every((one) => shareRange(layer, one.stream, stage.stream));
    if (shared && stage !== stages[0]) return null;
    const ramp = make("i", {class: "ramp", style: `background:linear-gradient(90deg,${stops})`});
    const numbers = low === high ? [`everywhere ${short(low)}`] : [short(low), ramp, short(high)];
    return make("span", {}, shared ? "" : `${stage.stream.codec}: `, ...numbers, " ", layer.unit);
}

// What the colours mean, for what is shown.
function legendNodes(layer) {
    const dot = (colour) => make("i", {style: `background:${colour}`});
    const nodes = layer.value ? stages.map((stage) => rampNode(layer, stage)).filter(Boolean) : [];
    if (layer.kind)
        for (const name of layer.key === "skip" ? ["skipped"] : Object.keys(typeColours))
            nodes.push(make("span", {}, dot(typeColours[name]), name));
    if (state.vectors)
        nodes.push(
            make("span", {}, dot("#3fd6ff"), "vector to the picture before"),
            make("span", {}, dot("#ffb43a"), "to the picture after"));
    return nodes;
}
