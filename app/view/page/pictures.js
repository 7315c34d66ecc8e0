// SPDX-License-Identifier: BSD-2-Clause
// Pictures as the page shows them: what is known of macroblocks, and vectors whatever they come from.
const flag = {
    intra: 1,
    forward: 2,
    backward: 4,
    skipped: 8,
    withoutResidual: 64
};
const elements = ["address", "type", "quantiser", "vectors", "pattern", "DC", "coefficients"];
const eighths = 8;

// The page's address may say where to begin: ?picture=12&layer=bits&block=3,4&zoom=4.
const asked = new URLSearchParams(location.search);
const askedPicture = streams[0].pictures.find((picture) => picture.display === Number(asked.get("picture") ?? NaN));
const [askedColumn, askedRow] = (asked.get("block") || "-,-").split(",").map(Number);
const within = (value, fallback, most) => Number.isInteger(value) && value >= 0 ? Math.min(value, most) : fallback;

const state = {
    display:
        (askedPicture || streams[0].pictures.find((picture) => picture.type !== "I") || streams[0].pictures[0]).display,
    layer: asked.get("layer") || "none",
    vectors: true,
    blocks: false,
    picture: true,
    column: within(askedColumn, Math.floor(streams[0].columns / 2), streams[0].columns - 1),
    row: within(askedRow, Math.floor(streams[0].rows / 2), streams[0].rows - 1),
    zoom: within(Number(asked.get("zoom") ?? NaN), 1, 16) || 1,
    measure: "bytes",
    order: "display"
};

const pictureOf = (stream, display) => stream.pictures.find((picture) => picture.display === display);

// {picture, column(name), vectors: [{x, y, width, height, dx, dy, forward}]}, in pels.
async function openPicture(stream, display) {
    const picture = pictureOf(stream, display);
    if (!picture) return undefined;
    if (!picture.opened) {
        const column = columnsOf(stream.dtype, await unpacked(picture.record));
        const vectors = stream.decisions ? vectorsOfFlags(stream, column) :
                                           vectorsOfList(await unpacked(picture.vectors), picture.vector_count);
        picture.opened = {stream, picture, column, vectors};
    }
    return picture.opened;
}

function vectorsOfList(bytes, count) {
    const view = new DataView(bytes.buffer);
    return Array.from({length: count}, (_, i) => {
        const [x, y, width, height, dx, dy, forward] =
            Array.from({length: 7}, (_unused, k) => view.getInt16(2 * (7 * i + k), true));
        return {x, y, width, height, dx: dx / eighths, dy: dy / eighths, forward: forward > 0};
    });
}

function vectorsOfFlags(stream, column) {
    const flags = column("flags"), vectors = [];
    flags.forEach((bits, i) => {
        const block = {x: i % stream.columns * 16, y: Math.floor(i / stream.columns) * 16, width: 16, height: 16};
        if (bits & flag.intra || column("type")[0] === 1) return;
        for (const name of ["forward", "backward"]) {
            const used = bits & flag[name] || (name === "forward" && !(bits & flag.backward));
            if (!used) continue;
            const vector = column(name);
            vectors.push(
                {...block, dx: vector[2 * i] / eighths, dy: vector[2 * i + 1] / eighths, forward: name === "forward"});
        }
    });
    return vectors;
}

// In one word; undefined where nothing says it.
function modeName(bits) {
    const inter = bits & flag.forward ? bits & flag.backward ? "both" : "forward" :
        bits & flag.backward          ? "backward" :
                                        "forward, zero";
    return bits & flag.intra ? "intra" : (bits & flag.skipped ? "skipped, " : "") + inter;
}

const vectorText = (dx, dy) => `(${minus(String(dx))}, ${minus(String(dy))})`;
const vectorsAt = (opened, x, y) =>
    opened.vectors.filter((one) => one.x <= x && x < one.x + one.width && one.y <= y && y < one.y + one.height);
const bitsOf = (opened, i) => {
    const bits = opened.column("element_bits");
    return bits && bits.slice(i * elements.length, (i + 1) * elements.length).reduce((sum, one) => sum + one, 0);
};
const distortionOf = (opened, i) => {
    const errors = opened.column("distortion");
    return errors && errors[3 * i] + errors[3 * i + 1] + errors[3 * i + 2];
};
const quantiserOf = (opened, i) => opened.column("quantiser_code")?.[i] || undefined;
