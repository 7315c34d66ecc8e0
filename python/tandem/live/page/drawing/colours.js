// SPDX-License-Identifier: BSD-2-Clause
// Colours of lengths, directions and costs, as [red, green, blue] of 0..255. Lengths have those of tandem motion --draw.
const lengthStops = [[90, 150, 255], [60, 220, 230], [120, 235, 90], [250, 225, 60], [255, 150, 40], [250, 60, 60]];
const heatStops = [[20, 14, 54], [87, 16, 110], [188, 55, 84], [249, 142, 9], [252, 255, 164]];

export const css = ([red, green, blue]) => `rgb(${red},${green},${blue})`;

function between(stops, part) {
    const place = Math.min(Math.max(part, 0), 1) * (stops.length - 1), below = Math.min(Math.floor(place), stops.length - 2);
    return stops[below].map((value, i) => Math.round(value + (stops[below + 1][i] - value) * (place - below)));
}

/** From short (0) to long (1): blue, cyan, green, yellow, orange, red. */
export const lengthColour = (part) => between(lengthStops, part);
/** From cheap (0) to dear (1): dark to bright. */
export const heatColour = (part) => between(heatStops, part);

/** The colour wheel: hue is the direction (right red, down yellow-green, left cyan, up violet), paleness is shortness. */
export function wheelColour(x, y, longest) {
    const hue = ((Math.atan2(y, x) / (2 * Math.PI) + 1) % 1) * 6, strength = Math.min(Math.hypot(x, y) / longest, 1);
    const ramp = (shift) => {
        const place = (hue + shift) % 6;
        return Math.min(Math.max(Math.min(place, 4 - place), 0), 1);
    };
    return [ramp(2), ramp(0), ramp(4)].map((value) => Math.round(255 * (1 - strength * (1 - value))));
}
