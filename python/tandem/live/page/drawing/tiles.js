// SPDX-License-Identifier: BSD-2-Clause
// A colour for each block, laid over the picture.
import { heatColour, wheelColour } from "./colours.js";
import { costPerSample, vectorOf } from "./field.js";

/** `colourOf(i)`: [red, green, blue] of block i, or null: the picture shows through. */
function drawTiles(context, field, opacity, colourOf) {
    const small = drawTiles.canvas ||= document.createElement("canvas");
    Object.assign(small, { width: field.columns, height: field.rows });
    const own = small.getContext("2d"), image = own.createImageData(field.columns, field.rows);
    for (let i = 0; i < field.rows * field.columns; ++i) {
        const colour = colourOf(i);
        if (colour) image.data.set([...colour, 255], 4 * i);
    }
    own.putImageData(image, 0, 0);
    context.save();
    context.beginPath();
    context.rect(0, 0, field.width, field.height);
    context.clip();
    context.globalAlpha = opacity;
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, field.columns * field.blockWidth, field.rows * field.blockHeight);
    context.restore();
}

/** The colour wheel's colour of each vector. `sign`: 1: the vector, -1: the movement. */
export function drawWheel(context, field, { longest, sign }) {
    drawTiles(context, field, .8, (i) => {
        const vector = vectorOf(field, i);
        return vector && wheelColour(sign * vector[0], sign * vector[1], longest);
    });
}

/** What each block costs for a sample, up to `dearest`. */
export function drawCosts(context, field, { dearest }) {
    drawTiles(context, field, .82, (i) => heatColour(costPerSample(field, i) / dearest));
}

/** Fine lines between the blocks. */
export function drawGrid(context, field, pixel) {
    const path = new Path2D();
    for (let x = field.blockWidth; x < field.width; x += field.blockWidth) {
        path.moveTo(x, 0);
        path.lineTo(x, field.height);
    }
    for (let y = field.blockHeight; y < field.height; y += field.blockHeight) {
        path.moveTo(0, y);
        path.lineTo(field.width, y);
    }
    context.lineWidth = pixel;
    context.strokeStyle = "rgba(255,255,255,.16)";
    context.stroke(path);
}
