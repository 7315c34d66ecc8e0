// SPDX-License-Identifier: BSD-2-Clause
// The data, and how its series look.
/* global byId, breakable, fill, make, draw, minus, known, fixed, signed, short, milliseconds, mean, plural, showTip,
   hideTip, withFocusTip, withTip, walkable, choice, table, folded, left, niceTicks, labelled, figure, theme, keptTheme
 */
const data = JSON.parse(document.getElementById("results").textContent);
const {series, clips, points} = data;
const state = {
    anchor: data.anchor,
    hidden: new Set(),
    fit: "pchip",
    measure: "psnr_y",
    kind: "rate",
    clip: "mean"
};
// One colour and marker for each search or peer; what runs off the CPU is hollow and dashed, as it lies on the CPU's
// curve.
const families = [];
const looks = series.map((one) => {
    const family = JSON.stringify([one.encoder === "tandem" ? "" : one.name, one.codec, one.search, one.options]);
    if (!families.includes(family)) families.push(family);
    const index = families.indexOf(family);
    return {
        colour: `var(--series-${index % 8})`,
        shape: index % 6,
        hollow: Boolean(one.device) && one.device !== "cpu"
    };
});

function markerPath(shape, size) {
    const s = size;
    return [
        `M${- s},0a${s},${s} 0 1 0 ${2 * s},0a${s},${s} 0 1 0 ${- 2 * s},0`,
        `M${- s * .9},${- s * .9}h${s * 1.8}v${s * 1.8}h${- s * 1.8}z`,
        `M0,${- s * 1.2}L${s * 1.15},${s * .85}H${- s * 1.15}z`,
        `M0,${- s * 1.3}L${s * 1.3},0L0,${s * 1.3}L${- s * 1.3},0z`,
        `M0,${s * 1.2}L${s * 1.15},${- s * .85}H${- s * 1.15}z`,
        `M${- s * .4},${- s * 1.2}h${s * .8}v${s * .8}h${s * .8}v${s * .8}h${- s * .8}v${s * .8}` +
            `h${- s * .8}v${- s * .8}h${- s * .8}v${- s * .8}h${s * .8}z`,
    ][shape];
}

function marker(look, size) {
    return draw("path", {
        d: markerPath(look.shape, look.hollow ? size * 1.35 : size),
        stroke: look.colour,
        "stroke-width": 1.8,
        fill: look.hollow ? "var(--card)" : look.colour,
    });
}

const swatch = (look) => make(
    "span",
    {class: "swatch", style: `border-color:${look.colour};background:${look.hollow ? "transparent" : look.colour}`});

const seriesName = (index) => ({text: [swatch(looks[index]), series[index].name], class: "text"});
