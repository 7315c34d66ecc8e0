// SPDX-License-Identifier: BSD-2-Clause
// What colours mean: a bar for lengths and costs, a disc for directions.
import { css, heatColour, lengthColour, wheelColour } from "./colours.js";

/** A canvas for one layer; null where the layer has no colours. */
export function legendCanvas(layer) {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    if (layer === "wheel") return wheel(canvas, 36);
    if (layer === "cost") return bar(canvas, heatColour);
    return layer === "picture" ? null : bar(canvas, lengthColour);
}

function bar(canvas, colourOf) {
    Object.assign(canvas, { width: 96, height: 8, className: "bar" });
    const context = canvas.getContext("2d");
    for (let x = 0; x < canvas.width; ++x) {
        context.fillStyle = css(colourOf(x / (canvas.width - 1)));
        context.fillRect(x, 0, 1, canvas.height);
    }
    return canvas;
}

function wheel(canvas, size) {
    Object.assign(canvas, { width: 2 * size, height: 2 * size, className: "wheel" });
    const context = canvas.getContext("2d"), image = context.createImageData(2 * size, 2 * size);
    for (let y = 0; y < 2 * size; ++y) {
        for (let x = 0; x < 2 * size; ++x) {
            const dx = x + .5 - size, dy = y + .5 - size, inside = Math.min(Math.max(size - Math.hypot(dx, dy), 0), 1);
            image.data.set([...wheelColour(dx, dy, size), 255 * inside], 4 * (y * 2 * size + x));
        }
    }
    context.putImageData(image, 0, 0);
    return canvas;
}
