// SPDX-License-Identifier: BSD-2-Clause
// A motion field as drawings see it. Vectors are in eighths of a pel: prediction(p) = reference(p + vector).
//   { width, height            of the picture, pels
//     blockWidth, blockHeight, columns, rows, candidates,
//     vectors                  Int16Array, rows x columns x candidates x (x, y)
//     costs, distortions }     Uint32Array, rows x columns x candidates; best first
export const eighthsPerPel = 8;
const none = 0xFFFFFFFF;

/** The vector of block i's candidate k in pels, as [x, y]; null where there is none. */
export function vectorOf(field, i, k = 0) {
    const at = i * field.candidates + k;
    if (field.distortions[at] === none) return null;
    return [field.vectors[2 * at] / eighthsPerPel, field.vectors[2 * at + 1] / eighthsPerPel];
}

/** Where block i lies in the picture, pels; those at the right and bottom edge are cut. */
export function blockRect(field, i) {
    const x = (i % field.columns) * field.blockWidth, y = Math.floor(i / field.columns) * field.blockHeight;
    return { x, y, width: Math.min(field.blockWidth, field.width - x), height: Math.min(field.blockHeight, field.height - y) };
}

/** The cost of block i's best vector for each of its samples. */
export function costPerSample(field, i) {
    const { width, height } = blockRect(field, i), cost = field.costs[i * field.candidates];
    return cost === none ? 0 : cost / (width * height);
}

/** The value below which `part` (0..1) of the values lie. */
export function quantile(values, part) {
    if (!values.length) return 0;
    const sorted = Float64Array.from(values).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

export function lengthsOf(field) {
    const lengths = [];
    for (let i = 0; i < field.rows * field.columns; ++i) {
        const vector = vectorOf(field, i);
        if (vector) lengths.push(Math.hypot(...vector));
    }
    return lengths;
}

/** The vector that most blocks have, as { x, y, part } with the part of the blocks (0..1); null without blocks. */
export function commonVector(field) {
    const counts = new Map(), blocks = field.rows * field.columns;
    let best = null;
    for (let i = 0; i < blocks; ++i) {
        const vector = vectorOf(field, i);
        if (!vector) continue;
        const key = vector.join(), count = (counts.get(key) || 0) + 1;
        counts.set(key, count);
        if (!best || count > best.count) best = { x: vector[0], y: vector[1], count };
    }
    return best && { x: best.x, y: best.y, part: best.count / blocks };
}

/** The end of a scale that does not flicker: a power of two that 19 of 20 values reach, and that falls only after a while. */
export class SteadyScale {
    constructor(least, patience = 45) {
        this.least = least;
        this.patience = patience;
        this.end = least;
        this.smaller = 0;
    }

    update(values) {
        const wanted = Math.max(this.least, 2 ** Math.ceil(Math.log2(Math.max(quantile(values, .95), this.least))));
        this.smaller = wanted < this.end ? this.smaller + 1 : 0;
        if (wanted > this.end || this.smaller > this.patience) this.end = wanted;
        return this.end;
    }
}
