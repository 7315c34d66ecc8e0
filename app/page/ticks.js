// SPDX-License-Identifier: BSD-2-Clause
// Where the labels of an axis stand.
/* exported labelled */
function niceTicks(low, high, count) {
    const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough);
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
        ticks.push(Number((i * step).toPrecision(12)));
    return ticks;
}

// Two ticks at least and no two with one label, however narrow the range is.
function labelled(ticksOf, low, high, count, format) {
    let values = ticksOf(low, high, count);
    for (let more = count; values.length < 2; more *= 2) values = niceTicks(low, high, more);
    const distinct = new Set(values.map(format)).size === values.length;
    return values.map((value) => ({value, text: distinct ? format(value) : minus(String(value))}));
}
