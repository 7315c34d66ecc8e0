// SPDX-License-Identifier: BSD-2-Clause
// Samples as pictures: luma as grey, and the difference of two pictures about a middle grey.
/** A canvas of the samples' own size; made anew only when the size changes. */
export class SampleCanvas {
    constructor() {
        this.canvas = document.createElement("canvas");
        this.canvas.width = this.canvas.height = 0;
    }

    fit(width, height) {
        if (this.canvas.width === width && this.canvas.height === height) return;
        Object.assign(this.canvas, { width, height });
        this.context = this.canvas.getContext("2d");
        this.image = this.context.createImageData(width, height);
        this.pixels = new Uint32Array(this.image.data.buffer);
    }

    /** Sample i gets the grey of the table's value at valueOf(i). */
    paint(width, height, valueOf, table) {
        this.fit(width, height);
        const { pixels } = this;
        for (let i = 0; i < pixels.length; ++i) pixels[i] = table[valueOf(i)];
        this.context.putImageData(this.image, 0, 0);
        return this.canvas;
    }
}

// Pixels are written as 32-bit words; the browsers' machines are little-endian: alpha, blue, green, red.
const greys = (count, greyOf) => Uint32Array.from({ length: count }, (_, i) => {
    const grey = Math.min(Math.max(Math.round(greyOf(i)), 0), 255);
    return (0xFF000000 | grey << 16 | grey << 8 | grey) >>> 0;
});
const plain = greys(256, (value) => value);
const dimmed = greys(256, (value) => .5 * value + 14);
const gain = 3;
const differences = greys(511, (value) => 128 + gain * (value - 255));

/** `isDimmed`: darker, so that colours stand out from it. */
export const paintLuma = (target, width, height, samples, isDimmed) =>
    target.paint(width, height, (i) => samples[i], isDimmed ? dimmed : plain);

/** Middle grey where both are the same; three times the difference. */
export const paintDifference = (target, width, height, samples, others) =>
    target.paint(width, height, (i) => samples[i] - others[i] + 255, differences);
