// SPDX-License-Identifier: BSD-2-Clause
// Trails: points that are carried along by the movement, with the way that they came.
import { vectorOf } from "./field.js";

const pointCount = 420, life = 40, longestTrail = 14;

export class Trails {
    constructor() {
        this.points = [];
        this.seed = 1;
    }

    /** A number of 0..1; always the same row of them, so that a clip looks the same each time. */
    random() {
        this.seed = (this.seed * 48271) % 2147483647;
        return this.seed / 2147483647;
    }

    /** Moves all points by the field. `share`: the frames since the last step over the frames that vectors span. */
    step(field, share) {
        while (this.points.length < pointCount) this.points.push(this.born(field));
        this.points = this.points.map((point) => {
            const [x, y] = point.way[point.way.length - 1], i = this.blockAt(field, x, y), vector = i === null ? null : vectorOf(field, i);
            if (!vector || ++point.age > life) return this.born(field);
            // A vector points to where the block was: it moved the other way.
            point.way.push([x - vector[0] * share, y - vector[1] * share]);
            if (point.way.length > longestTrail) point.way.shift();
            return point;
        });
    }

    born(field) {
        return { age: Math.floor(this.random() * life), way: [[this.random() * field.width, this.random() * field.height]] };
    }

    blockAt(field, x, y) {
        if (!(x >= 0 && y >= 0 && x < field.width && y < field.height)) return null;
        return Math.floor(y / field.blockHeight) * field.columns + Math.floor(x / field.blockWidth);
    }

    draw(context, pixel) {
        context.lineCap = "round";
        context.lineWidth = 1.7 * pixel;
        for (const { age, way } of this.points) {
            const [x, y] = way[way.length - 1], [fromX, fromY] = way[0];
            if (Math.hypot(x - fromX, y - fromY) < 1) continue;
            context.strokeStyle = `rgba(255,255,255,${.75 * Math.min(1, (life - age) / 8)})`;
            context.beginPath();
            way.forEach(([px, py], i) => (i ? context.lineTo(px, py) : context.moveTo(px, py)));
            context.stroke();
        }
    }
}
