// SPDX-License-Identifier: BSD-2-Clause
// A picture with its field over it, on one canvas: what the live page and a viewer of streams have in common.
//   const painter = new FieldPainter(canvas);
//   painter.paint({ samples, field }, { layer: "arrows", sign: -1, grid: true, trails: false });
import { drawArrows, stretchFor } from "./arrows.js";
import { costPerSample, lengthsOf, SteadyScale } from "./field.js";
import { paintLuma, SampleCanvas } from "./samples.js";
import { drawCosts, drawGrid, drawWheel } from "./tiles.js";
import { Trails } from "./trails.js";

/** Layer -> its name for people. */
export const layers = { arrows: "Arrows", wheel: "Wheel", cost: "Cost", candidates: "Candidates", picture: "Picture" };

export class FieldPainter {
    constructor(canvas) {
        this.canvas = canvas;
        this.picture = new SampleCanvas();
        this.trails = new Trails();
        this.lengths = new SteadyScale(1);
        this.costs = new SteadyScale(1);
    }

    /**
     * `shown`: samples (luma, width x height of the field) and field. `options`: layer, sign (1: vectors, -1: the
     * movement), grid, trails (switches), selected (a block's index or null).
     */
    paint({ samples, field }, options) {
        this.longest = this.lengths.update(lengthsOf(field));
        this.dearest = this.costs.update(Array.from({ length: field.rows * field.columns }, (_, i) => costPerSample(field, i)));
        this.stretch = stretchFor(field, this.longest);
        const pixel = this.fit(field), context = this.canvas.getContext("2d");
        context.setTransform(1 / pixel, 0, 0, 1 / pixel, 0, 0);
        context.drawImage(paintLuma(this.picture, field.width, field.height, samples, options.layer !== "picture"), 0, 0);
        this.paintLayer(context, field, options, this.screenPixel(pixel));
    }

    paintLayer(context, field, { layer, sign, grid, trails, selected }, pixel) {
        const { longest, dearest, stretch } = this;
        if (layer === "wheel") drawWheel(context, field, { longest, sign });
        if (layer === "cost") drawCosts(context, field, { dearest });
        if (grid) drawGrid(context, field, pixel);
        if (layer === "arrows" || layer === "candidates")
            drawArrows(context, field, { longest, stretch, sign, candidates: layer === "candidates" ? field.candidates : 1, pixel });
        if (trails) this.trails.draw(context, pixel);
        if (selected !== null && selected !== undefined) this.frame(context, field, selected, pixel);
    }

    frame(context, field, i, pixel) {
        const x = (i % field.columns) * field.blockWidth, y = Math.floor(i / field.columns) * field.blockHeight;
        context.strokeStyle = "#fff";
        context.lineWidth = 1.6 * pixel;
        context.strokeRect(x, y, field.blockWidth, field.blockHeight);
    }

    /** Gives the canvas as many pixels as the screen has for it, and says how many pels one of them is wide. */
    fit(field) {
        const shown = (this.canvas.clientWidth || field.width) * devicePixelRatio;
        const width = Math.round(Math.min(Math.max(shown, field.width), 2560)), height = Math.round(width * field.height / field.width);
        if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
        return field.width / width;
    }

    /** Pels that a CSS pixel is wide, so that lines are as thick on every screen. */
    screenPixel(pixel) {
        return Math.max(pixel, pixel * this.canvas.width / (this.canvas.clientWidth || this.canvas.width));
    }
}
