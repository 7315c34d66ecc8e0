// SPDX-License-Identifier: BSD-2-Clause
// One picture with its field, its caption and legend; blocks are told under the pointer and by the arrow keys.
import { commonVector, vectorOf } from "./drawing/field.js";
import { legendCanvas } from "./drawing/legend.js";
import { FieldPainter, layers } from "./drawing/painter.js";
import { byId, fixed, make, pels } from "./elements.js";

export class Stage {
    constructor(name) {
        this.name = name;
        this.canvas = make("canvas", { class: "picture", tabindex: 0, role: "img", "aria-label": `${name}: no field yet` });
        this.painter = new FieldPainter(this.canvas);
        this.title = make("span", { class: "title" }, name);
        this.time = make("span", { class: "time" });
        this.legend = make("span", { class: "legend" });
        this.node = make("figure", { class: "stage" }, this.canvas, make("figcaption", {}, make("span", {}, this.title, " ", this.time), this.legend));
        this.selected = null;
        this.canvas.addEventListener("pointermove", (event) => this.point(event));
        this.canvas.addEventListener("pointerleave", () => this.leave());
        this.canvas.addEventListener("blur", () => this.leave());
        this.canvas.addEventListener("keydown", (event) => this.walk(event));
    }

    /** `shown`: { samples, field, ms }. */
    paint(shown, options) {
        this.shown = shown;
        this.options = options;
        if (this.selected !== null && this.selected >= shown.field.rows * shown.field.columns) this.leave();
        this.painter.paint(shown, { ...options, selected: this.selected });
        this.time.textContent = `${fixed(shown.ms, 2)} ms`;
        const common = commonVector(shown.field);
        this.canvas.setAttribute("aria-label", `${this.name}: ${shown.field.columns} by ${shown.field.rows} blocks, ` +
            (common ? `most have the vector (${pels(common.x)}, ${pels(common.y)}) pels` : "none has a vector"));
        this.showLegend(options);
        if (this.selected !== null) this.tell();
    }

    repaint() {
        if (this.shown) this.paint(this.shown, this.options);
    }

    showLegend({ layer, sign }) {
        const { longest, dearest, stretch } = this.painter;
        const end = layer === "cost" ? `${dearest} per sample` : `${pels(longest)} pels`;
        const words = layer === "picture" ? "" : `0 to ${end}`;
        const drawn = layer === "arrows" || layer === "candidates" ? `, ×${pels(stretch)}, ${sign < 0 ? "movement" : "vectors"}` : "";
        const key = [layer, words, drawn].join();
        if (this.legendKey === key) return;
        this.legendKey = key;
        const canvas = legendCanvas(layer);
        this.legend.replaceChildren(...(canvas ? [canvas] : []), words + drawn);
        this.legend.title = layers[layer];
    }

    blockUnder(event) {
        const { field } = this.shown, box = this.canvas.getBoundingClientRect();
        const column = Math.floor((event.clientX - box.left) / box.width * field.width / field.blockWidth);
        const row = Math.floor((event.clientY - box.top) / box.height * field.height / field.blockHeight);
        return column >= 0 && row >= 0 && column < field.columns && row < field.rows ? row * field.columns + column : null;
    }

    point(event) {
        if (!this.shown) return;
        this.selected = this.blockUnder(event);
        this.repaint();
    }

    leave() {
        if (this.selected === null) return;
        this.selected = null;
        byId("tip").hidden = true;
        this.repaint();
    }

    walk(event) {
        if (!this.shown) return;
        const { columns, rows } = this.shown.field, step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
        if (event.key === "Escape") this.leave();
        if (step === undefined) return;
        event.preventDefault();
        const from = this.selected ?? Math.floor(rows / 2) * columns + Math.floor(columns / 2);
        const isEdge = Math.abs(step) === 1 && Math.floor((from + step) / columns) !== Math.floor(from / columns);
        this.selected = this.selected === null || isEdge || from + step < 0 || from + step >= rows * columns ? from : from + step;
        this.repaint();
    }

    tell() {
        const { field } = this.shown, i = this.selected, column = i % field.columns, row = Math.floor(i / field.columns), lines = [`block (${column}, ${row})`];
        for (let k = 0; k < field.candidates; ++k) {
            const vector = vectorOf(field, i, k), at = i * field.candidates + k;
            if (vector) lines.push(`vector (${pels(vector[0])}, ${pels(vector[1])}) pels, cost ${field.costs[at]}, distortion ${field.distortions[at]}`);
        }
        const tip = byId("tip"), box = this.canvas.getBoundingClientRect();
        tip.textContent = lines.join("\n");
        tip.hidden = false;
        const x = box.left + (column + 1) * field.blockWidth / field.width * box.width, y = box.top + (row + 1) * field.blockHeight / field.height * box.height;
        tip.style.left = `${Math.max(8, Math.min(x + 6, innerWidth - tip.offsetWidth - 8))}px`;
        tip.style.top = `${y + 8 + tip.offsetHeight > innerHeight ? Math.max(8, y - tip.offsetHeight - 24) : y + 8}px`;
    }
}
