// SPDX-License-Identifier: BSD-2-Clause
// Arrows from the middles of blocks. All of one colour are one path, so that tens of thousands are drawn in time.
import { css, lengthColour } from "./colours.js";
import { blockRect, vectorOf } from "./field.js";

const colourCount = 24;

/** How many times its length an arrow is drawn so that the longest reach a little beyond their block: a power of two. */
export function stretchFor(field, longest) {
    const room = 1.25 * Math.max(field.blockWidth, field.blockHeight);
    return Math.min(8, 2 ** Math.floor(Math.log2(room / longest)));
}

/**
 * `options`: longest (pels, the end of the colour scale), stretch, sign (1: the vector, -1: the movement), candidates
 * (how many of each block; those behind the best are white and faint), pixel (pels that a pixel of the screen is wide).
 */
export function drawArrows(context, field, { longest, stretch, sign, candidates = 1, pixel }) {
    const thickness = Math.min(Math.max(Math.min(field.blockWidth, field.blockHeight) / 14, 1.1 * pixel), 2.6 * pixel);
    for (let k = Math.min(candidates, field.candidates) - 1; k >= 0; --k) {
        const paths = pathsOf(field, k, longest, sign * stretch, thickness);
        context.lineCap = context.lineJoin = "round";
        if (k === 0) strokeAll(context, paths, thickness + 1.6 * pixel, () => "rgba(12,12,16,.75)");
        strokeAll(context, paths, k === 0 ? thickness : .7 * thickness,
            (bin) => k === 0 ? css(lengthColour(bin / (colourCount - 1))) : `rgba(255,255,255,${Math.max(.75 - .12 * k, .2)})`);
    }
}

function strokeAll(context, paths, width, colourOf) {
    context.lineWidth = width;
    for (const [bin, path] of paths) {
        context.strokeStyle = colourOf(bin);
        context.stroke(path);
    }
}

/** Paths by the bin of their colour. A vector of no length is a dot. */
function pathsOf(field, k, longest, factor, thickness) {
    const paths = new Map();
    for (let i = 0; i < field.rows * field.columns; ++i) {
        const vector = vectorOf(field, i, k);
        if (!vector) continue;
        const bin = Math.min(colourCount - 1, Math.floor(Math.hypot(...vector) / longest * colourCount));
        if (!paths.has(bin)) paths.set(bin, new Path2D());
        const { x, y, width, height } = blockRect(field, i);
        addArrow(paths.get(bin), x + width / 2, y + height / 2, vector[0] * factor, vector[1] * factor, thickness);
    }
    return [...paths].sort(([a], [b]) => a - b);
}

/** The head is a part of the arrow's length, so that arrows of half a pel and of fifty are arrows. */
function addArrow(path, x, y, dx, dy, thickness) {
    const length = Math.hypot(dx, dy);
    path.moveTo(x, y);
    path.lineTo(x + dx + 1e-3, y + dy);
    if (length < thickness) return;
    const head = Math.min(.45 * length, 4 * thickness) / length;
    for (const turn of [1, -1]) {
        path.moveTo(x + dx, y + dy);
        path.lineTo(x + dx - (dx * .87 - dy * turn * .55) * head, y + dy - (dy * .87 + dx * turn * .55) * head);
    }
}
