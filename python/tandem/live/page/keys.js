// SPDX-License-Identifier: BSD-2-Clause
// The keyboard: a letter acts when no control that takes letters has the focus.
import { make } from "./elements.js";

/** `rows`: [[keys, text, action(key)]]; a key is KeyboardEvent.key. */
export function startKeys(rows, list) {
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input, textarea")) return;
        if (event.key === " " && event.target.closest("button, summary, a")) return;
        const row = rows.find(([keys]) => keys.includes(event.key));
        if (!row) return;
        event.preventDefault();
        row[2](event.key);
    });
    list.replaceChildren(...rows.flatMap(([keys, text]) =>
        [make("dt", {}, keys.map((key) => make("kbd", {}, key === " " ? "space" : key))), make("dd", {}, text)]));
}
