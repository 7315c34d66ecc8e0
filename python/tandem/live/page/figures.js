// SPDX-License-Identifier: BSD-2-Clause
// Rates and latencies of the last seconds, as bench.py counts them.
const windowMs = 4000;

/** Events or values of the last `windowMs`, with the time of each. */
class Recent {
    constructor() { this.items = []; }
    add(value = 0) { this.items.push([performance.now(), value]); }
    clear() { this.items = []; }
    values() {
        const since = performance.now() - windowMs;
        while (this.items.length && this.items[0][0] < since) this.items.shift();
        return this.items.map(([, value]) => value);
    }
    /** Events a second. */
    rate() {
        const count = this.values().length;
        if (count < 2) return NaN;
        const passed = this.items[count - 1][0] - this.items[0][0];
        return passed > 0 ? 1000 * (count - 1) / passed : NaN;
    }
}

/** By nearest rank. */
function percentile(values, percent) {
    if (!values.length) return NaN;
    const sorted = Float64Array.from(values).sort();
    return sorted[Math.max(0, Math.ceil(percent * sorted.length / 100) - 1)];
}

export class Figures {
    constructor() {
        for (const name of ["came", "searched", "drawn", "latency", "search", "second"]) this[name] = new Recent();
        this.reset();
    }

    /** At another source: counts begin anew. */
    reset() {
        for (const one of Object.values(this)) if (one instanceof Recent) one.clear();
        this.count = { came: 0, searched: 0, drawn: 0 };
    }

    frameCame(count = 1) {
        for (let i = 0; i < count; ++i) this.came.add();
        this.count.came += count;
    }

    answered({ searchMs }) {
        this.searched.add();
        this.count.searched += 1;
        this.search.add(searchMs[0]);
        if (searchMs.length > 1) this.second.add(searchMs[1]);
    }

    /** `latency`: milliseconds from the capture to the drawn field. */
    shown(latency) {
        this.drawn.add();
        this.count.drawn += 1;
        this.latency.add(latency);
    }

    now() {
        const latencies = this.latency.values();
        return { in: this.came.rate(), searched: this.searched.rate(), drawn: this.drawn.rate(),
            latency: percentile(latencies, 50), latency95: percentile(latencies, 95),
            search: percentile(this.search.values(), 50), second: percentile(this.second.values(), 50),
            leftOut: Math.max(0, this.count.came - this.count.searched), came: this.count.came };
    }
}
