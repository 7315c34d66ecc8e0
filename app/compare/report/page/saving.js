// SPDX-License-Identifier: BSD-2-Clause
// The curves between the points, and the rate that each series saves over quality: where curves over the rate lie
// together, these part.

// Slopes of PCHIP (Fritsch and Butland 1984), as the average differences are made by: the weighted harmonic mean of the
// neighbouring secants.
function pchipSlopes(x, y) {
    const step = x.slice(1).map((value, k) => value - x[k]), s = step.map((h, k) => (y[k + 1] - y[k]) / h);
    const end = (h0, h1, s0, s1) => {
        const slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
        if (slope * s0 <= 0) return 0;
        return s0 * s1 < 0 && Math.abs(slope) > 3 * Math.abs(s0) ? 3 * s0 : slope;
    };
    const last = x.length - 1;
    return x.map((_, k) => {
        if (k === 0) return end(step[0], step[1], s[0], s[1]);
        if (k === last) return end(step[last - 1], step[last - 2], s[last - 1], s[last - 2]);
        if (s[k - 1] * s[k] <= 0) return 0;
        const before = 2 * step[k] + step[k - 1], after = step[k] + 2 * step[k - 1];
        return (before + after) / (before / s[k - 1] + after / s[k]);
    });
}

// The logarithm of the rate (to base 10) over a measure of quality; null where the points do not make a curve.
function rateCurve(clip, index, measure) {
    const sorted = curveOf(clip, index)
                       .filter((point) => known(point[measure]) && point.kbps > 0)
                       .sort((a, b) => a[measure] - b[measure]);
    const x = sorted.map((point) => point[measure]), y = sorted.map((point) => Math.log10(point.kbps));
    if (x.length < 3 || x.some((value, k) => k > 0 && value - x[k - 1] < 1e-9)) return null;
    const slopes = pchipSlopes(x, y);
    const at = (position) => {
        let k = x.length - 2;
        while (k > 0 && position < x[k]) --k;
        const h = x[k + 1] - x[k], t = (position - x[k]) / h, s = 1 - t;
        return s * s * ((1 + 2 * t) * y[k] + t * h * slopes[k]) +
            t * t * ((1 + 2 * s) * y[k + 1] - s * h * slopes[k + 1]);
    };
    return {at, low: x[0], high: x[x.length - 1], points: sorted};
}

const between = (low, high, count) => Array.from({length: count + 1}, (_, i) => low + (high - low) * i / count);

// What a chart of quality over rate draws through the points of a series.
function fitOf(clip, index, measure) {
    const curve = rateCurve(clip, index, measure);
    if (!curve) return undefined;
    return between(curve.low, curve.high, 16 * (curve.points.length - 1))
        .map((quality) => ({x: 10 ** curve.at(quality), y: quality}));
}

// By how many per cent more bits a series takes than the anchor at each quality that both have.
function savingCurve(clip, index, measure) {
    const anchor = rateCurve(clip, state.anchor, measure), test = rateCurve(clip, index, measure);
    if (!anchor || !test) return null;
    const low = Math.max(anchor.low, test.low), high = Math.min(anchor.high, test.high);
    if (high <= low) return null;
    const percent = (quality) => 100 * (10 ** (test.at(quality) - anchor.at(quality)) - 1);
    return {
        fit: between(low, high, 80).map((quality) => ({x: quality, y: percent(quality)})),
        points: test.points.filter((point) => point[measure] >= low && point[measure] <= high)
                    .map((point) => ({
                             x: point[measure],
                             y: percent(point[measure]),
                             text: `${series[index].name}, ${targetName(point)}\n${
                                       signed(percent(point[measure]), 2)} % bits at ` +
                                 `${fixed(point[measure], 2)} dB`
                         }))
    };
}

function savingSpec(clip) {
    const found = series.map((_, i) => i)
                      .filter((i) => !state.hidden.has(i) && i !== state.anchor)
                      .map((i) => ({i, curve: savingCurve(clip, i, "psnr_y")}))
                      .filter((one) => one.curve);
    return {
        label: `Bits against ${series[state.anchor].name} over PSNR, ${clips[clip].name}`,
        zero: true,
        x: {scale: "linear", label: "PSNR Y, dB", format: short},
        y: {
            scale: "linear",
            label: `bits against ${series[state.anchor].name}, %`,
            format: (value) => minus(String(value))
        },
        curves: found.map(({i, curve}) => ({index: i, look: looks[i], line: true, ...curve})),
    };
}

function savingFigure(clip) {
    return figure(`${clips[clip].name}: bits at equal PSNR`, (width) => {
        const spec = savingSpec(clip);
        if (!spec.curves.length)
            return emptyChart(width, `No series that is shown shares qualities with ${series[state.anchor].name}.`);
        spec.curves.push({
            index: state.anchor,
            look: looks[state.anchor],
            line: false,
            points: [],
            fit: [{x: spec.curves[0].fit[0].x, y: 0}]
        });
        return lineChart(spec, width);
    }, (width) => legendOfSeries(savingSpec(clip).curves.map((curve) => curve.index), width));
}
