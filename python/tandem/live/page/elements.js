// SPDX-License-Identifier: BSD-2-Clause
// How elements and numbers are made. Text goes in as text, never as HTML.
export const byId = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

/** With a real minus sign; "–" for what is unknown. */
export function fixed(value, digits) {
    if (value === Infinity) return "∞";
    if (!Number.isFinite(value)) return "–";
    return value.toFixed(digits).replace("-", "−");
}

/** Few digits for a vector's component: whole pels without a point. */
export const pels = (value) => String(Number(value.toFixed(3))).replace("-", "−");

/** A row of buttons of which one is pressed. `options`: [key, text] pairs. */
export function segments(label, options, value, change) {
    const group = make("div", { class: "segments", role: "group", "aria-label": label });
    const press = (chosen) => {
        for (const button of group.children) button.setAttribute("aria-pressed", String(button.dataset.key === chosen));
    };
    for (const [key, text] of options)
        group.append(make("button", { type: "button", "data-key": key, onclick: () => { press(key); change(key); } }, text));
    press(value);
    return Object.assign(group, { press });
}

export function toggle(text, value, change) {
    const button = make("button", { type: "button", class: "toggle", "aria-pressed": String(value) }, text);
    button.addEventListener("click", () => {
        const next = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(next));
        change(next);
    });
    return button;
}
