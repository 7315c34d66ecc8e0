// SPDX-License-Identifier: BSD-2-Clause
// The histogram of a field's vectors: x to the right, y down, zero in the middle, a cell's light is the logarithm of its count.
import { css, heatColour } from "./colours.js";
import { vectorOf } from "./field.js";

/** Counts by whole pels, -reach..reach each way, as { counts, side, most }. */
export function countVectors(field, reach) {
    const side = 2 * reach + 1, counts = new Uint32Array(side * side);
    let most = 0;
    for (let i = 0; i < field.rows * field.columns; ++i) {
        const vector = vectorOf(field, i);
        if (!vector) continue;
        const [x, y] = vector.map((value) => Math.min(Math.max(Math.round(value), -reach), reach) + reach);
        most = Math.max(most, ++counts[y * side + x]);
    }
    return { counts, side, most };
}

/** `sign`: 1: the vectors, -1: the movement. `colours`: { ground, line, text } for the theme. */
export function drawHistogram(canvas, field, reach, sign, colours) {
    const { counts, side, most } = countVectors(field, reach), context = canvas.getContext("2d");
    const scale = canvas.width / canvas.clientWidth || 1, margin = 22 * scale;
    const size = Math.min(canvas.width, canvas.height) - 2 * margin, cell = size / side;
    const left = (canvas.width - size) / 2, top = margin;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = colours.ground;
    context.fillRect(left, top, size, size);
    counts.forEach((count, i) => {
        if (!count) return;
        const x = sign > 0 ? i % side : side - 1 - i % side, row = Math.floor(i / side), y = sign > 0 ? row : side - 1 - row;
        context.fillStyle = css(heatColour(.25 + .75 * Math.log1p(count) / Math.log1p(most)));
        context.fillRect(left + x * cell, top + y * cell, Math.max(cell - (cell > 5 ? 1 : 0), 1), Math.max(cell - (cell > 5 ? 1 : 0), 1));
    });
    context.strokeStyle = colours.line;
    context.lineWidth = scale;
    context.strokeRect(left, top, size, size);
    context.beginPath();
    context.setLineDash([3 * scale, 4 * scale]);
    context.moveTo(left + size / 2, top);
    context.lineTo(left + size / 2, top + size);
    context.moveTo(left, top + size / 2);
    context.lineTo(left + size, top + size / 2);
    context.stroke();
    context.setLineDash([]);
    label(context, scale, colours.text, [[`−${reach}`, left - 5 * scale, "right"], [`${reach}`, left + size + 5 * scale, "left"]], top + size / 2);
    label(context, scale, colours.text, [[`−${reach}`, left + size / 2, "center"]], top - 10 * scale);
    label(context, scale, colours.text, [[`${reach} pels`, left + size / 2, "center"]], top + size + 11 * scale);
}

function label(context, scale, colour, texts, y) {
    Object.assign(context, { fillStyle: colour, textBaseline: "middle", font: `${11 * scale}px system-ui, sans-serif` });
    for (const [text, x, textAlign] of texts) {
        context.textAlign = textAlign;
        context.fillText(text, x, y);
    }
}
